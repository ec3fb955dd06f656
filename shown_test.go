package gateway_test

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/callback"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
)

// collected are the records that the methods of the public API returned, by method.
type collected map[string][]any

// keep adds what a method returned.
func keep[T any](t testing.TB, all collected, method string) func(T, error) T {
	return func(got T, err error) T {
		t.Helper()
		require.NoError(t, err, method)
		all[method] = append(all[method], got)
		return got
	}
}

// TestCallersGetNoStoredOnlyFields: no method of the public API returns what is stored for the gateway alone. It calls
// each of them about payments whose records have such fields.
func TestCallersGetNoStoredOnlyFields(t *testing.T) {
	t.Parallel()
	all := collected{}
	kit := gatewaytest.New(t)
	shop := kit.Shop()
	away := collectCharges(t, all, kit)
	collectLookups(t, all, kit, away)
	collectChain(t, all, kit)
	collectReviews(t, all, kit)
	collectSchedules(t, all, kit)

	p := kerneltest.Charged(t, kit, "HOSTED", gatewaytest.Settles).Payment
	token := kerneltest.HostedToken(t, kit, "FIELDS", gatewaytest.ThreeDSPasses)
	keep[*gateway.Result](t, all, "HostedFields.Pay")(kit.HostedFields().Pay(t.Context(), token, kerneltest.HostedPayment))
	keep[*gateway.Result](t, all, "Gateway.Chargeback")(kit.Chargeback(t.Context(), gateway.Dispute{PaymentID: p.ID}))
	p = kerneltest.Charged(t, kit, "DEBIT", methods.Card{}, kerneltest.ViaAPM, asksCommission).Payment
	keep[*gateway.Result](t, all, "Merchant.CompleteDebit")(shop.CompleteDebit(t.Context(), kerneltest.FollowUpOf(p, "")))

	kept := 0
	for _, stored := range kerneltest.ReadBooks(t, kit).Payments {
		for _, tr := range stored.Transactions {
			if !reflect.DeepEqual(records.ShownTransaction(tr), *tr) {
				kept++
			}
		}
	}
	require.Greater(t, kept, 5, "the records have such fields")
	for method, list := range all {
		require.Positive(t, len(recordsIn(t, method, reflect.ValueOf(list))), method)
	}
	require.Equal(t, methodsWithRecords(), slices.Sorted(maps.Keys(all)), "every method that returns records is called")
}

func asksCommission(r *gateway.ChargeRequest) {
	r.Action, r.Kind, r.Calc = "DEBIT2VIRTUAL_CALC", store.Debit, true
}

// collectCharges returns a payment whose payer is at the issuer's page.
func collectCharges(t testing.TB, all collected, kit *gatewaytest.Kit) store.Payment {
	ctx, shop := t.Context(), kit.Shop()
	r := keep[*gateway.Result](t, all, "Merchant.Charge")(shop.Once("away").Charge(ctx,
		kerneltest.ChargeOf("AWAY", gatewaytest.ThreeDSPasses)))
	keep[*gateway.Result](t, all, "Merchant.Charge")(shop.Once("away").Charge(ctx,
		kerneltest.ChargeOf("AWAY", gatewaytest.ThreeDSPasses)))
	held := kerneltest.Charged(t, kit, "HELD", gatewaytest.Settles, kerneltest.Held).Payment
	keep[*gateway.Result](t, all, "Merchant.Capture")(shop.Capture(ctx, kerneltest.FollowUpOf(held, "4.00")))
	keep[*gateway.Result](t, all, "Merchant.CreditVoid")(shop.CreditVoid(ctx, kerneltest.FollowUpOf(held, "1.00")))
	sold := kerneltest.Charged(t, kit, "SOLD", gatewaytest.Settles).Payment
	keep[*gateway.Result](t, all, "Merchant.Void")(shop.Void(ctx, kerneltest.FollowUpOf(sold, "")))
	return r.Payment
}

func collectLookups(t testing.TB, all collected, kit *gatewaytest.Kit, p store.Payment) {
	ctx := t.Context()
	keep[[]gateway.Result](t, all, "Merchant.Status")(kit.Shop().Status(ctx, gateway.Lookup{OrderNumber: "AWAY", Size: 3}))
	keep[*store.Payment](t, all, "Merchant.Payment")(kit.Shop().Payment(ctx, p.ID))
	client, err := kit.Client(ctx, gatewaytest.MerchantKey)
	require.NoError(t, err)
	found := keep[*store.Payment](t, all, "Client.Newest")(client.Newest(ctx, "AWAY"))
	keep[*store.Payment](t, all, "Client.Current")(client.Current(ctx, found))
	for one, err := range kit.Operator().Payments(ctx, gateway.PaymentFilter{}) {
		keep[store.Payment](t, all, "Operator.Payments")(one, err)
	}
	keep[[]store.Transaction](t, all, "Operator.Transactions")(kit.Operator().Transactions(ctx, p.ID))
	keep[[]store.Callback](t, all, "Operator.Callbacks")(kit.Operator().Callbacks(ctx, p.ID))
	kit.Inbox.Answer(func(callback.Delivery) callback.Receipt { return callback.Receipt{Verdict: callback.Refused} })
	kit.Advance(t, 30*24*time.Hour)
	keep[[]store.Callback](t, all, "Operator.DeadCallbacks")(kit.Operator().DeadCallbacks(ctx, "", 10))
}

func collectChain(t testing.TB, all collected, kit *gatewaytest.Kit) {
	ctx, shop := t.Context(), kit.Shop()
	first := kerneltest.Charged(t, kit, "CHAIN", gatewaytest.Settles, kerneltest.BeginsChain).Payment
	kit.Vcard.Next(vcard.SoftDecline("Insufficient funds"))
	later := keep[*gateway.Result](t, all, "Merchant.Recur")(shop.Recur(ctx, kerneltest.LaterOf(first, "LATER")))
	keep[*gateway.Result](t, all, "Merchant.Retry")(shop.Retry(ctx, kerneltest.RetryOf(later.Payment)))
	keep[[]store.Callback](t, all, "Operator.Callbacks")(kit.Operator().Callbacks(ctx, first.ID))
	client, err := kit.Client(ctx, gatewaytest.MerchantKey)
	require.NoError(t, err)
	keep[*store.Payment](t, all, "Client.Chain")(client.Chain(ctx, first.ID, first.RecurringToken))
}

func collectReviews(t testing.TB, all collected, kit *gatewaytest.Kit) {
	ctx := t.Context()
	kit.Vcard.Next(vcard.UnknownBefore())
	p := kerneltest.Charged(t, kit, "DOUBT", gatewaytest.Settles).Payment
	tr := kerneltest.TransactionOf(t, kit, p.ChargeID())
	tr.Review = "somebody has to look"
	require.NoError(t, kit.Store.Update(ctx, func(tx store.Tx) error { return kerneltest.PutTransaction(tx, &tr) }))
	keep[[]store.Transaction](t, all, "Operator.Doubts")(kit.Operator().Doubts(ctx, 10))
	of := kerneltest.ReviewOf(t, kit, tr.ID, "seen at the bank")
	keep[*gateway.Result](t, all, "Operator.ResolveDoubt")(kit.Operator().ResolveDoubt(ctx, of, true))
	kerneltest.PutRaw(t, kit.Store, "", "br", p.ID, tr.ID)
	keep[[]store.Transaction](t, all, "Operator.Breaches")(kit.Operator().Breaches(ctx, 10))
}

func collectSchedules(t testing.TB, all collected, kit *gatewaytest.Kit) {
	ctx, shop := t.Context(), kit.Shop()
	s := keep[*store.Schedule](t, all, "Merchant.CreateSchedule")(shop.CreateSchedule(ctx, kerneltest.Monthly()))
	keep[*store.Schedule](t, all, "Merchant.UpdateSchedule")(shop.UpdateSchedule(ctx, s.ID, func(s *store.Schedule) error {
		s.IntervalLength++
		return nil
	}))
	keep[*store.Schedule](t, all, "Merchant.UpdateSchedule")(shop.UpdateSchedule(ctx, s.ID, func(s *store.Schedule) error {
		all["Merchant.UpdateSchedule"] = append(all["Merchant.UpdateSchedule"], *s)
		return nil
	}))
	keep[*store.Schedule](t, all, "Merchant.Schedule")(shop.Schedule(ctx, s.ID))
	client, err := kit.Client(ctx, gatewaytest.MerchantKey)
	require.NoError(t, err)
	keep[*store.Schedule](t, all, "Merchant.Schedule")(client.Schedule(ctx, s.ID))
	keep[[]store.Schedule](t, all, "Operator.Schedules")(kit.Operator().Schedules(ctx, s.MerchantID, "", 10))
}

// recordsIn finds the records in a value, and requires that each is as callers get it.
func recordsIn(t testing.TB, method string, v reflect.Value) (found []any) {
	t.Helper()
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer:
		if !v.IsNil() {
			return recordsIn(t, method, v.Elem())
		}
	case reflect.Slice:
		for i := range v.Len() {
			found = append(found, recordsIn(t, method, v.Index(i))...)
		}
	case reflect.Struct:
		switch record := v.Interface().(type) {
		case store.Payment:
			shown := record
			records.ShowResult(&shown, &store.Transaction{})
			require.Equal(t, shown, record, method)
			found = append(found, record)
		case store.Transaction:
			require.Equal(t, records.ShownTransaction(&record), record, method)
			found = append(found, record)
		case store.Callback:
			found = append(found, record)
		case store.Schedule:
			found = append(found, record)
		case gateway.Result:
			found = append(recordsIn(t, method, reflect.ValueOf(record.Payment)),
				recordsIn(t, method, reflect.ValueOf(record.Transaction))...)
		}
	}
	return found
}

// methodsWithRecords lists the methods of the public API whose results have records in them. A Merchant's verb is the
// Client's of the same name.
func methodsWithRecords() (list []string) {
	for _, of := range []any{gateway.Merchant{}, &gateway.Client{}, gateway.Operator{}, gateway.HostedFields{},
		&gateway.Gateway{}} {
		v := reflect.TypeOf(of)
		for i := range v.NumMethod() {
			m := v.Method(i)
			name := strings.TrimPrefix(strings.TrimPrefix(v.String(), "*"), "gateway.") + "." + m.Name
			_, twin := reflect.TypeOf(gateway.Merchant{}).MethodByName(m.Name)
			if strings.HasPrefix(name, "Client.") && twin {
				continue
			}
			for o := range m.Type.NumOut() {
				text := m.Type.Out(o).String()
				if slices.ContainsFunc([]string{"store.Payment", "store.Transaction", "store.Callback", "store.Schedule",
					"gateway.Result"},
					func(record string) bool { return namesType(text, record) }) {
					list = append(list, name)
				}
			}
		}
	}
	slices.Sort(list)
	return list
}

// namesType reports whether a type's text has a type in it, and not only one whose name begins the same.
func namesType(text, record string) bool {
	_, rest, found := strings.Cut(text, record)
	return found && (rest == "" || strings.ContainsAny(rest[:1], ",]) "))
}
