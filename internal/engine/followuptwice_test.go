package engine_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/wire"
)

// followDoor is one way in which a merchant asks for a follow-up of a payment.
type followDoor struct {
	name string
	paid func(*gateway.ChargeRequest) // how the payment was made
	ask  func(ctx context.Context, shop *followShop, what, amount string) error
}

// followShop is a payment, and the merchant's ways to its follow-ups. The call of the acquirer for the first one stops
// at the gate, if there is one.
type followShop struct {
	*gatewaytest.Site
	wire    *wire.Client
	payment string
	gate    *gate
}

// gate holds the first call that comes to it, which reached tells, until it is opened.
type gate struct {
	passed        atomic.Bool
	reached, ends chan struct{}
	open          func()
}

func newGate(t testing.TB) *gate {
	g := &gate{reached: make(chan struct{}), ends: make(chan struct{})}
	g.open = sync.OnceFunc(func() { close(g.ends) })
	t.Cleanup(g.open)
	return g
}

const (
	captures, voids, refunds = "CAPTURE", "VOID", "CREDITVOID"
	sentTwice                = "Duplicate request."
	underWay                 = "Previous payment not completed."
)

func followDoors() []followDoor {
	return []followDoor{
		{"Go API", func(*gateway.ChargeRequest) {}, followByGo},
		{"Checkout", func(*gateway.ChargeRequest) {}, followByCheckout},
		{"S2S CARD", kerneltest.ViaCard, func(ctx context.Context, s *followShop, what, amount string) error {
			_, err := s.wire.Card(ctx, formOf(s, what, amount), &wire.Original{Email: "doe@example.com",
				Card: "4111111111111111"})
			return err
		}},
		{"S2S APM", kerneltest.ViaAPM, func(ctx context.Context, s *followShop, what, amount string) error {
			_, err := s.wire.APM(ctx, formOf(s, what, amount), nil)
			return err
		}},
	}
}

func followByGo(ctx context.Context, s *followShop, what, amount string) error {
	verb := map[string]func(gateway.Merchant, context.Context, gateway.FollowUp) (*gateway.Result, error){
		captures: gateway.Merchant.Capture, voids: gateway.Merchant.Void, refunds: gateway.Merchant.CreditVoid}[what]
	_, err := verb(s.Shop(), ctx, gateway.FollowUp{PaymentID: s.payment, Amount: amount})
	return err
}

func followByCheckout(ctx context.Context, s *followShop, what, amount string) (err error) {
	switch what {
	case captures:
		_, err = s.wire.Capture(ctx, s.payment, amount)
	case voids:
		_, err = s.wire.Void(ctx, s.payment)
	default:
		_, err = s.wire.Refund(ctx, s.payment, amount)
	}
	return err
}

func formOf(s *followShop, what, amount string) wire.Form {
	form := wire.Form{"action": what, "trans_id": s.payment}
	if amount != "" && what != voids {
		form["amount"] = amount
	}
	return form
}

// followCase is a follow-up that is sent again while the first one is not finished.
type followCase struct {
	name, what, first, again string
	held                     bool
	refused                  string         // the answer to the second one; empty if it is accepted
	doors                    map[string]int // where the request can be sent at all; nil for everywhere
}

func followCases() []followCase {
	wholeToo := map[string]int{"Go API": 1, "S2S CARD": 1, "S2S APM": 1} // Checkout has to name the amount
	return []followCase{
		{"refund of a part", refunds, "3.00", "3.00", false, sentTwice, nil},
		{"refund of everything", refunds, "10.00", "10.00", false, sentTwice, nil},
		{"refund of everything, without an amount", refunds, "", "", false, sentTwice, wholeToo},
		{"refund of everything, once by its amount", refunds, "10.00", "", false, sentTwice, wholeToo},
		{"refund of half, and of what is left", refunds, "5.00", "", false, sentTwice, wholeToo},
		{"refund of another part", refunds, "3.00", "4.00", false, "", nil},
		{"refund of what is left", refunds, "3.00", "", false, "", wholeToo},
		{"refund of more than is left", refunds, "6.00", "5.00", false, "bigger than payment amount", nil},
		{"refund of another part, when all is under way", refunds, "10.00", "3.00", false, "Refund is not allowed.", nil},
		{"capture of a part", captures, "3.00", "3.00", true, underWay, nil},
		{"capture of everything", captures, "10.00", "10.00", true, underWay, nil},
		{"capture of another part", captures, "3.00", "4.00", true, underWay, nil},
		{"release of a hold", refunds, "10.00", "10.00", true, underWay, nil},
		{"void", voids, "", "", false, underWay, nil},
	}
}

// firstState is how far the first of two follow-ups came, and what ends it.
type firstState struct {
	name     string
	does     vcard.Outcome
	gated    bool
	outcome  store.Outcome
	finishes func(testing.TB, *followShop)
}

func firstStates() []firstState {
	recovered := func(t testing.TB, s *followShop) { s.Advance(t, 48*time.Hour) }
	return []firstState{
		{"its call is under way", vcard.Approve(), true, store.Sent, nil},
		{"in doubt, and not done", vcard.UnknownBefore(), false, store.InDoubt, recovered},
		{"in doubt, and done", vcard.UnknownAfter(), false, store.InDoubt, recovered},
		{"waiting", vcard.Pending(), false, store.Waiting, func(t testing.TB, s *followShop) {
			p := s.Payment(t, "ORD-1")
			require.NoError(t, s.Vcard.Resolve(t.Context(), "tg-"+p.Transactions[1].ID, vcard.Approve()))
			s.Advance(t, 48*time.Hour)
		}},
	}
}

// openFollowShop is a shop with one payment of 10.00.
func openFollowShop(t testing.TB, d followDoor, held, gated bool) *followShop {
	t.Helper()
	s := &followShop{}
	s.Site = gatewaytest.Serve(t, func(c *gateway.Config) {
		c.Connectors["vcard"] = methods.Wrap(c.Connectors["vcard"], s.around)
	})
	s.wire = s.Wire(t)
	if gated {
		s.gate = newGate(t) // closed before the server is
	}
	s.payment = kerneltest.Charged(t, s.Kit, "ORD-1", gatewaytest.Settles, d.paid,
		func(r *gateway.ChargeRequest) { r.Hold = held }).Payment.ID
	return s
}

func (s *followShop) around(ctx context.Context, c methods.Call,
	next func(context.Context) methods.Answer) methods.Answer {
	if s.gate != nil && c.Operation.ParentReference != "" {
		if !s.gate.passed.Swap(true) {
			close(s.gate.reached)
			<-s.gate.ends
		}
	}
	return next(ctx)
}

// begin brings the first follow-up into a state. The result ends it.
func (c *followCase) begin(t testing.TB, s *followShop, d followDoor, state firstState) (finish func()) {
	t.Helper()
	s.Vcard.Next(state.does)
	if !state.gated {
		require.NoError(t, d.ask(t.Context(), s, c.what, c.first))
		return func() { state.finishes(t, s) }
	}
	ended := make(chan error, 1)
	go func() { ended <- d.ask(t.Context(), s, c.what, c.first) }()
	<-s.gate.reached
	return func() {
		s.gate.open()
		require.NoError(t, <-ended)
	}
}

// TestFollowUpSentAgain: a merchant whose answer was lost sends a follow-up again, while the first one is not finished.
// At no door is it done twice (decision cg).
func TestFollowUpSentAgain(t *testing.T) {
	t.Parallel()
	for _, d := range followDoors() {
		for _, c := range followCases() {
			for _, state := range firstStates() {
				if c.doors != nil && c.doors[d.name] == 0 {
					continue
				}
				t.Run(d.name+"/"+c.name+"/"+state.name, func(t *testing.T) {
					t.Parallel()
					c.check(t, d, state)
				})
			}
		}
	}
}

func (c *followCase) check(t *testing.T, d followDoor, state firstState) {
	t.Helper()
	s := openFollowShop(t, d, c.held, state.gated)
	finish := c.begin(t, s, d, state)
	before, keys := s.Payment(t, "ORD-1"), kerneltest.EveryKey(t, s.Store)
	require.Equal(t, state.outcome, before.Transactions[1].Outcome)
	err := d.ask(t.Context(), s, c.what, c.again)
	if c.refused == "" {
		require.NoError(t, err)
		finish()
		require.Len(t, s.done(t), 2)
		return
	}
	require.Contains(t, refusalTold(t, err), c.refused)
	require.Equal(t, before, s.Payment(t, "ORD-1"), "nothing is stored")
	require.Equal(t, keys, kerneltest.EveryKey(t, s.Store))
	finish()
	done := s.done(t)
	require.Len(t, done, 1, "the acquirer did it once")
	require.Equal(t, 1, done[0].Effects)
	require.Len(t, s.Payment(t, "ORD-1").Transactions, 2)
	kerneltest.Audit(t, s.Kit)
}

// done lists the follow-ups that took effect at the acquirer.
func (s *followShop) done(t testing.TB) (list []vcard.Entry) {
	t.Helper()
	for _, e := range s.Charges(t) {
		if e.Parent != "" && e.Effects > 0 {
			list = append(list, e)
		}
	}
	return list
}

// refusalTold is what a door says when it refuses.
func refusalTold(t testing.TB, err error) string {
	t.Helper()
	var told *wire.Refused
	if errors.As(err, &told) {
		return told.Message + " " + strings.Join(told.Faults, " ")
	}
	var refused *gateway.Error
	require.ErrorAs(t, err, &refused)
	return refused.Error()
}

// TestRefundAgainAfterTheFirst: a refund of the same amount as a finished one is another refund, also under two keys.
// While the first one is not finished, a key of its own does not make the second one another.
func TestRefundAgainAfterTheFirst(t *testing.T) {
	t.Parallel()
	for _, first := range []vcard.Outcome{vcard.Approve(), vcard.Decline("Refused")} {
		for _, d := range followDoors() {
			t.Run(d.name+"/"+first.String(), func(t *testing.T) {
				t.Parallel()
				s := openFollowShop(t, d, false, false)
				s.Vcard.Next(first)
				require.NoError(t, d.ask(t.Context(), s, refunds, "3.00"))
				require.NoError(t, d.ask(t.Context(), s, refunds, "3.00"))
				require.Len(t, s.Payment(t, "ORD-1").Transactions, 3)
			})
		}
	}
	s := openFollowShop(t, followDoors()[0], false, false)
	refund := func(key string) error {
		_, err := s.Shop().Once(key).CreditVoid(t.Context(), gateway.FollowUp{PaymentID: s.payment, Amount: "3.00"})
		return err
	}
	s.Vcard.Next(vcard.UnknownBefore())
	require.NoError(t, refund("first"))
	require.NoError(t, refund("first"), "the same request again has its result")
	require.ErrorIs(t, refund("second"), gateway.ErrDuplicate)
	s.Advance(t, 48*time.Hour)
	require.NoError(t, refund("second"), "its key is still free")
	require.Len(t, s.done(t), 2)
}
