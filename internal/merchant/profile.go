package merchant

import (
	"sync"

	"github.com/tollgatepay/gateway/internal/route"
	"github.com/tollgatepay/gateway/store"
)

// Profile is a merchant with its configuration, opened and ready to use. It never changes: saving a record makes a
// new one.
type Profile struct {
	revision  string
	record    store.Merchant // with the password
	marks     string         // the fingerprint of the password
	later     *Profile       // from RotatesAt on; nil without a rotation
	nextMarks string         // the fingerprint of the next password; empty for none
	mappings  map[store.Protocol]*store.Mapping
	mids      map[string]*store.MID // with secrets
	Accounts  []route.Account
	Codes     []string // of cards and of the methods that the MIDs list
	Wallets   *Wallets // with keys; nil for none
	broken    broken
}

// Record returns the merchant's own record, with the password.
func (p *Profile) Record() *store.Merchant { return &p.record }

// HashMarks returns the fingerprint that locates the hash marks of the merchant's password.
func (p *Profile) HashMarks() string { return p.marks }

// Mapping returns the merchant's Protocol Mapping; without one, the defaults. An unreadable mapping (see Speaks)
// allows nothing.
func (p *Profile) Mapping(protocol store.Protocol) *store.Mapping {
	if m, ok := p.mappings[protocol]; ok {
		return m
	}
	return p.defaults(protocol)
}

func (p *Profile) defaults(protocol store.Protocol) *store.Mapping {
	return &store.Mapping{MerchantID: p.record.ID, Protocol: protocol, Disabled: p.Speaks(protocol) != nil}
}

// Off reports whether a merchant is switched off or may not use a protocol. Then nothing new starts; payments that
// have begun may finish.
func (p *Profile) Off(protocol store.Protocol) bool {
	return p.record.Disabled || p.Mapping(protocol).Disabled
}

// MID returns one of the merchant's MIDs. A removed MID that records still name is returned empty except for its
// id, and no connector serves it.
func (p *Profile) MID(id string) *store.MID {
	if mid, ok := p.mids[id]; ok {
		return mid
	}
	return &store.MID{ID: id, MerchantID: p.record.ID}
}

// profiles caches profiles by merchant. One small record per merchant, its revision, shows every instance on the
// store when its cache is stale.
type profiles struct {
	mu       sync.Mutex
	byID     map[string]*Profile
	reported map[string]string // merchants that cannot be read: the revision that was reported
}

// maxProfiles bounds the cached profiles.
const maxProfiles = 10_000

func (c *profiles) get(id, revision string) *Profile {
	c.mu.Lock()
	defer c.mu.Unlock()
	if p := c.byID[id]; p != nil && p.revision == revision {
		return p
	}
	return nil
}

func (c *profiles) put(p *Profile) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.byID == nil || len(c.byID) >= maxProfiles {
		c.byID = map[string]*Profile{}
	}
	c.byID[p.record.ID] = p
}

// first reports whether an unreadable merchant has to be reported: once per revision.
func (c *profiles) first(id, revision string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if was, ok := c.reported[id]; ok && was == revision {
		return false
	}
	if c.reported == nil || len(c.reported) >= maxProfiles {
		c.reported = map[string]string{}
	}
	c.reported[id] = revision
	return true
}
