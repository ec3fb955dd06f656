package badinput_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// leastRows is the least number of wrong inputs in the table.
const leastRows = 400

// table joins the parts, which are in the files of their themes.
var table = slices.Concat(sessionMoney, sessionIdentity, sessionStructure, sessionText, sessionChoices, sessionURLs,
	followUpRows, chainRows, hpfRows, cardRows, cardFollowUpRows, scheduleRows, formRows, apmRows, pageRows, routeRows)

// TestBadInputs runs the table, the rows of an endpoint one after the other on the same gateway: a refused request
// changes nothing, so each row finds the same state.
func TestBadInputs(t *testing.T) {
	t.Parallel()
	byEndpoint := map[string][]row{}
	for _, r := range table {
		byEndpoint[r.at] = append(byEndpoint[r.at], r)
	}
	for _, at := range slices.Sorted(maps.Keys(byEndpoint)) {
		t.Run(at, func(t *testing.T) {
			t.Parallel()
			whole := t
			w := newWorld(whole)
			for _, r := range byEndpoint[at] {
				t.Run(r.name(), func(t *testing.T) {
					err := r.run(w)
					if err != nil {
						w = newWorld(whole) // the failed row may have changed something
					}
					require.NoError(t, err)
				})
			}
		})
	}
}

// TestSize counts the table. No row is in it twice.
func TestSize(t *testing.T) {
	t.Parallel()
	count, names := map[string]int{}, map[string]bool{}
	for _, r := range table {
		require.False(t, names[r.at+r.name()], "twice: %s %s", r.at, r.name())
		names[r.at+r.name()] = true
		count[r.at]++
	}
	for _, at := range slices.Sorted(maps.Keys(endpoints())) {
		require.Positive(t, count[at], "no row for %s", at)
		t.Logf("%4d %s", count[at], at)
	}
	require.GreaterOrEqual(t, len(table), leastRows)
	t.Logf("badinput: rows=%d endpoints=%d accepted=%d", len(table), len(count), len(accepted))
}
