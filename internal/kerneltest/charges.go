package kerneltest

import (
	"regexp"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
)

// ChargeOf is a request for a first operation of 10.00 USD.
func ChargeOf(order string, card methods.Card, change ...func(*gateway.ChargeRequest)) gateway.ChargeRequest {
	r := gateway.ChargeRequest{
		Kind: store.Purchase, Card: &card,
		Order: store.Order{Number: order, Amount: "10.00", Currency: "USD", Description: "Important gift"},
		Payer: store.Payer{Name: "John Doe", Email: "doe@example.com", IP: "203.0.113.7"},
	}
	for _, c := range change {
		c(&r)
	}
	return r
}

// Charged makes a charge that must be accepted, whatever its outcome.
func Charged(t testing.TB, kit *gatewaytest.Kit, order string, card methods.Card,
	change ...func(*gateway.ChargeRequest)) *gateway.Result {
	t.Helper()
	r, err := kit.Shop().Charge(t.Context(), ChargeOf(order, card, change...))
	require.NoError(t, err)
	return r
}

// Pay makes a charge that must be accepted, and audits the store.
func Pay(t testing.TB, kit *gatewaytest.Kit, order string, card methods.Card,
	change ...func(*gateway.ChargeRequest)) store.Payment {
	t.Helper()
	r, err := kit.Shop().Charge(t.Context(), ChargeOf(order, card, change...))
	require.NoError(t, err)
	Audit(t, kit)
	return r.Payment
}

// Tries charges 10.00 and returns the error.
func Tries(t testing.TB, kit *gatewaytest.Kit, order string, change ...func(*gateway.ChargeRequest)) error {
	t.Helper()
	_, err := kit.Shop().Charge(t.Context(), ChargeOf(order, gatewaytest.Settles, change...))
	return err
}

// AsDebit makes a charge a debit.
func AsDebit(r *gateway.ChargeRequest) { r.Kind = store.Debit }

// Held makes a charge a hold.
func Held(r *gateway.ChargeRequest) { r.Hold = true }

// Holds is the change of a hold, for tables of cases.
var Holds = []func(*gateway.ChargeRequest){Held}

// Debits is the change of a debit, for tables of cases.
var Debits = []func(*gateway.ChargeRequest){AsDebit}

// AsksToken asks for a card token.
func AsksToken(r *gateway.ChargeRequest) { r.ReqToken = true }

// BeginsChain asks for the first payment of a chain.
func BeginsChain(r *gateway.ChargeRequest) { r.RecurringInit = true }

// ByToken pays by a saved card in place of the card.
func ByToken(token string) func(*gateway.ChargeRequest) {
	return func(r *gateway.ChargeRequest) { r.Card, r.CardToken = nil, token }
}

// ViaCard charges by S2S CARD.
func ViaCard(r *gateway.ChargeRequest) { r.Protocol, r.Action = store.S2SCard, "SALE" }

// ViaAPM charges by S2S APM.
func ViaAPM(r *gateway.ChargeRequest) {
	r.Protocol, r.Action, r.Method, r.Card, r.Identifier = store.S2SAPM, "SALE", "vcard", nil, "success@gmail.com"
}

// ViaIPS is an S2S APM payment by QR code.
func ViaIPS(r *gateway.ChargeRequest) {
	ViaAPM(r)
	r.Method, r.Order.Currency = "ips", "EUR"
}

// GoesBack names the page that the payer returns to.
func GoesBack(r *gateway.ChargeRequest) { r.ReturnURL, r.ReturnTarget = BackURL, "_self" }

// BackURL is the page of the shop that a payer returns to.
const BackURL = "https://shop.example/back?cart=1"

// AttemptsOf lists the payments of an order, first to last.
func AttemptsOf(t testing.TB, kit *gatewaytest.Kit, order string) (list []records.Payment) {
	t.Helper()
	results, err := kit.Shop().Status(t.Context(), gateway.Lookup{OrderNumber: order,
		Size: gateway.MaxStatusSize})
	require.NoError(t, err)
	books := ReadBooks(t, kit)
	for _, r := range slices.Backward(results) {
		list = append(list, books.Payment(t, r.Payment.ID))
	}
	slices.SortStableFunc(list, func(a, b records.Payment) int { return len(a.Tried) - len(b.Tried) })
	return list
}

// StoredUse returns what the acquirer got with the one charge of an order: how a stored card is used, by what
// reference, and whether the card is to be registered.
func StoredUse(t testing.TB, kit *gatewaytest.Kit, order string) (use store.COF, credential string, registers bool) {
	t.Helper()
	for _, e := range kit.Charges(t) {
		if e.Order == order {
			return e.COF, e.Credential, e.Registers
		}
	}
	require.Fail(t, "no charge of "+order)
	return use, "", false
}

// SoftDeclines is n soft declines in a row.
func SoftDeclines(n int) (list []vcard.Outcome) {
	for range n {
		list = append(list, vcard.SoftDecline("Try elsewhere"))
	}
	return list
}

// Declined is a final decline.
var Declined = []vcard.Outcome{vcard.Decline("No")}

// TokenOf charges a card and returns the token that was issued for it.
func TokenOf(t testing.TB, kit *gatewaytest.Kit, order string, card methods.Card,
	change ...func(*gateway.ChargeRequest)) string {
	t.Helper()
	token := Charged(t, kit, order, card, append(change, AsksToken)...).Payment.CardToken
	require.Regexp(t, Hex64, token)
	return token
}

// OnSchedule begins a chain on a schedule.
func OnSchedule(s *store.Schedule) func(*gateway.ChargeRequest) {
	return func(r *gateway.ChargeRequest) { r.RecurringInit, r.ScheduleID = true, s.ID }
}

// Hex64 is 64 hexadecimal digits.
var Hex64 = regexp.MustCompile(`^[0-9a-f]{64}$`)
