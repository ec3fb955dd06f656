package merchant

import (
	"errors"
	"fmt"
	"slices"

	"github.com/tollgatepay/gateway/internal/fields"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/internal/weburl"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// Insecure names the URLs that are not https, for a merchant that accepts no others.
func (p *Profile) Insecure(urls []fields.Text) (faults []refusal.Fault) {
	if !p.record.HTTPSOnly {
		return nil
	}
	for _, u := range urls {
		if u.Value != "" && !weburl.HasScheme(u.Value, "https") {
			faults = append(faults, refusal.Fault{Path: u.Name, Text: fields.TextURL})
		}
	}
	return faults
}

// recordURLs checks the URLs of a merchant's own record.
func (d *Directory) recordURLs(m *store.Merchant) (faults recordFaults) {
	if !m.HTTPSOnly {
		return nil
	}
	urls := slices.DeleteFunc(targets(m), func(t fields.Text) bool { return d.Sinks.Takes(t.Value) })
	for _, origin := range m.Origins {
		urls = append(urls, fields.Text{Name: "origins", Value: origin})
	}
	for _, u := range urls {
		faults.require(u.Value == "" || weburl.HasScheme(u.Value, "https"),
			fmt.Sprintf("%s: %q must be https, because of https_only", u.Name, u.Value))
	}
	return faults
}

// targets are where the callbacks of a merchant go.
func targets(m *store.Merchant) []fields.Text {
	return []fields.Text{{Name: "notification_url", Value: m.NotificationURL},
		{Name: "test_notification_url", Value: m.TestNotificationURL}}
}

// checkTerms refuses a link to terms that is not https, whether the merchant or the mapping is saved last.
func checkTerms(m *store.Merchant, mapping *store.Mapping) error {
	if m.HTTPSOnly && mapping.TermsURL != "" && !weburl.HasScheme(mapping.TermsURL, "https") {
		return fmt.Errorf("terms_url: %q must be https, because of https_only", mapping.TermsURL)
	}
	return nil
}

// checkMappings checks the mappings of a merchant against a new record of it.
func checkMappings(r store.Reader, m *store.Merchant) error {
	var faults []error
	for _, protocol := range store.Protocols() {
		mapping, err := records.Mappings.Get(r, m.ID, string(protocol))
		switch {
		case err == nil:
			faults = append(faults, checkTerms(m, &mapping))
		case !errors.Is(err, store.ErrNotFound):
			return err
		}
	}
	return errors.Join(faults...)
}
