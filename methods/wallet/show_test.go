package wallet_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/methods/wallet"
	"github.com/tollgatepay/gateway/methods/wallet/wallettest"
)

func TestShow(t *testing.T) {
	t.Parallel()
	a, g := wallettest.NewApple(t, clock()), wallettest.NewGoogle(t, clock())
	for _, c := range []struct {
		name, code string
		token      []byte
		want       wallet.Shown
		cause      string
	}{
		{"apple", wallet.ApplePay, wallettest.MintApple(t, a), wallet.Shown{Network: "Visa", Description: "Visa 1111", PANType: "dpan"}, ""},
		{"apple as a text", wallet.ApplePay, wallettest.MintApple(t, a, func(m *appleToken) { m.AsString = true }), wallet.Shown{Network: "Visa", Description: "Visa 1111", PANType: "dpan"}, ""},
		{"apple that shows nothing", wallet.ApplePay, wallettest.MintApple(t, a, func(m *appleToken) { m.Edit = put("paymentMethod", map[string]any{}) }), wallet.Shown{PANType: "dpan"}, ""},
		{"apple for a stranger", wallet.ApplePay, wallettest.MintApple(t, a, func(m *appleToken) { m.MerchantID = "other" }), wallet.Shown{Network: "Visa", Description: "Visa 1111", PANType: "dpan"}, ""},
		{"google", wallet.GooglePay, wallettest.MintGoogle(t, g), wallet.Shown{Network: "VISA", Description: "Visa •••• 1111"}, ""},
		{"google as an object", wallet.GooglePay, wallettest.MintGoogle(t, g, func(m *googleToken) { m.AsObject = true }), wallet.Shown{Network: "VISA", Description: "Visa •••• 1111"}, ""},
		{"google with marks of direction", wallet.GooglePay, wallettest.MintGoogle(t, g, func(m *googleToken) { m.Description = "Visa\u00a0\u202a•••• 1111\u202c" }), wallet.Shown{Network: "VISA", Description: "Visa •••• 1111"}, ""},
		{"google bare", wallet.GooglePay, wallettest.MintGoogle(t, g, func(m *googleToken) { m.Bare = true }), wallet.Shown{}, ""},
		{"no wallet", "card", []byte(`{}`), wallet.Shown{}, "code: not a wallet"},
		{"the other wallet's", wallet.ApplePay, wallettest.MintGoogle(t, g), wallet.Shown{}, "token.paymentMethod: must be an object"},
		{"this wallet's", wallet.GooglePay, wallettest.MintApple(t, a), wallet.Shown{}, "token.protocolVersion: must be ECv2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			shown, err := wallet.Show(c.code, c.token)
			if c.cause != "" {
				require.Error(t, err)
				require.Equal(t, c.cause, causeOf(t, err))
			} else {
				requireOpened(t, err)
			}
			require.Equal(t, c.want, shown)
		})
	}
}

// Show refuses every wrong shape that Open refuses, without any key.
func TestShowRefusesOtherShapes(t *testing.T) {
	t.Parallel()
	a, g := wallettest.NewApple(t, clock()), wallettest.NewGoogle(t, clock())
	refuse := func(t *testing.T, code, cause string, token []byte, change func([]byte) []byte) {
		t.Parallel()
		if change != nil {
			token = change(slices.Clone(token))
		}
		shown, err := wallet.Show(code, token)
		require.Error(t, err)
		require.Equal(t, cause, causeOf(t, err))
		require.Zero(t, shown)
	}
	for _, c := range appleShapeFaults() {
		token := wallettest.MintApple(t, a, func(m *appleToken) {
			if c.change != nil {
				c.change(m)
			}
		})
		t.Run("apple/"+c.name, func(t *testing.T) { refuse(t, wallet.ApplePay, c.cause, token, c.bytes) })
	}
	for _, c := range googleShapeFaults() {
		token := wallettest.MintGoogle(t, g, func(m *googleToken) {
			m.AsObject = true
			if c.change != nil {
				c.change(m)
			}
		})
		t.Run("google/"+c.name, func(t *testing.T) { refuse(t, wallet.GooglePay, c.cause, token, c.bytes) })
	}
}
