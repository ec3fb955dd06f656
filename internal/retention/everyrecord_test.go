package retention_test

import (
	"maps"
	"os"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// ends says of every kind of entry that no row of purgeRows judges how it ends.
var ends = map[string]string{
	"m":  "stays until the merchant is removed",
	"mp": "stays until the mapping is removed",
	"md": "stays until the MID is removed",
	"wl": "stays until the settings are removed",
	"sc": "deleted by DELETE_SCHEDULE",
	"as": "deleted by Resume, or with the outcome of its work",
	"pg": "one entry for each kind, which is replaced",
	"qr": "deleted with the outcome",
	"qs": "deleted with the work",
	"qh": "deleted with the work",
	"mk": "deleted when the key is replaced",
	"mr": "one entry for each merchant",
	"pw": "stays: the names of the passwords that a merchant has or had",
	"o":  "deleted with the payments of the order",
	"ot": "deleted with the payments of the order",
	"br": "deleted by CloseBreach",
	"cd": "deleted with the callback, or when it is sent again",
	"sk": "deleted when the chain leaves the schedule",
}

// What the sources say: the kinds of entries by their Go names, and the rows of what ages.
var (
	kind = regexp.MustCompile(`(?m)^\t(\w+) += (?:store\.\w+(?:\[[\w.]+\])?\{(?:Prefix|Name): )?"(\w+)"`)
	row  = regexp.MustCompile(`(?m)^\t\{prefix: records\.(\w+)`)
)

// TestEveryRecordEnds: a kind of entry either ages, or this table says how it ends. None grows for ever unseen.
func TestEveryRecordEnds(t *testing.T) {
	t.Parallel()
	schema, err := os.ReadFile("../records/schema.go")
	require.NoError(t, err)
	ages, err := os.ReadFile("ages.go")
	require.NoError(t, err)
	aged := map[string]bool{}
	for _, m := range row.FindAllSubmatch(ages, -1) {
		aged[string(m[1])] = true
	}
	require.NotEmpty(t, aged)
	found, left := 0, maps.Clone(ends)
	for _, m := range kind.FindAllStringSubmatch(string(schema), -1) {
		name, prefix := m[1], m[2]
		found++
		require.NotEqual(t, aged[name], ends[prefix] != "", "%s, %q: a row of purgeRows, or one here", name, prefix)
		delete(aged, name)
		delete(left, prefix)
	}
	require.Greater(t, found, 20)
	require.Empty(t, aged, "rows of what is not there")
	require.Empty(t, left, "kinds that are not there")
}
