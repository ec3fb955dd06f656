package vcard_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
)

// A wallet's card is treated as a card; a token is approved unopened; what was not declared is declined.
func TestWallets(t *testing.T) {
	t.Parallel()
	token := &methods.Wallet{Method: "googlepay", Token: []byte(`{"a":1}`)}
	opened := &methods.Wallet{Method: "googlepay", PANType: "fpan", AuthMethod: "PAN_ONLY"}
	cryptogram := &methods.Wallet{Method: "googlepay", PANType: "dpan", Cryptogram: store.NewSecret("AAAA"), ECI: "05"}
	for _, c := range []struct {
		name    string
		support methods.WalletSupport
		holds   bool
		kind    store.Operation
		wallet  *methods.Wallet
		card    *methods.Card
		auth    methods.Authentication
		email   string
		want    methods.Result
	}{
		{"card", methods.WalletDecrypted, false, store.OpSale, opened, card(2038, 1), "", "", methods.ResultApproved},
		{"declined card", methods.WalletDecrypted, false, store.OpSale, opened, card(2038, 2), "", "", methods.ResultDeclined},
		{"held card", methods.WalletDecrypted, false, store.OpAuth, cryptogram, card(2038, 1), methods.AuthExternal, "", methods.ResultApproved},
		{"3-D Secure", methods.WalletDecrypted, false, store.OpSale, opened, card(2038, 5), "", "", methods.ResultRedirect},
		{"none beside a cryptogram", methods.WalletDecrypted, false, store.OpSale, cryptogram, card(2038, 5), methods.AuthExternal, "", methods.ResultApproved},
		{"card where tokens are declared", methods.WalletStored, true, store.OpSale, opened, card(2038, 1), "", "", methods.ResultDeclined},
		{"card where none is declared", methods.WalletVirtual, true, store.OpSale, opened, card(2038, 1), "", "", methods.ResultDeclined},
		{"both", methods.WalletDecrypted, true, store.OpSale, token, card(2038, 1), "", "", methods.ResultDeclined},
		{"neither", methods.WalletDecrypted, true, store.OpSale, opened, nil, "", "", methods.ResultDeclined},
		{"token", methods.WalletVirtual, false, store.OpSale, token, nil, "", "", methods.ResultApproved},
		{"token of a payer that fails", methods.WalletVirtual, false, store.OpSale, token, nil, "", "fail@gmail.com", methods.ResultDeclined},
		{"held token", methods.WalletVirtual, true, store.OpAuth, token, nil, "", "", methods.ResultApproved},
		{"held token, not declared", methods.WalletVirtual, false, store.OpAuth, token, nil, "", "", methods.ResultDeclined},
		{"held token of a stored card", methods.WalletStored, false, store.OpAuth, token, nil, "", "", methods.ResultApproved},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			a := newAcquirer(t, func(cfg *vcard.Config) {
				cfg.Capabilities = &methods.Capabilities{Holds: true, Wallet: c.support, WalletHolds: c.holds}
			})
			op := charge(c.kind, "k", 0, 0)
			op.Card, op.Wallet, op.Authentication, op.Payer.Email = c.card, c.wallet, c.auth, c.email
			op.Method, op.MethodKind = "googlepay", methods.KindWallet
			answer := a.Perform(t.Context(), op)
			require.Equal(t, c.want, answer.Result, answer.Reason)
		})
	}
	a := newAcquirer(t)
	require.Equal(t, methods.WalletDecrypted, a.Capabilities().Wallet, "by default")
	require.True(t, a.Capabilities().WalletHolds)
}
