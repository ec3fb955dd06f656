package s2s

import "slices"

// actions is the table. SALE has two rows, which brand distinguishes.
var actions = slices.Concat(cardCharges, apmCharges, followUps, lookups, chains, schedules)

// find returns the row of a name on a path. A SALE with a brand is of APM (decision c).
func find(p path, name string, branded bool) *action {
	var found *action
	for i := range actions {
		row := &actions[i]
		if name == "" || row.name != name && row.alias != name || !slices.ContainsFunc(row.protocols, p.serves) {
			continue
		}
		if found == nil || branded {
			found = row
		}
	}
	return found
}
