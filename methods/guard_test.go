package methods_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/methods"
)

// handCounted is counted by hand from the specification: for each of its rows the parameters, those marked
// required, those marked conditional, and the rules. A rule is that a parameter must be present (unless it has a
// default) or one condition on its value: one for a plain string (that it is text), two for a length code (length
// and alphabet) or an e-mail address (format and the length of all of them), one for a closed list, a format, a
// range or a condition on another parameter.
var handCounted = []struct {
	set                               string
	parameters, required, cond, rules int
}{
	// SPEC2, "Card method sets".
	{"card-installment", 3, 3, 0, 7},
	{"card-tax-document", 4, 4, 0, 8},
	{"card-bank-account-id", 1, 0, 0, 1}, // in the row of the tax document
	{"card-descriptor", 1, 0, 0, 2},
	{"card-phone-shipping", 7, 0, 0, 8},
	{"card-identity-debit", 22, 0, 0, 22},
	{"card-identity-credit", 13, 1, 0, 14},
	{"card-payee-expiry", 2, 2, 0, 4},
	{"card-payee-expiry-single", 1, 1, 0, 2},
	{"card-to-card", 3, 0, 0, 3},
	// SPEC2, "Shipping, cart, payments and marketplace set".
	{"shipping", 26, 0, 9, 58},
	{"cart", 32 + 13, 0, 14, 14 + 59 + 25},
	{"cart-payments", 7, 0, 0, 10},
	{"marketplace", 2, 0, 0, 4},
	// SPEC2, "Other method parameter sets".
	{"crypto-wallet", 4, 1, 0, 6},
	{"crypto-wallet-awcc", 4, 0, 0, 5},
	{"crypto-currency", 1, 1, 0, 2},
	{"crypto-payment-currency", 1, 1, 0, 2},
	{"crypto-withdrawal", 3, 3, 0, 6},
	{"fiat-to-crypto", 1, 1, 0, 2},
	{"trading-deposit", 3, 2, 0, 5},
	{"trading-withdrawal", 3, 2, 0, 5},
	{"bank-account", 2, 2, 0, 4},
	{"national-id-cuil", 1, 0, 0, 1},
	{"national-id-curp", 1, 0, 0, 1},
	{"customer-document", 2, 0, 2, 4},
	{"customer-document-number", 1, 0, 1, 2},
	{"payer-identity", 1, 0, 1, 2},
	{"member-id", 1, 0, 1, 2},
	{"bank-institution", 3, 0, 3, 7},
	{"upi-id", 1, 1, 0, 2},
	{"upi-address", 1, 1, 0, 2},
	{"link-delivery", 2, 0, 0, 4},
	{"buy-later-a", 3, 3, 0, 5},
	{"buy-later-b", 6, 6, 0, 12},
	{"lender-options", 8, 0, 8, 19},
	{"open-banking", 5, 5, 0, 9},
	{"mobile-money-attachments", 4, 0, 0, 4},
	{"withdrawal-destination", 8, 0, 8, 16},
	{"voucher-pin", 1, 1, 0, 3},
	{"phone-topup", 1, 0, 0, 1},
	{"mobile-wallet-sale", 6, 4, 1, 13},
	{"mobile-collection", 6, 4, 2, 12},
	{"wallet-token", 1, 1, 0, 2},
	{"peru-payout", 9, 9, 0, 22},
	{"gift-payout", 10, 10, 0, 26},
	{"mobile-money-payout", 9, 8, 0, 21},
	// methods.md, rows that no set of SPEC2 covers.
	{"fairpay-sale", 1, 0, 0, 1},
	{"airtel-payout", 2, 2, 0, 4},
	{"astropay-payout", 3, 3, 0, 9},
	{"bitolo-inr-payout", 5, 5, 0, 10},
	{"bitolo-brl-payout", 8, 4, 0, 12},
	{"fairpay-payout", 11, 8, 0, 19},
	{"jvz-payout", 21, 7, 0, 28},
	{"help2pay-payout", 6, 4, 0, 15},
	{"mercury-payout", 12, 10, 0, 22},
	{"mpesa-payout", 2, 2, 0, 4},
	{"noda-payout", 2, 2, 0, 4},
	{"one-collection-payout", 6, 6, 0, 12},
	{"papara-payout", 3, 3, 0, 6},
	{"paygate10-payout", 8, 8, 0, 23},
	{"payneteasyhpp-payout", 11, 11, 0, 31},
	{"payftr-in-payout", 7, 7, 0, 14},
	{"payok-payout", 13, 10, 3, 37},
	{"paytota-payout", 1, 1, 0, 2},
	{"payretailers-payout", 18, 9, 7, 34},
	{"ptn-email-payout", 4, 3, 0, 12},
	{"ptn-sms-payout", 4, 4, 0, 13},
	{"yo-uganda-payout", 5, 1, 0, 6},
	{"winnerpay-payout", 3, 0, 0, 3},
	{"zeropay-payout", 6, 2, 4, 12},
	{"crypto-btg-payout", 3, 0, 0, 3},
}

func TestHandCounted(t *testing.T) {
	t.Parallel()
	sets := methods.DefaultSets()
	require.Len(t, sets, len(handCounted))
	for i, set := range sets {
		want := handCounted[i]
		got := want
		got.set, got.parameters, got.required, got.cond, got.rules = set.Name, len(set.Rows), 0, 0, 0
		for _, row := range set.Rows {
			switch row.Requirement {
			case methods.Required:
				got.required++
			case methods.Conditional:
				got.cond++
			}
			got.rules += rulesOf(row)
		}
		require.Equal(t, want, got)
	}
}
