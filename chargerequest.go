package gateway

import (
	"cmp"
	"context"
	"encoding/json"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/tollgatepay/gateway/internal/fields"
	"github.com/tollgatepay/gateway/internal/weburl"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// ChargeRequest asks for a first operation on a new payment, without a session: a sale, an authorization,
// a debit, a transfer or a payout. On Checkout, the zero protocol, the same checks hold as for a session's
// fields; an S2S request comes checked by its own tables, and what is checked here guards the records.
type ChargeRequest struct {
	MerchantKey string
	Proof       *Proof         // the signature it came with; nil for a caller who is trusted
	Protocol    store.Protocol // zero: Checkout
	Action      string         // S2S: the action; callbacks repeat it
	Kind        store.Kind
	Hold        bool // authorize only
	Calc        bool // of a debit: tell the commission only, CompleteDebit takes the money
	Order       store.Order
	ChannelID   string
	Method      string // code of the catalogue; empty: card

	// Card is the payer's, and of a payout to a card the payee's. CardToken is a saved card in its place; a
	// Card without a number is then the security code alone.
	Card      *methods.Card
	CardToken string
	PayeeCard *methods.Card // of a transfer from card to card: the number only
	MPI       *methods.MPI  // 3-D Secure was done elsewhere; not heeded with Hold (SPEC2, mpi_data)
	// Wallet is the code of a wallet's method (default: Method) and WalletToken the token it gave, JSON. A
	// card or a card token that comes as well is what pays.
	Wallet, WalletToken string

	Payer         store.Payer
	Payee         *store.Payer
	Identifier    string // S2S APM
	MOTOType      string // phone_moto, email_moto, default_moto or ecommerce
	CryptoNetwork string

	ReqToken              bool // issue a card token
	RecurringInit         bool // begin a chain
	ScheduleID            string
	ScheduleStartDate     string // YYYY-MM-DD
	PaymentScheduleAmount string
	PayerPresent          string

	Parameters json.RawMessage // of the method: an object
	CustomData json.RawMessage
	// CallbackURL wins over the merchant's for the life of the payment (callbacks.md, "Target URL").
	CallbackURL string
	// ReturnURL is where the payer's browser goes in the end, in ReturnTarget (default _top).
	ReturnURL    string
	ReturnTarget string
	Language     string // of the pages the payer sees
	Browser      map[string]string
	VATCalc      bool // of a purchase: have the VAT computed; Config.Quoter does
}

// chargeFaults holds a charge against the rules of its protocol. Names in every script and amounts with fewer
// decimals are for the merchant's mapping to allow.
func (gw *Gateway) chargeFaults(ctx context.Context, r *ChargeRequest) []refusal.Fault {
	faults := gw.form.checkCharge(r, &store.Mapping{})
	if len(faults) == 0 {
		return nil
	}
	if p, _, err := gw.merchants.ByKey(ctx, r.MerchantKey); err == nil {
		if p.Speaks(r.Protocol) != nil {
			return nil // which is the answer
		}
		return gw.form.checkCharge(r, p.Mapping(r.Protocol))
	}
	return faults
}

// checkCharge holds a charge against the rules of its protocol.
func (f *form) checkCharge(c *ChargeRequest, m *store.Mapping) (faults []refusal.Fault) {
	if c.Protocol.S2S() {
		faults = f.checkS2S(c, m)
		tax := &SessionRequest{Operation: string(c.Kind), Extra: store.SessionExtra{VATCalc: c.VATCalc}}
		if fault := f.taxFault("vat_calc", tax); fault.Text != "" {
			faults = append(faults, fault)
		}
	} else {
		faults = f.checkCheckout(c, m)
	}
	if c.CallbackURL != "" && !weburl.Valid(c.CallbackURL, 255) {
		faults = append(faults, refusal.Fault{Path: "callback_url", Text: fields.TextURL})
	}
	return append(faults, f.chargeObjects(c)...)
}

// checkCheckout is the table of a session, for a charge of a Go caller.
func (f *form) checkCheckout(c *ChargeRequest, m *store.Mapping) []refusal.Fault {
	r := &SessionRequest{
		MerchantKey: c.MerchantKey, Operation: string(c.Kind), Order: c.Order, ChannelID: c.ChannelID,
		Hold:       c.Hold && c.Kind == store.Purchase, // a debit is held by its MID only, or by a Go caller
		SuccessURL: "https://charge.invalid/",          // a charge has no page to come back from
		CancelURL:  c.ReturnURL,
		Customer:   Customer{Name: c.Payer.FullName(), Email: c.Payer.Email, BirthDate: c.Payer.BirthDate, IP: c.Payer.IP},
		Billing:    c.Payer.Address,
		anyName:    m.AnyName,
		short:      m.ShortAmounts,
		Extra:      store.SessionExtra{MOTOType: c.MOTOType, RecurringInit: c.RecurringInit, CryptoNetwork: c.CryptoNetwork, VATCalc: c.VATCalc},
	}
	if c.Method != "" {
		r.Methods = []string{c.Method}
	}
	if c.RecurringInit { // what a later payment of a chain names is asked of the chain
		r.Extra.ScheduleID, r.Extra.ScheduleStartDate, r.Extra.PaymentScheduleAmount = c.ScheduleID, c.ScheduleStartDate, c.PaymentScheduleAmount
	}
	if onPayout(r) {
		r.Extra.Payee = &store.Payer{Name: "Recipient"} // where nobody is named the connector knows whom a charge pays
	}
	if c.Payee != nil {
		r.Extra.Payee = &store.Payer{Name: cmp.Or(c.Payee.Name, "Recipient"), Email: c.Payee.Email}
		r.PayeeBilling = c.Payee.Address
	}
	faults := append(f.check(r), f.payeeParts(c.Payee, r)...)
	return append(append(faults, fields.CardsIn(otherTexts(c))...), fields.HiddenIn(otherLines(c))...)
}

// payeeParts holds the two names of a payee who came without a whole one against the letters of payee.name and the
// lengths that first and last names have on S2S: no document bounds them together.
func (f *form) payeeParts(payee *store.Payer, r *SessionRequest) (faults []refusal.Fault) {
	if payee == nil || payee.Name != "" {
		return nil
	}
	for _, part := range []struct{ path, value string }{{"payee.first_name", payee.FirstName}, {"payee.last_name", payee.LastName}} {
		if part.value != "" && !isLatin(1, 32)(f, r, part.value) {
			faults = append(faults, refusal.Fault{Path: part.path, Text: "only Latin basic letters, 1..32"})
		}
	}
	return faults
}

// checkS2S guards what a record must satisfy, by the names of S2S. Package s2s holds the whole form
// against its tables before.
func (f *form) checkS2S(c *ChargeRequest, m *store.Mapping) (faults []refusal.Fault) {
	_, known := f.currencies.Lookup(c.Order.Currency)
	require := func(ok bool, path, text string) {
		if !ok {
			faults = append(faults, refusal.Fault{Path: path, Text: text})
		}
	}
	require(c.Order.Number != "", "order_id", fields.TextBlank)
	require(utf8.RuneCountInString(c.Order.Number) <= 255, "order_id", fields.TextInvalid)
	require(known, "order_currency", fields.TextInvalid)
	require(utf8.RuneCountInString(c.Order.Description) <= 1024, "order_description", fields.TextInvalid)
	faults = append(faults, fields.CardsIn(freeTexts(c))...)
	require(len(c.ChannelID) <= 16, "channel_id", fields.TextInvalid)
	asked := &SessionRequest{Extra: store.SessionExtra{ScheduleID: c.ScheduleID}}
	require(c.Payer.BirthDate == "" || isBirthDate(f, asked, c.Payer.BirthDate), "payer_birth_date", fields.TextInvalid)
	require(c.ScheduleStartDate == "" || isStartDate(f, asked, c.ScheduleStartDate), "schedule_start_date", "must be a date from today on, within ten years, YYYY-MM-DD")
	require(c.ScheduleID == "" || !fields.IsZero(c.Order.Amount) || c.PaymentScheduleAmount != "", "payment_schedule_amount", fields.TextBlank)
	require(c.PaymentScheduleAmount == "" || f.isPositive(methods.S2S.Short(m.ShortAmounts), c.Order.Currency, c.PaymentScheduleAmount), "payment_schedule_amount", fields.TextPositive)
	require(c.ReturnURL == "" || weburl.Valid(c.ReturnURL, weburl.Max), "return_url", fields.TextURL)
	return append(append(faults, fields.HiddenIn(lines(c))...), stateFaults(c)...)
}

func (f *form) chargeObjects(c *ChargeRequest) (faults []refusal.Fault) {
	for _, fault := range []refusal.Fault{objectFault("parameters", c.Parameters, maxParameters), customFault(c.CustomData)} {
		if fault.Text != "" {
			faults = append(faults, fault)
		}
	}
	return faults
}

// cardFaults checks the card of a charge: one that is there where the method is cards, not expired, and of
// a network that can be: no card network's numbers begin with 0, 1 or 7. A payout may lack the expiry.
func (gw *Gateway) cardFaults(method string, card *methods.Card, kind store.Kind) []refusal.Fault {
	known, _ := gw.catalogue.Lookup(cmp.Or(method, "card"))
	if known.Kind != methods.KindCard {
		return nil
	}
	if card == nil || card.PAN.IsZero() {
		return []refusal.Fault{{Path: "card_number", Text: fields.TextBlank}}
	}
	var faults []refusal.Fault
	if strings.Contains("017", card.PAN.Digits()[:1]) {
		faults = append(faults, refusal.Fault{Path: "card_number", Text: fields.TextBrand})
	}
	if kind == store.Credit && card.Expiry == (store.Expiry{}) {
		return faults
	}
	// A card is good wherever its holder still has the last day of its month: until it ends at UTC-12.
	if err := card.Expiry.Check(gw.now().Add(-12 * time.Hour)); err != nil {
		faults = append(faults, refusal.Fault{Path: "expiry", Text: err.Error()})
	}
	return faults
}
