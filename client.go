package gateway

import (
	"context"

	"github.com/tollgatepay/gateway/callback"
	"github.com/tollgatepay/gateway/callback/signature"
	"github.com/tollgatepay/gateway/internal/door"
	"github.com/tollgatepay/gateway/internal/merchant"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/internal/recurring"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// Client is the merchant of a request, found once for all that the request asks. The verbs hang on it. On S2S its
// signature can only be checked once the subject is known, as formulas take e-mail and card of the payment (decision
// o). An unknown client answers everything as one that owns nothing and signs nothing.
type Client struct {
	gw      *Gateway
	profile *merchant.Profile // nil for an unknown client
	test    bool
}

// Client finds the merchant of a client_key. An unknown key is no error; see Known.
func (gw *Gateway) Client(ctx context.Context, key string) (*Client, error) {
	profile, test, err := gw.door.Find(ctx, key)
	if err != nil {
		return nil, err
	}
	return &Client{gw, profile, test}, nil
}

// enter is the one way to a verb: it lets the client in that has made the proof, or was found to have.
func (c *Client) enter(ctx context.Context, protocol store.Protocol, proof *Proof) error {
	return c.gw.door.Check(ctx, c.profile, protocol, (*door.Proof)(proof))
}

// owner is the client as the owner of records, once it may ask for something of them.
func (c *Client) owner() (records.Owner, error) {
	switch {
	case c.profile == nil:
		return records.Owner{}, door.ErrUnknownMerchant
	case c.profile.Record().Disabled:
		return records.Owner{}, refusal.ErrNoMID
	}
	return c.visible(), nil
}

// Known reports a merchant of ours.
func (c *Client) Known() bool { return c.profile != nil }

// Speaks is the error of a client whose Protocol Mapping cannot be read: how its requests are signed is not known.
func (c *Client) Speaks(protocol store.Protocol) error {
	if c.profile == nil {
		return nil
	}
	return c.profile.Speaks(protocol)
}

// Mapping is the client's Protocol Mapping; that of an unknown one has the defaults.
func (c *Client) Mapping(protocol store.Protocol) store.Mapping {
	if c.profile == nil {
		return store.Mapping{Protocol: protocol}
	}
	return *c.profile.Mapping(protocol)
}

// Verify reports whether one of the formulas gives the hash. For an unknown client it computes as many
// digests and is false.
func (c *Client) Verify(protocol store.Protocol, in signature.Inputs, hash string, formulas ...signature.Formula) bool {
	password := ""
	if c.profile != nil {
		password = c.profile.Record().Password.Reveal()
	}
	mapping := c.Mapping(protocol)
	return signature.VerifyAny(formulas, callback.Mode(&mapping), in, password, hash)
}

// Payment is one of the client's payments. Error: ErrNoPayment.
func (c *Client) Payment(ctx context.Context, id string) (p *store.Payment, err error) {
	return c.read(ctx, func(r store.Reader, w records.Owner) (store.Payment, error) {
		return records.OwnPayment(r, w, id)
	})
}

// Off reports a merchant who is switched off. The answer says so once the signature is found good.
func (c *Client) Off() bool { return c.profile != nil && c.profile.Record().Disabled }

// Schedule is one of the client's schedules. Error: ErrNoSchedule.
func (c *Client) Schedule(ctx context.Context, id string) (s *store.Schedule, err error) {
	err = c.gw.cfg.Store.View(ctx, func(r store.Reader) error {
		found, err := recurring.OwnSchedule(r, c.visible(), id)
		s = &found
		return err
	})
	if err != nil {
		return nil, err
	}
	return s, nil
}

// visible are the records that the client may see; an unknown one none.
func (c *Client) visible() records.Owner {
	if c.profile == nil {
		return records.Owner{}
	}
	return records.Owner{MerchantID: c.profile.Record().ID, Test: c.test}
}

// Newest is the newest payment of one of the client's orders. Error: ErrNoOrder.
func (c *Client) Newest(ctx context.Context, order string) (p *store.Payment, err error) {
	return c.read(ctx, func(r store.Reader, w records.Owner) (store.Payment, error) {
		ids, err := records.NewestOfOrder(r, w, order, 1)
		if err != nil {
			return store.Payment{}, err
		}
		return records.Payments.Get(r, ids[0])
	})
}

func (c *Client) read(ctx context.Context,
	get func(store.Reader, records.Owner) (store.Payment, error)) (*store.Payment, error) {
	var p store.Payment
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
	return &p, nil
}

// Current is the payment that a status lookup of p answers: p itself, or with Cascading Context for Get
// Status the newest attempt of its cascade.
func (c *Client) Current(ctx context.Context, p *store.Payment) (*store.Payment, error) {
	if !c.Mapping(p.Protocol).CascadingStatus {
		return p, nil
	}
	return c.read(ctx, func(r store.Reader, _ records.Owner) (store.Payment, error) { return newestOfCascade(r, *p) })
}

// newestOfCascade follows the attempts of a cascade to its last.
func newestOfCascade(r store.Reader, p store.Payment) (store.Payment, error) {
	for range records.MaxCascade {
		if p.Next == "" {
			break
		}
		next, err := records.Payments.Get(r, p.Next)
		if err != nil {
			return p, err
		}
		p = next
	}
	return p, nil
}

// Additions are what the client's Protocol Mapping adds to a status answer of one of its payments (SPEC1,
// "Status lookup by order"); t is the charge of the payment.
func (c *Client) Additions(p *store.Payment, t *store.Transaction) []callback.Field {
	if c.profile == nil {
		return nil
	}
	mapping := c.Mapping(p.Protocol)
	mapping.Add.Extended = mapping.Add.Extended && p.Protocol != store.S2SCard // its callbacks only (CARD562)
	return callback.Additions(callback.Event{
		Payment: p, Transaction: t, Mapping: &mapping, Merchant: c.profile.Record(), MID: c.profile.MID(t.MIDID),
	})
}

// Currency finds a currency of ISO 4217 or of Config.Crypto.
func (c *Client) Currency(code string) (methods.Currency, bool) { return c.gw.currencies.Lookup(code) }

// Method finds a payment method of the catalogue.
func (c *Client) Method(code string) (methods.Method, bool) { return c.gw.catalogue.Lookup(code) }

// Extras are the connector's own pairs that the client's Protocol Mapping adds to a status answer; t is the charge
// of the payment. They come with the extended data.
func (c *Client) Extras(p *store.Payment, t *store.Transaction) []store.Extra {
	if c.profile == nil || p.Protocol == store.S2SCard || !c.Mapping(p.Protocol).Add.Extended {
		return nil
	}
	return t.Extras
}
