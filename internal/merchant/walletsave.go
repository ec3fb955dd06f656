package merchant

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/tollgatepay/gateway/internal/fields"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/internal/vault"
	"github.com/tollgatepay/gateway/methods/wallet"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/keys"
)

// SaveWallets replaces a merchant's wallet settings. The error names every fault, and contains no key.
func (d *Directory) SaveWallets(ctx context.Context, w store.Wallets) error {
	if err := errors.Join(d.walletFaults(&w)...); err != nil {
		return fmt.Errorf("gateway: wallets of %q: %w", w.MerchantID, err)
	}
	sealed, err := d.sealWalletKeys(ctx, &w)
	if err != nil {
		return err
	}
	record := records.MerchantWallets{Wallets: keyless(w), SealedKeys: sealed}
	return d.saveFor(ctx, w.MerchantID, func(tx store.Tx) error {
		return records.Wallets.Put(tx, record, w.MerchantID)
	})
}

// keyless returns a copy without the keys.
func keyless(w store.Wallets) store.Wallets {
	if w.Apple != nil {
		apple := *w.Apple
		apple.PrivateKey, apple.ProcessingKeys = store.Secret{}, nil
		w.Apple = &apple
	}
	if w.Google != nil {
		google := *w.Google
		google.Keys = nil
		w.Google = &google
	}
	return w
}

// walletKeys are the keys as they are sealed together.
type walletKeys struct {
	ApplePrivate    string   `json:"apple_private,omitempty"`
	AppleProcessing []string `json:"apple_processing,omitempty"`
	Google          []string `json:"google,omitempty"`
}

func (d *Directory) sealWalletKeys(ctx context.Context, w *store.Wallets) (*store.Sealed, error) {
	var keys walletKeys
	if w.Apple != nil {
		keys.ApplePrivate, keys.AppleProcessing = w.Apple.PrivateKey.Reveal(), revealed(w.Apple.ProcessingKeys)
	}
	if w.Google != nil {
		keys.Google = revealed(w.Google.Keys)
	}
	plain, err := json.Marshal(keys)
	if err != nil {
		return nil, err
	}
	defer vault.Wipe(plain)
	return d.Seals.Seal(ctx, vault.WalletKey, w.MerchantID, "wallets", plain)
}

// openWallets returns a merchant's settings with their keys; nil for none.
func (d *Directory) openWallets(ctx context.Context, record *records.MerchantWallets) (*store.Wallets, error) {
	if record == nil {
		return nil, nil
	}
	w := keyless(record.Wallets) // a copy
	if record.SealedKeys == nil {
		return &w, nil
	}
	plain, err := d.Seals.OpenBytes(ctx, vault.WalletKey, w.MerchantID, "wallets", record.SealedKeys)
	if err != nil {
		return nil, fmt.Errorf("wallets: %w", err)
	}
	defer vault.Wipe(plain)
	var opened walletKeys
	if json.Unmarshal(plain, &opened) != nil {
		return nil, keys.ErrBroken
	}
	if w.Apple != nil {
		w.Apple.PrivateKey, w.Apple.ProcessingKeys = store.NewSecret(opened.ApplePrivate), hiddenAgain(opened.AppleProcessing)
	}
	if w.Google != nil {
		w.Google.Keys = hiddenAgain(opened.Google)
	}
	return &w, nil
}

func revealed(secrets []store.Secret) (texts []string) {
	for _, secret := range secrets {
		texts = append(texts, secret.Reveal())
	}
	return texts
}

func hiddenAgain(texts []string) (secrets []store.Secret) {
	for _, text := range texts {
		secrets = append(secrets, store.NewSecret(text))
	}
	return secrets
}

// The allowed values of the two wallets.
var (
	walletEnvironments = []store.WalletEnvironment{"", store.WalletTest, store.WalletProduction}
	appleCapabilities  = []string{"supports3DS", "supportsCredit", "supportsDebit", "supportsEMV"}
	appleNetworks      = []string{
		"amex", "bancomat", "bancontact", "cartesBancaires", "chinaUnionPay", "dankort", "discover", "eftpos", "electron",
		"elo", "girocard", "interac", "jcb", "mada", "maestro", "masterCard", "meeza", "mir", "nanaco", "napas",
		"pagoBancomat", "postFinance", "privateLabel", "visa", "vPay",
	}
	googleNetworks = []string{
		"AMEX", "DISCOVER", "ELECTRON", "ELO", "ELO_DEBIT", "INTERAC", "JCB", "MAESTRO", "MASTERCARD", "VISA",
	}
)

func (d *Directory) walletFaults(w *store.Wallets) (faults recordFaults) {
	faults.require(w.MerchantID != "", "merchant: must be set")
	if w.Apple != nil {
		d.appleFaults(w.Apple, &faults)
	}
	if w.Google != nil {
		d.googleFaults(w.Google, &faults)
	}
	return faults
}

func (d *Directory) appleFaults(a *store.AppleWallet, faults *recordFaults) {
	faults.require(slices.Contains(walletEnvironments, a.Environment), "applepay.environment: TEST or PRODUCTION")
	faults.require(a.Identifier != "" && len(a.Identifier) <= 255 && fields.IsPrintableASCII(a.Identifier),
		"applepay.merchant_identifier: 1 to 255 printable characters")
	faults.require(d.IsCountry(a.Country), "applepay.country: an alpha-2 code")
	faults.require(utf8.RuneCountInString(a.ShopName) <= 64, "applepay.shop_name: up to 64 characters")
	faults.listed("applepay.merchant_capabilities", a.Capabilities, appleCapabilities)
	faults.require(len(a.Capabilities) == 0 || slices.Contains(a.Capabilities, "supports3DS"),
		"applepay.merchant_capabilities: the wallet wants supports3DS in it")
	faults.listed("applepay.supported_networks", a.Networks, appleNetworks)
	if a.Certificate != "" || !a.PrivateKey.IsZero() {
		_, err := tls.X509KeyPair([]byte(a.Certificate), []byte(a.PrivateKey.Reveal()))
		faults.require(err == nil,
			"applepay.certificate, applepay.private_key: must be a certificate and its own key, both in PEM")
	}
	if len(a.ProcessingKeys) > 0 && slices.Contains(walletEnvironments, a.Environment) {
		_, err := d.appleOpener(a)
		faults.keys("applepay.processing_keys", WorldOf(a.Environment), err)
	}
}

func (d *Directory) googleFaults(g *store.GoogleWallet, faults *recordFaults) {
	faults.require(slices.Contains(walletEnvironments, g.Environment), "googlepay.environment: TEST or PRODUCTION")
	faults.require(len(g.MerchantID) <= 64 && fields.IsPrintableASCII(g.MerchantID),
		"googlepay.merchant_id: up to 64 printable characters")
	faults.require(g.Gateway != "" && len(g.Gateway) <= 64 && fields.IsPrintableASCII(g.Gateway),
		"googlepay.gateway: 1 to 64 printable characters")
	faults.listed("googlepay.allowed_auth_methods", g.AuthMethods, DefaultAuthMethods)
	faults.listed("googlepay.allowed_card_networks", g.Networks, googleNetworks)
	if len(g.Keys) > 0 && slices.Contains(walletEnvironments, g.Environment) {
		_, err := d.googleOpener(g, "trial")
		faults.keys("googlepay.private_keys", WorldOf(g.Environment), err)
	}
}

func (f *recordFaults) listed(name string, list, known []string) {
	for _, item := range list {
		f.require(slices.Contains(known, item), fmt.Sprintf("%s: %q is not one of %q", name, item, known))
	}
}

// keys adds a fault if the keys make no opener, or if no root is trusted for them.
func (f *recordFaults) keys(name string, environment store.WalletEnvironment, err error) {
	switch {
	case errors.Is(err, wallet.ErrNoRoots):
		*f = append(*f, fmt.Errorf("%s: Config.Wallets has no roots for %s, so that no token could be verified: %w", name,
			environment, err))
	case err != nil:
		*f = append(*f, fmt.Errorf("%s: %w", name, err))
	}
}
