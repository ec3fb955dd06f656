package door_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/callback/signature"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/store"
)

// signedBy is a session request with its own hash, or with one that was made for another.
func signedBy(number, amount, currency, description, hash string) gateway.SessionRequest {
	r := gatewaytest.Request(number, amount)
	r.Order.Currency, r.Order.Description = currency, description
	in := signature.Inputs{OrderNumber: number, Amount: amount, Currency: currency, Description: description}
	if hash == "" {
		hash = signature.Sign(signature.CheckoutSession, signature.MD5, in, gatewaytest.Password)
	}
	r.Proof = &gateway.Proof{Formula: signature.CheckoutSession, Inputs: in, Hash: hash}
	return r
}

// FuzzReuse signs one order and sends the hash with another. It is accepted only if all fields are the same,
// ignoring case. Fields that only join to the same text have the right hash; this is what the check must catch.
func FuzzReuse(f *testing.F) {
	for _, seed := range [][8]string{
		{"ORD-1", "10.00", "USD", "Important gift", "ORD-", "110.00", "USD", "Important gift"},
		{"ORD-1", "10.00", "USD", "Important gift", "ORD-11", "0.00", "USD", "Important gift"},
		{"ORD-1", "10.00", "USD", "Important gift", "ord-1", "10.00", "USD", "IMPORTANT GIFT"},
		{"ORD-1", "1.00", "USD", "JPY gift", "ORD-1", "1.00", "USD", "JPY gift"},
		{"A10.00", "5.00", "USD", "USDgift", "A1", "0.005", "USD", "USDgift"},
		{"ORD", "100.00", "JPY", "gift", "ORD1", "00", "JPY", "gift"},
		{"straße", "10.00", "EUR", "für dich", "strasse", "10.00", "EUR", "FÜR DICH"},
		{"\u017ford", "10.00", "EUR", "gift", "sord", "10.00", "EUR", "gift"},
		{"ORD-1\x00", "10.00", "USD", "gift", "ORD-1", "10.00", "USD", "gift"},
	} {
		f.Add(seed[0], seed[1], seed[2], seed[3], seed[4], seed[5], seed[6], seed[7], uint8(0), int8(0))
	}
	f.Add("ORD-1", "110.00", "USD", "Important gift", "", "", "", "", uint8(1), int8(-1))
	f.Add("ORD-1", "1110.00", "USD", "Important gift", "", "", "", "", uint8(1), int8(2))
	f.Add("ORDER", "10.00", "USD", "USDgift", "", "", "", "", uint8(2), int8(3))
	f.Fuzz(func(t *testing.T, number, amount, currency, description, number2, amount2, currency2, description2 string,
		border uint8, by int8) {
		if !utf8.ValidString(number+description+number2+description2) || len(number+amount+currency+description) > 2000 {
			t.Skip()
		}
		if border > 0 { // the same text with one border moved
			first := []string{number, amount, currency, description}
			second := moved(first, int(border)%3, int(by))
			number2, amount2, currency2, description2 = second[0], second[1], second[2], second[3]
		}
		kit := gatewaytest.New(t)
		kit.Clock.Set(kit.Clock.Now())
		first := signedBy(number, amount, currency, description, "")
		if _, err := kit.Shop().CreateSession(t.Context(), first); err != nil {
			require.Less(t, gateway.AsError(err).Status(), 500)
			return
		}
		kit.Advance(t, gateway.DuplicateWindow)
		second := signedBy(number2, amount2, currency2, description2, first.Proof.Hash)
		_, err := kit.Shop().CreateSession(t.Context(), second)
		same := sameOrder(first.Order, second.Order)
		if err == nil {
			require.True(t, same, "the hash of %q was accepted for %q", first.Order, second.Order)
			return
		}
		require.Less(t, gateway.AsError(err).Status(), 500)
		if first.Order == second.Order {
			require.NoError(t, err, "a signed request may be sent again")
		}
	})
}

// moved shifts the border after part i of a text by some bytes.
func moved(parts []string, i, by int) []string {
	joined, at := parts[i]+parts[i+1], len(parts[i])+by
	moved := append([]string{}, parts...)
	if at = min(max(at, 0), len(joined)); utf8.ValidString(joined[:at]) {
		moved[i], moved[i+1] = joined[:at], joined[at:]
	}
	return moved
}

// sameOrder compares field by field, ignoring case, because signatures are made over upper-case text.
func sameOrder(a, b store.Order) bool {
	return strings.EqualFold(a.Number, b.Number) && a.Amount == b.Amount && a.Currency == b.Currency &&
		strings.EqualFold(a.Description, b.Description) ||
		signature.Capitals(a.Number) == signature.Capitals(b.Number) && a.Amount == b.Amount && a.Currency == b.Currency &&
			signature.Capitals(a.Description) == signature.Capitals(b.Description)
}
