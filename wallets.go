package gateway

import (
	"cmp"
	"slices"
	"time"

	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/wallet"
	"github.com/tollgatepay/gateway/store"
)

// tokenOpener opens the tokens of one wallet for one merchant. A refused token is a *wallet.Fault.
type tokenOpener interface {
	Open(token []byte, now time.Time) (*wallet.Opened, error)
}

// wallets is what a merchant has set up of the two wallets, ready to use. Nil is nothing.
type wallets struct {
	apple        *store.AppleWallet
	google       *store.GoogleWallet
	opens, tests map[string]tokenOpener // by method, where there are keys; tests is under the test key
}

// opener opens the tokens of a method; nil where the merchant has no keys for it.
func (w *wallets) opener(method string, test bool) tokenOpener {
	switch {
	case w == nil:
		return nil
	case test:
		return w.tests[method]
	}
	return w.opens[method]
}

// useWallets makes the openers of a merchant's settings, once for every revision of them. An opener that
// cannot be made, because the host has taken the roots away, refuses every token.
func (gw *Gateway) useWallets(m *store.Merchant, saved *store.Wallets) *wallets {
	if saved == nil {
		return nil
	}
	w := &wallets{apple: saved.Apple, google: saved.Google, opens: map[string]tokenOpener{}, tests: map[string]tokenOpener{}}
	use := func(opens map[string]tokenOpener, method string, opener tokenOpener, err error) {
		if err != nil {
			gw.cfg.Log.Error("the keys of a wallet cannot be used", "merchant", m.ID, "wallet", method, "error", err)
			opener = refusesAll{err.Error()}
		}
		opens[method] = opener
	}
	if w.apple != nil && len(w.apple.ProcessingKeys) > 0 {
		opener, err := gw.appleOpener(w.apple)
		use(w.opens, wallet.ApplePay, opener, err)
		w.tests[wallet.ApplePay] = w.opens[wallet.ApplePay]
	}
	if w.google != nil && len(w.google.Keys) > 0 {
		opener, err := gw.googleOpener(w.google, m.Key)
		use(w.opens, wallet.GooglePay, opener, err)
		opener, err = gw.googleOpener(w.google, cmp.Or(m.TestKey, m.Key))
		use(w.tests, wallet.GooglePay, opener, err)
	}
	return w
}

// refusesAll stands for an opener that could not be made.
type refusesAll struct{ cause string }

func (r refusesAll) Open([]byte, time.Time) (*wallet.Opened, error) {
	return nil, &wallet.Fault{Cause: r.cause}
}

func (gw *Gateway) appleOpener(a *store.AppleWallet) (*wallet.Apple, error) {
	environment := worldOf(a.Environment)
	return wallet.NewApple(wallet.AppleConfig{
		Environment: wallet.Environment(environment), MerchantID: a.Identifier, ProcessingKeys: a.ProcessingKeys,
		Roots: gw.cfg.Wallets.Apple[environment],
	})
}

// googleOpener: the wallet signs for the gateway, and names the merchant by the key he uses with us.
func (gw *Gateway) googleOpener(g *store.GoogleWallet, merchantKey string) (*wallet.Google, error) {
	environment := worldOf(g.Environment)
	return wallet.NewGoogle(wallet.GoogleConfig{
		Environment: wallet.Environment(environment), GatewayMerchantID: merchantKey, Recipient: "gateway:" + g.Gateway,
		Keys: g.Keys, RootKeys: gw.cfg.Wallets.Google[environment],
	})
}

// isWallet reports a method that is paid by a wallet's token.
func (gw *Gateway) isWallet(method string) bool {
	known, _ := gw.catalogue.Lookup(method)
	return known.Kind == methods.KindWallet
}

// What a merchant gets who left a list empty.
var (
	defaultCapabilities   = []string{"supports3DS"}
	defaultAppleNetworks  = []string{"visa", "masterCard"}
	defaultAuthMethods    = []string{wallet.PANOnly, wallet.Cryptogram3DS}
	defaultGoogleNetworks = []string{"VISA", "MASTERCARD"}
)

// orDefault is a copy of the list, or of what stands for an empty one.
func orDefault(list, standard []string) []string {
	if len(list) == 0 {
		list = standard
	}
	return slices.Clone(list)
}
