package engine_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
)

// SPEC2, ips: EUR, RSD, BAM and MKD; a QR code with order number, amount and description; the bank's ACSC and
// RJCT; one minute to pay.
func TestIPS(t *testing.T) {
	t.Parallel()
	t.Run("other currencies are refused", func(t *testing.T) {
		t.Parallel()
		kit := gatewaytest.New(t)
		r := gatewaytest.Request("ORD-1", "10.00")
		r.Methods = []string{"ips"}
		_, err := kit.Shop().CreateSession(t.Context(), r)
		require.ErrorIs(t, err, gateway.ErrCurrencyRoute)
	})
	cases := []struct {
		name   string
		after  func(kit *gatewaytest.Kit, t *testing.T)
		status store.Status
	}{
		{"ACSC", func(kit *gatewaytest.Kit, t *testing.T) { kerneltest.NotifyByBank(kit, t, vcard.BankACSC) }, store.Settled},
		{"RJCT", func(kit *gatewaytest.Kit, t *testing.T) { kerneltest.NotifyByBank(kit, t, vcard.BankRJCT) },
			store.Declined},
		{"no payment", func(kit *gatewaytest.Kit, t *testing.T) { kit.Advance(t, 2*time.Minute) }, store.Declined},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			kit := gatewaytest.New(t)
			token := kerneltest.ByMethod(kit, t, "ips", "EUR")
			next := kerneltest.Submit(kit, t, token, gateway.Submission{})
			require.Equal(t, gateway.ActionDisplay, next.Kind)
			for _, part := range []string{"ORD-1", "EUR10,00", "Important gift"} {
				require.Contains(t, next.Display.QR, part)
			}
			require.Equal(t, kit.Clock.Now().Add(time.Minute), next.Display.Until)
			require.Equal(t, store.Redirected, kit.Payment(t, "ORD-1").Status, "a redirect with QR")
			c.after(kit, t)
			require.Equal(t, c.status, kit.Payment(t, "ORD-1").Status)
			after, err := kit.NextAction(t.Context(), token)
			require.NoError(t, err)
			require.NotEqual(t, gateway.ActionDisplay, after.Kind)
		})
	}
}

// Two bank-transfer methods: the national id is asked for and stored sealed with the transaction; the account
// of the MID is displayed; five minutes to pay.
func TestBankTransfer(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	require.NoError(t, kit.SaveMID(t.Context(),
		store.MID{ID: "live", MerchantID: gatewaytest.MerchantID, Connector: "vcard",
			Settings: map[string]string{vcard.AccountSetting: "ES91 2100 0418"}}))
	token := kerneltest.ByMethod(kit, t, "bank-transfer-cuil", "USD")
	form, err := kit.NextAction(t.Context(), token)
	require.NoError(t, err)
	require.Equal(t, "bank_cuil", form.Methods[0].Prompts[0].Name)
	next := kerneltest.Submit(kit, t, token, gateway.Submission{Answers: map[string]string{"bank_cuil": "20123456786"}})
	require.Equal(t, gateway.ActionDisplay, next.Kind)
	require.Contains(t, next.Display.Details, store.Detail{Label: next.Display.Details[0].Label, Value: "ES91 2100 0418"})
	list, err := kit.Operator().Transactions(t.Context(), kit.Payment(t, "ORD-1").ID)
	require.NoError(t, err)
	require.NotNil(t, kerneltest.TransactionOf(t, kit, list[0].ID).SealedParameters)
	kit.Advance(t, 4*time.Minute)
	require.NotEqual(t, store.Declined, kit.Payment(t, "ORD-1").Status)
	kit.Advance(t, 2*time.Minute)
	require.Equal(t, store.Declined, kit.Payment(t, "ORD-1").Status)
}

// A connector prompts after the start: the phone number, then a one-time code; two wrong codes end the
// payment.
func TestAsks(t *testing.T) {
	t.Parallel()
	start := func(t *testing.T) (*gatewaytest.Kit, string) {
		kit := gatewaytest.New(t)
		r := gatewaytest.Request("ORD-1", "10.00")
		r.Methods = []string{"mobile-collection"}
		r.Parameters = []byte(`{"mobile-collection":{"accountId":"a-1","market":"GH","type":"PULL","currency":"USD"}}`)
		token := kit.SessionOf(t, r)
		next := kerneltest.Submit(kit, t, token, gateway.Submission{})
		require.Equal(t, gateway.ActionPrompt, next.Kind)
		require.Equal(t, "bankDetails.phoneNumber", next.Prompts[0].Name)
		return kit, token
	}
	answer := func(t *testing.T, kit *gatewaytest.Kit, token, name, value string) *gateway.NextAction {
		next, err := kit.AnswerSession(t.Context(), token, map[string]string{name: value})
		require.NoError(t, err)
		return next
	}
	t.Run("phone and code", func(t *testing.T) {
		t.Parallel()
		kit, token := start(t)
		next := answer(t, kit, token, "bankDetails.phoneNumber", "233201234567")
		require.Equal(t, gateway.ActionPrompt, next.Kind)
		require.Empty(t, next.Declined)
		answer(t, kit, token, "bankDetails.otp", "123456")
		kit.Advance(t, time.Hour)
		require.Equal(t, store.Settled, kit.Payment(t, "ORD-1").Status)
		require.Len(t, kit.Charges(t), 1)
	})
	t.Run("two wrong codes", func(t *testing.T) {
		t.Parallel()
		kit, token := start(t)
		answer(t, kit, token, "bankDetails.phoneNumber", "233201234567")
		next := answer(t, kit, token, "bankDetails.otp", vcard.WrongCode)
		require.Equal(t, gateway.ActionPrompt, next.Kind, "a second attempt")
		require.True(t, next.PromptedAgain)
		answer(t, kit, token, "bankDetails.otp", vcard.WrongCode)
		require.Equal(t, store.Declined, kit.Payment(t, "ORD-1").Status)
	})
	for name, answers := range map[string]map[string]string{
		"nothing entered": {"other": "x"}, "a control character": {"bankDetails.phoneNumber": "2332\n01234567"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			kit, token := start(t)
			_, err := kit.AnswerSession(t.Context(), token, answers)
			require.ErrorIs(t, err, gateway.ErrInvalid)
			require.Equal(t, "bankDetails.phoneNumber", gateway.AsError(err).Faults()[0].Path)
		})
	}
}

// A session can be paid only by the methods it is limited to.
func TestMethodsLimitTheSession(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	token := kerneltest.ByMethod(kit, t, "paypal", "USD")
	next, err := kit.NextAction(t.Context(), token)
	require.NoError(t, err)
	require.Len(t, next.Methods, 1)
	_, err = kit.PaySession(t.Context(), token, gateway.Submission{Method: "card", Card: gatewaytest.Settles})
	require.ErrorIs(t, err, gateway.ErrInvalid)
	require.Empty(t, kit.Charges(t))
	next = kerneltest.Submit(kit, t, token, gateway.Submission{Card: gatewaytest.Settles})
	require.Equal(t, gateway.ActionRedirect, next.Kind)
	require.Nil(t, kit.Payment(t, "ORD-1").Card, "no card was used")
	kit.ComeBack(t, next.Redirect)
	require.Equal(t, store.Settled, kit.Payment(t, "ORD-1").Status)
}

// Brand vcard: the designated identifiers.
func TestBrandVcard(t *testing.T) {
	t.Parallel()
	for identifier, status := range map[string]store.Status{
		"success@gmail.com": store.Settled, "fail@gmail.com": store.Declined,
	} {
		kit := gatewaytest.New(t)
		r := gatewaytest.Request("ORD-1", "10.00")
		r.Methods, r.Customer.Email = []string{"vcard"}, identifier
		kerneltest.Submit(kit, t, kit.SessionOf(t, r), gateway.Submission{})
		require.Equal(t, status, kit.Payment(t, "ORD-1").Status, identifier)
	}
}
