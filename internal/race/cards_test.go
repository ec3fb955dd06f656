package race_test

import (
	"context"
	"errors"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// Concurrent operations on a saved card and on the keys that seal it.

const aheadBy = 23 * kerneltest.Day // from when a card expires to when its token is old

// One instance charges by a token while another, whose clock is ahead, deletes it: the charge is either refused by
// name, with nothing stored and nothing sent, or made completely, with the card.
var useMeetsRemoval = []way{
	{"charge x purge", func(d *duel) {
		token := kerneltest.TokenOf(d, d.one, "ORD-1", gatewaytest.Card(d.lastMonth()))
		d.one.Work(d)
		kerneltest.LapDue(d, d.one)
		d.stage.ahead.Store(int64(aheadBy))
		var err error
		d.race(
			func(ctx context.Context) {
				_, err = d.one.Shop().Charge(ctx, kerneltest.ChargeOf("ORD-2", methods.Card{}, kerneltest.ByToken(token)))
			},
			work(d, d.two),
		)
		d.cardCharged(err, "ORD-2", gateway.ErrCardToken)
		d.stage.ahead.Store(0)
		d.pass(aheadBy + 10*kerneltest.Day)
		d.one.Work(d)
		require.Empty(d, kerneltest.KeysUnder(d, d.one.Store, "ct"), "the token is gone")
	}, store.Settled},
}

// lastMonth sets the clock to the 10th of the next month, and returns that month.
func (d *duel) lastMonth() (month, year int) {
	now := d.one.Clock.Now()
	at := time.Date(now.Year(), now.Month()+1, 10, 12, 0, 0, 0, time.UTC)
	d.one.Clock.Set(at)
	return int(at.Month()), at.Year()
}

// cardCharged requires a settled payment by the saved card or, after the error, no payment.
func (d *duel) cardCharged(err error, order string, refused error) {
	d.Helper()
	if err == nil {
		p := d.one.Payment(d, order)
		require.Equal(d, store.Settled, p.Status)
		require.Equal(d, "4111111111111111", d.spy.Sends(p.Transactions[0].ID)[0].Card.PAN.Digits())
		return
	}
	require.ErrorIs(d, err, refused)
	_, err = d.one.Shop().Status(d.Context(), gateway.Lookup{OrderNumber: order})
	require.ErrorIs(d, err, gateway.ErrNoOrder)
}

var rotationMeetsRead = []way{
	{"every read gets its card", func(d *duel) {
		for _, err := range d.readWhile(func(string) error { return nil }) {
			require.NoError(d, err)
		}
	}, store.Settled},
	{"and the old key is destroyed", func(d *duel) {
		d.readWhile(func(old string) error { return d.stage.keys[0].Destroy(old) })
	}, store.Settled},
}

// readWhile makes each instance charge a card that the other one sealed, so that both have to ask the key provider,
// while the keys rotate and more happens to the key that sealed both.
func (d *duel) readWhile(more func(old string) error) (errs [2]error) {
	d.Helper()
	keys := d.stage.keys
	d.pass(2 * time.Hour) // no cache keeps a key that long
	if keys[0].Current() == d.stage.firstKey {
		_, err := keys[0].Rotate() // the merchant's secrets are sealed under the first one, which stays
		require.NoError(d, err)
	}
	require.NoError(d, keys[1].Reload())
	old := keys[0].Current()
	chain := kerneltest.Charged(d, d.one, "ORD-1", gatewaytest.Settles, kerneltest.BeginsChain).Payment
	token := kerneltest.TokenOf(d, d.two, "ORD-2", gatewaytest.Settles)
	d.race(
		func(ctx context.Context) { _, errs[0] = d.two.Shop().Recur(ctx, kerneltest.LaterOf(chain, "ORD-3")) },
		func(ctx context.Context) {
			_, errs[1] = d.one.Shop().Charge(ctx, kerneltest.ChargeOf("ORD-4", methods.Card{}, kerneltest.ByToken(token)))
		},
		func(ctx context.Context) {
			if err := rotate(ctx, keys, func() error { return more(old) }); err != nil {
				d.Error(err)
			}
		},
	)
	for i, order := range []string{"ORD-3", "ORD-4"} {
		d.cardCharged(errs[i], order, gateway.ErrKeyGone)
	}
	return errs
}

// rotate is a key rotation by an operator, step by step. Last, the second process is told to read the file again.
func rotate(ctx context.Context, keys [2]*fileKeys, more func() error) (err error) {
	for _, step := range []func() error{
		func() error { _, err := keys[0].Rotate(); return err }, more, keys[1].Reload,
	} {
		end := point(ctx, theKeys)
		err = errors.Join(err, step())
		end()
	}
	return err
}
