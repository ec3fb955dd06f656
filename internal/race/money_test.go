package race_test

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/store"
)

// Concurrent operations on one order or one payment.

var saleMeetsSale = []way{
	{"eight equal sales", func(d *duel) { d.oneWins(d.ask(4, d.sale), gateway.ErrDuplicate) }, store.Settled},
}

var captureMeetsCapture = []way{
	{"of a part", func(d *duel) {
		p := kerneltest.Pay(d, d.one, "ORD-1", gatewaytest.Settles, kerneltest.Held)
		d.oneWins(d.ask(2, d.follow("capture", "6.00", p)), gateway.ErrBusy, gateway.ErrCaptureStatus)
		require.Equal(d, "6.00", d.one.Payment(d, "ORD-1").Captured.String())
	}, store.Settled},
}

var captureMeetsReversal = []way{
	{"capture x reversal", func(d *duel) {
		p := kerneltest.Pay(d, d.one, "ORD-1", gatewaytest.Settles, kerneltest.Held)
		errs := d.against(d.follow("capture", "", p), d.follow("refund", "10.00", p))
		if errs[0] == nil && errs[1] == nil { // captured, and the captured amount refunded
			require.Equal(d, store.Refunded, d.one.Payment(d, "ORD-1").Status)
			return
		}
		d.oneWins(errs[:], gateway.ErrBusy, gateway.ErrCaptureStatus)
	}, ""},
}

var refundMeetsRefund = []way{
	{"two fit, one is left", func(d *duel) {
		p := kerneltest.Pay(d, d.one, "ORD-1", gatewaytest.Settles)
		d.oneWins(d.ask(4, d.follow("refund", "6.00", p)), gateway.ErrRefundAmount, gateway.ErrDuplicate)
	}, store.Refunded},
	{"of all of it", func(d *duel) {
		p := kerneltest.Pay(d, d.one, "ORD-1", gatewaytest.Settles)
		d.oneWins(d.ask(4, d.follow("refund", "", p)), gateway.ErrRefund, gateway.ErrDuplicate)
	}, store.Refunded},
	{"many small ones", func(d *duel) {
		p := kerneltest.Pay(d, d.one, "ORD-1", gatewaytest.Settles)
		var asked atomic.Int64
		errs := d.ask(8, func(ctx context.Context, kit *gatewaytest.Kit) error {
			amount := fmt.Sprintf("0.%d", 80+asked.Add(1)) // each another one, since equal ones exclude each other
			return d.follow("refund", amount, p)(ctx, kit)
		})
		now := d.one.Payment(d, "ORD-1")
		refused := 0
		for _, err := range errs {
			switch {
			case err == nil:
				continue
			case now.Refundable().IsZero() && errors.Is(err, gateway.ErrRefund): // some of them are all of it
			default:
				require.ErrorIs(d, err, gateway.ErrRefundAmount)
			}
			refused++
		}
		require.Len(d, now.Transactions, 1+len(errs)-refused)
		require.Negative(d, now.Refundable().Cmp(store.MustAmount("0.96")), "the greatest of them would not fit")
	}, store.Refunded},
	{"many equal ones", func(d *duel) {
		p := kerneltest.Pay(d, d.one, "ORD-1", gatewaytest.Settles)
		var won store.Amount
		for _, err := range d.ask(8, d.follow("refund", "0.90", p)) {
			if err == nil {
				won = won.Add(store.MustAmount("0.90"))
			} else if !errors.Is(err, gateway.ErrDuplicate) {
				require.ErrorIs(d, err, gateway.ErrRefundAmount)
			}
		}
		require.Equal(d, won.String(), d.one.Payment(d, "ORD-1").Refunded.String())
	}, store.Refunded},
}

var refundMeetsVoid = []way{
	{"of a part", func(d *duel) {
		p := kerneltest.Pay(d, d.one, "ORD-1", gatewaytest.Settles)
		errs := d.against(d.follow("refund", "1.00", p), d.follow("void", "", p))
		d.oneWins(errs[:], gateway.ErrBusy, gateway.ErrVoid, gateway.ErrRefund)
	}, ""},
}

var voidMeetsVoid = []way{
	{"four voids", func(d *duel) {
		p := kerneltest.Pay(d, d.one, "ORD-1", gatewaytest.Settles)
		d.oneWins(d.ask(2, d.follow("void", "", p)), gateway.ErrBusy, gateway.ErrVoid)
	}, store.Voided},
}

var disputeMeetsRefund = []way{
	{"of a part", func(d *duel) {
		p := kerneltest.Pay(d, d.one, "ORD-1", gatewaytest.Settles)
		d.against(d.follow("dispute", "", p), d.follow("refund", "4.00", p))
	}, store.Disputed},
}
