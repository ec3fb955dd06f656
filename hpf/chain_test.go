package hpf_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// recurring_init: "on settlement recurring_token (and recurring_init_trans_id for purchase and for debit) is
// returned in the response and callback" (SPEC1), and never before; the pair is valid for later payments.
func TestRecurringInit(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, operation, path string
		card                  methods.Card
		result                string
	}{
		{"purchase", "purchase", pathPurchase, gatewaytest.Settles, "success"},
		{"debit", "debit", pathDebit, gatewaytest.Settles, "success"},
		{"purchase by 3-D Secure", "purchase", pathPurchase, gatewaytest.ThreeDSPasses, "redirect"},
		{"debit by 3-D Secure", "debit", pathDebit, gatewaytest.ThreeDSPasses, "redirect"},
		{"declined", "purchase", pathPurchase, gatewaytest.Declines, "decline"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := open(t)
			token := s.collected(t, c.card, set("operation", c.operation), set("recurring_init", true))
			got := s.under(t, token, c.path, payment())
			require.Equal(t, 200, got.status, got.body)
			answer := decodePaid(t, got.body)
			require.Equal(t, c.result, answer.Result)
			if c.result == "redirect" {
				require.Empty(t, answer.Token+answer.Init, "not while the payer is at the issuer")
				s.ComeBack(t, &store.Redirect{URL: answer.URL, Method: "POST", Params: *answer.Params, ThreeDS: true})
			}
			s.Work(t)
			forms := s.Inbox.Fields(t)
			form := forms[len(forms)-1]
			if c.result == "decline" {
				require.Empty(t, answer.Token+answer.Init+form.Get("recurring_token")+form.Get("recurring_init_trans_id"))
				return
			}
			require.Equal(t, answer.ID, form.Get("recurring_init_trans_id"))
			chain := form.Get("recurring_token")
			require.NotEmpty(t, chain)
			if c.result == "success" {
				require.Equal(t, []string{chain, answer.ID}, []string{answer.Token, answer.Init})
			}
			r, err := s.Shop().Recur(t.Context(), gateway.RecurRequest{
				InitID: answer.ID, Token: chain,
				Order: store.Order{Number: "ORD-2", Amount: "5.00", Description: "Later"},
			})
			require.NoError(t, err)
			require.Equal(t, store.Kind(c.operation), r.Payment.Kind)
			require.Equal(t, store.Settled, r.Payment.Status)
		})
	}
}

// "first_recurring_date in responses" (SPEC1, Versioning, 6.7.0): once the first payment is paid, and never before.
func TestFirstRecurringDate(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		card  methods.Card
		edits []edit
		want  string
	}{
		"the schedule's":   {gatewaytest.Settles, nil, "2027-04-10"},
		"the request's":    {gatewaytest.Settles, []edit{set("schedule_start_date", "2027-03-17")}, "2027-03-17"},
		"at the issuer":    {gatewaytest.ThreeDSPasses, nil, ""},
		"declined":         {gatewaytest.Declines, nil, ""},
		"without schedule": {gatewaytest.Settles, []edit{drop("schedule_id")}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := open(t)
			monthly, err := s.Shop().CreateSchedule(t.Context(),
				store.Schedule{Name: "Monthly", IntervalLength: 1, IntervalUnit: store.Month, PaymentsCount: 3})
			require.NoError(t, err)
			edits := append([]edit{set("recurring_init", true), set("schedule_id", monthly.ID)}, c.edits...)
			require.Equal(t, c.want, s.pay(t, s.collected(t, c.card, edits...)).First)
		})
	}
}

// The chain of an authorization begins with its capture (decision ar), so the answer to the payment has no token.
func TestRecurringInitOfAHold(t *testing.T) {
	t.Parallel()
	for operation, path := range map[string]string{"purchase": pathPurchase, "debit": pathDebit} {
		s := open(t)
		require.NoError(t, s.SaveMID(t.Context(), store.MID{
			ID: "live", MerchantID: gatewaytest.MerchantID, Name: "Live", Connector: "vcard", Mode: store.DMS,
			ChannelID: "held",
		}))
		token := s.collected(t, gatewaytest.Settles, set("operation", operation), set("recurring_init", true),
			set("channel_id", "held"))
		got := s.under(t, token, path, payment())
		require.Equal(t, 200, got.status, got.body)
		answer := decodePaid(t, got.body)
		require.Equal(t, "success", answer.Result)
		require.Empty(t, answer.Token+answer.Init, operation)
		p := s.Payment(t, "ORD-1")
		require.Equal(t, store.Pending, p.Status)
		_, err := s.Shop().Recur(t.Context(), gateway.RecurRequest{
			InitID: p.ID, Token: p.RecurringToken,
			Order: store.Order{Number: "ORD-2", Amount: "5.00", Description: "Later"},
		})
		require.ErrorIs(t, err, gateway.ErrNoChain)
		_, err = s.Shop().Capture(t.Context(), gateway.FollowUp{PaymentID: p.ID})
		require.NoError(t, err)
		s.Work(t)
		forms := s.Inbox.Fields(t)
		require.Equal(t, p.RecurringToken, forms[len(forms)-1].Get("recurring_token"))
	}
}
