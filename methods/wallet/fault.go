package wallet

import (
	"errors"
	"fmt"
)

// Fault says why a token is refused; Open and Show answer a *Fault and nothing else. Cause names the field
// and the rule, never what the token holds, and is not for whoever sent the token.
type Fault struct{ Cause string }

// Error is the same outside text for every fault.
func (*Fault) Error() string { return "wallet: the token is not valid" }

func because(cause string) error { return &Fault{Cause: cause} }

// ErrNoRoots answers a configuration without a trusted root, or without one of the version we read.
var ErrNoRoots = errors.New("wallet: no trusted root is configured")

// misconfigured names the field of a configuration that is wrong, and never quotes it: it may be a key.
func misconfigured(field, problem string) error {
	return fmt.Errorf("wallet: %s: %s", field, problem)
}

func (e Environment) check(field string) error {
	if e != Test && e != Production {
		return misconfigured(field, "must be TEST or PRODUCTION")
	}
	return nil
}

func checkText(field, text string, most int) error {
	if text == "" || !printable(text, most) {
		return misconfigured(field, fmt.Sprintf("must be 1 to %d printable bytes", most))
	}
	return nil
}
