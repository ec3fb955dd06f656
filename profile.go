package gateway

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"sync"

	"github.com/tollgatepay/gateway/internal/route"
	"github.com/tollgatepay/gateway/internal/vault"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// profile is a merchant with everything configured for it, opened and ready to use. It is never
// changed: a saved record makes a new one.
type profile struct {
	revision string
	merchant store.Merchant // with the password
	mappings map[store.Protocol]*store.Mapping
	mids     map[string]*store.MID // with secrets
	accounts []route.Account
}

// mapping is the merchant's Protocol Mapping; a merchant without one has the defaults.
func (p *profile) mapping(protocol store.Protocol) *store.Mapping {
	if m, ok := p.mappings[protocol]; ok {
		return m
	}
	return &store.Mapping{MerchantID: p.merchant.ID, Protocol: protocol}
}

// mid is one of the merchant's MIDs. One that was removed is still named in records: it comes back
// empty but for its id, and no connector serves it.
func (p *profile) mid(id string) *store.MID {
	if mid, ok := p.mids[id]; ok {
		return mid
	}
	return &store.MID{ID: id, MerchantID: p.merchant.ID}
}

// profiles remembers profiles by merchant. One small record per merchant, its revision, tells every
// instance on the store when what it remembers is stale.
type profiles struct {
	mu   sync.Mutex
	byID map[string]*profile
}

// maxProfiles bounds how many profiles are remembered.
const maxProfiles = 10_000

func (c *profiles) get(id, revision string) *profile {
	c.mu.Lock()
	defer c.mu.Unlock()
	if p := c.byID[id]; p != nil && p.revision == revision {
		return p
	}
	return nil
}

func (c *profiles) put(p *profile) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.byID == nil || len(c.byID) >= maxProfiles {
		c.byID = map[string]*profile{}
	}
	c.byID[p.merchant.ID] = p
}

// profileByKey finds a merchant by its live or test key. test says which of the two it was.
func (gw *Gateway) profileByKey(ctx context.Context, merchantKey string) (p *profile, test bool, err error) {
	var id []byte
	err = gw.cfg.Store.View(ctx, func(r store.Reader) error {
		id, err = r.Get(keyOfMerchantKey(merchantKey))
		return err
	})
	if err != nil {
		return nil, false, err
	}
	if p, err = gw.profileByID(ctx, string(id)); err != nil {
		return nil, false, err
	}
	return p, merchantKey == p.merchant.TestKey, nil
}

// profileByID reads a merchant. What is sealed is opened once the snapshot is let go: the key provider
// may be far away.
func (gw *Gateway) profileByID(ctx context.Context, id string) (p *profile, err error) {
	var c configuration
	err = gw.cfg.Store.View(ctx, func(r store.Reader) error {
		revision, err := r.Get(keyOfRevision(id))
		if err != nil {
			return err
		}
		if p = gw.profiles.get(id, string(revision)); p != nil {
			return nil
		}
		c, err = readConfiguration(r, id, string(revision))
		return err
	})
	if err != nil || p != nil {
		return p, err
	}
	if p, err = gw.openConfiguration(ctx, &c); err != nil {
		return nil, fmt.Errorf("merchant %s: %w", id, err)
	}
	gw.profiles.put(p)
	return p, nil
}

// configuration is what is stored of a merchant, sealed as it is.
type configuration struct {
	revision string
	merchant merchantRecord
	mappings map[store.Protocol]*store.Mapping
	mids     []midRecord
}

// maxMIDs bounds the MIDs of one merchant.
const maxMIDs = 1000

func readConfiguration(r store.Reader, id, revision string) (c configuration, err error) {
	c = configuration{revision: revision, mappings: map[store.Protocol]*store.Mapping{}}
	if c.merchant, err = merchants.Get(r, id); err != nil {
		return c, err
	}
	for _, protocol := range store.Protocols() {
		m, err := mappings.Get(r, id, string(protocol))
		if err == nil {
			c.mappings[protocol] = &m
		} else if !errors.Is(err, store.ErrNotFound) {
			return c, err
		}
	}
	for mid, err := range mids.Scan(r, maxMIDs, id) {
		if err != nil {
			return c, err
		}
		c.mids = append(c.mids, mid)
	}
	return c, nil
}

func (gw *Gateway) openConfiguration(ctx context.Context, c *configuration) (*profile, error) {
	m := c.merchant.Merchant
	password, err := gw.seals.open(ctx, vault.Password, m.ID, m.ID, c.merchant.SealedPassword)
	if err != nil {
		return nil, err
	}
	m.Password = store.NewSecret(string(password))
	p := &profile{revision: c.revision, merchant: m, mappings: c.mappings, mids: map[string]*store.MID{}}
	for _, saved := range c.mids {
		mid := saved.MID
		if mid.Secrets, err = gw.openSecrets(ctx, saved); err != nil {
			return nil, fmt.Errorf("MID %s: %w", mid.ID, err)
		}
		p.mids[mid.ID] = &mid
		connector, ok := gw.cfg.Connectors[mid.Connector]
		if !ok {
			gw.cfg.Log.Warn("a MID names a connector that is not configured", "mid", mid.ID, "connector", mid.Connector)
			continue
		}
		can := capabilities(connector)
		p.accounts = append(p.accounts, route.Account{MID: mid, Holds: can.Holds, ZeroAmount: can.ZeroAmount})
	}
	return p, nil
}

func capabilities(connector methods.Connector) methods.Capabilities {
	if declarer, ok := connector.(methods.Declarer); ok {
		return declarer.Capabilities()
	}
	return methods.Capabilities{}
}

func (gw *Gateway) openSecrets(ctx context.Context, saved midRecord) (map[string]store.Secret, error) {
	if saved.SealedSecrets == nil {
		return nil, nil
	}
	plain, err := gw.seals.open(ctx, vault.MIDSecret, saved.MerchantID, saved.ID, saved.SealedSecrets)
	if err != nil {
		return nil, err
	}
	defer vault.Wipe(plain)
	var texts map[string]string
	if err := json.Unmarshal(plain, &texts); err != nil {
		return nil, ErrSealBroken
	}
	secrets := make(map[string]store.Secret, len(texts))
	for name, text := range texts {
		secrets[name] = store.NewSecret(text)
	}
	return secrets, nil
}

// bump makes what every instance remembers of a merchant stale.
func bump(tx store.Tx, merchantID string) error {
	key := keyOfRevision(merchantID)
	old, err := tx.Get(key)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return err
	}
	n, _ := strconv.Atoi(string(old))
	return tx.Put(key, []byte(strconv.Itoa(n+1)))
}
