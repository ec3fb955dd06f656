package methods_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/methods"
)

// Text holds no card number; numbers of accounts, phones and orders may look like one (decision ba).
func TestCardNumbersInParameters(t *testing.T) {
	t.Parallel()
	for path, refused := range map[string]bool{
		"descriptor": true, "cart.items[].giftMessage": true, "shipping.street1": true, "BankName": true,
		"account_holder_name": true,
		"bank_address":        true, "user_email": true, "SecurityQuestionAnswer": true, "externalMemo": true,
		"NarrativeFileName": true,
		"account_number":    false, "phone": false, "pix_key": false, "user_doc_id": false, "upiAddress": false,
		"address":              false,
		"product_reference_id": false, "shipping.trackingNumber": false, "AccountNumber": false, "iban": false,
	} {
		for _, kind := range []methods.RuleKind{methods.RuleString, methods.RuleText} {
			c, err := methods.Compile(methods.Set{Name: "words", Rows: []methods.Row{
				{Path: path, Requirement: methods.Optional, Rule: methods.Rule{Kind: kind}},
			}})
			require.NoError(t, err, path)
			var sent any = "for 4111 1111 1111 1111"
			steps := strings.Split(path, ".")
			for i := len(steps) - 1; i >= 0; i-- {
				key, list := strings.CutSuffix(steps[i], "[]")
				if list {
					sent = []any{sent}
				}
				sent = map[string]any{key: sent}
			}
			faults := c.Check(sent.(map[string]any), methods.Form, methods.Context{Code: "m"})
			require.Equal(t, refused, len(faults) == 1 && faults[0].Text == "must not hold a card number", "%s: %v", path,
				faults)
			require.Equal(t, refused, len(faults) > 0, path)
		}
	}
}
