package checkout_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/store"
)

func (s *shop) turn(t testing.TB, link string) *gateway.NextAction {
	t.Helper()
	next, err := s.NextAction(t.Context(), link)
	require.NoError(t, err)
	return next
}

// schedule_id, schedule_start_date, payment_schedule_amount: "with recurring_init true"; "schedules are not
// separated by operation type"; the callback names the schedule after settlement.
func TestSPEC1Schedule(t *testing.T) {
	t.Parallel()
	for _, operation := range []string{"purchase", "debit"} {
		t.Run(operation, func(t *testing.T) {
			t.Parallel()
			s := open(t)
			id := s.schedule(t)
			s.chain(t, set("operation", operation), set("schedule_id", id), set("schedule_start_date", "2027-03-10"),
				set("payment_schedule_amount", "5.00"))
			require.Equal(t, id, s.callbackOf(t, "ORD-1").Get("schedule_id"))
			got := ok[map[string]any](t, s, pathStatus, byOrder("ORD-1"))
			require.Equal(t, []any{id, id}, []any{got["schedule_id"], got["shedule_id"]}, "under both names")
		})
	}
}

// "DELETE_SCHEDULE / UPDATE_SCHEDULE, unknown schedule_id: 100000, Schedule not found"; a session with a schedule
// on which no chain can begin is refused, so that the payer is not refused later.
func TestSPEC1ScheduleOfASession(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.other(t)
	id := s.schedule(t)
	on := func(id string, edits ...edit) answer {
		return s.post(t, pathSession, purchase(append([]edit{set("recurring_init", true), set("schedule_id", id)},
			edits...)...))
	}
	requireError(t, on("weekly"), 100000, "Schedule not found")
	requireError(t, on(id, asOther), 100000, "Schedule not found")
	requireError(t, on(id, set("merchant_key", gatewaytest.TestKey)), 100000, "Schedule not found")
	require.NoError(t, s.Shop().PauseSchedule(t.Context(), id))
	requireError(t, on(id), 100000, "Schedule is in use or in another state.")
	require.NoError(t, s.Shop().RunSchedule(t.Context(), id))
	require.Equal(t, 200, on(id).status)
}

// customer.name: "Validation and requirement governed by Protocol Mapping".
func TestSPEC1NameOptions(t *testing.T) {
	t.Parallel()
	s := open(t)
	require.False(t, s.turn(t, s.link(t, drop("customer"))).NeedName)
	s.mapping(t, func(m *store.Mapping) { m.RequireName, m.AnyName = true, true })
	require.True(t, s.turn(t, s.link(t, drop("customer"), set("order.number", "ORD-2"))).NeedName)
	require.False(t, s.turn(t, s.link(t, set("order.number", "ORD-3"))).NeedName, "the request has it")
	s.link(t, set("order.number", "ORD-4"), set("customer.name", "Zoë Ångström"))
	requireFaults(t, s.post(t, pathSession, purchase(set("order.number", "ORD-5"), set("customer.name", "R2\x07D2"))),
		latinName)
}

// "Terms and Conditions checkbox option (no request fields)" (6.7.0): the payer has to agree.
func TestSPEC1TermsAndConditions(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.mapping(t, func(m *store.Mapping) { m.TermsURL = "https://shop.example/terms" })
	link := s.link(t)
	require.Equal(t, "https://shop.example/terms", s.turn(t, link).TermsURL)
	_, err := s.PaySession(t.Context(), link, gateway.Submission{Card: gatewaytest.Settles})
	require.ErrorContains(t, err, "terms: must be accepted")
	require.Equal(t, gateway.ReturnPaid,
		s.submit(t, link, gateway.Submission{Card: gatewaytest.Settles, Terms: true}).Status)
}

// "Memory Storage redirect mode" (6.6.4), by our reading: the address is returned once and is in no record.
func TestSPEC1MemoryStorage(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.mapping(t, func(m *store.Mapping) { m.MemoryRedirect = true })
	link := s.link(t)
	require.Equal(t, gateway.ActionRedirect, s.Pay(t, link, gatewaytest.ThreeDSPasses).Kind)
	require.Equal(t, gateway.ActionRedirect, s.turn(t, link).Kind, "a reload finds it in the memory of the process")
	require.Equal(t, gateway.ActionPoll, (&shop{Kit: s.Twin(t)}).turn(t, link).Kind, "another process does not")
}

// billing_address.language: "Without it: Protocol Mapping default, then the browser language".
func TestSPEC1Language(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.mapping(t, func(m *store.Mapping) { m.Language = "de" })
	next := s.turn(t, s.link(t, set("billing_address.language", "ZH-tw")))
	require.Equal(t, []string{"ZH-tw", "de"}, []string{next.Language, next.Default})
	next = s.turn(t, s.link(t, set("order.number", "ORD-2")))
	require.Equal(t, []string{"", "de"}, []string{next.Language, next.Default})
}

// form_id: "Custom payment form identifier", for hosts with their own templates.
func TestSPEC1FormID(t *testing.T) {
	t.Parallel()
	s := open(t)
	const id = "2f1a9f0e-7b1c-4f57-9d5e-6a0c3f7e1b11"
	require.Equal(t, id, s.turn(t, s.link(t, set("form_id", id))).FormID)
}

// billing_address "Needed by AVS, 3DS and some alternative methods": "missing fields are collected on the page".
func TestSPEC1AddressIsCollected(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.mid(t, func(m *store.MID) { m.AVS = true })
	link := s.link(t, set("billing_address", object{"country": "US", "city": "Los Angeles"}))
	var asked []string
	for _, field := range s.turn(t, link).Methods[0].Fields {
		asked = append(asked, field.Path)
	}
	require.ElementsMatch(t, []string{"billing_address.state", "billing_address.address", "billing_address.zip"}, asked)
	s.submit(t, link, gateway.Submission{Card: gatewaytest.Settles, Fields: map[string]string{
		"billing_address.state": "CA", "billing_address.address": "1 Main St", "billing_address.zip": "90210",
	}})
	form := s.callbackOf(t, "ORD-1")
	require.Equal(t, []string{"US", "CA", "Los Angeles", "1 Main St"},
		[]string{form.Get("customer_country"), form.Get("customer_state"), form.Get("customer_city"),
			form.Get("customer_address")})
}

// "A zero order.amount": an authorization of zero verifies the card, and begins a chain.
func TestSPEC1ZeroAmountIsPaid(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.mid(t, func(m *store.MID) { m.ZeroAmount = true })
	first := s.settled(t, set("order.amount", "0.00"), set("recurring_init", true))
	require.Equal(t, "0.00", s.callbackOf(t, "ORD-1").Get("order_amount"))
	require.Equal(t, "settled", ok[map[string]any](t, s, pathRecurring, recurring(first))["status"])
	p := s.Payment(t, "ORD-2")
	require.Equal(t, "5.00", p.Captured.String())
}

// vat_calc: "Enables VAT calculation"; the host computes (decision bm).
func TestSPEC1VATCalc(t *testing.T) {
	t.Parallel()
	requireFaults(t, open(t).post(t, pathSession, purchase(set("vat_calc", true))),
		"vat_calc: is not available: this gateway computes no VAT")
	s := open(t, func(c *gateway.Config) { c.Quoter = fifth{} })
	s.settled(t, set("vat_calc", "Y"))
	require.Equal(t, "2.00", s.callbackOf(t, "ORD-1").Get("vat_amount"))
	s.Clock.Set(s.Clock.Now().Add(gateway.DuplicateWindow))
	s.settled(t, set("order.number", "ORD-2"))
	require.False(t, s.callbackOf(t, "ORD-2").Has("vat_amount"))
}

// fifth is a host that computes the tax of an order of 10.00.
type fifth struct{}

func (fifth) Quote(_ context.Context, r gateway.QuoteRequest) (q gateway.Quote, err error) {
	if r.VAT {
		tax := store.MustAmount("2.00")
		q.VAT = &tax
	}
	return q, nil
}
