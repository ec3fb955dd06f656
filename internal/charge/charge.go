package charge

import (
	"encoding/json"
	"fmt"
	"sync"

	"github.com/tollgatepay/gateway/internal/door"
	"github.com/tollgatepay/gateway/internal/engine"
	"github.com/tollgatepay/gateway/internal/fields"
	"github.com/tollgatepay/gateway/internal/links"
	"github.com/tollgatepay/gateway/internal/merchant"
	"github.com/tollgatepay/gateway/internal/once"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/internal/recurring"
	"github.com/tollgatepay/gateway/internal/route"
	"github.com/tollgatepay/gateway/internal/session"
	"github.com/tollgatepay/gateway/internal/token"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/wallet"
	"github.com/tollgatepay/gateway/store"
)

// Draft is a first operation on its way through the three steps. The payment begins as requested. Flow chooses the
// MIDs and makes the records of each attempt.
type Draft struct {
	engine.Operation
	Profile            *merchant.Profile
	PayCard            *methods.Card   // pays; in a payout, gets the money
	ToCard             *methods.Card   // of a transfer: the card that gets the money
	ExternalMPI        *methods.MPI    // 3-D Secure was done elsewhere
	WalletToken        *WalletToken    // a wallet's token pays
	walletForConnector *methods.Wallet // what the connector gets of it
	Sent               json.RawMessage // the method's parameters as received
	Channel            string
	Browser            map[string]string
	Calc               bool           // only report the commission
	Once               *once.Use      // of its idempotency key; nil for none
	signed             *door.Signed   // what its signature covers; nil for none of its own
	Recurring          bool           // a later payment of a chain: the payer is absent
	Pinned             string         // the MID it has to go to
	Due                *recurring.Due // the chain whose date it pays; nil for none
	Window             bool           // the duplicate window applies
	Session            *session.Claim // the session it is an attempt of; nil for none
	// Credentials are the references of the stored card that pays (Card-on-File).
	Credentials records.Credentials

	room       engine.Room // of the charge
	candidates []route.Candidate
	parameters map[string]any // what Sent says, once it has been read

	// Of the attempt under way.
	connector methods.Connector
	coded     bool // the card came with a security code, which is erased
	token     *records.CardToken
	stale     string // id of the token that the previous attempt issued
	chain     *records.Chain
	mark      *door.HashMark // of the signature, as it was when step one began
}

// drafts are those that were released.
var drafts = sync.Pool{New: func() any { return new(Draft) }}

// NewDraft returns an empty draft.
func NewDraft() *Draft { return drafts.Get().(*Draft) }

// Release ends a draft and the result of its charge: the next draft gets their memory. Only a draft that nothing else
// can still use is given away: its outcome is stored and final, and its connector has answered on this goroutine. Any
// other is left to the garbage collector.
func (c *Draft) Release(r *engine.Result) {
	if c.ended(r) {
		*c = Draft{}
		drafts.Put(c)
	}
}

// ended reports whether a charge is over for the draft too: no call of its connector may answer late.
func (c *Draft) ended(r *engine.Result) bool {
	return r.Transaction.Outcome.Final() && c.connector != nil && methods.CapabilitiesOf(c.connector).InProcess
}

// allowsShortAmount reports whether the amount may have fewer decimals: if the mapping allows it, or if the amount was
// accepted before, by a schedule or by the payment that is retried.
func (c *Draft) allowsShortAmount() bool {
	return c.Profile.Mapping(c.Payment.Protocol).ShortAmounts || c.Due != nil || c.Payment.ID != ""
}

// sent returns the parameters as received.
func (c *Draft) sent() map[string]any {
	if c.parameters == nil {
		c.parameters, _ = fields.SentParameters(c.Sent)
	}
	return c.parameters
}

// routing returns the charge's request to the router.
func (c *Draft) routing() route.Request {
	p := &c.Payment
	return route.Request{
		Kind: p.Kind, Hold: p.Hold, Test: p.Test, Method: p.Method, Currency: p.Order.Currency, ChannelID: c.Channel,
		MIDID: c.Pinned,
		Brand: brandOf(c.PayCard), MOTO: store.IsMOTO(p.MOTOType), Zero: p.Amount.IsZero() && p.Order.Amount != "",
	}
}

func amountPath(p store.Protocol) string {
	if p.S2S() {
		return "order_amount"
	}
	return "order.amount"
}

// Sign records what the signature of a charge covers.
func (c *Draft) Sign(proof *door.Proof) {
	c.signed = door.Signs(c.Profile, proof, &c.Payment.Payment, c.Recurring)
	c.signed.AtOnce()
	c.Payment.Signature = c.signed.Ref()
}

// linkSecret returns the secret of the page that the payer sees on the way.
func (c *Draft) linkSecret() []byte {
	if c.Session != nil {
		return c.Session.Secret
	}
	return links.PageSecret(c.Secret)
}

// pageURL returns the page that the payer comes back to; empty for one that the return link opens.
func (c *Draft) pageURL() string {
	if c.Session != nil {
		return c.Session.Page
	}
	return ""
}

// WalletToken is a wallet's token that pays a charge, as received and as opened.
type WalletToken struct {
	Text   []byte
	opened *wallet.Opened // by the merchant's keys; nil if there are none
	shown  wallet.Shown
	use    *token.Use // nil if the token's id could not be read
}

// connectorCard returns the card that goes to the connector: none beside a token that is passed on.
func (c *Draft) connectorCard() *methods.Card {
	if c.walletForConnector != nil && c.walletForConnector.Token != nil {
		return nil
	}
	return c.PayCard
}

// hashLinks stores the hashes of the links' secrets, which check the links when they come back. The payer's link of a
// request with an idempotency key can be computed again, for a caller who repeats the request.
func (c *Draft) hashLinks() (err error) {
	if c.Once != nil {
		if c.Secret, err = c.Once.Link(c.Transaction.ID); err != nil {
			return err
		}
	}
	c.Transaction.ReturnHash, c.Transaction.NotifyHash = links.Hash(c.Secret), links.Hash(c.Notice)
	return nil
}

// PayoutExpiry takes the expiry of a payee's card from the parameters if the request has none of its own (SPEC2,
// "Payee card expiry (CREDIT2CARD)"; decision bs). A malformed one is left for the rules of the set to report.
func (c *Draft) PayoutExpiry() {
	if c.Payment.Kind != store.Credit || c.PayCard == nil || c.PayCard.Expiry != (store.Expiry{}) {
		return
	}
	sent := c.sent()
	text := fields.ParameterText(sent, "expiry")
	if month, year := fields.ParameterText(sent, "card_exp_month"), fields.ParameterText(sent,
		"card_exp_year"); month != "" &&
		year != "" {
		text = month + "/" + year
	}
	var month, year int
	_, err := fmt.Sscanf(text, "%2d/%4d", &month, &year)
	if err != nil || text != fmt.Sprintf("%02d/%04d", month, year) || month < 1 || month > 12 {
		return
	}
	card := *c.PayCard // the caller's own card is not changed
	card.Expiry = store.Expiry{Month: month, Year: year}
	c.PayCard = &card
}

// authentication returns who authenticates the payer: no one if the payer is absent (decision t).
func (c *Draft) authentication() string {
	switch {
	case c.Recurring, store.IsMOTO(c.Payment.MOTOType):
		return string(methods.AuthOff)
	case c.ExternalMPI != nil, authenticates(c.walletForConnector):
		return string(methods.AuthExternal)
	case c.Payment.PayerPresent == payerAway:
		return string(methods.AuthOff)
	}
	return string(methods.AuthPlatform)
}

// authenticates reports whether a token authenticates the payer.
func authenticates(w *methods.Wallet) bool { return w != nil && w.AuthMethod == wallet.Cryptogram3DS }

// payerAway is payer_present of a payment whose payer is absent; Y is the other value. The documents name the
// parameter and not its values.
const payerAway = "N"

// cof returns how a stored card is used. A card that is charged without the payer was stored before; a payout uses
// none.
func (c *Draft) cof() *store.COF {
	p := &c.Payment
	if p.Kind != store.Purchase && p.Kind != store.Debit {
		return nil
	}
	away := p.PayerPresent == payerAway
	first := p.RecurringInit || p.ReqToken
	if !c.Recurring && !first && p.CardToken == "" && !away {
		return nil
	}
	cof := store.COF{Initiator: store.ByCardholder, Source: store.Unscheduled, Sequence: store.SubsequentUse}
	if p.RecurringInit || c.Recurring {
		cof.Source = store.Recurring
	}
	if away || c.Recurring {
		cof.Initiator = store.ByMerchant
	}
	if first && !c.Recurring {
		cof.Sequence = store.FirstUse
	}
	return &cof
}

func cardFacts(card *methods.Card) *store.CardFacts {
	if card == nil {
		return nil
	}
	return &store.CardFacts{Mask: card.PAN.Mask(), Expiry: card.Expiry, Brand: string(card.PAN.Brand())}
}

// NotificationURL returns where a payment's callbacks go: to the URL of its request, or to the merchant's.
func NotificationURL(m *store.Merchant, test bool, own string) string {
	switch {
	case own != "":
		return own
	case test && m.TestNotificationURL != "":
		return m.TestNotificationURL
	default:
		return m.NotificationURL
	}
}
