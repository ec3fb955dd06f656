package race_test

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
)

// Concurrent evidence about one call of the acquirer, and concurrent deliveries.

var recoveryMeetsAnswer = []way{
	{"of a sale that was made", func(d *duel) {
		goOn := d.running(vcard.BlockAfter, d.sale)
		d.pass(time.Hour)
		d.race(goOn, work(d, d.two), work(d, d.one))
	}, store.Settled},
	{"of a sale that was not seen yet", func(d *duel) {
		goOn := d.running(vcard.Block, d.sale)
		d.pass(time.Hour)
		d.race(goOn, work(d, d.two), work(d, d.one))
	}, store.Settled},
	{"of a refund", func(d *duel) {
		p := kerneltest.Pay(d, d.one, "ORD-1", gatewaytest.Settles)
		goOn := d.running(vcard.Block, d.follow("refund", "", p))
		d.pass(time.Hour)
		d.race(goOn, work(d, d.two), work(d, d.one))
	}, store.Refunded},
}

// inDoubt makes a sale whose answer is lost, and returns its transaction an hour later.
func (d *duel) inDoubt(lost vcard.Outcome) (id string) {
	d.Helper()
	d.one.Vcard.Next(lost)
	require.NoError(d, d.sale(context.Background(), d.one))
	d.pass(time.Hour)
	return d.one.Payment(d, "ORD-1").Transactions[0].ID
}

// workTwice does what is due, and again a moment later: a claim of another instance must hold for its whole lease,
// and not only while the clock stands still.
func (d *duel) workTwice(kit *gatewaytest.Kit) func(context.Context) {
	d.Helper()
	do := work(d, kit)
	return func(ctx context.Context) {
		do(ctx)
		d.pass(time.Millisecond)
		do(ctx)
	}
}

var recoveryMeetsRecovery = []way{
	{"of what was done", func(d *duel) {
		d.inDoubt(vcard.UnknownAfter())
		d.race(work(d, d.one), work(d, d.two))
	}, store.Settled},
	{"of what has to be sent again", func(d *duel) {
		id, asked := d.inDoubt(vcard.UnknownBefore()), len(d.spy.Questions())
		d.race(d.workTwice(d.one), d.workTwice(d.two), d.workTwice(d.one), d.workTwice(d.two))
		require.LessOrEqual(d, len(d.spy.Sends(id)), 2, "claimed once")
		require.Equal(d, asked+1, len(d.spy.Questions()), "asked once")
	}, store.Settled},
}

var noticeMeetsAnswer = []way{
	{"two notices", func(d *duel) {
		goOn := d.running(vcard.BlockAfter, d.sale)
		id := d.one.Payment(d, "ORD-1").Transactions[0].ID
		d.race(goOn, d.notice(d.two, id), d.notice(d.one, id))
	}, store.Settled},
}

var noticeMeetsRecovery = []way{
	{"of what was done", func(d *duel) {
		id := d.inDoubt(vcard.UnknownAfter())
		d.race(work(d, d.one), d.notice(d.two, id))
	}, store.Settled},
}

var decisionMeetsRecovery = []way{
	{"of what was done", func(d *duel) {
		review := kerneltest.ReviewOf(d, d.two, d.inDoubt(vcard.UnknownAfter()), "seen")
		d.race(work(d, d.one), func(ctx context.Context) { _, _ = d.two.Operator().ResolveDoubt(ctx, review, true) })
	}, store.Settled},
}

var outboxMeetsOutbox = []way{
	{"twelve callbacks of four payments", func(d *duel) {
		for i := range 4 {
			p := kerneltest.Pay(d, d.one, fmt.Sprintf("ORD-%d", i+1), gatewaytest.Settles)
			require.NoError(d, d.follow("refund", "4.00", p)(context.Background(), d.two))
			require.NoError(d, d.follow("refund", "6.00", p)(context.Background(), d.one))
		}
		for range 3 {
			d.race(work(d, d.one), work(d, d.two), work(d, d.one), work(d, d.two))
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
}
