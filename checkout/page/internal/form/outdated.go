package form

import (
	"slices"

	"github.com/tollgatepay/gateway"
)

// fieldAgreement is the field with the name of the terms that the payer agrees to.
const fieldAgreement = "agreement"

// Outdated returns the fault of a form whose terms have changed since it was read. A form without the field is a
// host's own.
func Outdated(next *gateway.NextAction, typed *Entry) []Mistake {
	if typed.agreement == "" || typed.agreement == next.Agreement {
		return nil
	}
	return []Mistake{{Rule: ChangedTerms}}
}

// IsOutdated reports whether one of the faults is that one.
func IsOutdated(faults []Mistake) bool {
	return slices.ContainsFunc(faults, func(f Mistake) bool { return f.Rule == ChangedTerms })
}
