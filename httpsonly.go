package gateway

import (
	"errors"
	"fmt"

	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// A merchant that takes https URLs only (store.Merchant, HTTPSOnly) has them refused wherever a URL comes in: in
// sessions of both kinds, charges, later payments of chains, and its own records.

// insecure names the URLs that are not https, for a merchant that takes no others.
func (p *profile) insecure(urls []text) (faults []refusal.Fault) {
	if !p.merchant.HTTPSOnly {
		return nil
	}
	for _, u := range urls {
		if u.value != "" && !hasScheme(u.value, "https") {
			faults = append(faults, refusal.Fault{Path: u.name, Text: textURL})
		}
	}
	return faults
}

func sessionURLs(r *SessionRequest) []text {
	return []text{
		{"cancel_url", r.CancelURL}, {"return_url", r.ReturnURL}, {"success_url", r.SuccessURL}, {"expiry_url", r.ExpiryURL}, {"error_url", r.ErrorURL},
	}
}

func chargeURLs(r *ChargeRequest) []text {
	return []text{{"return_url", r.ReturnURL}, {"callback_url", r.CallbackURL}}
}

// recordURLs checks the URLs of a merchant's own record.
func recordURLs(m *store.Merchant) (faults recordFaults) {
	if !m.HTTPSOnly {
		return nil
	}
	urls := []text{{"notification_url", m.NotificationURL}, {"test_notification_url", m.TestNotificationURL}}
	for _, origin := range m.Origins {
		urls = append(urls, text{"origins", origin})
	}
	for _, u := range urls {
		faults.require(u.value == "" || hasScheme(u.value, "https"), fmt.Sprintf("%s: %q must be https, because of https_only", u.name, u.value))
	}
	return faults
}

// checkTerms refuses a link to terms that is not https, whichever of merchant and mapping is saved last.
func checkTerms(m *store.Merchant, mapping *store.Mapping) error {
	if m.HTTPSOnly && mapping.TermsURL != "" && !hasScheme(mapping.TermsURL, "https") {
		return fmt.Errorf("terms_url: %q must be https, because of https_only", mapping.TermsURL)
	}
	return nil
}

// checkMappings holds the mappings of a merchant against a new record of it.
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
