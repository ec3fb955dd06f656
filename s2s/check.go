package s2s

import (
	"slices"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/internal/bracketform"
)

// check holds the form against the fields of the action, in their order, and adds what the form itself
// found. A field with a fault of the form has no second one.
func (a *action) check(r *reading, found bracketform.Faults) []gateway.Fault {
	var faults []gateway.Fault
	rest := slices.Clone(found)
	for i := range a.fields {
		f := &a.fields[i]
		if !found.Has(f.name) {
			faults = append(faults, f.check(r)...)
			continue
		}
		rest = slices.DeleteFunc(rest, func(fault bracketform.Fault) bool {
			own := bracketform.Faults{fault}.Has(f.name)
			if own {
				faults = append(faults, gateway.Fault{Path: fault.Path, Text: fault.Text})
			}
			return own
		})
	}
	return append(faults, faultsOf(rest)...) // of parameters that the action does not know
}

func faultsOf(found bracketform.Faults) []gateway.Fault {
	list := make([]gateway.Fault, len(found))
	for i, fault := range found {
		list[i] = gateway.Fault{Path: fault.Path, Text: fault.Text}
	}
	return list
}
