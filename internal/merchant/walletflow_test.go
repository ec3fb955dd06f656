package merchant_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/methods/wallet"
	"github.com/tollgatepay/gateway/methods/wallet/wallettest"
	"github.com/tollgatepay/gateway/store"
)

// walletKitOn is a kit on an acquirer of the test. It is not audited: a cascade needs other audits.
func walletKitOn(t testing.TB, acquirer methods.Connector, options ...gatewaytest.Option) *kerneltest.WalletKit {
	t.Helper()
	k := &kerneltest.WalletKit{Log: &kerneltest.Logged{}}
	k.Apple, k.Google = kerneltest.IssuersOf(t)
	k.Kit = gatewaytest.New(t, append(options, kerneltest.TrustsInTest(t, k.Apple, k.Google),
		func(c *gateway.Config) { c.Connectors["vcard"] = acquirer })...)
	k.Configure(t)
	return k
}

func softly() vcard.Outcome { return vcard.SoftDecline("Try elsewhere") }

// declared is a scripted connector with other capabilities.
type declared struct {
	*kerneltest.ScriptedConnector
	can methods.Capabilities
}

func (d declared) Capabilities() methods.Capabilities { return d.can }

// SPEC2, "Wallet tokens": in the card flow the connector gets the card and its cryptogram, never the token, and the
// payment is a card payment that names its wallet.
func TestWalletCardFlow(t *testing.T) {
	t.Parallel()
	k := kerneltest.NewWalletKit(t, kerneltest.TakesWallets(methods.WalletDecrypted, false))
	for _, p := range kerneltest.Protocols {
		for _, method := range []string{wallet.ApplePay, wallet.GooglePay} {
			order := string(p) + "-" + method
			paid, err := k.PayWith(t, p, order, method, k.TokenFor(t, method, 12, 2030))
			require.NoError(t, err, order)
			require.Equal(t, store.Settled, paid.Status, order)
			require.Equal(t, &store.WalletFacts{Wallet: method, PANType: "dpan"}, paid.Wallet)
			require.Equal(t, "411111******1111", paid.Card.Mask)
			op := k.Sent(t, paid)
			require.Equal(t, wallettest.PAN, op.Card.PAN.Digits())
			require.Equal(t, "12/2030", op.Card.Expiry.String())
			require.Equal(t, "John Doe", op.Card.Holder)
			require.Equal(t, methods.AuthExternal, op.Authentication, "no 3-D Secure of ours with a cryptogram")
			require.Empty(t, op.Wallet.Token)
			require.Equal(t, wallettest.Cryptogram, op.Wallet.Cryptogram.Reveal())
			require.Equal(t, wallet.Cryptogram3DS, op.Wallet.AuthMethod)
			require.NotEmpty(t, op.Wallet.ECI)
			require.Empty(t, op.Parameters)
			tr := kerneltest.ReadBooks(t, k.Kit).Transactions[paid.Transactions[0].ID]
			require.Nil(t, tr.SealedWallet, "erased with the outcome")
			require.Nil(t, tr.SealedCard)
		}
	}
	k.Work(t)
	told := map[string]int{}
	for _, form := range k.Inbox.Fields(t) {
		told[form.Get("digital_wallet")+" "+form.Get("pan_type")]++
	}
	require.Equal(t, map[string]int{"applepay dpan": 2, "googlepay dpan": 2, " ": 2}, told, "S2S APM does not report it")
	kerneltest.Quiet(t, k.Kit)
}

// With PAN_ONLY the acquirer is responsible for 3-D Secure, and the card is still there at the payer's return.
func TestPANOnlyLeaves3DSToTheAcquirer(t *testing.T) {
	t.Parallel()
	for _, p := range kerneltest.Protocols {
		t.Run(string(p), func(t *testing.T) {
			t.Parallel()
			k := kerneltest.NewWalletKit(t, kerneltest.TakesWallets(methods.WalletDecrypted, false))
			paid, err := k.PayWith(t, p, "ORD-1", wallet.GooglePay, k.TokenFor(t, wallet.GooglePay, 5, 2038, kerneltest.PANOnly))
			require.NoError(t, err)
			require.Equal(t, store.ThreeDS, paid.Status)
			require.Equal(t, "fpan", paid.Wallet.PANType)
			op := k.Sent(t, paid)
			require.Equal(t, methods.AuthPlatform, op.Authentication)
			require.True(t, op.Wallet.Cryptogram.IsZero())
			require.NotNil(t, kerneltest.ReadBooks(t, k.Kit).Transactions[paid.Transactions[0].ID].SealedWallet)
			k.Advance(t, time.Hour) // the payer does not come
			require.Equal(t, store.Declined, k.Payment(t, "ORD-1").Status)
			require.Nil(t, kerneltest.ReadBooks(t, k.Kit).Transactions[paid.Transactions[0].ID].SealedWallet)
			kerneltest.Quiet(t, k.Kit)
		})
	}
}

// virtuals are the ways into the virtual flow.
var virtuals = []struct {
	name string
	can  methods.WalletSupport
	save func(*store.Wallets)
}{
	{"no keys", methods.WalletDecrypted, kerneltest.Keyless},
	{"a provider that takes no card", methods.WalletVirtual, func(*store.Wallets) {}},
	{"neither", methods.WalletVirtual, kerneltest.Keyless},
}

// Without keys or without a provider for the card flow, Checkout and S2S APM pass the token on, and S2S CARD
// returns an error (SPEC2, "Wallet tokens").
func TestWalletVirtualFlow(t *testing.T) {
	t.Parallel()
	for _, c := range virtuals {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			k := kerneltest.NewWalletKit(t, kerneltest.TakesWallets(c.can, false))
			k.Configure(t, c.save)
			for _, method := range []string{wallet.ApplePay, wallet.GooglePay} {
				_, err := k.PayWith(t, store.S2SCard, "CARD", method, k.TokenFor(t, method, 12, 2030))
				require.ErrorIs(t, err, gateway.ErrWallet)
				k.Nothing(t, "CARD")
				for _, p := range []store.Protocol{store.Checkout, store.S2SAPM} {
					token := k.TokenFor(t, method, 12, 2030)
					paid, err := k.PayWith(t, p, string(p)+method, method, token)
					require.NoError(t, err)
					require.Equal(t, store.Settled, paid.Status)
					require.Equal(t, method, paid.Wallet.Wallet)
					require.Nil(t, paid.Card)
					op := k.Sent(t, paid)
					require.Nil(t, op.Card)
					require.Equal(t, token, string(op.Wallet.Token))
					require.True(t, op.Wallet.Cryptogram.IsZero())
					tr := kerneltest.ReadBooks(t, k.Kit).Transactions[paid.Transactions[0].ID]
					require.Nil(t, tr.SealedWallet)
					require.Nil(t, tr.SealedParameters)
				}
			}
			k.Work(t)
			kerneltest.Quiet(t, k.Kit)
		})
	}
}

// The virtual flow stores no card: no chain, no card token (decision z).
func TestVirtualFlowKeepsNothing(t *testing.T) {
	t.Parallel()
	k := kerneltest.NewWalletKit(t, kerneltest.TakesWallets(methods.WalletVirtual, false))
	paid, err := k.PayWith(t, store.Checkout, "ORD-1", wallet.GooglePay, k.TokenFor(t, wallet.GooglePay, 12, 2030),
		kerneltest.BeginsChain, kerneltest.AsksToken)
	require.NoError(t, err)
	require.Equal(t, store.Settled, paid.Status)
	require.Empty(t, paid.RecurringToken)
	require.Empty(t, paid.CardToken)
	require.Empty(t, kerneltest.ChainTokens(t, k.Kit))
	_, err = k.Shop().Recur(t.Context(), kerneltest.LaterOf(*paid, "ORD-2"))
	require.ErrorIs(t, err, gateway.ErrNoChain)
	k.Work(t)
	for _, form := range k.Inbox.Fields(t) {
		require.False(t, form.Has("recurring_token"))
		require.False(t, form.Has("card_token"))
	}
}

// A chain of the card flow continues with the card, without its cryptogram and without the payer.
func TestChainOfAWallet(t *testing.T) {
	t.Parallel()
	for _, support := range []methods.WalletSupport{methods.WalletDecrypted, methods.WalletStored} {
		for _, p := range []store.Protocol{store.Checkout, store.S2SCard} {
			t.Run(string(support)+" "+string(p), func(t *testing.T) {
				t.Parallel()
				k := kerneltest.NewWalletKit(t, kerneltest.TakesWallets(support, false))
				first, err := k.PayWith(t, p, "ORD-1", wallet.ApplePay, k.TokenFor(t, wallet.ApplePay, 12, 2030),
					kerneltest.BeginsChain, kerneltest.AsksToken)
				require.NoError(t, err)
				require.NotEmpty(t, first.RecurringToken)
				require.Len(t, first.CardToken, 64)
				next := kerneltest.Recurred(t, k.Kit, kerneltest.LaterOf(*first, "ORD-2"))
				require.Equal(t, store.Settled, next.Payment.Status)
				op := k.Sent(t, &next.Payment)
				require.Equal(t, wallettest.PAN, op.Card.PAN.Digits())
				require.Nil(t, op.Wallet)
				require.Equal(t, methods.AuthOff, op.Authentication)
				byToken := kerneltest.Pay(t, k.Kit, "ORD-3", methods.Card{},
					func(r *gateway.ChargeRequest) { r.Card, r.CardToken = nil, first.CardToken })
				require.Equal(t, store.Settled, byToken.Status)
			})
		}
	}
}

// Holds are captured in the card flow, and in the virtual flow on a connector that declares it (decision z).
func TestWalletHolds(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		can   methods.Capabilities
		holds map[store.Protocol]bool
	}{
		{"decrypted", kerneltest.TakesWallets(methods.WalletDecrypted, false),
			map[store.Protocol]bool{store.Checkout: true, store.S2SCard: true, store.S2SAPM: true}},
		{"stored", kerneltest.TakesWallets(methods.WalletStored, false),
			map[store.Protocol]bool{store.Checkout: true, store.S2SCard: true, store.S2SAPM: true}},
		{"virtual", kerneltest.TakesWallets(methods.WalletVirtual, false), nil},
		{"virtual, declared", kerneltest.TakesWallets(methods.WalletVirtual, true),
			map[store.Protocol]bool{store.Checkout: true, store.S2SAPM: true}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			k := kerneltest.NewWalletKit(t, c.can)
			for _, p := range kerneltest.Protocols {
				order := "ORD-" + string(p)
				paid, err := k.PayWith(t, p, order, wallet.GooglePay, k.TokenFor(t, wallet.GooglePay, 12, 2030), kerneltest.Held)
				if !c.holds[p] {
					require.Error(t, err)
					k.Nothing(t, order)
					continue
				}
				require.NoError(t, err)
				require.Equal(t, store.Pending, paid.Status)
				_, err = k.Shop().Capture(t.Context(), kerneltest.FollowUpOf(*paid, "4.00"))
				require.NoError(t, err)
				k.Work(t)
				got := k.Payment(t, order)
				require.Equal(t, store.Settled, got.Status)
				require.Equal(t, "4.00", got.Captured.String())
			}
		})
	}
}

// A provider that accepts no decrypted card gets the token as received. The card is stored all the same, and no
// other MID is tried (SPEC2, "Wallet tokens").
func TestWalletStored(t *testing.T) {
	t.Parallel()
	k := kerneltest.NewWalletKit(t, kerneltest.TakesWallets(methods.WalletStored, false))
	kerneltest.SwitchCascading(t, k.Kit, store.Checkout)
	kerneltest.AddMIDs(t, k.Kit, "second")
	token := k.TokenFor(t, wallet.GooglePay, 12, 2030)
	paid, err := k.PayWith(t, store.Checkout, "ORD-1", wallet.GooglePay, token)
	require.NoError(t, err)
	require.Equal(t, "411111******1111", paid.Card.Mask)
	op := k.Sent(t, paid)
	require.Nil(t, op.Card)
	require.Equal(t, token, string(op.Wallet.Token))
	require.Equal(t, methods.AuthExternal, op.Authentication)

	k.Vcard.Next(softly())
	declined, err := k.PayWith(t, store.Checkout, "ORD-2", wallet.GooglePay, k.TokenFor(t, wallet.GooglePay, 12, 2030))
	require.NoError(t, err)
	require.Equal(t, store.Declined, declined.Status)
	require.Len(t, kerneltest.AttemptsOf(t, k.Kit, "ORD-2"), 1)
}

// A decrypted card cascades, and its token does not count as replayed.
func TestWalletCascade(t *testing.T) {
	t.Parallel()
	for _, p := range kerneltest.Protocols {
		t.Run(string(p), func(t *testing.T) {
			t.Parallel()
			acquirer := &kerneltest.ScriptedConnector{}
			acquirer.OnPerform = func(op methods.Operation) methods.Answer {
				if len(acquirer.Sent) < 3 {
					return methods.SoftDeclined(op, "Try elsewhere")
				}
				return kerneltest.Approves(op)
			}
			k := walletKitOn(t, declared{acquirer, kerneltest.TakesWallets(methods.WalletDecrypted, true)})
			kerneltest.SwitchCascading(t, k.Kit, p)
			kerneltest.AddMIDs(t, k.Kit, "second", "third")
			_, err := k.PayWith(t, p, "ORD-1", wallet.GooglePay, k.TokenFor(t, wallet.GooglePay, 12, 2030))
			require.NoError(t, err)
			list := kerneltest.AttemptsOf(t, k.Kit, "ORD-1")
			require.Len(t, list, 3)
			require.Equal(t, store.Settled, list[2].Status)
			require.Len(t, acquirer.Sent, 3)
			for _, op := range acquirer.Sent {
				require.Equal(t, wallettest.Cryptogram, op.Wallet.Cryptogram.Reveal())
				require.NotNil(t, op.Card)
			}
		})
	}
}

// After a soft decline at the payer's return the next MID gets the same cryptogram. A token that is passed on never
// goes to a second MID.
func TestWalletCascadeAfterReturn(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		support methods.WalletSupport
		tries   int
	}{{methods.WalletDecrypted, 2}, {methods.WalletStored, 1}, {methods.WalletVirtual, 1}} {
		t.Run(string(c.support), func(t *testing.T) {
			t.Parallel()
			acquirer := kerneltest.FirstAway()
			k := walletKitOn(t, declared{acquirer, kerneltest.TakesWallets(c.support, true)})
			kerneltest.SwitchCascading(t, k.Kit, store.Checkout)
			kerneltest.AddMIDs(t, k.Kit, "second")
			_, err := k.PayWith(t, store.Checkout, "ORD-1", wallet.GooglePay, k.TokenFor(t, wallet.GooglePay, 12, 2030))
			require.NoError(t, err)
			acquirer.ComeBack(t, k.Kit)
			require.Len(t, acquirer.Sent, c.tries)
			back := acquirer.Completed[0]
			require.Equal(t, c.support == methods.WalletDecrypted, back.Card != nil)
			require.Equal(t, acquirer.Sent[0].Wallet.Token, back.Wallet.Token, "sealed data can be opened again")
			require.Equal(t, acquirer.Sent[0].Wallet.Cryptogram.Reveal(), back.Wallet.Cryptogram.Reveal())
			for _, op := range acquirer.Sent[1:] {
				require.Equal(t, wallettest.Cryptogram, op.Wallet.Cryptogram.Reveal())
				require.Equal(t, methods.AuthExternal, op.Authentication)
			}
		})
	}
}

// A token that was passed on to one provider does not go to another, even to one that gets opened tokens.
func TestWalletCascadeToAnotherProvider(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		support methods.WalletSupport
		sent    int
	}{{"opened", methods.WalletDecrypted, 1}, {"passed on", methods.WalletVirtual, 0}} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			first, other := kerneltest.FirstAway(), &kerneltest.ScriptedConnector{OnPerform: kerneltest.Approves}
			k := walletKitOn(t, declared{first, kerneltest.TakesWallets(c.support, true)}, func(config *gateway.Config) {
				config.Connectors["other"] = declared{other, kerneltest.TakesWallets(methods.WalletDecrypted, true)}
			})
			kerneltest.SwitchCascading(t, k.Kit, store.Checkout)
			require.NoError(t, k.Kit.SaveMID(t.Context(), store.MID{ID: "second", MerchantID: gatewaytest.MerchantID,
				Connector: "other", Priority: 1}))
			_, err := k.PayWith(t, store.Checkout, "ORD-1", wallet.GooglePay, k.TokenFor(t, wallet.GooglePay, 12, 2030))
			require.NoError(t, err)
			first.ComeBack(t, k.Kit)
			require.Len(t, other.Sent, c.sent)
		})
	}
}
