package charge

import (
	"cmp"
	"encoding/json"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/tollgatepay/gateway/internal/fields"
	"github.com/tollgatepay/gateway/internal/merchant"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/internal/route"
	"github.com/tollgatepay/gateway/internal/token"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/wallet"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// maxWalletToken bounds the token of a charge, in bytes.
const maxWalletToken = wallet.MaxToken

// TokenPath returns a protocol's name of the token.
func TokenPath(p store.Protocol) string {
	switch p {
	case store.S2SCard:
		return "payment_token"
	case store.S2SAPM:
		return "parameters[paymentToken]"
	}
	return "wallet_token"
}

// passTokenOn passes the token on. No card is stored, so nothing can be charged again.
func (c *Draft) passTokenOn() {
	p := &c.Payment
	p.ReqToken, p.RecurringInit = false, false
	p.ScheduleID, p.ScheduleStartDate, p.ScheduleAmount = "", "", ""
	c.setWalletForConnector(c.WalletToken.Text)
}

// useTokenCard makes the token's card the card of the charge.
func (c *Draft) useTokenCard(token []byte) {
	opened := c.WalletToken.opened
	c.PayCard = &methods.Card{PAN: opened.PAN, Expiry: opened.Expiry,
		Holder: cmp.Or(opened.Holder, c.Payment.Payer.FullName())}
	c.setWalletForConnector(token)
}

// setWalletForConnector sets what the connector gets: the token, or its content. A wallet's cryptogram is an
// authentication, beside which no other counts.
func (c *Draft) setWalletForConnector(token []byte) {
	w, code := c.WalletToken, c.Payment.Method
	c.walletForConnector = &methods.Wallet{Method: code, Token: token, PANType: w.shown.PANType, Network: w.shown.Network}
	if w.opened != nil {
		c.walletForConnector.PANType, c.walletForConnector.AuthMethod = w.opened.PANType, w.opened.AuthMethod
		if token == nil {
			c.walletForConnector.Cryptogram, c.walletForConnector.ECI = w.opened.Cryptogram, w.opened.ECI
		}
	}
	if authenticates(c.walletForConnector) {
		c.ExternalMPI = nil
	}
	c.Payment.Wallet = &store.WalletFacts{Wallet: code, PANType: c.walletForConnector.PANType}
}

// keepBrand keeps the MIDs that accept the card of a wallet's token. Its brand is known only once the token is
// opened.
func (c *Draft) keepBrand() error {
	if c.WalletToken.opened == nil {
		return nil
	}
	brand := brandOf(&methods.Card{PAN: c.WalletToken.opened.PAN})
	c.candidates = slices.DeleteFunc(slices.Clone(c.candidates), func(one route.Candidate) bool {
		return len(one.Brands) > 0 && !slices.Contains(one.Brands, brand)
	})
	if len(c.candidates) == 0 {
		return refusal.ErrBrandRoute
	}
	return nil
}

// namedAlike are the networks whose names in both wallets are the same as ours, ignoring case.
var namedAlike = map[store.Brand]bool{
	store.Visa: true, store.Mastercard: true, store.Amex: true, store.Discover: true, store.JCB: true, store.Maestro: true,
}

func faultOf(err error) string {
	if fault, ok := err.(*wallet.Fault); ok {
		return fault.Cause
	}
	return err.Error()
}

// minorUnits returns an amount in the smallest unit of its currency, without leading zeros.
func minorUnits(amount store.Amount, exponent int) string {
	whole, fraction, _ := strings.Cut(amount.String(), ".")
	fraction = strings.TrimRight(fraction, "0")
	return trimZeros(whole + fraction + strings.Repeat("0", max(exponent-len(fraction), 0)))
}

func trimZeros(digits string) string { return strings.TrimLeft(digits, "0") }

// WalletFlow pays by a wallet's token.
type WalletFlow struct {
	Router *Router
	Log    *slog.Logger
	Now    func() time.Time
}

// AskWallet adds the wallet and its token to a charge. Card data wins over them (CARD562, precedence).
func (wf *WalletFlow) AskWallet(c *Draft, named, text string) error {
	if c.PayCard != nil || !wf.Router.IsWallet(c.Payment.Method) || c.Payment.Kind != store.Purchase {
		if named != "" && c.PayCard == nil {
			return refusal.ErrWallet
		}
		return nil
	}
	if text == "" && !merchant.ReadsTokens(c.Payment.Method) {
		return nil // a wallet of the host's own may need none
	}
	if text == "" {
		return refusal.ErrInvalid.Fields(refusal.Fault{Path: TokenPath(c.Payment.Protocol), Text: fields.TextBlank})
	}
	c.WalletToken = &WalletToken{Text: []byte(text)}
	return nil
}

// refuseToken refuses a charge for its token. The public text is the same for all causes, so that no caller learns
// how far a forged token came.
func (wf *WalletFlow) refuseToken(c *Draft, cause string) error {
	wf.Log.Warn("a wallet's token is refused", "merchant", c.Profile.Record().ID, "wallet", c.Payment.Method, "cause",
		cause)
	return refusal.ErrInvalid.Fields(refusal.Fault{Path: TokenPath(c.Payment.Protocol), Text: fields.TextInvalid})
}

// payByWallet checks the token of a charge that has one, and chooses its flow and its MIDs.
func (wf *WalletFlow) payByWallet(c *Draft) error {
	if c.WalletToken == nil {
		return nil
	}
	if err := wf.readToken(c); err != nil {
		return err
	}
	if err := c.keepBrand(); err != nil {
		return err
	}
	return wf.chooseFlow(c)
}

// chooseFlow keeps the MIDs that accept the token; the first of them decides the flow. A decrypted card continues
// as a card; a token that is passed on is for one provider.
func (wf *WalletFlow) chooseFlow(c *Draft) error {
	p := &c.Payment
	takes := slices.DeleteFunc(slices.Clone(c.candidates), func(one route.Candidate) bool {
		return !wf.takesCardFlow(c, one) && !wf.takesVirtualFlow(c, one)
	})
	switch {
	case len(takes) > 0:
	case p.Protocol == store.S2SCard:
		return refusal.ErrWallet
	default:
		return RouteError(p.Protocol, route.NoType)
	}
	support := wf.Router.walletSupport(takes[0])
	switch {
	case !wf.takesCardFlow(c, takes[0]):
		c.candidates = takes[:1]
		c.passTokenOn()
	case support == methods.WalletStored:
		c.candidates = takes[:1]
		c.useTokenCard(c.WalletToken.Text)
	default:
		c.candidates = wf.Router.takeDecrypted(takes)
		c.useTokenCard(nil)
	}
	return nil
}

// takesCardFlow reports whether a MID takes the charge in the card flow.
func (wf *WalletFlow) takesCardFlow(c *Draft, one route.Candidate) bool {
	support := wf.Router.walletSupport(one)
	return c.WalletToken.opened != nil && (support == methods.WalletStored || support == methods.WalletDecrypted)
}

// takesVirtualFlow reports whether a MID takes it in the virtual flow, which S2S CARD does not have.
func (wf *WalletFlow) takesVirtualFlow(c *Draft, one route.Candidate) bool {
	holds := methods.CapabilitiesOf(wf.Router.Connectors[one.Connector]).WalletHolds
	return c.Payment.Protocol != store.S2SCard && (one.Operation != store.OpAuth || holds)
}

// readToken opens the token if the merchant has keys, and checks it against the order and, on the page, against the
// merchant's settings (decision z).
func (wf *WalletFlow) readToken(c *Draft) error {
	w, p := c.WalletToken, &c.Payment
	if err := c.Profile.Opens(p.Method); err != nil {
		return err
	}
	if len(w.Text) > maxWalletToken || !json.Valid(w.Text) {
		return wf.refuseToken(c, "not JSON, or too long")
	}
	opener := c.Profile.Wallets.Opener(p.Method, p.Test)
	if opener == nil {
		return wf.showToken(c)
	}
	opened, err := opener.Open(w.Text, wf.Now())
	if err != nil {
		return wf.refuseToken(c, faultOf(err))
	}
	w.opened, w.shown.Network = opened, opened.Network
	w.use = &token.Use{Wallet: p.Method, Message: opened.MessageID, Until: opened.Until}
	if cause := wf.mismatch(p, opened); cause != "" {
		return wf.refuseToken(c, cause)
	}
	if p.Protocol == store.Checkout {
		cause := c.Profile.Wallets.Forbids(p.Method, opened.AuthMethod, opened.Network)
		if brand := opened.PAN.Brand(); cause == "" && namedAlike[brand] { // the network shown with the token is not signed
			cause = c.Profile.Wallets.Forbids(p.Method, opened.AuthMethod, string(brand))
		}
		if cause != "" {
			return wf.refuseToken(c, cause)
		}
	}
	return nil
}

// showToken reads the open part of a token that cannot be opened here, and refuses a malformed one (decision cc).
// On the page it must be what the page requested; the rest of an S2S token is for the provider to check. S2S CARD
// passes none on.
func (wf *WalletFlow) showToken(c *Draft) error {
	w, p := c.WalletToken, &c.Payment
	if !merchant.ReadsTokens(p.Method) {
		return nil
	}
	shown, err := wallet.Show(p.Method, w.Text)
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
	if cause := c.Profile.Wallets.Forbids(p.Method, "", shown.Network); cause != "" {
		return wf.refuseToken(c, cause)
	}
	return nil
}

// mismatch returns why a genuine token does not fit its order.
func (wf *WalletFlow) mismatch(p *records.Payment, opened *wallet.Opened) string {
	currency, _ := wf.Router.Currencies.Lookup(p.Order.Currency)
	switch {
	case opened.Expiry.Check(wf.Now().Add(-12*time.Hour)) != nil:
		return "the card has expired"
	case opened.Currency != "" && opened.Currency != methods.NumericCode(p.Order.Currency):
		return "the token is for another currency"
	case opened.MinorAmount != "" && trimZeros(opened.MinorAmount) != minorUnits(p.Amount, currency.Exponent):
		return "the token is for another amount"
	}
	return ""
}
