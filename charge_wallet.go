package gateway

import (
	"cmp"
	"log/slog"
	"slices"
	"time"

	"github.com/tollgatepay/gateway/internal/fields"
	"github.com/tollgatepay/gateway/internal/merchant"
	"github.com/tollgatepay/gateway/internal/route"
	"github.com/tollgatepay/gateway/internal/token"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/wallet"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// walletFlow lets a wallet's token pay.
type walletFlow struct {
	router *router
	log    *slog.Logger
	now    func() time.Time
}

// maxWalletToken bounds the token of a charge, in bytes.
const maxWalletToken = wallet.MaxToken

// walletToken is what a charge is paid with.
type walletToken struct {
	text   []byte
	opened *wallet.Opened // by the merchant's keys; nil where he has none
	shown  wallet.Shown
	use    *token.Use // nil where nobody could read the token's id
}

// askWallet takes the wallet and its token into a charge. Card data wins over them (CARD562, precedence).
func (wf *walletFlow) askWallet(c *charge, r *ChargeRequest) error {
	if c.card != nil || !wf.router.isWallet(c.Payment.Method) || c.Payment.Kind != store.Purchase {
		if r.Wallet != "" && c.card == nil {
			return refusal.ErrWallet
		}
		return nil
	}
	if r.WalletToken == "" && !merchant.ReadsTokens(c.Payment.Method) {
		return nil // a wallet of the host's own may do without
	}
	if r.WalletToken == "" {
		return refusal.ErrInvalid.Fields(refusal.Fault{Path: tokenPath(c.Payment.Protocol), Text: fields.TextBlank})
	}
	c.wallet = &walletToken{text: []byte(r.WalletToken)}
	return nil
}

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
func (wf *walletFlow) refuseToken(c *charge, cause string) error {
	wf.log.Warn("a wallet's token is refused", "merchant", c.profile.Record().ID, "wallet", c.Payment.Method, "cause", cause)
	return refusal.ErrInvalid.Fields(refusal.Fault{Path: tokenPath(c.Payment.Protocol), Text: fields.TextInvalid})
}

// payByWallet judges the token of a charge that has one, and chooses its flow and the MIDs that take it.
func (wf *walletFlow) payByWallet(c *charge) error {
	if c.wallet == nil {
		return nil
	}
	if err := wf.readToken(c); err != nil {
		return err
	}
	if err := c.ofBrand(); err != nil {
		return err
	}
	return wf.chooseFlow(c)
}

// chooseFlow keeps the MIDs that take the token: the first of them decides how. A decrypted card goes on as
// a card; a token that is passed on is for one provider.
func (wf *walletFlow) chooseFlow(c *charge) error {
	p := &c.Payment
	takes := slices.DeleteFunc(slices.Clone(c.candidates), func(one route.Candidate) bool {
		return !wf.inCards(c, one) && !wf.virtually(c, one)
	})
	switch {
	case len(takes) > 0:
	case p.Protocol == store.S2SCard:
		return refusal.ErrWallet
	default:
		return routeError(p.Protocol, route.NoType)
	}
	support := wf.router.walletSupport(takes[0])
	switch {
	case !wf.inCards(c, takes[0]):
		c.candidates = takes[:1]
		c.virtual()
	case support == methods.WalletStored:
		c.candidates = takes[:1]
		c.inCard(c.wallet.text)
	default:
		c.candidates = wf.router.takeDecrypted(takes)
		c.inCard(nil)
	}
	return nil
}

// inCards reports a MID that takes the charge in the card flow.
func (wf *walletFlow) inCards(c *charge, one route.Candidate) bool {
	support := wf.router.walletSupport(one)
	return c.wallet.opened != nil && (support == methods.WalletStored || support == methods.WalletDecrypted)
}

// virtually reports a MID that takes it in the virtual flow, which S2S CARD does not have.
func (wf *walletFlow) virtually(c *charge, one route.Candidate) bool {
	holds := methods.CapabilitiesOf(wf.router.connectors[one.Connector]).WalletHolds
	return c.Payment.Protocol != store.S2SCard && (one.Operation != store.OpAuth || holds)
}

// virtual has the token passed on. Nothing of a card is kept, so nothing can be charged again.
func (c *charge) virtual() {
	p := &c.Payment
	p.ReqToken, p.RecurringInit = false, false
	p.ScheduleID, p.ScheduleStartDate, p.ScheduleAmount = "", "", ""
	c.handWallet(c.wallet.text)
}

// inCard makes the card of the token that of the charge.
func (c *charge) inCard(token []byte) {
	opened := c.wallet.opened
	c.card = &methods.Card{PAN: opened.PAN, Expiry: opened.Expiry, Holder: cmp.Or(opened.Holder, c.Payment.Payer.FullName())}
	c.handWallet(token)
}

// handWallet is what the connector gets: the token, or else what was in it. A wallet's cryptogram is an
// authentication, beside which no other counts.
func (c *charge) handWallet(token []byte) {
	w, code := c.wallet, c.Payment.Method
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
	c.Payment.Wallet = &store.WalletFacts{Wallet: code, PANType: c.hand.PANType}
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
