package gateway

import (
	"fmt"
	"time"
)

// Retention says for how long records stay that are good for nothing any more. Tick and Run delete what is
// past its time, looking through the store once a day; so a record stays up to a day longer, and longer while
// no instance runs. Nothing goes that is in doubt, that runs, or that a person has to look at, whatever its
// age.
//
// Every field is a duration. The zero value picks the default named beside it; less than nothing, or less
// than the least named beside it, is a fault of New.
type Retention struct {
	// Sessions is how long a session stays after it expired, and its payment has an outcome; a page of a
	// payment without a session likewise. Its link leads nowhere then. Default: DefaultSessions, 90 days.
	Sessions time.Duration
	// Tokens is how long a card token stays after the last day of the month in which its card expired (UTC).
	// Until then it is ErrCardTokenExpired, afterwards ErrCardToken, as one that never was. Least: MinTokens, a
	// day. Default: DefaultTokens, 31 days.
	Tokens time.Duration
	// Callbacks is how long a callback stays that was delivered, after its last attempt: its body says who paid
	// what. Dead is the same of one that was never accepted; until then it can be resent. Defaults: DefaultCallbacks, 90
	// days, and DefaultDead, 180 days.
	Callbacks, Dead time.Duration
	// Hashes is how long the marks of signatures stay that were made with a password the merchant no longer has,
	// after it was replaced: they matter again only if that password comes back. The marks of the password in force
	// never age, so that what it signed signs nothing else (SECURITY.md). Least: MinHashes, a day. Default:
	// DefaultHashes, 90 days.
	Hashes time.Duration
	// Chains is how long a chain of payments stays, with its card, after the last day of the month in which that
	// card expired (UTC), once it is on no schedule. Default: DefaultChains, 540 days: acquirers may go on with
	// the card that followed.
	Chains time.Duration
	// Payments is how long a payment stays after it last changed, with its transactions, its callbacks and
	// its place in the order. It can then no longer be looked up, refunded or disputed, and on S2S its order
	// number is free again. Payments that are held, that a chain begins with, or whose session stays, stay
	// too. Least: MinPayments, 540 days. Default: for ever.
	Payments time.Duration
}

// The defaults of Retention, and the least there may be of what is worth nothing when it is shorter.
const (
	DefaultSessions  = 90 * 24 * time.Hour
	DefaultTokens    = 31 * 24 * time.Hour
	DefaultCallbacks = 90 * 24 * time.Hour
	DefaultDead      = 180 * 24 * time.Hour
	DefaultHashes    = 90 * 24 * time.Hour
	DefaultChains    = 540 * 24 * time.Hour

	// MinTokens covers the half day for which a card is good beyond its month, somewhere on earth.
	MinTokens = 24 * time.Hour
	// MinHashes is longer than it takes to find that a password was changed by mistake, and to change it back.
	MinHashes = 24 * time.Hour
	// MinPayments is as long as the card schemes' rules let a payer dispute a payment at most; until then the
	// merchant has to be able to refund it, and to prove it.
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
