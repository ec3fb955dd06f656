package gateway

import (
	"encoding/json"
	"iter"

	"github.com/tollgatepay/gateway/internal/charge"
	"github.com/tollgatepay/gateway/internal/fields"
	"github.com/tollgatepay/gateway/internal/merchant"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// charge returns the draft of the request.
func (r *ChargeRequest) charge(p *merchant.Profile, test bool) *charge.Draft {
	c := charge.NewDraft()
	c.Profile, c.Channel, c.PayCard, c.ToCard, c.ExternalMPI = p, r.ChannelID, r.Card, r.PayeeCard, r.MPI
	c.Sent, c.Browser, c.Calc, c.Window, c.Payment.OwnURL = r.Parameters, r.Browser, r.Calc, true, r.CallbackURL != ""
	c.Payment.Payment = store.Payment{
		Protocol: r.Protocol, Action: r.Action, Kind: r.Kind, Hold: r.Hold, Test: test, Order: r.Order,
		Method: r.Method, Payer: withState(r.Payer), Payee: r.Payee, Identifier: r.Identifier, MOTOType: r.MOTOType,
		CryptoNetwork: r.CryptoNetwork, CustomData: r.CustomData, ReqToken: r.ReqToken && r.CardToken == "",
		RecurringInit: r.RecurringInit, ScheduleID: r.ScheduleID, ScheduleStartDate: r.ScheduleStartDate,
		ScheduleAmount: r.PaymentScheduleAmount, PayerPresent: r.PayerPresent, ReturnURL: r.ReturnURL,
		ReturnTarget: r.ReturnTarget, Language: r.Language, VATCalc: r.VATCalc,
		NotificationURL: charge.NotificationURL(p.Record(), test, r.CallbackURL),
	}
	if r.Payee != nil {
		payee := withState(*r.Payee)
		c.Payment.Payee = &payee
	}
	if r.Hold {
		c.ExternalMPI = nil // SPEC2: ignored with auth=Y
	}
	return c
}

// ChargeRequest asks for a first operation on a new payment, without a session: a sale, an authorization, a debit, a
// transfer or a payout. With Checkout, the zero Protocol, it is checked like a session request. With S2S, package s2s
// checks the whole request by its own tables; the checks here only guard the records.
type ChargeRequest struct {
	Proof     *Proof         // the signature it came with; nil for a caller who is trusted
	Protocol  store.Protocol // zero: Checkout
	Action    string         // S2S: the action; callbacks repeat it
	Kind      store.Kind
	Hold      bool // authorize only
	Calc      bool // of a debit: report the commission only; CompleteDebit takes the money
	Order     store.Order
	ChannelID string
	Method    string // code of the catalogue; empty: card

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
	Identifier    string // S2S APM: the payer's identifier at the method
	MOTOType      string // phone_moto, email_moto, default_moto or ecommerce
	CryptoNetwork string

	ReqToken              bool // issue a card token
	RecurringInit         bool // begin a chain
	ScheduleID            string
	ScheduleStartDate     string // YYYY-MM-DD
	PaymentScheduleAmount string // of the scheduled payments, in the format of the protocol; empty: the order's
	PayerPresent          string // S2S: Y or N

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

	merchantKey string // under which the client asks
}

func chargeURLs(r *ChargeRequest) []fields.Text {
	return []fields.Text{{Name: "return_url", Value: r.ReturnURL}, {Name: "callback_url", Value: r.CallbackURL}}
}

// people returns the payer and the payee of a charge, by the prefixes of their fields on S2S.
func (c *ChargeRequest) people() iter.Seq2[string, *store.Payer] {
	return func(yield func(string, *store.Payer) bool) {
		if yield("payer_", &c.Payer) && c.Payee != nil {
			yield("payee_", c.Payee)
		}
	}
}

// withState returns a person without a state that their country does not need.
func withState(p store.Payer) store.Payer {
	p.Address.State = fields.StateOf(p.Address)
	return p
}
