package gateway

import (
	"time"

	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// TurnKind says what a payer's browser should see next.
type TurnKind string

// The turns of a payer.
const (
	TurnForm    TurnKind = "form"    // ask for the card
	TurnForward TurnKind = "forward" // send to Next: the issuer's 3-D Secure page or a bank
	TurnShow    TurnKind = "show"    // show Show: a QR code or payment details, and look again in a moment
	TurnAsk     TurnKind = "ask"     // ask for Asks, and send what he enters to AnswerSession
	TurnWait    TurnKind = "wait"    // nothing to do but look again in a moment
	TurnLeave   TurnKind = "leave"   // send to URL, or show Status where the merchant gave no URL
)

// Turn is what the payer of a session should see next, and all that a page needs to show it. It is read
// from the records every time, so a reload, the back button and a second window all tell the same.
type Turn struct {
	Kind      TurnKind
	SessionID string
	Merchant  string // name, shown to the payer
	Test      bool   // show the test banner
	Order     store.Order
	Language  string    // as the request asked, not validated
	Default   string    // language of the mapping
	ExpiresAt time.Time // of the link

	// Form.
	Attempt  int    // send it back in Submission.Attempt
	Declined string // why the last attempt was declined, empty before the first
	Left     int    // attempts left
	NeedName bool   // ask for the cardholder's name
	CanLeave bool   // the merchant gave a cancel_url

	// Methods are what the payer can choose from on the form, the first one preset; never empty there.
	Methods []MethodChoice

	// Forward.
	Next *store.Next

	// Show and Ask.
	Show *store.Show
	Asks []store.Ask

	// Leave. URL is complete, with the return parameters; empty where the merchant gave none.
	URL    string
	Target string // where to open URL: _self, _parent, _top or _blank
	Status LeaveStatus

	// Origins may frame the page; FormOrigins are those of the session's own URLs, which form-action
	// has to name because browsers hold redirects after a POST to it.
	Origins     []string
	FormOrigins []string
}

// LeaveStatus is how a session ended, for the page shown where the merchant gave no URL.
type LeaveStatus string

// How a session ends for the payer.
const (
	LeftPaid      LeaveStatus = "paid"
	LeftCancelled LeaveStatus = "cancelled"
	LeftDeclined  LeaveStatus = "declined"
	LeftExpired   LeaveStatus = "expired"
	LeftUndefined LeaveStatus = "undefined" // nobody knows yet; the merchant is told by callback
)

// MethodChoice is a method the payer can pay with, and what the form has to ask for it beside a card.
type MethodChoice struct {
	Code string
	Name string
	Kind methods.MethodKind
	Asks []methods.Ask
}

// Submission is what the payer sends from the form.
type Submission struct {
	// Attempt repeats Turn.Attempt. A form that was sent twice carries a number that is used up: it
	// starts nothing and gets the turn as it stands.
	Attempt int
	// Method is the code of the method chosen; empty for the first of Turn.Methods.
	Method string
	// Card is the card of a method of kind card, and ignored for any other.
	Card methods.Card
	// Answers are the payer's to the Asks of the method, by their names.
	Answers map[string]string
	IP      string            // of the payer
	Browser map[string]string // browser attributes, by the names of SPEC1 without "browser_"
}
