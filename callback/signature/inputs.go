package signature

import (
	"fmt"
	"io"
	"net/url"
)

// Inputs are the values that a formula may use, named as in the protocols; a formula reads only its own. An empty
// one is left out. Values are hashed exactly as they were sent: an amount "10.00" is not "10.0".
//
// Inputs may hold a card number, so neither fmt nor encoding/json shows their values.
type Inputs struct {
	OrderNumber string // order.number, order_number: Checkout sessions, recurring payments, callbacks
	OrderID     string // order_id: Checkout status by order and card credit; S2S
	Amount      string // order.amount, order_amount, amount
	Currency    string // order.currency, order_currency
	Description string // order.description, order_description

	PaymentID string // payment_id, in Checkout callbacks also id
	TransID   string // trans_id
	Status    string // status of a CREDIT2VIRTUAL or CREDIT2CRYPTO callback

	Email      string // payer_email
	Card       string // number of the card, whole or masked (411111******1111)
	CardToken  string // card_token
	Identifier string // identifier

	RecurringInitTransID string // recurring_init_trans_id
	RecurringToken       string // recurring_token
	ScheduleID           string // schedule_id

	// Body is an APM callback with all its parameters, as net/http parses the form. Nested ones have bracket names
	// (custom_data[key]). The parameter hash is ignored.
	Body url.Values
}

// Format hides the inputs from every verb of fmt.
func (Inputs) Format(state fmt.State, _ rune) { _, _ = io.WriteString(state, "signature.Inputs{...}") }

// MarshalJSON hides the inputs from encoding/json.
func (Inputs) MarshalJSON() ([]byte, error) { return []byte(`"signature.Inputs{...}"`), nil }

// input names one value of Inputs, or the password.
type input uint8

const (
	password input = iota + 1
	orderNumber
	orderID
	amount
	currency
	description
	paymentID
	transID
	status
	email
	card
	cardToken
	identifier
	recurringInitTransID
	recurringToken
	scheduleID
	body
)

func (in *Inputs) append(dst []byte, name input, secret string) []byte {
	switch name {
	case password:
		return append(dst, secret...)
	case card:
		return appendCard(dst, in.Card)
	case body:
		return appendBody(dst, in.Body)
	}
	return append(dst, in.value(name)...)
}

// text returns what a formula signs of a value that is one text.
func (in *Inputs) text(name input) string {
	if name == card {
		return string(appendCard(nil, in.Card))
	}
	return in.value(name)
}

func (in *Inputs) value(name input) string {
	switch name {
	case orderNumber:
		return in.OrderNumber
	case orderID:
		return in.OrderID
	case amount:
		return in.Amount
	case currency:
		return in.Currency
	case description:
		return in.Description
	case paymentID:
		return in.PaymentID
	case transID:
		return in.TransID
	case status:
		return in.Status
	case email:
		return in.Email
	case cardToken:
		return in.CardToken
	case identifier:
		return in.Identifier
	case recurringInitTransID:
		return in.RecurringInitTransID
	case recurringToken:
		return in.RecurringToken
	case scheduleID:
		return in.ScheduleID
	}
	return ""
}

// appendCard appends substr(number, 0, 6) . substr(number, -4) as PHP does: of a short number it appends what
// there is.
func appendCard(dst []byte, number string) []byte {
	dst = append(dst, number[:min(6, len(number))]...)
	return append(dst, number[max(0, len(number)-4):]...)
}
