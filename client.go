package gateway

import (
	"cmp"
	"context"
	"errors"

	"github.com/tollgatepay/gateway/callback"
	"github.com/tollgatepay/gateway/callback/signature"
	"github.com/tollgatepay/gateway/internal/door"
	"github.com/tollgatepay/gateway/internal/merchant"
	"github.com/tollgatepay/gateway/internal/once"
	"github.com/tollgatepay/gateway/internal/readonce"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// Client is the merchant of one request, for packages that speak a protocol. It is found once; its methods are the
// verbs of the gateway. On S2S the signature is checked once the payment is known, because formulas use its e-mail and
// card (decision o). The Client of an unknown key owns nothing, and none of its signatures is right. It is for one
// goroutine.
type Client struct {
	gw      *Gateway
	key     string
	profile *merchant.Profile // nil for an unknown client
	test    bool
	host    bool      // the caller is the host, which needs no signature
	proof   *Proof    // by which Admit has let the client in
	lost    error     // the merchant could not be looked for
	once    *once.Use // of the host's idempotency key; nil for none
}

// Client finds the merchant of a client_key, for a package that speaks a protocol. Each verb requires the proof of its
// request, or an Admit before it. An unknown key is no error here: a verb refuses it like a wrong signature.
func (gw *Gateway) Client(ctx context.Context, key string) (*Client, error) {
	profile, test, err := made(gw).door.Find(ctx, key)
	if err != nil {
		return nil, err
	}
	return &Client{gw: gw, key: key, profile: profile, test: test}, nil
}

// Request does the work of one request, for packages that speak a protocol. On a store that remembers (store.Presumer)
// do reads from memory until something is stored, and runs again if what it has read has changed: it answers by what it
// returns. It gets what it needs in from, so that no request allocates a closure.
func Request[R, T any](ctx context.Context, gw *Gateway, from R, do func(context.Context, R) (T, error)) (T, error) {
	return readonce.Do(ctx, made(gw).cfg.Store, from, do)
}

// errUnsigned means that a protocol calls a verb without the signature of its request.
var errUnsigned = errors.New("gateway: a client's request has no proof; only a Merchant of the host needs none")

// enter is the one way to a verb. It lets in the host, a client whom Admit has let in, and one whose proof is good.
func (c *Client) enter(ctx context.Context, protocol store.Protocol, proof *Proof) error {
	if err := c.verify(protocol, proof); err != nil {
		return err
	}
	return c.gw.door.Check(ctx, c.profile, protocol, (*door.Proof)(proof))
}

func (c *Client) verify(protocol store.Protocol, proof *Proof) error {
	switch {
	case c.lost != nil:
		return c.lost
	case proof == nil && !c.admitted():
		return errUnsigned
	case proof != nil && proof == c.proof:
		return nil
	}
	return door.Verify(c.profile, protocol, (*door.Proof)(proof))
}

// enterToMark is enter for a verb that marks its signature in the transaction that stores what the verb makes. That
// transaction refuses a hash that we have sent; verb does all that follows. Where it is refused before, the refusal of
// the hash still comes first.
func (c *Client) enterToMark(ctx context.Context, protocol store.Protocol, proof *Proof, verb func() error) error {
	if err := c.verify(protocol, proof); err != nil {
		return err
	}
	err := door.Open(c.profile, protocol, proof != nil)
	if err == nil {
		err = verb()
	}
	if _, refused := errors.AsType[*refusal.Error](err); refused && proof != nil {
		return cmp.Or(c.gw.door.RefuseSent(ctx, c.profile, (*door.Proof)(proof)), err)
	}
	return err
}

func (c *Client) admitted() bool { return c.host || c.proof != nil }

// owner returns the client as the owner of records, once the client may ask for them.
func (c *Client) owner() (records.Owner, error) {
	if err := c.known(); err != nil {
		return records.Owner{}, err
	}
	if c.profile.Record().Disabled {
		return records.Owner{}, refusal.ErrNoMID
	}
	return c.visible(), nil
}

// known returns the error of a client that may use no verb without a proof.
func (c *Client) known() error {
	switch {
	case c.lost != nil:
		return c.lost
	case !c.admitted():
		return errUnsigned
	case c.profile == nil:
		return door.ErrUnknownMerchant
	}
	return nil
}

// Speaks returns an error when the client's Protocol Mapping cannot be read. It is then unknown how its requests are
// signed.
func (c *Client) Speaks(protocol store.Protocol) error {
	if c.profile == nil {
		return nil
	}
	return c.profile.Speaks(protocol)
}

// Mapping returns the client's Protocol Mapping; the defaults for an unknown client.
func (c *Client) Mapping(protocol store.Protocol) store.Mapping {
	if c.profile == nil {
		return store.Mapping{Protocol: protocol}
	}
	return *c.profile.Mapping(protocol)
}

// Admission is a request of S2S whose signature may have been made by one of several formulas. Every formula is
// computed, so that a check always costs the same. Only a counting one signs.
type Admission struct {
	Protocol store.Protocol
	Inputs   signature.Inputs
	Hash     string // as it was sent
	Formulas []signature.Formula
	Counting []signature.Formula
	Refused  error // the answer to an unknown key and to a wrong hash
	Absent   error // the answer to a request about something unknown; nil if it is known
	Free     bool  // needs no protocol that is switched on
}

// Admit checks the signature of a request whose subject decides the formula. Afterwards the client may use the verbs
// without a signature. The result is the proof for a verb that accepts each signature once. Errors: a.Refused,
// a.Absent, and ErrNoMID when the merchant or the protocol is switched off.
func (c *Client) Admit(a *Admission) (*Proof, error) {
	proof, err := c.gw.door.Admit(c.profile, (*door.Admission)(a))
	if err != nil {
		return nil, err
	}
	c.proof = (*Proof)(proof)
	return c.proof, nil
}

// Payment returns one of the client's payments. Error: ErrNoPayment.
func (c *Client) Payment(ctx context.Context, id string) (p *store.Payment, err error) {
	return c.read(ctx, func(r store.Reader, w records.Owner) (records.Payment, error) {
		return records.OwnPayment(r, w, id)
	})
}

// Schedule returns one of the client's schedules. Error: ErrNoSchedule.
func (c *Client) Schedule(ctx context.Context, id string) (*store.Schedule, error) {
	return c.gw.agreements.Schedule(ctx, c.visible(), id)
}

// visible returns whose records the client may see; an unknown client sees none.
func (c *Client) visible() records.Owner {
	if c.profile == nil {
		return records.Owner{}
	}
	return records.Owner{MerchantID: c.profile.Record().ID, Test: c.test}
}

// Newest returns the newest payment of one of the client's orders. Error: ErrNoOrder.
func (c *Client) Newest(ctx context.Context, order string) (p *store.Payment, err error) {
	return c.read(ctx, func(r store.Reader, w records.Owner) (records.Payment, error) {
		ids, err := records.NewestOfOrder(r, w, order, 1)
		if err != nil {
			return records.Payment{}, err
		}
		return records.Payments.Get(r, ids[0])
	})
}

func (c *Client) read(ctx context.Context,
	get func(store.Reader, records.Owner) (records.Payment, error)) (*store.Payment, error) {
	var p records.Payment
	err := c.gw.cfg.Store.View(ctx, func(r store.Reader) (err error) {
		p, err = get(r, c.visible())
		return err
	})
	if err != nil {
		return nil, err
	}
	if err := c.Speaks(p.Protocol); err != nil {
		return nil, err
	}
	return &p.Payment, nil
}

// Current returns the payment that a status lookup of p reports: p itself, or the newest attempt of its cascade if the
// mapping has Cascading Context for Get Status.
func (c *Client) Current(ctx context.Context, p *store.Payment) (*store.Payment, error) {
	if p.Next == "" || !c.Mapping(p.Protocol).CascadingStatus {
		return p, nil
	}
	return c.read(ctx, func(r store.Reader, _ records.Owner) (records.Payment, error) {
		return records.NewestOfCascade(r, records.Payment{Payment: *p})
	})
}

// Additions returns what the client's Protocol Mapping adds to the status of one of its payments (SPEC1, "Status lookup
// by order"); t is the charge of the payment.
func (c *Client) Additions(p *store.Payment, t *store.Transaction) []callback.Field {
	if c.profile == nil {
		return nil
	}
	mapping := c.Mapping(p.Protocol)
	mapping.Add.Extended = mapping.Add.Extended && p.Protocol != store.S2SCard // its callbacks only (CARD562)
	return callback.Additions(callback.Event{Payment: p, Transaction: new(p.Charged()), Mapping: &mapping,
		Merchant: c.profile.Record(), MID: c.profile.MID(t.MIDID)})
}

// Currency finds a currency of ISO 4217 or of Config.Crypto.
func (c *Client) Currency(code string) (methods.Currency, bool) { return c.gw.currencies.Lookup(code) }

// Method finds a payment method of the catalogue.
func (c *Client) Method(code string) (methods.Method, bool) { return c.gw.catalogue.Lookup(code) }

// Extras returns the connector's own pairs that the client's Protocol Mapping adds to a status, with the extended data;
// t is the charge of the payment.
func (c *Client) Extras(p *store.Payment, t *store.Transaction) []store.Extra {
	if c.profile == nil || p.Protocol == store.S2SCard || !c.Mapping(p.Protocol).Add.Extended {
		return nil
	}
	return t.Extras
}
