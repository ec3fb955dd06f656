package merchant

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/tollgatepay/gateway/internal/due"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/internal/route"
	"github.com/tollgatepay/gateway/internal/vault"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/keys"
)

// configuration is the stored configuration of a merchant, still sealed.
type configuration struct {
	revision string
	merchant records.Merchant
	mappings map[store.Protocol]*store.Mapping
	mids     []records.MID
	wallets  *records.MerchantWallets
	broken   broken
}

// maxMIDs bounds the MIDs of one merchant.
const maxMIDs = 1000

func readConfiguration(r store.Reader, id, revision string) (c *configuration, err error) {
	c = &configuration{revision: revision, mappings: map[store.Protocol]*store.Mapping{}}
	c.broken = broken{mids: map[string]error{}, mappings: map[store.Protocol]error{}}
	if c.merchant, err = records.Merchants.Get(r, id); err != nil {
		return c, err
	}
	for _, protocol := range store.Protocols() {
		m, err := records.Mappings.Get(r, id, string(protocol))
		switch {
		case err == nil:
			c.mappings[protocol] = &m
		case store.IsUnreadable(err):
			c.broken.mappings[protocol] = err
		case !errors.Is(err, store.ErrNotFound):
			return c, err
		}
	}
	for mid, err := range records.MIDs.Scan(r, maxMIDs, id) {
		var lost *store.Unreadable
		switch {
		case errors.As(err, &lost) && len(lost.ID) == 2:
			c.broken.mids[lost.ID[1]] = err
		case err != nil:
			return c, err
		default:
			c.mids = append(c.mids, mid)
		}
	}
	switch saved, err := records.Wallets.Get(r, id); {
	case err == nil:
		c.wallets = &saved
	case store.IsUnreadable(err):
		c.broken.wallets = err
	case !errors.Is(err, store.ErrNotFound):
		return c, err
	}
	return c, nil
}

func (d *Directory) openConfiguration(ctx context.Context, c *configuration) (*Profile, error) {
	m := c.merchant.Merchant
	password, err := d.Seals.OpenBytes(ctx, vault.Password, m.ID, m.ID, c.merchant.SealedPassword)
	if err != nil {
		return nil, err
	}
	m.Password = store.NewSecret(string(password))
	if m.NextPassword, err = d.openNext(ctx, &c.merchant); err != nil {
		return nil, err
	}
	p := &Profile{revision: c.revision, record: m, marks: records.Fingerprint(m.Password),
		nextMarks: c.merchant.NextHashMarks, mappings: c.mappings,
		mids: map[string]*store.MID{}, broken: c.broken}
	for _, protocol := range store.Protocols() {
		if p.mappings[protocol] == nil {
			p.mappings[protocol] = p.defaults(protocol)
		}
	}
	keyed, err := d.openWallets(ctx, c.wallets)
	switch {
	case due.IsShut(err):
		p.broken.wallets = err
	case err != nil:
		return nil, err
	}
	p.Wallets = d.useWallets(&m, keyed)
	for _, saved := range c.mids {
		mid := saved.MID
		mid.Secrets, err = d.openSecrets(ctx, saved)
		switch {
		case due.IsShut(err):
			p.broken.mids[mid.ID] = err
			continue
		case err != nil:
			return nil, fmt.Errorf("MID %s: %w", mid.ID, err)
		}
		p.mids[mid.ID] = &mid
		connector, ok := d.Connectors[mid.Connector]
		if !ok {
			d.Log.Warn("a MID names a connector that is not configured", "mid", mid.ID, "connector", mid.Connector)
			continue
		}
		can := methods.CapabilitiesOf(connector)
		p.Accounts = append(p.Accounts, route.Account{MID: mid, Holds: can.Holds, ZeroAmount: can.ZeroAmount})
	}
	p.Codes = codesOf(p.Accounts)
	if !m.RotatesAt.IsZero() {
		p.later = d.rotate(*p, keyed)
	}
	return p, nil
}

func codesOf(accounts []route.Account) []string {
	codes := []string{"card"}
	for i := range accounts {
		for _, code := range accounts[i].Methods {
			if !slices.Contains(codes, code) {
				codes = append(codes, code)
			}
		}
	}
	return codes
}

func (d *Directory) openSecrets(ctx context.Context, saved records.MID) (map[string]store.Secret, error) {
	if saved.SealedSecrets == nil {
		return nil, nil
	}
	plain, err := d.Seals.OpenBytes(ctx, vault.MIDSecret, saved.MerchantID, saved.ID, saved.SealedSecrets)
	if err != nil {
		return nil, err
	}
	defer vault.Wipe(plain)
	var texts map[string]string
	if err := json.Unmarshal(plain, &texts); err != nil {
		return nil, keys.ErrBroken
	}
	secrets := make(map[string]store.Secret, len(texts))
	for name, text := range texts {
		secrets[name] = store.NewSecret(text)
	}
	return secrets, nil
}

// invalidate invalidates what every instance caches of a merchant.
func invalidate(tx store.Tx, merchantID string) error {
	key := records.KeyOfRevision(merchantID)
	old, err := tx.Get(key)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return err
	}
	n, _ := strconv.Atoi(string(old))
	return tx.Put(key, []byte(strconv.Itoa(n+1)))
}
