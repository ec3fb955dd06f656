package gateway

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"github.com/tollgatepay/gateway/internal/door"
	"github.com/tollgatepay/gateway/internal/engine"
	"github.com/tollgatepay/gateway/internal/links"
	"github.com/tollgatepay/gateway/internal/merchant"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/internal/recurring"
	"github.com/tollgatepay/gateway/internal/route"
	"github.com/tollgatepay/gateway/internal/session"
	"github.com/tollgatepay/gateway/internal/token"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/wallet"
	"github.com/tollgatepay/gateway/store"
)

// charge is a first operation on its way through the three steps. The payment begins as what was asked
// for; prepare chooses where it can go, and draft makes the records of one attempt.
type charge struct {
	engine.Operation
	profile   *merchant.Profile
	card      *methods.Card
	payeeCard *methods.Card
	mpi       *methods.MPI
	wallet    *walletToken    // a wallet's token pays
	hand      *methods.Wallet // what the connector gets of it
	sent      json.RawMessage // the method's parameters as they came
	channel   string
	browser   map[string]string
	calc      bool            // tell the commission only
	signed    *door.Signed    // what its signature makes; nil for none of its own
	recurring bool            // a later payment of a chain: the payer is not there
	pinned    string          // the MID it has to go to
	due       *recurring.Date // the date of a schedule it is for; nil for none
	window    bool            // the duplicate window guards it
	session   *session.Claim  // the session it is an attempt of; nil for none
	// credentials are the references under which the stored card that pays is known (Card-on-File).
	credentials records.Credentials

	candidates []route.Candidate

	// Of the attempt under way.
	connector methods.Connector
	coded     bool // the card came with a security code, which is gone
	token     *records.CardToken
	stale     string // id of the token that the attempt before this one issued
	chain     *records.Chain
	mark      *door.HashMark // of the signature, as it stood when step one began
}

// takesShort reports whether the amount may have fewer decimals: where the mapping says so, and where the amount
// was taken before, by a schedule or the payment that is tried again.
func (c *charge) takesShort() bool {
	return c.profile.Mapping(c.Payment.Protocol).ShortAmounts || c.due != nil || c.Payment.ID != ""
}

// routing is what the charge asks of the router.
func (c *charge) routing() route.Request {
	p := &c.Payment
	return route.Request{
		Kind: p.Kind, Hold: p.Hold, Test: p.Test, Method: p.Method, Currency: p.Order.Currency, ChannelID: c.channel,
		MIDID: c.pinned,
		Brand: brandOf(c.card), MOTO: store.IsMOTO(p.MOTOType), Zero: p.Amount.IsZero() && p.Order.Amount != "",
	}
}

func amountPath(p store.Protocol) string {
	if p.S2S() {
		return "order_amount"
	}
	return "order.amount"
}

// sign notes what the signature of a charge makes.
func (c *charge) sign(proof *Proof) {
	c.signed = door.Signs(c.profile, (*door.Proof)(proof), &c.Payment, c.recurring)
	c.signed.AtOnce()
	c.Payment.Signature = c.signed.Ref()
}

// link is the secret of the page the payer sees on the way.
func (c *charge) link() []byte {
	if c.session != nil {
		return c.session.Secret
	}
	return links.PageSecret(c.Secret)
}

// pageURL is the page that the payer comes pageURL to; empty for one that the return link opens.
func (c *charge) pageURL() string {
	if c.session != nil {
		return c.session.Page
	}
	return ""
}

// walletToken is what a charge is paid with.
type walletToken struct {
	text   []byte
	opened *wallet.Opened // by the merchant's keys; nil where there are none
	shown  wallet.Shown
	use    *token.Use // nil where the token's id could not be read
}

// connectorCard is the card that goes to the connector: none beside a token that is passed on.
func (c *charge) connectorCard() *methods.Card {
	if c.hand != nil && c.hand.Token != nil {
		return nil
	}
	return c.card
}

// hashLinks keeps of those secrets what finds them good again.
func (c *charge) hashLinks() {
	c.Transaction.ReturnHash, c.Transaction.NotifyHash = links.Hash(c.Secret), links.Hash(c.Notice)
}

// payoutExpiry takes the expiry of a payee's card from the parameters, where the request has none of its own (SPEC2,
// "Payee card expiry (CREDIT2CARD)"; decision bs). What is not in its format is left for the rules of the set to name.
func (c *charge) payoutExpiry() {
	if c.Payment.Kind != store.Credit || c.card == nil || c.card.Expiry != (store.Expiry{}) {
		return
	}
	sent, _ := sentParameters(c.sent)
	text := textParameter(sent, "expiry")
	if month, year := textParameter(sent, "card_exp_month"), textParameter(sent, "card_exp_year"); month != "" &&
		year != "" {
		text = month + "/" + year
	}
	var month, year int
	_, err := fmt.Sscanf(text, "%2d/%4d", &month, &year)
	if err != nil || text != fmt.Sprintf("%02d/%04d", month, year) || month < 1 || month > 12 {
		return
	}
	card := *c.card // the caller's own stays as it is
	card.Expiry = store.Expiry{Month: month, Year: year}
	c.card = &card
}

// textParameter is the text of a single parameter.
func textParameter(sent map[string]any, name string) string {
	switch value := sent[name].(type) {
	case string:
		return value
	case json.Number:
		return value.String()
	case bool:
		return strconv.FormatBool(value)
	}
	return ""
}

// sentParameters reads the parameters of a request by method code, in a steady order.
func sentParameters(text json.RawMessage) (sent map[string]any, codes []string) {
	if len(text) == 0 {
		return nil, nil
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if decoder.Decode(&sent) != nil {
		return nil, nil // the form has refused what is no object
	}
	for code := range sent {
		codes = append(codes, code)
	}
	slices.Sort(codes)
	return sent, codes
}

// authentication says who authenticates the payer: no one where the payer is absent (decision t).
func (c *charge) authentication() string {
	switch {
	case c.recurring, store.IsMOTO(c.Payment.MOTOType):
		return string(methods.AuthOff)
	case c.mpi != nil, authenticates(c.hand):
		return string(methods.AuthExternal)
	case c.Payment.PayerPresent == payerAway:
		return string(methods.AuthOff)
	}
	return string(methods.AuthPlatform)
}

// authenticates reports a token by which the payer is authenticated.
func authenticates(w *methods.Wallet) bool { return w != nil && w.AuthMethod == wallet.Cryptogram3DS }

// payerAway is payer_present of a payment whose payer is absent; Y is the other value. The documents name
// the parameter and not its values.
const payerAway = "N"

// cof says how a stored card is used. A card that is charged while the payer is absent was
// stored before; a payout uses none.
func (c *charge) cof() *store.COF {
	p := &c.Payment
	cof := store.COF{Initiator: store.ByCardholder, Source: store.Unscheduled, Sequence: store.SubsequentUse}
	if p.RecurringInit || c.recurring {
		cof.Source = store.Recurring
	}
	away := p.PayerPresent == payerAway
	if away || c.recurring {
		cof.Initiator = store.ByMerchant
	}
	switch {
	case p.Kind != store.Purchase && p.Kind != store.Debit:
		return nil
	case c.recurring:
	case p.RecurringInit, p.ReqToken:
		cof.Sequence = store.FirstUse
	case p.CardToken == "" && !away:
		return nil
	}
	return &cof
}
