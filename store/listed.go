package store

import "time"

// PaymentFilter chooses payments for a list. The zero value chooses all; each field that is set narrows the choice.
type PaymentFilter struct {
	Before     string // the id of a payment: only older ones, which continues a list
	MerchantID string
	Order      string // an order number; needs MerchantID
	Statuses   []Status
	From, To   time.Time // when the payment was made: at or after From, and before To
	Currency   string
	Least      Amount // at least this amount
	Most       Amount // at most this amount; zero for no bound
	Review     bool   // only those that a person has to look at
}

// Configuration is what is saved of a merchant, without passwords, secrets and keys of wallets.
type Configuration struct {
	Merchant Merchant
	MIDs     []MID
	Mappings []Mapping // only of the protocols that have one
}

// Agreement is an agreement on later payments, without the token that charges its card.
type Agreement struct {
	MerchantID string
	PaymentID  string // of its first payment
	Test       bool   // made with the merchant's test key
	ScheduleID string // empty if it is on none
	Paid       int    // scheduled payments so far
	Due        time.Time
	CreatedAt  time.Time
}
