package race_test

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// Concurrent operations on a session, on hosted fields, or on a payer's return.

var captureMeetsExpiry = []way{
	{"capture x end of the session that it came from", func(d *duel) {
		r := gatewaytest.Request("ORD-1", "10.00")
		r.Hold = true
		token := d.one.SessionOf(d, r)
		next, err := d.one.NextAction(context.Background(), token)
		require.NoError(d, err)
		d.one.Pay(d, token, gatewaytest.Settles)
		p := d.one.Payment(d, "ORD-1")
		d.one.Clock.Set(next.ExpiresAt.Add(-time.Second))
		d.race(
			func(ctx context.Context) { err = d.follow("capture", "", p)(ctx, d.one) },
			func(ctx context.Context) { d.pass(2 * time.Second); work(d, d.two)(ctx) },
		)
		require.NoError(d, err)
	}, store.Settled},
	{"payment x end of its session", func(d *duel) {
		token := d.one.Session(d, "ORD-1", "10.00")
		next, err := d.one.NextAction(context.Background(), token)
		require.NoError(d, err)
		d.one.Clock.Set(next.ExpiresAt.Add(-time.Second))
		d.race(
			func(ctx context.Context) { _ = d.submit(token)(ctx, d.one) },
			func(ctx context.Context) { d.pass(2 * time.Second); work(d, d.two)(ctx) },
			func(ctx context.Context) { _, _ = d.two.NextAction(ctx, token) },
		)
		require.LessOrEqual(d, len(d.one.Charges(d)), 1)
	}, store.Settled},
	{"payment x erasure of the collected card", func(d *duel) {
		token := kerneltest.HostedToken(d, d.one, "ORD-1", gatewaytest.Settles)
		d.pass(time.Hour - time.Second)
		var err error
		d.race(
			func(ctx context.Context) { err = kerneltest.PayFields(ctx, d.one, token) },
			func(ctx context.Context) { d.pass(2 * time.Second); work(d, d.two)(ctx); work(d, d.one)(ctx) },
		)
		require.Equal(d, err == nil, len(d.one.Charges(d)) == 1, "%v", err)
		d.one.Advance(d, time.Hour)
		card, queued := kerneltest.HoldsCard(d, d.one)
		require.False(d, card || queued, "the collected card is gone, paid or not")
	}, store.Settled},
}

// One instance changes the amount repeatedly and the other charges (S7): the charge is of the last accepted update,
// and no update is accepted after one was refused.
var updateMeetsPayment = []way{
	{"four updates", func(d *duel) {
		token := kerneltest.HostedToken(d, d.one, "ORD-1", gatewaytest.Settles)
		accepted, refused := "10.00", false
		var paid error
		d.race(
			func(ctx context.Context) {
				for _, amount := range []string{"11.00", "12.00", "13.00", "14.00"} {
					err := d.one.HostedFields().Update(ctx, token, gateway.HostedUpdate{Amount: &amount})
					if err == nil && refused {
						d.Errorf("an update was accepted after one was refused")
					} else if err == nil {
						accepted = amount
					} else if refused = true; !errors.Is(err, gateway.ErrNoUpdate) {
						d.Errorf("refused for another reason: %v", err)
					}
				}
			},
			func(ctx context.Context) { paid = kerneltest.PayFields(ctx, d.two, token) },
		)
		require.NoError(d, paid)
		p := d.one.Payment(d, "ORD-1")
		require.Equal(d, accepted, p.Order.Amount, "the last accepted update's")
		require.Equal(d, store.MustAmount(accepted), p.Captured)
	}, store.Settled},
}

var paymentMeetsPayment = []way{
	{"by the payment page", func(d *duel) {
		token := d.one.Session(d, "ORD-1", "10.00")
		for _, err := range d.ask(4, d.submit(token)) {
			require.NoError(d, err)
		}
		require.Len(d, d.one.Charges(d), 1)
	}, store.Settled},
	{"by hosted fields", func(d *duel) {
		token := kerneltest.HostedToken(d, d.one, "ORD-1", gatewaytest.Settles)
		d.oneWins(d.ask(4, func(ctx context.Context, kit *gatewaytest.Kit) error {
			return kerneltest.PayFields(ctx,
				kit, token)
		}),
			gateway.ErrBusy, gateway.ErrSessionOver)
		require.Len(d, d.one.Charges(d), 1)
	}, store.Settled},
}

var paymentMeetsLeaving = []way{
	{"of one payer", func(d *duel) {
		token := d.one.Session(d, "ORD-1", "10.00")
		d.race(
			func(ctx context.Context) { _ = d.submit(token)(ctx, d.one) },
			func(ctx context.Context) { _, _ = d.two.LeaveSession(ctx, token) },
		)
	}, ""},
}

// returnTwice is two browsers at one return link, each of them several times.
func returnTwice(d *duel) {
	back := d.away()
	d.race(back(d.one), back(d.two), back(d.one), back(d.two))
	require.Equal(d, 1, d.spy.Completions(), "two browsers make one call")
}

func returnWhileAsked(d *duel) {
	back := d.away()
	d.race(back(d.one), work(d, d.two))
}

func returnWhileTold(d *duel) {
	back := d.away()
	d.race(back(d.one), d.notice(d.two, d.one.Payment(d, "ORD-1").Transactions[0].ID))
}

var returnMeetsReturn = []way{
	{"twice", returnTwice, store.Settled},
	{atStrict, returnTwice, store.Settled},
	{atBlind, returnTwice, store.Settled},
	{atBlindAndFake, func(d *duel) {
		back, forged := d.away(), d.forged()
		d.race(back(d.one), forged(d.two), back(d.two), forged(d.one))
		require.Equal(d, 1, d.spy.Completions())
	}, store.Settled},
}

var returnMeetsRecovery = []way{
	{"minutes later", returnWhileAsked, store.Settled},
	{atStrict, returnWhileAsked, store.Settled},
	{atBlind, returnWhileAsked, store.Settled},
}

var returnMeetsNotice = []way{
	{"minutes later", returnWhileTold, store.Settled},
	{atStrict, returnWhileTold, store.Settled},
}

// answerTwice is a prompt that is answered in two browsers.
func answerTwice(d *duel) {
	token, answers := d.asked()
	errs := d.ask(2, func(ctx context.Context, kit *gatewaytest.Kit) error {
		_, err := kit.AnswerSession(ctx, token, answers)
		return err
	})
	for _, err := range errs {
		require.NoError(d, err)
	}
	require.Equal(d, 1, d.spy.Completions(), "two equal answers make one call")
}

var answerMeetsAnswer = []way{
	{"the same", answerTwice, store.Settled},
	{atStrict, answerTwice, store.Settled},
	{atBlind, answerTwice, store.Settled},
}

// asked prompts a payer for a one-time code, and returns the right one.
func (d *duel) asked() (token string, answers map[string]string) {
	d.Helper()
	token = d.one.SessionOf(d, kerneltest.CodeSession("ORD-1"))
	next, err := d.one.PaySession(context.Background(), token, gateway.Submission{Method: "mobile-collection"})
	require.NoError(d, err)
	require.Equal(d, gateway.ActionPrompt, next.Kind)
	return token, map[string]string{next.Prompts[0].Name: "123456"}
}

// forged is an attacker who has the return link, but no data of the issuer.
func (d *duel) forged() func(*gatewaytest.Kit) func(context.Context) {
	d.Helper()
	link := kerneltest.ReturnToken(d, d.spy.Sends(d.one.Payment(d, "ORD-1").Transactions[0].ID)[0])
	return func(kit *gatewaytest.Kit) func(context.Context) {
		return func(ctx context.Context) {
			if _, err := kit.Return(ctx, link, methods.Return{Method: "GET"}); err != nil {
				d.Errorf("forged return: %v", err)
			}
		}
	}
}

// away redirects a payer, and returns how they come back to an instance.
func (d *duel) away() (back func(*gatewaytest.Kit) func(context.Context)) {
	d.Helper()
	card := gatewaytest.ThreeDSPasses
	if d.round%4 > 1 {
		card = gatewaytest.BankPasses
	}
	token, next := kerneltest.SendAway(d, d.one, card)
	target, with := d.one.Away(d, next, "confirm")
	link := strings.TrimPrefix(strings.SplitN(target, "?", 2)[0], gatewaytest.PublicURL+"/return/")
	d.pass(2 * time.Minute)
	return func(kit *gatewaytest.Kit) func(context.Context) {
		return func(ctx context.Context) {
			location, err := kit.Return(ctx, link, with)
			if err != nil || location != gatewaytest.PublicURL+"/auth/"+token {
				d.Errorf("return: %q %v", location, err)
			}
		}
	}
}
