package merchant

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/tollgatepay/gateway/internal/fields"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/internal/route"
	"github.com/tollgatepay/gateway/internal/vault"
	"github.com/tollgatepay/gateway/internal/weburl"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// SaveMerchant stores a new or changed merchant while the gateway runs. The error names every fault. The merchant's
// keys must be free or its own, and it must not have had its password before.
func (d *Directory) SaveMerchant(ctx context.Context, m store.Merchant) error {
	if err := errors.Join(append(d.merchantFaults(&m), d.recordURLs(&m)...)...); err != nil {
		return fmt.Errorf("gateway: merchant %q: %w", m.ID, err)
	}
	sealed, err := d.Seals.Seal(ctx, vault.Password, m.ID, m.ID, []byte(m.Password.Reveal()))
	if err != nil {
		return err
	}
	names, err := d.namePasswords(ctx, &m)
	if err != nil {
		return err
	}
	saved := records.Merchant{Merchant: m, SealedPassword: sealed, HashMarks: records.Fingerprint(m.Password)}
	saved.Password = store.Secret{}
	if err := d.sealNext(ctx, &saved); err != nil {
		return err
	}
	now := d.Now()
	return d.Store.Update(ctx, func(tx store.Tx) error {
		err := errors.Join(checkMappings(tx, &m), takePasswords(tx, m.ID, names, now), claimKeys(tx, &m))
		if err != nil {
			return fmt.Errorf("gateway: merchant %q: %w", m.ID, err)
		}
		record := saved
		if err := keepMarks(&record, tx, now); err != nil {
			return err
		}
		return errors.Join(records.Merchants.Put(tx, record, m.ID), invalidate(tx, m.ID))
	})
}

func (d *Directory) merchantFaults(m *store.Merchant) (faults recordFaults) {
	faults.require(m.ID != "" && len(m.ID) <= 64, "id: 1 to 64 bytes")
	faults.require(m.Key != "" && len(m.Key) <= 255, "key: 1 to 255 bytes")
	faults.require(len(m.TestKey) <= 255 && m.TestKey != m.Key, "test_key: up to 255 bytes, and not the live key")
	faults = append(faults, passwordFaults("password", m.Password.Reveal(), m)...)
	faults = append(faults, rotationFaults(m)...)
	faults.require(utf8.RuneCountInString(m.Name) <= 255 && fields.IsPrintable(m.Name),
		"name: up to 255 characters, and no control characters")
	faults.require(!store.HoldsPAN(m.Name), "name: "+fields.TextCard)
	for _, t := range targets(m) {
		faults.require(fields.IsURLOrNone(t.Value) || d.Sinks.Takes(t.Value), t.Name+": "+d.Sinks.Wanted())
	}
	for _, origin := range m.Origins {
		u, err := url.Parse(origin)
		ok := err == nil && weburl.Valid(origin, weburl.Max) && origin == u.Scheme+"://"+u.Host
		faults.require(ok, fmt.Sprintf("origins: %q is not scheme and host, like https://shop.example", origin))
	}
	return faults
}

func passwordFaults(field, password string, m *store.Merchant) (faults recordFaults) {
	faults.require(len(password) >= 16, field+": at least 16 characters, better 32 random ones")
	faults.require(fields.IsPrintableASCII(password), field+": printable ASCII, so that every hash takes the same time")
	isKey := slices.ContainsFunc(keysOf(m), func(key string) bool { return strings.EqualFold(key, password) })
	faults.require(!isKey, field+": must not be a key of the merchant, which is no secret")
	return faults
}

// recordFaults are the faults of a configuration record; each text names the field.
type recordFaults []error

func (f *recordFaults) require(ok bool, text string) {
	if !ok {
		*f = append(*f, errors.New(text))
	}
}

// claimKeys makes the merchant's keys lead to it, and releases its former keys.
func claimKeys(tx store.Tx, m *store.Merchant) error {
	old, err := records.Merchants.Get(tx, m.ID)
	// A damaged record is repaired by this.
	if err != nil && !errors.Is(err, store.ErrNotFound) && !store.IsUnreadable(err) {
		return err
	}
	for _, key := range keysOf(&old.Merchant) {
		if err := tx.Delete(records.KeyOfMerchant(key)); err != nil {
			return err
		}
	}
	for _, key := range keysOf(m) {
		err := tx.Insert(records.KeyOfMerchant(key), []byte(m.ID))
		if errors.Is(err, store.ErrExists) {
			if of, _ := tx.Get(records.KeyOfMerchant(key)); string(of) == m.ID {
				continue
			}
		}
		if err != nil {
			return fmt.Errorf("a key belongs to another merchant: %w", err)
		}
	}
	return nil
}

// SaveMapping stores the Protocol Mapping of a merchant for one protocol.
func (d *Directory) SaveMapping(ctx context.Context, m store.Mapping) error {
	if err := errors.Join(d.mappingFaults(&m)...); err != nil {
		return fmt.Errorf("gateway: mapping of %q: %w", m.MerchantID, err)
	}
	return d.saveFor(ctx, m.MerchantID, func(tx store.Tx) error {
		owner, err := records.Merchants.Get(tx, m.MerchantID)
		if err != nil {
			return err
		}
		if err := checkTerms(&owner.Merchant, &m); err != nil {
			return fmt.Errorf("gateway: mapping of %q: %w", m.MerchantID, err)
		}
		return records.Mappings.Put(tx, m, m.MerchantID, string(m.Protocol))
	})
}

func (d *Directory) mappingFaults(m *store.Mapping) (faults recordFaults) {
	faults.require(slices.Contains(store.Protocols(), m.Protocol), fmt.Sprintf("protocol: one of %q", store.Protocols()))
	faults.require(m.MaxDeclines >= 0 && m.MaxDeclines <= 1000, "max_declines: 0..1000")
	faults.require(m.CryptoSaleSignature == "" || m.CryptoSaleSignature == store.SignedByEmail,
		`crypto_sale_signature: "email" or nothing`)
	faults.require(fields.IsURLOrNone(m.TermsURL), "terms_url: must be an absolute http or https URL")
	faults.require(fields.IsAmountOrNone(m.Limits.Day) && fields.IsAmountOrNone(m.Limits.Week),
		"limits: decimal numbers, like 10000.00")
	for _, name := range m.Required {
		faults.require(slices.Contains(requirable, name), fmt.Sprintf("required: %q is not one of %q", name, requirable))
	}
	for _, name := range m.ReturnExtras {
		faults.require(slices.Contains(store.ReturnExtraNames(), name),
			fmt.Sprintf("return_extras: %q is not one of %q", name, store.ReturnExtraNames()))
	}
	for i := range m.PreRouting {
		for _, fault := range d.preRouteFaults(&m.PreRouting[i]) {
			faults = append(faults, fmt.Errorf("pre_routing[%d]: %w", i, fault))
		}
	}
	return faults
}

// preRouteFaults refuses conditions that never hold: a rule that never fits limits nothing.
func (d *Directory) preRouteFaults(rule *store.PreRoute) (faults recordFaults) {
	sound := fields.IsAmountOrNone(rule.Min) && fields.IsAmountOrNone(rule.Max)
	faults.require(sound, "min and max are decimal numbers")
	least, _ := store.ParseAmount(rule.Min)
	most, err := store.ParseAmount(rule.Max)
	faults.require(!sound || err != nil || least.Cmp(most) <= 0, "min must not be above max")
	faults = append(faults, d.currencyFaults(rule.Currencies)...)
	for _, country := range rule.Countries {
		faults.require(d.IsCountry(country), fmt.Sprintf("countries: %q is no alpha-2 code", country))
	}
	faults.require(len(rule.Methods) > 0, "methods: at least one")
	return append(faults, d.methodFaults(rule.Methods)...)
}

func (d *Directory) currencyFaults(codes []string) (faults recordFaults) {
	for _, code := range codes {
		_, ok := d.Currencies.Lookup(code)
		faults.require(ok, fmt.Sprintf("currencies: %q is neither of ISO 4217 nor registered in Config.Crypto", code))
	}
	return faults
}

func (d *Directory) methodFaults(codes []string) (faults recordFaults) {
	for _, code := range codes {
		_, ok := d.Catalogue.Lookup(code)
		faults.require(ok, fmt.Sprintf("methods: %q is no method of the catalogue", code))
	}
	return faults
}

// requirable are the payer fields that a mapping may require on S2S (SPEC1, version history 6.7.0).
var requirable = []string{"payer_address", "payer_country", "payer_city", "payer_zip"}

// SaveMID stores a MID of a merchant. The error names every fault.
func (d *Directory) SaveMID(ctx context.Context, mid store.MID) error {
	if err := errors.Join(d.midFaults(&mid)...); err != nil {
		return fmt.Errorf("gateway: MID %q: %w", mid.ID, err)
	}
	sealed, err := d.sealSecrets(ctx, &mid)
	if err != nil {
		return err
	}
	mid.Secrets = nil
	return d.saveFor(ctx, mid.MerchantID, func(tx store.Tx) error {
		return records.MIDs.Put(tx, records.MID{MID: mid, SealedSecrets: sealed}, mid.MerchantID, mid.ID)
	})
}

func (d *Directory) midFaults(mid *store.MID) (faults recordFaults) {
	_, known := d.Connectors[mid.Connector]
	_, dayErr := mid.Day(time.Time{})
	faults.require(mid.ID != "" && len(mid.ID) <= 64, "id: 1 to 64 bytes")
	faults.require(known, fmt.Sprintf("connector: %q is not in Config.Connectors", mid.Connector))
	faults.require(slices.Contains([]store.Mode{"", store.SMS, store.DMS, store.SMSDMS}, mid.Mode),
		"mode: SMS, DMS or SMS/DMS")
	faults.require(len(mid.ChannelID) <= 16, "channel_id: up to 16 characters")
	faults.require(utf8.RuneCountInString(mid.Descriptor) <= 20 && fields.IsPrintable(mid.Descriptor),
		"descriptor: up to 20 characters, and no control characters")
	faults.require(utf8.RuneCountInString(mid.Name) <= 255 && fields.IsPrintable(mid.Name),
		"name: up to 255 characters, and no control characters")
	faults.require(!store.HoldsPAN(mid.Name), "name: "+fields.TextCard)
	faults.require(!store.HoldsPAN(mid.Descriptor), "descriptor: "+fields.TextCard)
	faults.require(slices.Contains([]string{"", "_blank", "_self", "_parent", "_top"}, mid.LinkTarget),
		"link_target: _blank, _self, _parent or _top")
	faults.require(fields.IsAmountOrNone(mid.Limits.Day) && fields.IsAmountOrNone(mid.Limits.Month),
		"limits: decimal numbers, like 10000.00")
	faults.require(dayErr == nil, "time_zone: an IANA name like Europe/Paris; day_end: HH:MM")
	options, _ := methods.OptionsOf(mid.Settings)
	if err := d.Catalogue.CheckOptions(options); err != nil {
		faults = append(faults, fmt.Errorf("settings: %w", err))
	}
	for _, brand := range mid.Brands {
		faults.require(slices.Contains(store.Brands(), brand), fmt.Sprintf("brands: %q is none of %v", brand, store.Brands()))
	}
	for _, op := range mid.Operations {
		charge := slices.ContainsFunc(store.Kinds(), func(kind store.Kind) bool { return route.Charge(kind) == op })
		faults.require(charge, fmt.Sprintf("operations: %q is none of SALE, DEBIT, TRANSFER, CREDIT", op))
	}
	return append(append(faults, d.methodFaults(mid.Methods)...), d.currencyFaults(mid.Currencies)...)
}

func (d *Directory) sealSecrets(ctx context.Context, mid *store.MID) (*store.Sealed, error) {
	if len(mid.Secrets) == 0 {
		return nil, nil
	}
	texts := make(map[string]string, len(mid.Secrets))
	for name, secret := range mid.Secrets {
		texts[name] = secret.Reveal()
	}
	plain, err := json.Marshal(texts)
	if err != nil {
		return nil, err
	}
	defer vault.Wipe(plain)
	return d.Seals.Seal(ctx, vault.MIDSecret, mid.MerchantID, mid.ID, plain)
}

// saveFor writes a record of a merchant that must exist.
func (d *Directory) saveFor(ctx context.Context, merchantID string, write func(store.Tx) error) error {
	return d.Store.Update(ctx, func(tx store.Tx) error {
		if _, err := tx.Get(records.KeyOfRevision(merchantID)); err != nil {
			return fmt.Errorf("gateway: merchant %q: %w", merchantID, err)
		}
		return errors.Join(write(tx), invalidate(tx, merchantID))
	})
}
