package engine_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/memory"
)

// linked checks the links of a cascade: each payment names the next, and all but the first name the first.
func linked(t testing.TB, list []records.Payment) {
	t.Helper()
	for i, p := range list {
		require.Len(t, p.Tried, i)
		if i > 0 {
			require.Equal(t, list[0].ID, p.Cascade)
			require.Equal(t, p.ID, list[i-1].Next)
			require.NotContains(t, p.Tried, p.MIDID)
			require.Equal(t, store.Declined, list[i-1].Status)
		}
	}
	require.Empty(t, list[0].Cascade)
	require.Empty(t, list[len(list)-1].Next)
}

// callbacks.md, "Cascading".
func TestCascade(t *testing.T) {
	t.Parallel()
	checkout := func(*gateway.ChargeRequest) {}
	for _, c := range []struct {
		name   string
		change func(*gateway.ChargeRequest)
		off    bool
		script []vcard.Outcome
		status []store.Status // of the attempts
		told   []string       // of the callbacks: number of the attempt and the outcome
	}{
		{"second settles", checkout, false, kerneltest.SoftDeclines(1), []store.Status{store.Declined, store.Settled},
			[]string{"2 SETTLED"}},
		{"third settles", checkout, false, kerneltest.SoftDeclines(2),
			[]store.Status{store.Declined, store.Declined, store.Settled}, []string{"3 SETTLED"}},
		{"every MID declines", checkout, false, kerneltest.SoftDeclines(3),
			[]store.Status{store.Declined, store.Declined, store.Declined}, []string{"3 DECLINED"}},
		{"the second declines for good", checkout, false, append(kerneltest.SoftDeclines(1), vcard.Decline("Stolen card")),
			[]store.Status{store.Declined, store.Declined}, []string{"2 DECLINED"}},
		{"a hard decline ends it", checkout, false, []vcard.Outcome{vcard.Decline("Stolen card")}, []store.Status{store.Declined}, []string{"1 DECLINED"}},
		{"off by default", checkout, true, kerneltest.SoftDeclines(1), []store.Status{store.Declined},
			[]string{"1 DECLINED"}},
		{"an acquirer that is not reached", checkout, false, []vcard.Outcome{vcard.NotSent()}, []store.Status{store.Declined, store.Settled}, []string{"2 SETTLED"}},
		{"S2S CARD", kerneltest.ViaCard, false, kerneltest.SoftDeclines(2),
			[]store.Status{store.Declined, store.Declined, store.Settled}, []string{"3 SETTLED"}},
		{"S2S APM: the first decline and the last", kerneltest.ViaAPM, false, kerneltest.SoftDeclines(2),
			[]store.Status{store.Declined, store.Declined, store.Settled}, []string{"1 DECLINED", "3 SETTLED"}},
		{"S2S APM, every MID declines", kerneltest.ViaAPM, false, kerneltest.SoftDeclines(3),
			[]store.Status{store.Declined, store.Declined, store.Declined}, []string{"1 DECLINED", "3 DECLINED"}},
		{"S2S APM, one decline", kerneltest.ViaAPM, true, kerneltest.SoftDeclines(1), []store.Status{store.Declined},
			[]string{"1 DECLINED"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			kit := gatewaytest.New(t)
			kerneltest.AddMIDs(t, kit, "second", "third")
			for _, protocol := range store.Protocols() {
				kerneltest.SwitchCascading(t, kit, protocol, func(m *store.Mapping) { m.Cascade = !c.off })
			}
			kit.Vcard.Next(c.script...)
			r := kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Settles, c.change)
			list := kerneltest.AttemptsOf(t, kit, "ORD-1")
			linked(t, list)
			var status []store.Status
			var mids []string
			number := map[string]int{}
			for i, p := range list {
				status, mids = append(status, p.Status), append(mids, p.MIDID)
				number[p.ID] = i + 1
			}
			require.Equal(t, c.status, status)
			require.Equal(t, []string{"live", "second", "third"}[:len(mids)], mids)
			require.Equal(t, list[len(list)-1].ID, r.Payment.ID, "the answer is about the last")
			var heard []string
			for _, form := range kerneltest.FormsOf(t, kit, "ORD-1") {
				id, outcome := form.Get("trans_id"), form.Get("status")
				if form.Has("order_status") {
					id, outcome = form.Get("payment_id"), map[string]string{"settled": "SETTLED",
						"decline": "DECLINED"}[form.Get("order_status")]
				}
				heard = append(heard, string(rune('0'+number[id]))+" "+outcome)
			}
			require.ElementsMatch(t, c.told, heard)
			kit.Advance(t, 72*time.Hour)
			require.Len(t, kerneltest.AttemptsOf(t, kit, "ORD-1"), len(list), "nothing more happens")
			require.Len(t, kerneltest.FormsOf(t, kit, "ORD-1"), len(c.told))
		})
	}
}

// The session continues with the attempts of a cascade, and ends once.
func TestCascadeOfASession(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	kerneltest.AddMIDs(t, kit, "second", "third")
	kerneltest.SwitchCascading(t, kit, store.Checkout)
	link := kit.Session(t, "ORD-1", "10.00")
	kit.Vcard.Next(kerneltest.SoftDeclines(3)...)
	next := kit.Pay(t, link, gatewaytest.Settles)
	require.Equal(t, gateway.ActionCollect, next.Kind)
	require.Equal(t, 2, next.AttemptsLeft, "three MIDs, one declined attempt")
	require.Equal(t, "Try elsewhere", next.Declined)
	kit.Vcard.Next(kerneltest.SoftDeclines(1)...)
	next = kit.Pay(t, link, gatewaytest.Settles)
	require.Equal(t, gateway.ReturnPaid, next.Status)
	s := kerneltest.ReadBooks(t, kit).Sessions[0]
	require.Equal(t, store.SessionPaid, s.State)
	require.False(t, s.Running)
	require.Equal(t, []int{2, 1}, []int{s.Attempts, s.Declines})
	kit.Work(t)
	require.ElementsMatch(t, []string{"sale fail decline", "sale success settled"}, kerneltest.CallbackStatuses(t, kit))
	last := kit.Payment(t, "ORD-1")
	require.Contains(t, next.URL, "payment_id="+last.ID)
	require.Equal(t, s.PaymentID, last.ID)
}

// Cascading Context for Get Status: the id of any attempt returns the newest attempt of its cascade.
func TestCascadingStatus(t *testing.T) {
	t.Parallel()
	for _, follows := range []bool{false, true} {
		kit := gatewaytest.New(t)
		kerneltest.AddMIDs(t, kit, "second", "third")
		kerneltest.SwitchCascading(t, kit, store.Checkout, func(m *store.Mapping) { m.CascadingStatus = follows })
		kit.Vcard.Next(kerneltest.SoftDeclines(2)...)
		kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Settles)
		list := kerneltest.AttemptsOf(t, kit, "ORD-1")
		want := list[0].ID
		if follows {
			want = list[2].ID
		}
		client, err := kit.Client(t.Context(), gatewaytest.MerchantKey)
		require.NoError(t, err)
		p, err := client.Current(t.Context(), &list[0].Payment)
		require.NoError(t, err)
		require.Equal(t, want, p.ID)
		results, err := kit.Shop().Status(t.Context(), gateway.Lookup{PaymentID: list[0].ID})
		require.NoError(t, err)
		require.Equal(t, []string{want, want}, []string{results[0].Payment.ID, results[0].Transaction.PaymentID})
		p, err = client.Current(t.Context(), &list[2].Payment)
		require.NoError(t, err)
		require.Equal(t, list[2].ID, p.ID)
	}
}

// A chain that begins in a cascade refers to the attempt that succeeded, and there is one card token.
func TestCascadeOfAFirstPayment(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	kerneltest.AddMIDs(t, kit, "second")
	kerneltest.SwitchCascading(t, kit, store.Checkout)
	s := kerneltest.Scheduled(t, kit)
	kit.Vcard.Next(kerneltest.SoftDeclines(1)...)
	r := kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Settles, kerneltest.OnSchedule(s), kerneltest.AsksToken)
	require.Equal(t, store.Settled, r.Payment.Status)
	require.Equal(t, []string{r.Payment.RecurringToken}, kerneltest.ChainTokens(t, kit), "the valid one")
	require.Equal(t, "second", kerneltest.Recurred(t, kit, kerneltest.LaterOf(r.Payment, "ORD-2")).Payment.MIDID)
	forms := kerneltest.FormsOf(t, kit, "ORD-1")
	require.Len(t, forms, 1)
	require.Equal(t, r.Payment.ID, forms[0].Get("recurring_init_trans_id"))
	require.Equal(t, store.Settled,
		kerneltest.Charged(t, kit, "ORD-3", methods.Card{}, kerneltest.ByToken(forms[0].Get("card_token"))).Payment.Status)
	require.NoError(t, kit.Shop().Deschedule(t.Context(), r.Payment.RecurringToken, s.ID))
	require.NoError(t, kit.Shop().DeleteSchedule(t.Context(), s.ID), "counted once")
}

// A soft decline that only recovery learns of starts no next attempt: the caller is gone.
func TestNoCascadeAfterDoubt(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	kerneltest.AddMIDs(t, kit, "second")
	kerneltest.SwitchCascading(t, kit, store.Checkout)
	kit.Vcard.Next(vcard.UnknownAfter())
	r := kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Card(4, 2038))
	require.Equal(t, store.InDoubt, r.Transaction.Outcome)
	kit.Advance(t, 72*time.Hour)
	require.Len(t, kerneltest.AttemptsOf(t, kit, "ORD-1"), 1)
	kit.Work(t)
	require.Equal(t, []string{"sale undefined prepare", "sale fail decline"}, kerneltest.CallbackStatuses(t, kit))
}

// A cascade ends, however many MIDs there are.
func TestCascadeIsBounded(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	kerneltest.AddMIDs(t, kit, "m02", "m03", "m04", "m05", "m06", "m07", "m08", "m09", "m10", "m11", "m12")
	kerneltest.SwitchCascading(t, kit, store.Checkout, func(m *store.Mapping) { m.CascadingStatus = true })
	r := kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Card(4, 2038))
	list := kerneltest.AttemptsOf(t, kit, "ORD-1")
	require.Len(t, list, 10)
	linked(t, list)
	require.Len(t, kerneltest.FormsOf(t, kit, "ORD-1"), 1)
	results, err := kit.Shop().Status(t.Context(), gateway.Lookup{PaymentID: list[0].ID})
	require.NoError(t, err)
	require.Equal(t, r.Payment.ID, results[0].Payment.ID)
}

// Whichever call of the store fails during a cascade, and however it fails: in the end the order is settled,
// charged once and reported.
func TestCascadeSurvives(t *testing.T) {
	t.Parallel()
	for _, mode := range []string{"before", "unknown", "lost", "crash before", "crash after"} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			for n := 1; ; n++ {
				require.Less(t, n, 50)
				if !cascadeUnder(t, &kerneltest.Fault{Port: "store", Mode: mode, N: n}) {
					require.Greater(t, n, 3, "intent, cascade, outcome")
					return
				}
			}
		})
	}
}

func cascadeUnder(t *testing.T, by *kerneltest.Fault) bool {
	t.Helper()
	s := memory.New()
	kit := gatewaytest.On(t, s)
	kerneltest.AddMIDs(t, kit, "second")
	kerneltest.SwitchCascading(t, kit, store.Checkout)
	broken := kit.Twin(t, func(c *gateway.Config) { c.Store = kerneltest.FaultyStore{Store: s, By: by} })
	kit.Vcard.On("ORD-1", vcard.SoftDecline("Try elsewhere"))
	by.Armed = true
	r, err := broken.Shop().Charge(t.Context(), kerneltest.ChargeOf("ORD-1", gatewaytest.Settles))
	by.Armed = false
	kit.Twin(t).Advance(t, 72*time.Hour)
	b := kerneltest.ReadBooks(t, kit)
	if len(b.Payments) == 0 { // the fault came before anything was stored
		require.Error(t, err)
		return by.Fired
	}
	settled, open := 0, 0
	for _, p := range b.Payments {
		switch p.Status {
		case store.Settled:
			settled++
		case store.Declined:
		default:
			open++
		}
		require.Empty(t, p.Running)
	}
	require.Zero(t, open)
	require.LessOrEqual(t, settled, 1, "charged once")
	if err == nil {
		stored := b.Transactions[r.Transaction.ID]
		require.Equal(t, r.Transaction.Outcome, stored.Outcome, "the first answer counts")
		require.Empty(t, b.Payment(t, r.Payment.ID).Next, "%s at %d: the answer is about the last attempt", by.Mode, by.N)
	}
	var last []string
	for _, form := range kerneltest.FormsOf(t, kit, "ORD-1") {
		if form.Get("status") != "undefined" {
			last = append(last, form.Get("order_status"))
		}
	}
	require.Len(t, last, 1, "%s at %d: one last word", by.Mode, by.N)
	require.Equal(t, settled == 1, last[0] == "settled")
	return by.Fired
}
