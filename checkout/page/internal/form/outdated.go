package form

import (
	"slices"

	"github.com/tollgatepay/gateway"
)

// fieldAgreement carries the name of what the form shows its payer to agree to.
const fieldAgreement = "agreement"

// Outdated is the fault of a form that was read before its terms changed. A form without the name is a host's own.
func Outdated(next *gateway.NextAction, typed *Entry) []Fault {
	if typed.agreement == "" || typed.agreement == next.Agreement {
		return nil
	}
	return []Fault{{Rule: ChangedTerms}}
}

// IsOutdated reports that fault.
func IsOutdated(faults []Fault) bool {
	return slices.ContainsFunc(faults, func(f Fault) bool { return f.Rule == ChangedTerms })
}
