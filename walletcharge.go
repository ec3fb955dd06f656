package gateway

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/tollgatepay/gateway/internal/route"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/wallet"
	"github.com/tollgatepay/gateway/store"
)

// A wallet's token pays in one of two flows (SPEC2, "Wallet tokens"). The card flow opens the token with
// the merchant's keys and goes on as with a card, where the provider takes it. The virtual flow passes the
// token on. Where the merchant has keys no token is passed on that they do not open.

// maxWalletToken bounds the token of a charge, in bytes.
const maxWalletToken = wallet.MaxToken

// walletToken is what a charge is paid with.
type walletToken struct {
	text   []byte
	opened *wallet.Opened // by the merchant's keys; nil where he has none
	shown  wallet.Shown
	use    *tokenUse // nil where nobody could read the token's id
}

// askWallet takes the wallet and its token into a charge. Card data wins over them (CARD562, precedence).
func (gw *Gateway) askWallet(c *charge, r *ChargeRequest) error {
	if c.card != nil || !gw.isWallet(c.payment.Method) || c.payment.Kind != store.Purchase {
		if r.Wallet != "" && c.card == nil {
			return ErrWallet
		}
		return nil
	}
	if r.WalletToken == "" && !known(c.payment.Method) {
		return nil // a wallet of the host's own may do without
	}
	if r.WalletToken == "" {
		return ErrInvalid.Fields(Fault{tokenPath(c.payment.Protocol), textBlank})
	}
	c.wallet = &walletToken{text: []byte(r.WalletToken)}
	return nil
}

// known reports the two wallets whose tokens the gateway can read.
func known(method string) bool { return method == wallet.ApplePay || method == wallet.GooglePay }

// tokenPath is what a protocol calls the token.
func tokenPath(p store.Protocol) string {
	switch p {
	case store.S2SCard:
		return "payment_token"
	case store.S2SAPM:
		return "parameters[paymentToken]"
	}
	return "wallet_token"
}

// refuseToken refuses a charge for its token. Outside all causes read the same, so that nobody learns how
// far a forged token came.
func (gw *Gateway) refuseToken(c *charge, cause string) error {
	gw.cfg.Log.Warn("a wallet's token is refused", "merchant", c.profile.merchant.ID, "wallet", c.payment.Method, "cause", cause)
	return ErrInvalid.Fields(Fault{tokenPath(c.payment.Protocol), textInvalid})
}

// payByWallet judges the token of a charge that has one, and chooses its flow and the MIDs that take it.
func (gw *Gateway) payByWallet(c *charge) error {
	if c.wallet == nil {
		return nil
	}
	if err := gw.readToken(c); err != nil {
		return err
	}
	return gw.chooseFlow(c)
}

// readToken opens the token where the merchant has keys, and holds it against the order and, on the page,
// against the merchant's settings (decision z).
func (gw *Gateway) readToken(c *charge) error {
	w, p := c.wallet, &c.payment
	if len(w.text) > maxWalletToken || !json.Valid(w.text) {
		return gw.refuseToken(c, "not JSON, or too long")
	}
	opener := c.profile.wallets.opener(p.Method, p.Test)
	if opener == nil {
		return gw.showToken(c)
	}
	opened, err := opener.Open(w.text, gw.now())
	if err != nil {
		return gw.refuseToken(c, faultOf(err))
	}
	w.opened, w.shown.Network = opened, opened.Network
	w.use = &tokenUse{wallet: p.Method, message: opened.MessageID, until: opened.Until}
	if cause := gw.mismatch(p, opened); cause != "" {
		return gw.refuseToken(c, cause)
	}
	if p.Protocol == store.Checkout {
		if cause := c.profile.wallets.forbids(p.Method, opened.AuthMethod, opened.Network); cause != "" {
			return gw.refuseToken(c, cause)
		}
	}
	return nil
}

// showToken reads the open part of a token that nobody here can open. On the page it has to be what the
// page asked for; a token of S2S is for the provider to judge.
func (gw *Gateway) showToken(c *charge) error {
	w, p := c.wallet, &c.payment
	if !known(p.Method) {
		return nil
	}
	shown, err := wallet.Show(p.Method, w.text)
	if p.Protocol != store.Checkout {
		if err == nil {
			w.shown = shown
		}
		return nil
	}
	if err != nil {
		return gw.refuseToken(c, faultOf(err))
	}
	w.shown = shown
	if cause := c.profile.wallets.forbids(p.Method, "", shown.Network); cause != "" {
		return gw.refuseToken(c, cause)
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
func (gw *Gateway) mismatch(p *store.Payment, opened *wallet.Opened) string {
	currency, _ := gw.currencies.Lookup(p.Order.Currency)
	switch {
	case opened.Expiry.Check(gw.now().Add(-12*time.Hour)) != nil:
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

// forbids is why the merchant's settings do not allow a token. What nobody could read is not held against it.
func (w *wallets) forbids(method, authMethod, network string) string {
	if w == nil {
		return ""
	}
	var networks, auths []string
	switch {
	case method == wallet.ApplePay && w.apple != nil:
		networks = orDefault(w.apple.Networks, defaultAppleNetworks)
	case method == wallet.GooglePay && w.google != nil:
		networks, auths = orDefault(w.google.Networks, defaultGoogleNetworks), orDefault(w.google.AuthMethods, defaultAuthMethods)
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

// chooseFlow keeps the MIDs that take the token: the first of them decides how. A decrypted card goes on as
// a card; a token that is passed on is for one provider.
func (gw *Gateway) chooseFlow(c *charge) error {
	p := &c.payment
	takes := slices.DeleteFunc(slices.Clone(c.candidates), func(one route.Candidate) bool {
		return !gw.inCards(c, one) && !gw.virtually(c, one)
	})
	switch {
	case len(takes) > 0:
	case p.Protocol == store.S2SCard:
		return ErrWallet
	default:
		return routeError(p.Protocol, route.NoType)
	}
	support := gw.walletSupport(takes[0])
	switch {
	case !gw.inCards(c, takes[0]):
		c.candidates = takes[:1]
		c.virtual()
	case support == methods.WalletStored:
		c.candidates = takes[:1]
		c.inCard(c.wallet.text)
	default:
		c.candidates = gw.takeDecrypted(takes)
		c.inCard(nil)
	}
	return nil
}

// takeDecrypted keeps the MIDs that take a decrypted card.
func (gw *Gateway) takeDecrypted(list []route.Candidate) []route.Candidate {
	return slices.DeleteFunc(slices.Clone(list), func(one route.Candidate) bool {
		return gw.walletSupport(one) != methods.WalletDecrypted
	})
}

func (gw *Gateway) walletSupport(one route.Candidate) methods.WalletSupport {
	return capabilities(gw.cfg.Connectors[one.Connector]).Wallet
}

// inCards reports a MID that takes the charge in the card flow.
func (gw *Gateway) inCards(c *charge, one route.Candidate) bool {
	support := gw.walletSupport(one)
	return c.wallet.opened != nil && (support == methods.WalletStored || support == methods.WalletDecrypted)
}

// virtually reports a MID that takes it in the virtual flow, which S2S CARD does not have.
func (gw *Gateway) virtually(c *charge, one route.Candidate) bool {
	holds := capabilities(gw.cfg.Connectors[one.Connector]).WalletHolds
	return c.payment.Protocol != store.S2SCard && (one.Operation != store.OpAuth || holds)
}

// virtual has the token passed on. Nothing of a card is kept, so nothing can be charged again.
func (c *charge) virtual() {
	p := &c.payment
	p.ReqToken, p.RecurringInit = false, false
	p.ScheduleID, p.ScheduleStartDate, p.ScheduleAmount = "", "", ""
	c.handWallet(c.wallet.text)
}

// inCard makes the card of the token that of the charge.
func (c *charge) inCard(token []byte) {
	opened := c.wallet.opened
	c.card = &methods.Card{PAN: opened.PAN, Expiry: opened.Expiry, Holder: cmp.Or(opened.Holder, c.payment.Payer.FullName())}
	c.handWallet(token)
}

// handWallet is what the connector gets: the token, or else what was in it. A wallet's cryptogram is an
// authentication, beside which no other counts.
func (c *charge) handWallet(token []byte) {
	w, code := c.wallet, c.payment.Method
	c.hand = &methods.Wallet{Method: code, Token: token, PANType: w.shown.PANType, Network: w.shown.Network}
	if w.opened != nil {
		c.hand.PANType, c.hand.AuthMethod = w.opened.PANType, w.opened.AuthMethod
		if token == nil {
			c.hand.Cryptogram, c.hand.ECI = w.opened.Cryptogram, w.opened.ECI
		}
	}
	if authenticates(c.hand) {
		c.mpi = nil
	}
	c.payment.Wallet = &store.WalletFacts{Wallet: code, PANType: c.hand.PANType}
}

// authenticates reports a token by which the payer has proved who he is.
func authenticates(w *methods.Wallet) bool { return w != nil && w.AuthMethod == wallet.Cryptogram3DS }

// hands is the card that goes to the connector: none beside a token that is passed on.
func (c *charge) hands() *methods.Card {
	if c.hand != nil && c.hand.Token != nil {
		return nil
	}
	return c.card
}
