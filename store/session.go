package store

import (
	"encoding/json"
	"errors"
	"time"
)

// SessionState is the state of a Checkout session.
type SessionState string

// The states of a session. Expiry is not one of them: compare ExpiresAt with the time.
const (
	SessionOpen   SessionState = "open"
	SessionPaid   SessionState = "paid"   // one success per link; the link no longer pays
	SessionClosed SessionState = "closed" // too many declines, or the payer cancelled
)

// Session is a Checkout session. Token is kept only as a hash: the link is the secret (decision q).
type Session struct {
	ID         string       `json:"-"` // the key has it
	MerchantID string       `json:"merchant"`
	TokenHash  string       `json:"token_hash"` // as links hash it
	Test       bool         `json:"test,omitempty"`
	StatusPage bool         `json:"bare,omitempty"` // page of a payment without a session; URLs get no parameters
	State      SessionState `json:"state"`
	Version    int          `json:"version"`
	Kind       Kind         `json:"kind"`
	Hold       bool         `json:"hold,omitempty"`
	Order      Order        `json:"order"`
	Methods    []string     `json:"methods,omitempty"` // as requested
	ChannelID  string       `json:"channel_id,omitempty"`

	// Hosted marks a session of Hosted Payment Fields. The payer's pages of such a session are opened by another
	// secret, derived from the merchant's token; PageHash is its hash. HeldCard is what the fields collected, sealed
	// under the token until it is charged or the session ends.
	Hosted    bool      `json:"hosted,omitempty"`
	PageHash  string    `json:"page_hash,omitempty"`
	HeldCard  []byte    `json:"held_card,omitempty"`
	HeldUntil time.Time `json:"held_until,omitzero"` // when HeldCard has to be erased
	ReturnURL string    `json:"return_url,omitempty"`

	SuccessURL string `json:"success_url"`
	CancelURL  string `json:"cancel_url,omitempty"`
	ExpiryURL  string `json:"expiry_url,omitempty"`
	ErrorURL   string `json:"error_url,omitempty"`
	URLTarget  string `json:"url_target,omitempty"`

	Payer Payer `json:"payer,omitzero"`
	// PayerInput is what payers filled in on the page, by the paths of a session request. The next attempt shows it
	// again, so that it can be corrected.
	PayerInput map[string]string `json:"told,omitempty"`
	Language   string            `json:"language,omitempty"` // as requested, not validated
	CustomData json.RawMessage   `json:"custom_data,omitempty"`
	// Parameters are the parameters of methods as they were sent. They may hold account and identity numbers, so they
	// are stored sealed.
	Parameters       json.RawMessage `json:"-"`
	SealedParameters *Sealed         `json:"sealed_parameters,omitempty"`
	// Extra keeps the fields that are checked when the session is created and used by the other operations.
	Extra SessionExtra `json:"extra,omitzero"`

	Attempts  int    `json:"attempts,omitempty"` // payments started
	Declines  int    `json:"declines,omitempty"`
	PaymentID string `json:"payment,omitempty"`   // the newest attempt
	Signature string `json:"signature,omitempty"` // of a payout: the hash of the signature, so that it pays once
	Running   bool   `json:"running,omitempty"`   // the newest attempt has no outcome yet

	CreatedAt time.Time `json:"created_at"`
	ExpiresAt time.Time `json:"expires_at"`
}

// SessionExtra holds what a session request may have in addition to a plain purchase.
type SessionExtra struct {
	ReqToken              bool     `json:"req_token,omitempty"`
	CardTokens            []string `json:"card_tokens,omitempty"`
	RecurringInit         bool     `json:"recurring_init,omitempty"`
	ScheduleID            string   `json:"schedule_id,omitempty"`
	ScheduleStartDate     string   `json:"schedule_start_date,omitempty"`
	PaymentScheduleAmount string   `json:"payment_schedule_amount,omitempty"`
	VATCalc               bool     `json:"vat_calc,omitempty"`
	MOTOType              string   `json:"moto_type,omitempty"`
	CryptoNetwork         string   `json:"crypto_network,omitempty"`
	FormID                string   `json:"form_id,omitempty"`
	Payee                 *Payer   `json:"payee,omitempty"`
}

// Check guards the rules that every stored session must satisfy.
func (s *Session) Check() error {
	if s.ID == "" || s.MerchantID == "" || s.TokenHash == "" || s.ExpiresAt.IsZero() {
		return errors.New("session: id, merchant, token hash and expiry are required")
	}
	return nil
}
