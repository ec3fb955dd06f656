package engine_test

import (
	"bytes"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// life is a sequence of events in a merchant's payments, decoded from bytes: three for each event.
type life struct {
	kit     *gatewaytest.Kit
	orders  int
	away    []*store.Redirect // payers who are at their bank
	deposit []string          // ids of payments
}

// sums are amounts around 10.00, the amount of every payment.
var sums = []string{"", "10.00", "0.01", "3.33", "6.67", "5.00", "9.99", "10.01", "0.00", "-1.00", "1e1", "10",
	"010.00", "999999999999999.99", "0.1", "10.000"}

// FuzzMoney makes random requests through the public API: charges, holds and debits with every test card,
// captures, refunds and voids of many amounts at any time. After each event it audits the books: captures
// never exceed the authorised amount, refunds never exceed the captured amount, a reversal is whole, a void
// excludes refunds, and our ledger equals the acquirer's.
func FuzzMoney(f *testing.F) {
	for _, seed := range []string{
		"\x00\x00\x00\x05\x00\x03\x05\x00\x04\x05\x00\x02",             // two refunds are the full amount, a third is too much
		"\x01\x00\x00\x04\x00\x03\x05\x00\x03\x06\x00\x00\x05\x00\x01", // a part of a hold is captured, refunded, voided
		"\x01\x00\x00\x05\x00\x05\x05\x00\x01\x04\x00\x01",             // a part of a hold cannot be reversed, all of it can
		"\x02\x00\x00\x05\x00\x05\x05\x00\x00\x05\x00\x00",             // a debit is reversed once
		"\x00\x00\x00\x06\x00\x00\x05\x00\x02",                         // nothing is left after a void
		"\x00\x00\x00\x05\x00\x02\x06\x00\x00\x07\x00\x30\x06\x00\x00", // no void after a refund, none the next day
		"\x00\x03\x00\x08\x00\x00\x05\x00\x05\x00\x04\x00\x08\x00\x01", // two payers at their bank
		"\x01\x02\x00\x04\x00\x00\x04\x00\x00\x05\x00\x00",             // a capture that fails
	} {
		f.Add([]byte(seed))
	}
	f.Add(bytes.Repeat([]byte("\x00\x00\x00\x05\x00\x02\x05\x01\x03\x05\x02\x00"), 3)) // several payments
	f.Fuzz(func(t *testing.T, events []byte) {
		l := life{kit: kerneltest.Audited(t)}
		for i := 0; i+2 < min(len(events), 45); i += 3 {
			err := l.happen(t, events[i], events[i+1], events[i+2])
			if err != nil {
				require.Less(t, gateway.AsError(err).Status(), 500, "%v", err)
			}
			kerneltest.Audit(t, l.kit)
		}
		l.kit.Advance(t, 72*time.Hour)
		l.kit.Work(t)
		kerneltest.Quiet(t, l.kit)
	})
}

func (l *life) happen(t *testing.T, what, which, how byte) error {
	switch what %= 9; {
	case what < 3:
		return l.pay(t, what, which)
	case what == 7:
		l.kit.Advance(t, time.Duration(how)*15*time.Minute)
		return nil
	case what == 8 && len(l.away) > 0:
		n := int(which) % len(l.away)
		next := l.away[n]
		l.away = append(l.away[:n:n], l.away[n+1:]...)
		if how%2 == 0 {
			l.kit.ComeBack(t, next)
		} else {
			l.kit.GiveUp(t, next)
		}
		return nil
	case len(l.deposit) == 0:
		return nil
	}
	f := gateway.FollowUp{PaymentID: l.deposit[int(which)%len(l.deposit)],
		Amount: sums[int(how)%len(sums)]}
	var err error
	switch what {
	case 3, 4:
		_, err = l.kit.Shop().Capture(t.Context(), f)
	case 5, 8:
		_, err = l.kit.Shop().CreditVoid(t.Context(), f)
	default:
		_, err = l.kit.Shop().Void(t.Context(), f)
	}
	return err
}

// pay pays a new order: a sale, a hold or a debit, with one of the test cards.
func (l *life) pay(t *testing.T, what, card byte) error {
	cards := []methods.Card{gatewaytest.Settles, gatewaytest.Declines, gatewaytest.CaptureFails,
		gatewaytest.ThreeDSPasses, gatewaytest.ThreeDSFails}
	l.orders++
	r := gatewaytest.Request("ORD-"+string(rune('A'+l.orders)), "10.00")
	if r.Hold = what == 1; what == 2 {
		r.Operation = "debit"
	}
	session, err := l.kit.Shop().CreateSession(t.Context(), r)
	if err != nil {
		return err
	}
	next := l.kit.Pay(t, session.RedirectURL[len(gatewaytest.PublicURL+"/auth/"):], cards[int(card)%len(cards)])
	if next.Kind == gateway.ActionRedirect {
		l.away = append(l.away, next.Redirect)
	}
	l.deposit = append(l.deposit, l.kit.Payment(t, r.Order.Number).ID)
	return nil
}
