package gateway

import (
	"cmp"
	"context"

	"github.com/tollgatepay/gateway/internal/engine"
	"github.com/tollgatepay/gateway/internal/links"
	"github.com/tollgatepay/gateway/internal/once"
	"github.com/tollgatepay/gateway/internal/readonce"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// Once returns the merchant with an idempotency key, for one request that creates something. The key is of the caller's
// choice, up to 255 characters, and taken for 24 hours once the request has made its record; the live and the test
// traffic of a merchant have keys of their own. The same request with the same key makes nothing more: it returns what
// the first one made, as it is stored by then, with the same links. Another request with the key is ErrKeyUsed. A
// request that is refused does not take the key. The verbs that create nothing refuse a key.
func (m Merchant) Once(key string) Merchant {
	m.gw, m.once = made(m.gw), &key
	return m
}

// errKeyless is the answer of a verb that creates nothing to an idempotency key.
var errKeyless = refusal.ErrInvalid.Fields(
	refusal.Fault{Path: "idempotency_key", Text: "this verb creates nothing and takes no key"})

// found returns what an earlier request with the key has made.
type found[T any] func(context.Context, *Client, *records.Made) (*T, error)

// create runs a verb that creates something; with an idempotency key, once.
func create[R, T any](ctx context.Context, m Merchant, verb string, r R, again found[T],
	do func(*Client, context.Context, R) (*T, error)) (*T, error) {
	if s := readonce.Presumer(ctx, made(m.gw).cfg.Store); s != nil {
		return readonce.Presume(ctx, s, r, func(ctx context.Context, r R) (*T, error) {
			return create(ctx, m, verb, r, again, do)
		})
	}
	if m.once == nil {
		return do(m.caller(ctx), ctx, r)
	}
	return createOnce(ctx, m, verb, r, again, do)
}

func createOnce[R, T any](ctx context.Context, m Merchant, verb string, r R, again found[T],
	do func(*Client, context.Context, R) (*T, error)) (*T, error) {
	c := m.caller(ctx)
	if err := c.known(); err != nil {
		return nil, err
	}
	var err error
	c.once, err = m.gw.once.Begin(ctx, once.Asked{Owner: c.visible(), Key: *m.once, Verb: verb, Request: r})
	if err != nil {
		return nil, err
	}
	return once.Do(ctx, c.once, func(made *records.Made) (*T, error) { return again(ctx, c, made) },
		func() (*T, error) { return do(c, ctx, r) })
}

// madePayment returns the payment that a request has made or changed, with its transaction: of a cascade, the newest
// attempt. A payer who still has to go somewhere is sent there.
func madePayment(ctx context.Context, c *Client, made *records.Made) (*Result, error) {
	r := &engine.Result{}
	err := c.gw.cfg.Store.View(ctx, func(reader store.Reader) (err error) {
		first, err := records.OwnPayment(reader, c.visible(), made.ID)
		if err != nil {
			return err
		}
		r.Payment, err = records.NewestOfCascade(reader, first)
		return err
	})
	if err != nil {
		return nil, err
	}
	r.Transaction = *cmp.Or(r.Payment.Transaction(made.TransactionID), r.Payment.ChargeTransaction())
	r.Redirect, err = c.redirectAgain(r)
	return shown(r), err
}

// redirectAgain returns where the payer of an open charge has to go.
func (c *Client) redirectAgain(r *engine.Result) (*store.Redirect, error) {
	secret, err := c.once.Link(r.Transaction.ID)
	if err != nil || r.Transaction.Outcome != store.Waiting {
		return nil, err
	}
	link, page := links.PageSecret(secret), ""
	if id := r.Payment.SessionID; id != "" {
		page = c.gw.site.PageOf(id, link)
	}
	return c.gw.engine.Next(&r.Transaction, link, page), nil
}

// madeSession returns the session that a request has made, with the secret of its link.
func (c *Client) madeSession(ctx context.Context, made *records.Made) (s *store.Session, secret []byte, err error) {
	s, err = records.Read(ctx, c.gw.cfg.Store, records.Sessions, made.ID)
	switch {
	case records.Absent(err):
		return nil, nil, refusal.ErrNoSession
	case err != nil:
		return nil, nil, err
	}
	secret, err = c.once.Link(made.ID)
	return s, secret, err
}

func madePage(ctx context.Context, c *Client, made *records.Made) (*Session, error) {
	s, secret, err := c.madeSession(ctx, made)
	if err != nil {
		return nil, err
	}
	return c.page(s, secret), nil
}

func madeHosted(ctx context.Context, c *Client, made *records.Made) (*HostedSession, error) {
	s, secret, err := c.madeSession(ctx, made)
	if err != nil {
		return nil, err
	}
	return hostedSession(s, secret), nil
}

func madeSchedule(ctx context.Context, c *Client, made *records.Made) (*store.Schedule, error) {
	return c.Schedule(ctx, made.ID)
}
