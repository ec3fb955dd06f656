package merchant

import (
	"cmp"
	"context"
	"strings"
	"time"

	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/internal/vault"
	"github.com/tollgatepay/gateway/store"
)

// nextPassword names the sealed next password of a merchant.
func nextPassword(merchantID string) string { return merchantID + "/next" }

// openNext opens the next password; none gives the zero Secret.
func (d *Directory) openNext(ctx context.Context, m *records.Merchant) (store.Secret, error) {
	if m.SealedNext == nil {
		return store.Secret{}, nil
	}
	password, err := d.Seals.OpenBytes(ctx, vault.Password, m.ID, nextPassword(m.ID), m.SealedNext)
	if err != nil {
		return store.Secret{}, err
	}
	return store.NewSecret(string(password)), nil
}

// sealNext seals the next password of a record that is saved, and removes it from there.
func (d *Directory) sealNext(ctx context.Context, m *records.Merchant) (err error) {
	if m.NextPassword.Reveal() == "" {
		return nil
	}
	m.SealedNext, err = d.Seals.Seal(ctx, vault.Password, m.ID, nextPassword(m.ID), []byte(m.NextPassword.Reveal()))
	m.NextHashMarks, m.NextPassword = records.Fingerprint(m.NextPassword), store.Secret{}
	return err
}

// rotated returns a record as it is from RotatesAt on.
func rotated(m store.Merchant) store.Merchant {
	if m.NextPassword.Reveal() != "" {
		m.Password = m.NextPassword
	}
	m.Key, m.TestKey = cmp.Or(m.NextKey, m.Key), cmp.Or(m.NextTestKey, m.TestKey)
	m.NextPassword, m.NextKey, m.NextTestKey, m.RotatesAt = store.Secret{}, "", "", time.Time{}
	return m
}

// rotate returns the profile of a merchant as it is from RotatesAt on.
func (d *Directory) rotate(p Profile, keyed *store.Wallets) *Profile {
	p.record = rotated(p.record)
	p.marks, p.nextMarks, p.later = cmp.Or(p.nextMarks, p.marks), "", nil
	p.Wallets = d.useWallets(&p.record, keyed)
	return &p
}

// at returns the profile as it is at a time: before the rotation of its secrets, or after.
func (p *Profile) at(now time.Time) *Profile {
	if p.later == nil || now.Before(p.record.RotatesAt) {
		return p
	}
	return p.later
}

// opensFor reports whether a key is the merchant's, and whether it is a test key. The key in the index may be one that
// has ended, or whose time has come.
func (p *Profile) opensFor(key string) (known, test bool) {
	m := &p.record
	test = key == m.TestKey || key == m.NextTestKey
	return test || key == m.Key || key == m.NextKey, test
}

// Verifies reports whether a check of a signature holds with a password of the merchant: the current one, or the next.
// It always tries both, so that the time does not tell which.
func (p *Profile) Verifies(check func(password string) bool) bool {
	fits := check(p.record.Password.Reveal())
	if p.nextMarks == "" {
		return fits
	}
	return check(p.record.NextPassword.Reveal()) || fits
}

// MarksOf returns the fingerprint that locates the hash marks of the password with which a check holds.
func (p *Profile) MarksOf(check func(password string) bool) string {
	if p.nextMarks != "" && check(p.record.NextPassword.Reveal()) {
		return p.nextMarks
	}
	return p.marks
}

// rotationFaults are those of the next password and keys.
func rotationFaults(m *store.Merchant) (faults recordFaults) {
	next := m.NextPassword.Reveal()
	rotates := next != "" || m.NextKey != "" || m.NextTestKey != ""
	faults.require(rotates != m.RotatesAt.IsZero(), "rotates_at: required with a next password or key, and only then")
	faults.require(!strings.EqualFold(next, m.Password.Reveal()) || next == "", "next_password: must not be the password")
	faults.require(len(m.NextKey) <= 255 && len(m.NextTestKey) <= 255, "next_key, next_test_key: up to 255 bytes")
	seen := map[string]bool{}
	for _, key := range keysOf(m) {
		faults.require(!seen[key], "key, test_key, next_key and next_test_key: each another one")
		seen[key] = true
	}
	if next != "" {
		faults = append(faults, passwordFaults("next_password", next, m)...)
	}
	return faults
}

// keysOf returns every key of a merchant.
func keysOf(m *store.Merchant) (list []string) {
	for _, key := range []string{m.Key, m.TestKey, m.NextKey, m.NextTestKey} {
		if key != "" {
			list = append(list, key)
		}
	}
	return list
}
