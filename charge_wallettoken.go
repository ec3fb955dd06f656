package gateway

import (
	"encoding/json"
	"strings"
	"time"

	"github.com/tollgatepay/gateway/internal/merchant"
	"github.com/tollgatepay/gateway/internal/token"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/wallet"
	"github.com/tollgatepay/gateway/store"
)

// readToken opens the token where the merchant has keys, and holds it against the order and, on the page,
// against the merchant's settings (decision z).
func (wf *walletFlow) readToken(c *charge) error {
	w, p := c.wallet, &c.Payment
	if err := c.profile.Opens(p.Method); err != nil {
		return err
	}
	if len(w.text) > maxWalletToken || !json.Valid(w.text) {
		return wf.refuseToken(c, "not JSON, or too long")
	}
	opener := c.profile.Wallets.Opener(p.Method, p.Test)
	if opener == nil {
		return wf.showToken(c)
	}
	opened, err := opener.Open(w.text, wf.now())
	if err != nil {
		return wf.refuseToken(c, faultOf(err))
	}
	w.opened, w.shown.Network = opened, opened.Network
	w.use = &token.Use{Wallet: p.Method, Message: opened.MessageID, Until: opened.Until}
	if cause := wf.mismatch(p, opened); cause != "" {
		return wf.refuseToken(c, cause)
	}
	if p.Protocol == store.Checkout {
		cause := c.profile.Wallets.Forbids(p.Method, opened.AuthMethod, opened.Network)
		if brand := opened.PAN.Brand(); cause == "" && namedAlike[brand] { // what the token shows is not signed
			cause = c.profile.Wallets.Forbids(p.Method, opened.AuthMethod, string(brand))
		}
		if cause != "" {
			return wf.refuseToken(c, cause)
		}
	}
	return nil
}

// namedAlike are the networks that both wallets call what we do, letter case aside.
var namedAlike = map[store.Brand]bool{
	store.Visa: true, store.Mastercard: true, store.Amex: true, store.Discover: true, store.JCB: true, store.Maestro: true,
}

// showToken reads the open part of a token that nobody here can open, and refuses what has not the form of one
// (decision cc). On the page it has to be what the page asked for; what else a token of S2S holds is for the provider
// to judge. S2S CARD passes none on.
func (wf *walletFlow) showToken(c *charge) error {
	w, p := c.wallet, &c.Payment
	if !merchant.ReadsTokens(p.Method) {
		return nil
	}
	shown, err := wallet.Show(p.Method, w.text)
	switch {
	case p.Protocol == store.S2SCard:
		return nil
	case err != nil:
		return wf.refuseToken(c, faultOf(err))
	}
	w.shown = shown
	if p.Protocol != store.Checkout {
		return nil
	}
	if cause := c.profile.Wallets.Forbids(p.Method, "", shown.Network); cause != "" {
		return wf.refuseToken(c, cause)
	}
	return nil
}

func faultOf(err error) string {
	if fault, ok := err.(*wallet.Fault); ok {
		return fault.Cause
	}
	return err.Error()
}

// mismatch is why a genuine token does not fit its order.
func (wf *walletFlow) mismatch(p *store.Payment, opened *wallet.Opened) string {
	currency, _ := wf.router.currencies.Lookup(p.Order.Currency)
	switch {
	case opened.Expiry.Check(wf.now().Add(-12*time.Hour)) != nil:
		return "the card has expired"
	case opened.Currency != "" && opened.Currency != methods.NumericCode(p.Order.Currency):
		return "the token is for another currency"
	case opened.MinorAmount != "" && trimZeros(opened.MinorAmount) != minorUnits(p.Amount, currency.Exponent):
		return "the token is for another amount"
	}
	return ""
}

// minorUnits is an amount in the smallest unit of its currency, without leading zeros.
func minorUnits(amount store.Amount, exponent int) string {
	whole, fraction, _ := strings.Cut(amount.String(), ".")
	fraction = strings.TrimRight(fraction, "0")
	return trimZeros(whole + fraction + strings.Repeat("0", max(exponent-len(fraction), 0)))
}

func trimZeros(digits string) string { return strings.TrimLeft(digits, "0") }
