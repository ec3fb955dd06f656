package s2s

import (
	"slices"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/internal/bracketform"
	"github.com/tollgatepay/gateway/internal/fields"
)

// check checks the form against the fields of the action, in their order, and adds the faults of the form itself.
// A field with a fault of the form has no second one.
func (a *action) check(r *reading, found bracketform.Faults) []gateway.Fault {
	table := fields.Table[*reading]{Every: true}
	var faults []gateway.Fault
	rest := slices.Clone(found)
	for i := range a.fields {
		f := &a.fields[i]
		if !found.Has(f.Path) {
			faults = append(faults, table.FaultsOf(f, r)...)
			continue
		}
		rest = slices.DeleteFunc(rest, func(fault bracketform.Fault) bool {
			own := bracketform.Faults{fault}.Has(f.Path)
			if own {
				faults = append(faults, fault)
			}
			return own
		})
	}
	return append(faults, rest...) // of parameters that the action does not know
}
