package gateway

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/tollgatepay/gateway/internal/route"
	"github.com/tollgatepay/gateway/internal/state"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// ChargeRequest asks for a first operation on a new payment, without a session: a sale, an
// authorization, a debit. The same checks hold as for a session's fields.
type ChargeRequest struct {
	MerchantKey string
	Kind        store.Kind
	Hold        bool // authorize only
	Order       store.Order
	ChannelID   string
	Method      string // empty: card
	Card        *methods.Card
	Payer       store.Payer
	CustomData  json.RawMessage
	// CallbackURL wins over the merchant's for the life of the payment (callbacks.md, "Target URL").
	CallbackURL string
	// ReturnURL is where the payer's browser goes after 3-D Secure or a bank page.
	ReturnURL string
	Browser   map[string]string
}

// Charge makes a payment and performs its first operation. The duplicate window holds for it: a
// second charge or session of the same merchant and order number within 15 seconds is ErrDuplicate
// (SPEC1, Limits). A nil error means that the outcome in the result is stored, whatever it is;
// a decline is an outcome, not an error.
func (gw *Gateway) Charge(ctx context.Context, r ChargeRequest) (*Result, error) {
	if err := gw.enter(); err != nil {
		return nil, err
	}
	defer gw.leave()
	profile, test, err := gw.profileByKey(ctx, r.MerchantKey)
	if err != nil {
		return nil, gw.unknownMerchant(err)
	}
	if profile.off(store.Checkout) {
		return nil, ErrNoMID
	}
	faults := append(gw.form.checkCharge(&r), gw.cardFaults(r.Method, r.Card)...)
	if len(faults) > 0 {
		return nil, ErrInvalid.Fields(faults...)
	}
	c := &charge{
		profile: profile, protocol: store.Checkout, kind: r.Kind, hold: r.Hold, test: test, order: r.Order,
		method: r.Method, channel: r.ChannelID, card: r.Card, payer: r.Payer, custom: r.CustomData,
		callbackURL: r.CallbackURL, back: r.ReturnURL, browser: r.Browser, window: true,
	}
	return gw.charge(ctx, c)
}

// charge is a first operation on its way through the three steps.
type charge struct {
	profile     *profile
	protocol    store.Protocol
	kind        store.Kind
	hold, test  bool
	order       store.Order
	method      string
	channel     string
	card        *methods.Card
	payer       store.Payer
	custom      json.RawMessage
	parameters  json.RawMessage
	callbackURL string
	browser     map[string]string
	moto        bool

	back    string        // where the browser goes after a return from elsewhere
	window  bool          // the duplicate window guards it
	session *sessionClaim // the session it is an attempt of

	// Filled on the way.
	connector methods.Connector
	mid       *store.MID
	secret    []byte
	payment   store.Payment
	intent    store.Transaction
	written   written
}

func (gw *Gateway) charge(ctx context.Context, c *charge) (*Result, error) {
	if err := gw.prepare(ctx, c); err != nil {
		return nil, err
	}
	if err := gw.begin(ctx, c); err != nil {
		return nil, err
	}
	op := gw.operation(&c.payment, &c.intent, c.mid)
	op.Card, op.Parameters = c.card, c.parameters
	token := returnToken(c.intent.ID, c.secret)
	op.ReturnURL = gw.cfg.PublicURL + "/return/" + token
	op.NotificationURL = gw.cfg.PublicURL + "/notify/" + token
	return gw.perform(ctx, flight{profile: c.profile, t: &c.intent, link: c.session.link(), written: c.written}, func(ctx context.Context) methods.Answer {
		if missing := missingField(c.connector, c.browser); missing != "" {
			return methods.Declined(op, "INVALID_REQUEST")
		}
		return c.connector.Perform(ctx, op)
	})
}

// prepare chooses the MID and makes the records, with nothing stored yet.
func (gw *Gateway) prepare(ctx context.Context, c *charge) error {
	if c.method == "" {
		c.method = "card"
	}
	currency, _ := gw.currencies.Lookup(c.order.Currency)
	amount, err := methods.ParseAmount(methods.Checkout, currency, c.order.Amount)
	if err != nil {
		return ErrInvalid.Fields(Fault{"order.amount", err.Error()})
	}
	candidates, refusal := gw.route(route.Request{
		Kind: c.kind, Hold: c.hold, Test: c.test, Method: c.method, Currency: c.order.Currency,
		ChannelID: c.channel, MOTO: c.moto, Zero: amount.IsZero(),
	}, c.profile)
	if refusal != route.None {
		return routeError(refusal)
	}
	chosen := candidates[0]
	c.mid, c.connector = c.profile.mid(chosen.ID), gw.cfg.Connectors[chosen.Connector]
	return gw.draft(ctx, c, amount, chosen.Operation)
}

// draft fills in payment and intent. Ids, times and secrets are made here, before the transaction,
// which may run more than once.
func (gw *Gateway) draft(ctx context.Context, c *charge, amount store.Amount, op store.Operation) error {
	now := gw.now()
	c.secret = make([]byte, secretSize)
	if _, err := io.ReadFull(gw.cfg.Random, c.secret); err != nil {
		return fmt.Errorf("no random bytes for a return link: %w", err)
	}
	c.payment = store.Payment{
		ID: gw.cfg.NewID(), MerchantID: c.profile.merchant.ID, Protocol: c.protocol, Kind: c.kind,
		Hold: op == store.OpAuth, Test: c.test, Order: c.order, Amount: amount, Method: c.method, MIDID: c.mid.ID,
		Card: cardFacts(c.card), Payer: c.payer, CustomData: c.custom, Descriptor: c.mid.Descriptor,
		NotificationURL: notificationURL(&c.profile.merchant, c.test, c.callbackURL), CreatedAt: now, UpdatedAt: now,
	}
	c.intent = gw.newIntent(&c.payment, op, amount, c.mid)
	c.intent.ReturnHash, c.intent.Browser = hashSecret(c.secret), c.browser
	if c.moto {
		c.intent.Authentication = string(methods.AuthOff)
	}
	var err error
	if c.intent.SealedCard, err = gw.sealCard(ctx, c.payment.MerchantID, c.intent.ID, c.card); err != nil {
		return err
	}
	if c.intent.SealedParameters, err = gw.sealParameters(ctx, c.payment.MerchantID, c.intent.ID, c.parameters); err != nil {
		return err
	}
	return gw.sealForReturn(&c.intent, c.secret, c.card, c.back)
}

// newIntent is a transaction as step one stores it.
func (gw *Gateway) newIntent(p *store.Payment, op store.Operation, amount store.Amount, mid *store.MID) store.Transaction {
	now := gw.now()
	deadline := now.Add(gw.timeout(mid))
	return store.Transaction{
		ID: gw.cfg.NewID(), PaymentID: p.ID, MerchantID: p.MerchantID, Operation: op, Amount: amount,
		Currency: p.Order.Currency, MIDID: mid.ID, Connector: mid.Connector,
		CreatedAt: now, DeadlineAt: deadline, Due: deadline.Add(graceAfterDeadline + time.Second),
	}
}

func (gw *Gateway) timeout(mid *store.MID) time.Duration {
	if connector, ok := gw.cfg.Connectors[mid.Connector]; ok {
		if own := capabilities(connector).Timeout; own > 0 {
			return own
		}
	}
	return gw.cfg.CallTimeout
}

func cardFacts(card *methods.Card) *store.CardFacts {
	if card == nil {
		return nil
	}
	return &store.CardFacts{Mask: card.PAN.Mask(), Expiry: card.Expiry, Brand: string(card.PAN.Brand())}
}

func notificationURL(m *store.Merchant, test bool, own string) string {
	switch {
	case own != "":
		return own
	case test && m.TestNotificationURL != "":
		return m.TestNotificationURL
	default:
		return m.NotificationURL
	}
}

// begin is step one of a charge: the duplicate key, the payment, its intent and the recovery entry in
// one transaction.
func (gw *Gateway) begin(ctx context.Context, c *charge) error {
	row, ok := state.Next(state.Key{Kind: c.kind, From: store.New, Op: c.intent.Operation, Event: state.Start})
	if !ok {
		return errors.New("the state table starts no " + string(c.intent.Operation))
	}
	c.payment.Status, c.payment.Version = row.To, 1
	c.payment.Running, c.payment.Transactions = c.intent.ID, []string{c.intent.ID}
	return gw.createIntent(ctx, c.intent.ID, func(tx store.Tx) error {
		if c.session != nil {
			if err := c.session.take(tx, c); err != nil {
				return err
			}
		}
		if c.window {
			if err := takeWindow(tx, c.payment.MerchantID, c.order.Number, c.payment.CreatedAt); err != nil {
				return err
			}
		}
		if err := tx.Put(keyOfOrder(whose{c.payment.MerchantID, c.test}, c.order.Number, c.payment.ID), []byte{}); err != nil {
			return err
		}
		var err error
		if c.written.payment, err = payments.InsertKept(tx, c.payment, c.payment.ID); err != nil {
			return err
		}
		c.written.intent, err = insertIntent(tx, &c.intent)
		return err
	})
}

// written is what step one wrote, for step three to read again.
type written struct {
	payment store.Kept[store.Payment]
	intent  store.Kept[store.Transaction]
}

func insertIntent(tx store.Tx, t *store.Transaction) (store.Kept[store.Transaction], error) {
	if err := moveDue(tx, t, time.Time{}); err != nil {
		return store.Kept[store.Transaction]{}, err
	}
	return transactions.InsertKept(tx, *t, t.ID)
}

// missingField is a browser attribute that the connector cannot do without and the payer's browser did
// not give (decision al): the payment is declined with cause INVALID_REQUEST before anything is sent.
func missingField(connector methods.Connector, browser map[string]string) string {
	for _, name := range capabilities(connector).BrowserFields {
		if browser[name] == "" {
			return name
		}
	}
	return ""
}

// textBrand is what a payer is told of a card of no network (testdata.md, the form error).
const textBrand = "Bad Request. Brand of card does not support."

// cardFaults checks the card of a charge: one that is there where the method is cards, not expired, and of
// a network that can be: no card network's numbers begin with 0, 1 or 7.
func (gw *Gateway) cardFaults(method string, card *methods.Card) []Fault {
	known, _ := gw.catalogue.Lookup(cmp.Or(method, "card"))
	if known.Kind != methods.KindCard {
		return nil
	}
	if card == nil || card.PAN.IsZero() {
		return []Fault{{"card_number", textBlank}}
	}
	var faults []Fault
	if strings.Contains("017", card.PAN.Digits()[:1]) {
		faults = append(faults, Fault{"card_number", textBrand})
	}
	// A card is good wherever its holder still has the last day of its month: until it ends at UTC-12.
	if err := card.Expiry.Check(gw.now().Add(-12 * time.Hour)); err != nil {
		faults = append(faults, Fault{"expiry", err.Error()})
	}
	return faults
}
