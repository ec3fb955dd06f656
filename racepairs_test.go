package gateway_test

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
)

// pair is two things that happen at once. Those of reliability.md, section 2, that are not here: a schedule's
// run (scheduleduel_test.go), a token's use and its removal (purge_test.go), a key's rotation (rotation_test.go).
type pair struct {
	of, name string // the pair of the study, if it is one, and how it meets
	meet     func(d *duel)
	end      store.Status // of the payment, when all is done; empty for either
}

var pairs = []pair{
	{"sale x sale", "equal sales", func(d *duel) { d.oneWins(d.ask(4, d.sale), gateway.ErrDuplicate) }, store.Settled},
	{"capture x capture", "capture x capture", func(d *duel) {
		p := pay(d, d.one, "ORD-1", gatewaytest.Settles, held)
		d.oneWins(d.ask(2, d.follow("capture", "6.00", p)), gateway.ErrBusy, gateway.ErrCaptureStatus)
	}, store.Settled},
	{"capture x CREDITVOID", "capture x reversal", func(d *duel) {
		p := pay(d, d.one, "ORD-1", gatewaytest.Settles, held)
		var errs [2]error
		d.atOnce(func() { errs[0] = d.follow("capture", "", p)(d.one) }, func() { errs[1] = d.follow("refund", "10.00", p)(d.two) })
		if errs[0] == nil && errs[1] == nil { // captured, and what was captured refunded
			require.Equal(d, store.Refunded, d.one.Payment(d, "ORD-1").Status)
			return
		}
		d.oneWins(errs[:], gateway.ErrBusy, gateway.ErrCaptureStatus)
	}, ""},
	{"refund x refund", "refund x refund", func(d *duel) {
		p := pay(d, d.one, "ORD-1", gatewaytest.Settles)
		d.oneWins(d.ask(4, d.follow("refund", "6.00", p)), gateway.ErrRefundAmount)
	}, store.Refunded},
	{"refund x refund", "full refund x full refund", func(d *duel) {
		p := pay(d, d.one, "ORD-1", gatewaytest.Settles)
		d.oneWins(d.ask(4, d.follow("refund", "", p)), gateway.ErrRefund)
	}, store.Refunded},
	{"refund x refund", "many small refunds", func(d *duel) {
		p := pay(d, d.one, "ORD-1", gatewaytest.Settles)
		won := 0
		for _, err := range d.ask(8, d.follow("refund", "0.90", p)) {
			if err == nil {
				won++
			} else {
				require.ErrorIs(d, err, gateway.ErrRefundAmount)
			}
		}
		require.Equal(d, 11, won)
		require.Equal(d, "9.90", d.one.Payment(d, "ORD-1").Refunded.String())
	}, store.Refunded},
	{"refund x void", "refund x void", func(d *duel) {
		p := pay(d, d.one, "ORD-1", gatewaytest.Settles)
		var errs [2]error
		d.atOnce(func() { errs[0] = d.follow("refund", "1.00", p)(d.one) }, func() { errs[1] = d.follow("void", "", p)(d.two) })
		d.oneWins(errs[:], gateway.ErrBusy, gateway.ErrVoid, gateway.ErrRefund)
	}, ""},
	{"void x void", "void x void", func(d *duel) {
		p := pay(d, d.one, "ORD-1", gatewaytest.Settles)
		d.oneWins(d.ask(2, d.follow("void", "", p)), gateway.ErrBusy, gateway.ErrVoid)
	}, store.Voided},
	{"", "dispute x refund", func(d *duel) {
		p := pay(d, d.one, "ORD-1", gatewaytest.Settles)
		d.atOnce(func() { _ = d.follow("dispute", "", p)(d.one) }, func() { _ = d.follow("refund", "4.00", p)(d.two) })
	}, store.Disputed},
	{"payment x payment", "payment x payment on one session", func(d *duel) {
		token := d.one.Session(d, "ORD-1", "10.00")
		for _, err := range d.ask(4, func(kit *gatewaytest.Kit) error { return d.submit(kit, token) }) {
			require.NoError(d, err)
		}
		require.Len(d, d.one.Charges(d), 1)
	}, store.Settled},
	{"", "payment x leaving", func(d *duel) {
		token := d.one.Session(d, "ORD-1", "10.00")
		d.atOnce(
			func() {
				_, _ = d.one.PaySession(context.Background(), token, gateway.Submission{Card: gatewaytest.Settles})
			},
			func() { _, _ = d.two.LeaveSession(context.Background(), token) },
		)
	}, ""},
	{"recovery x live answer", "recovery x live answer", func(d *duel) {
		release, wait := d.running(vcard.BlockAfter, sale)
		d.pass(time.Hour)
		d.atOnce(release, tick(d, d.two), tick(d, d.one))
		wait()
	}, store.Settled},
	{"recovery x live answer", "recovery x live answer, not seen yet", func(d *duel) {
		release, wait := d.running(vcard.Block, sale)
		d.pass(time.Hour)
		d.atOnce(release, tick(d, d.two), tick(d, d.one))
		wait()
	}, store.Settled},
	{"recovery x live answer", "recovery x live refund", func(d *duel) {
		p := pay(d, d.one, "ORD-1", gatewaytest.Settles)
		release, wait := d.running(vcard.Block, d.follow("refund", "", p))
		d.pass(time.Hour)
		d.atOnce(release, tick(d, d.two), tick(d, d.one))
		wait()
	}, store.Refunded},
	{"recovery x recovery", "recovery x recovery", func(d *duel) {
		d.one.Vcard.Next(vcard.UnknownAfter())
		require.NoError(d, sale(d.one))
		d.pass(time.Hour)
		d.atOnce(tick(d, d.one), tick(d, d.two))
	}, store.Settled},
	{"recovery x recovery", "resend x resend", func(d *duel) {
		d.one.Vcard.Next(vcard.UnknownBefore())
		require.NoError(d, sale(d.one))
		d.pass(time.Hour)
		d.atOnce(tick(d, d.one), tick(d, d.two), tick(d, d.one), tick(d, d.two))
		require.LessOrEqual(d, len(d.spy.sends(d.one.Payment(d, "ORD-1").Transactions[0])), 2, "claimed once")
	}, store.Settled},
	{"acquirer notice x live answer", "notification x live answer", func(d *duel) {
		release, wait := d.running(vcard.BlockAfter, sale)
		id := d.one.Payment(d, "ORD-1").Transactions[0]
		d.atOnce(release, func() { notify(d, d.two, d.spy, id) }, func() { notify(d, d.one, d.spy, id) })
		wait()
	}, store.Settled},
	{"acquirer notice x recovery", "notification x recovery", func(d *duel) {
		d.one.Vcard.Next(vcard.UnknownAfter())
		require.NoError(d, sale(d.one))
		id := d.one.Payment(d, "ORD-1").Transactions[0]
		d.pass(time.Hour)
		d.atOnce(tick(d, d.one), func() { notify(d, d.two, d.spy, id) })
	}, store.Settled},
	{"", "decision x recovery", func(d *duel) {
		d.one.Vcard.Next(vcard.UnknownAfter())
		require.NoError(d, sale(d.one))
		id := d.one.Payment(d, "ORD-1").Transactions[0]
		d.pass(time.Hour)
		d.atOnce(tick(d, d.one), func() { _, _ = d.two.Settle(context.Background(), id, true, "ann", "seen") })
	}, store.Settled},
	{"", "return x return", func(d *duel) { d.comeBack(func(back func(*gatewaytest.Kit)) { back(d.two) }) }, store.Settled},
	{"", "return x recovery", func(d *duel) {
		d.comeBack(func(func(*gatewaytest.Kit)) { tick(d, d.two)() })
	}, store.Settled},
	{"", "return x notification", func(d *duel) {
		d.comeBack(func(func(*gatewaytest.Kit)) { notify(d, d.two, d.spy, d.one.Payment(d, "ORD-1").Transactions[0]) })
	}, store.Settled},
	{"outbox x outbox", "outbox x outbox", func(d *duel) {
		for i := range 4 {
			p := pay(d, d.one, fmt.Sprintf("ORD-%d", i+1), gatewaytest.Settles)
			require.NoError(d, d.follow("refund", "4.00", p)(d.two))
			require.NoError(d, d.follow("refund", "6.00", p)(d.one))
		}
		for range 3 {
			d.atOnce(tick(d, d.one), tick(d, d.two), tick(d, d.one), tick(d, d.two))
		}
		heard := map[string]bool{}
		for _, delivery := range d.one.Inbox.All() {
			require.False(d, heard[delivery.ID], "leased to one at a time")
			heard[delivery.ID] = true
			if payment, number, _ := strings.Cut(delivery.ID, "."); number != "0001" {
				n, err := strconv.Atoi(number)
				require.NoError(d, err)
				require.True(d, heard[fmt.Sprintf("%s.%04d", payment, n-1)], "C5: in the order of the commits")
			}
		}
		require.Len(d, heard, 12)
	}, store.Refunded},
	{"update x payment", "update x payment of hosted fields", func(d *duel) { d.updateMeetsPayment() }, store.Settled},
	{"payment x payment", "payments of hosted fields", func(d *duel) {
		token := hostedToken(d, d.one, "ORD-1", gatewaytest.Settles)
		d.oneWins(d.ask(4, func(kit *gatewaytest.Kit) error {
			_, err := kit.PayHosted(context.Background(), token, hostedPayment)
			return err
		}), gateway.ErrBusy, gateway.ErrSessionOver)
		require.Len(d, d.one.Charges(d), 1)
	}, store.Settled},
	{"capture x expiry", "payment x end of its session", func(d *duel) {
		token := d.one.Session(d, "ORD-1", "10.00")
		d.nearEnd(token)
		d.atOnce(
			func() { _ = d.submit(d.one, token) },
			func() { d.pass(2 * time.Second); tick(d, d.two)() },
			func() { _, _ = d.two.Turn(context.Background(), token) },
		)
		require.LessOrEqual(d, len(d.one.Charges(d)), 1)
	}, store.Settled},
	{"capture x expiry", "payment x erasure of the collected card", func(d *duel) {
		token := hostedToken(d, d.one, "ORD-1", gatewaytest.Settles)
		d.pass(time.Hour - time.Second)
		var err error
		d.atOnce(
			func() { _, err = d.one.PayHosted(context.Background(), token, hostedPayment) },
			func() { d.pass(2 * time.Second); tick(d, d.two)(); tick(d, d.one)() },
		)
		paid := len(d.one.Charges(d))
		require.Equal(d, err == nil, paid == 1, "%v", err)
		d.one.Advance(d, time.Hour)
		card, queued := holdsCard(d, d.one)
		require.False(d, card || queued, "the collected card is gone, paid or not")
	}, store.Settled},
	{"capture x expiry", "capture x end of the session that it came from", func(d *duel) {
		r := gatewaytest.Request("ORD-1", "10.00")
		r.Hold = true
		token := d.one.SessionOf(d, r)
		turn, err := d.one.Turn(context.Background(), token)
		require.NoError(d, err)
		d.one.Pay(d, token, gatewaytest.Settles)
		p := d.one.Payment(d, "ORD-1")
		d.one.Clock.Set(turn.ExpiresAt.Add(-time.Second))
		d.atOnce(func() { err = d.follow("capture", "", p)(d.one) }, func() { d.pass(2 * time.Second); tick(d, d.two)() })
		require.NoError(d, err)
	}, store.Settled},
}

// nearEnd moves the clock to a second before a session ends.
func (d *duel) nearEnd(token string) {
	turn, err := d.one.Turn(context.Background(), token)
	require.NoError(d, err)
	d.one.Clock.Set(turn.ExpiresAt.Add(-time.Second))
}

var hostedPayment = gateway.HostedPayment{Kind: store.Purchase, Name: "John Doe"}

// updateMeetsPayment has one instance change the amount again and again and the other charge (S7): the charge
// is the last accepted update's, and nothing is accepted after one was refused.
func (d *duel) updateMeetsPayment() {
	token := hostedToken(d, d.one, "ORD-1", gatewaytest.Settles)
	accepted, refused := "10.00", false
	var paid error
	d.atOnce(
		func() {
			for _, amount := range []string{"11.00", "12.00", "13.00", "14.00"} {
				err := d.one.UpdateHosted(context.Background(), token, gateway.HostedUpdate{Amount: &amount})
				if err == nil && refused {
					d.Errorf("an update was accepted after one was refused")
				} else if err == nil {
					accepted = amount
				} else if refused = true; !errors.Is(err, gateway.ErrNoUpdate) {
					d.Errorf("refused for another reason: %v", err)
				}
			}
		},
		func() { _, paid = d.two.PayHosted(context.Background(), token, hostedPayment) },
	)
	require.NoError(d, paid)
	p := d.one.Payment(d, "ORD-1")
	require.Equal(d, accepted, p.Order.Amount, "the last accepted update's")
	require.Equal(d, store.MustAmount(accepted), p.Captured)
}

// comeBack has a payer come back to the first instance while something else happens.
func (d *duel) comeBack(meanwhile func(back func(*gatewaytest.Kit))) {
	card := gatewaytest.ThreeDSPasses
	if d.round%4 > 1 {
		card = gatewaytest.BankPasses
	}
	token, next := awayFrom(d, d.one, card)
	target, with := d.one.Away(d, next, "confirm")
	link := strings.TrimPrefix(strings.SplitN(target, "?", 2)[0], gatewaytest.PublicURL+"/return/")
	d.pass(2 * time.Minute)
	back := func(kit *gatewaytest.Kit) {
		location, err := kit.Return(context.Background(), link, with)
		if err != nil || location != gatewaytest.PublicURL+"/auth/"+token {
			d.Errorf("return: %q %v", location, err)
		}
	}
	d.atOnce(func() { back(d.one) }, func() { meanwhile(back) })
}
