package gateway

import (
	"fmt"
	"time"
)

// Retention says how long records stay after they have served their purpose. Tick and Run look through the store once a
// day and delete what is past its time. A record may therefore stay up to a day longer, and longer while no instance
// runs. Records that are in doubt, that run, or that a person has to look at are never deleted.
//
// Every field is a duration. Zero means the default named beside it. New rejects a negative duration, and one below the
// minimum named beside it.
type Retention struct {
	// Sessions is how long a session stays after it has expired and its payment has an outcome, and likewise the page of a
	// payment without a session. After that its link is unknown. Default: DefaultSessions, 90 days.
	Sessions time.Duration
	// Tokens is how long a card token stays after the last day of the month in which its card expired (UTC). Until it is
	// deleted, its use returns ErrCardTokenExpired; after that ErrCardToken, like any unknown token. Minimum: MinTokens, a
	// day. Default: DefaultTokens, 31 days.
	Tokens time.Duration
	// Callbacks is how long a delivered callback stays after its last attempt: its body says who paid what. Dead is the
	// same for one that was never accepted; until then it can be resent. Defaults: DefaultCallbacks, 90 days, and
	// DefaultDead, 180 days.
	Callbacks, Dead time.Duration
	// Hashes is how long the marks of signatures made with an old password stay after it was replaced. They matter again
	// only if that password comes back. Marks of the current password stay, so that a signature can be used for one
	// request only (SECURITY.md). Minimum: MinHashes, a day. Default: DefaultHashes, 90 days.
	Hashes time.Duration
	// Chains is how long a chain of payments that is on no schedule stays, with its card, after the last day of the month
	// in which the card expired (UTC). Acquirers may continue with the card that replaced it. Default: DefaultChains, 540
	// days.
	Chains time.Duration
	// Payments is how long a payment stays after its last change, with its transactions, its callbacks and its place in
	// the order. After that it cannot be looked up, refunded or disputed, and on S2S its order number is free again.
	// Payments that are held, that begin a chain, or whose session stays, stay too. Minimum: MinPayments, 540 days.
	// Default: for ever.
	Payments time.Duration
}

// The defaults and minimums of Retention.
const (
	DefaultSessions  = 90 * 24 * time.Hour
	DefaultTokens    = 31 * 24 * time.Hour
	DefaultCallbacks = 90 * 24 * time.Hour
	DefaultDead      = 180 * 24 * time.Hour
	DefaultHashes    = 90 * 24 * time.Hour
	DefaultChains    = 540 * 24 * time.Hour

	// MinTokens covers the half day for which a card is valid beyond its month, somewhere on earth.
	MinTokens = 24 * time.Hour
	// MinHashes leaves time to notice that a password was changed by mistake, and to change it back.
	MinHashes = 24 * time.Hour
	// MinPayments is the longest time for which the card schemes' rules let a payer dispute a payment. Until then the
	// merchant has to be able to refund it and to prove it.
	MinPayments = 540 * 24 * time.Hour
)

func (r *Retention) faults() (faults []error) {
	for _, field := range []struct {
		name         string
		value, least time.Duration
	}{
		{"Sessions", r.Sessions, 0}, {"Tokens", r.Tokens, MinTokens}, {"Callbacks", r.Callbacks, 0}, {"Dead", r.Dead, 0},
		{"Chains", r.Chains, MinTokens},
		{"Hashes", r.Hashes, MinHashes}, {"Payments", r.Payments, MinPayments},
	} {
		switch {
		case field.value < 0:
			faults = append(faults, fmt.Errorf("Config.Retention.%s must not be negative", field.name))
		case field.value > 0 && field.value < field.least:
			faults = append(faults, fmt.Errorf("Config.Retention.%s must be at least %s, or zero for the default", field.name,
				field.least))
		}
	}
	return faults
}

func (r *Retention) setDefaults() {
	for _, field := range []struct {
		value    *time.Duration
		standard time.Duration
	}{
		{&r.Sessions, DefaultSessions}, {&r.Tokens, DefaultTokens}, {&r.Callbacks, DefaultCallbacks},
		{&r.Dead, DefaultDead}, {&r.Hashes, DefaultHashes}, {&r.Chains, DefaultChains},
	} {
		if *field.value == 0 {
			*field.value = field.standard
		}
	}
}
