package merchant

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/tollgatepay/gateway/methods/wallet"
	"github.com/tollgatepay/gateway/store"
)

// ReadsTokens reports whether the gateway can read the tokens of a method: it can for two wallets.
func ReadsTokens(method string) bool { return method == wallet.ApplePay || method == wallet.GooglePay }

// tokenOpener opens the tokens of one wallet for one merchant. A refused token is a *wallet.Fault.
type tokenOpener interface {
	Open(token []byte, now time.Time) (*wallet.Opened, error)
}

// Wallets are a merchant's settings of the two wallets, ready to use. Nil means none.
type Wallets struct {
	Apple        *store.AppleWallet
	Google       *store.GoogleWallet
	opens, tests map[string]tokenOpener // by method, if there are keys; tests is for the test key
}

// Opener returns the opener for the tokens of a method; nil if the merchant has no keys for it.
func (w *Wallets) Opener(method string, test bool) tokenOpener {
	switch {
	case w == nil:
		return nil
	case test:
		return w.tests[method]
	}
	return w.opens[method]
}

// useWallets makes the openers of a merchant's settings, once per revision. If an opener cannot be made because the
// host has removed the roots, it refuses every token.
func (d *Directory) useWallets(m *store.Merchant, saved *store.Wallets) *Wallets {
	if saved == nil {
		return nil
	}
	w := &Wallets{Apple: saved.Apple, Google: saved.Google, opens: map[string]tokenOpener{},
		tests: map[string]tokenOpener{}}
	use := func(opens map[string]tokenOpener, method string, opener tokenOpener, err error) {
		if err != nil {
			d.Log.Error("the keys of a wallet cannot be used", "merchant", m.ID, "wallet", method, "error", err)
			opener = refusesAll{err.Error()}
		}
		opens[method] = opener
	}
	if w.Apple != nil && len(w.Apple.ProcessingKeys) > 0 {
		opener, err := d.appleOpener(w.Apple)
		use(w.opens, wallet.ApplePay, opener, err)
		w.tests[wallet.ApplePay] = w.opens[wallet.ApplePay]
	}
	if w.Google != nil && len(w.Google.Keys) > 0 {
		opener, err := d.googleOpener(w.Google, m.Key)
		use(w.opens, wallet.GooglePay, opener, err)
		opener, err = d.googleOpener(w.Google, cmp.Or(m.TestKey, m.Key))
		use(w.tests, wallet.GooglePay, opener, err)
	}
	return w
}

// refusesAll replaces an opener that could not be made.
type refusesAll struct{ cause string }

func (r refusesAll) Open([]byte, time.Time) (*wallet.Opened, error) {
	return nil, &wallet.Fault{Cause: r.cause}
}

func (d *Directory) appleOpener(a *store.AppleWallet) (*wallet.Apple, error) {
	environment := WorldOf(a.Environment)
	return wallet.NewApple(wallet.AppleConfig{
		Environment: wallet.Environment(environment), MerchantID: a.Identifier, ProcessingKeys: a.ProcessingKeys,
		Roots: d.Roots.Apple[environment],
	})
}

// googleOpener returns an opener for Google Pay, which signs for the gateway and names the merchant by its key with
// us.
func (d *Directory) googleOpener(g *store.GoogleWallet, merchantKey string) (*wallet.Google, error) {
	environment := WorldOf(g.Environment)
	return wallet.NewGoogle(wallet.GoogleConfig{
		Environment: wallet.Environment(environment), GatewayMerchantID: merchantKey, Recipient: "gateway:" + g.Gateway,
		Keys: g.Keys, RootKeys: d.Roots.Google[environment],
	})
}

// The defaults for empty lists of a merchant.
var (
	DefaultCapabilities   = []string{"supports3DS"}
	DefaultAppleNetworks  = []string{"visa", "masterCard"}
	DefaultAuthMethods    = []string{wallet.PANOnly, wallet.Cryptogram3DS}
	DefaultGoogleNetworks = []string{"VISA", "MASTERCARD"}
)

// OrDefault returns a copy of the list, or of the default for an empty one.
func OrDefault(list, standard []string) []string {
	if len(list) == 0 {
		list = standard
	}
	return slices.Clone(list)
}

// offer reports whether a page can offer a method: a wallet only if its settings allow a button, and only for
// purchases. Other methods need no settings.
func (w *Wallets) offer(method string, kind store.Kind) bool {
	if !ReadsTokens(method) {
		return true
	}
	if w == nil || kind != store.Purchase {
		return false
	}
	if method == wallet.ApplePay {
		return w.Apple != nil && w.Apple.Certificate != "" && !w.Apple.PrivateKey.IsZero()
	}
	return w.Google != nil && (WorldOf(w.Google.Environment) == store.WalletTest || w.Google.MerchantID != "")
}

// Forbids returns why the merchant's settings do not allow a token, or an empty string. An unknown auth method or
// network is allowed.
func (w *Wallets) Forbids(method, authMethod, network string) string {
	if w == nil {
		return ""
	}
	var networks, auths []string
	switch {
	case method == wallet.ApplePay && w.Apple != nil:
		networks = OrDefault(w.Apple.Networks, DefaultAppleNetworks)
	case method == wallet.GooglePay && w.Google != nil:
		networks = OrDefault(w.Google.Networks, DefaultGoogleNetworks)
		auths = OrDefault(w.Google.AuthMethods, DefaultAuthMethods)
	}
	named := func(one string) bool { return strings.EqualFold(one, network) }
	switch {
	case networks != nil && !slices.ContainsFunc(networks, named):
		return "the card network is not allowed"
	case auths != nil && authMethod != "" && !slices.Contains(auths, authMethod):
		return "the auth method is not allowed"
	}
	return ""
}
