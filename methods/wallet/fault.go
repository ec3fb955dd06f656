package wallet

import (
	"errors"
	"fmt"
)

// Fault is why a token is refused. Every error of Open and Show is a *Fault. Cause names the field and the rule,
// never a value of the token. It is not for the sender of the token.
type Fault struct{ Cause string }

// Error returns the same text for every fault.
func (*Fault) Error() string { return "wallet: the token is not valid" }

func because(cause string) error { return &Fault{Cause: cause} }

// ErrNoRoots: the configuration has no trusted root, or none of the version that is read.
var ErrNoRoots = errors.New("wallet: no trusted root is configured")

// misconfigured names the field of a configuration that is wrong. It never quotes the value, which may be a key.
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
