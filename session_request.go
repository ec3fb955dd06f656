package gateway

import (
	"encoding/json"
	"strings"
	"time"

	"github.com/tollgatepay/gateway/callback/signature"
	"github.com/tollgatepay/gateway/internal/door"
	"github.com/tollgatepay/gateway/internal/fields"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

func sessionURLs(r *SessionRequest) []fields.Text {
	return []fields.Text{
		{Name: "cancel_url", Value: r.CancelURL}, {Name: "return_url", Value: r.ReturnURL},
		{Name: "success_url", Value: r.SuccessURL}, {Name: "expiry_url", Value: r.ExpiryURL},
		{Name: "error_url", Value: r.ErrorURL},
	}
}

// DuplicateWindow is how long a merchant's order number is taken after a request was accepted, 15 seconds (SPEC1,
// Limits). A second request within it is ErrDuplicate; one at its very end is accepted.
const DuplicateWindow = door.Window

// Proof is the signature of a request. A nil *Proof means a Go caller, who is trusted.
type Proof struct {
	Formula signature.Formula
	Inputs  signature.Inputs
	Hash    string // as it was sent
}

// SessionRequest asks for a Checkout session (SPEC1, "Checkout session request"). Go callers and the wire get the same
// checks; an empty string is an absent field.
type SessionRequest struct {
	Proof *Proof
	// Malformed are the faults that the wire already found. They are reported first, and their fields are not checked
	// again.
	Malformed []refusal.Fault

	// Hosted asks for a session of Hosted Payment Fields: a purchase or a debit by card. It needs a ReturnURL and no
	// SuccessURL (hpf.md, "Token request").
	Hosted    bool
	ReturnURL string

	Operation string // purchase, debit, credit or transfer
	Order     store.Order
	Methods   []string // limits the methods shown; empty for all that can be routed
	ChannelID string   // up to 16 characters; routes to that MID
	Hold      bool     // auth: authorize only, capture later

	SuccessURL string // absolute http or https URLs, up to 1024 characters
	CancelURL  string
	ExpiryURL  string
	ErrorURL   string
	URLTarget  string        // _self, _parent or _top
	Expiry     time.Duration // session_expiry: 1 to 720 minutes; zero for DefaultExpiry

	Customer   Customer
	Billing    store.Address
	Language   string // of the page; unknown values fall back to English
	CustomData json.RawMessage
	Parameters json.RawMessage

	Extra store.SessionExtra // of its Payee count Name, Email and Address

	merchantKey string // under which the client asks
	anyName     bool   // the mapping takes names in every script
	short       bool   // the mapping takes amounts with fewer decimals
}

// Customer is the payer as a session request names them.
type Customer struct {
	Name      string // 2..200 Latin basic letters
	Email     string
	BirthDate string // yyyy-mm-dd
	IP        string
}

// DefaultExpiry is how long a session lives unless the request sets it (SPEC1, Limits).
const DefaultExpiry = time.Hour

// malformed reports whether the wire found a fault at a path, above it, or in an entry of its list.
func (r *SessionRequest) malformed(path string) bool {
	for _, fault := range r.Malformed {
		if fault.Path == path || strings.HasPrefix(path, fault.Path+".") || strings.HasPrefix(fault.Path, path+"[") {
			return true
		}
	}
	return false
}

// amountChosen reports whether the payer chooses the amount: a transfer of -1 (SPEC1, "Amount format").
func amountChosen(s *store.Session) bool {
	return s.Kind == store.Transfer && s.Order.Amount == amountOpen
}

// amountOpen is the amount of a transfer whose payer chooses it.
const amountOpen = "-1"
