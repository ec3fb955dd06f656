package signature

import (
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"
)

// Every formula returns its values one by one, in its order, without the password.
func TestFields(t *testing.T) {
	t.Parallel()
	in := Inputs{
		OrderNumber: "n", OrderID: "o", Amount: "1.00", Currency: "usd", Description: "größe", PaymentID: "p", TransID: "t",
		Status: "s",
		Email:  "e@x", Card: pan, CardToken: "c", Identifier: "i", RecurringInitTransID: "r", RecurringToken: "k",
		ScheduleID: "d",
		Body:       url.Values{"a": {"b"}},
	}
	want := map[Formula][]string{
		CheckoutSession: {"N", "1.00", "USD", "GRÖSSE"}, CheckoutCredit: {"O", "1.00", "USD", "GRÖSSE"}, CheckoutPayment: {"P"},
		CheckoutOrder: {"O"}, CheckoutAmount: {"P", "1.00"}, CheckoutRecurring: {"R", "K", "N", "1.00", "GRÖSSE"},
		CheckoutCallback: {"P", "N", "1.00", "USD", "GRÖSSE"},
		Card1:            {"E@X", "4111111111"}, Card1Token: {"E@X", "C"}, Card2: {"E@X", "T", "4111111111"}, Card4: {"D"}, Card5: {"4111111111"},
		Card5Token: {"C"}, Card6: {"T", "4111111111"}, Card7: {"E@X", "O", "4111111111"}, Card8: {"E@X"},
		APMSale: {"I", "O", "1.00", "USD"}, APMCreditvoid: {"T"}, APMTrans: {"T"}, APMCredit: {"O", "1.00", "USD"},
		APMCreditCallback: {"T", "O", "S"}, APMCryptoCallback: {"E@X", "T"},
	}
	orders := []Formula{CheckoutSession, CheckoutCredit, CheckoutOrder, CheckoutRecurring, CheckoutCallback, Card7,
		APMSale, APMCredit, APMCreditCallback}
	for f := Formula(0); int(f) <= len(rows); f++ {
		require.Equal(t, want[f], Fields(f, in), f)
		telling := false
		for _, one := range orders {
			telling = telling || one == f
		}
		require.Equal(t, telling, f.TellsOrders(), f)
	}
}

// The texts of a request are those that Verify hashes: each of them, signed as it stands, gives a hash that it takes.
func TestTexts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		formula Formula
		in      Inputs
		want    []string
	}{
		{"ASCII", CheckoutCredit, Inputs{OrderID: "ord-1", Amount: "1.00", Currency: "usd"},
			[]string{"ORD-11.00USD"}},
		{"every script", CheckoutOrder, Inputs{OrderID: "straße-ﬀ"}, []string{"STRAßE-ﬀ", "STRASSE-FF"}},
		{"of a chain", CheckoutRecurring, Inputs{RecurringInitTransID: "p", RecurringToken: "t",
			OrderNumber: "o", Amount: "1.00", Description: "d", Currency: "not signed"}, []string{"PTO1.00D"}},
		{"S2S", APMSale, Inputs{OrderID: "ord-1"}, nil},
		{"unknown", 0, Inputs{OrderID: "ord-1"}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := Texts(c.formula, c.in)
			require.Equal(t, c.want, got)
			for _, text := range got {
				hash := Sign(CheckoutOrder, MD5, Inputs{OrderID: text}, "secret")
				require.True(t, Verify(c.formula, MD5, c.in, "secret", hash), text)
			}
		})
	}
}
