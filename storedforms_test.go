package gateway_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// storedForm matches the name of a record's stored form.
var storedForm = regexp.MustCompile(`\bstore\.(Payment|Transaction|Callback|Schedule)Record\b`)

// outbox is what of the public API takes a stored form: the outbox of callbacks, which the gateway itself drives.
var outbox = strings.Fields(`Claimed.Callbacks Dead Desk.Done GiveBack OfPayment Queue`)

// TestCallersGetNoStoredForms: nothing of the public API, beside the outbox, names the stored form of a record. What is
// stored for the gateway alone has no field in the records that callers get (records.TestForms), so they cannot get it.
func TestCallersGetNoStoredForms(t *testing.T) {
	t.Parallel()
	surface, err := os.ReadFile("docs/api.txt")
	require.NoError(t, err)
	var found []string
	for line := range strings.Lines(string(surface)) {
		if !storedForm.MatchString(line) {
			continue
		}
		name, inCallback := strings.CutPrefix(line, "callback: ")
		require.True(t, inCallback, line)
		_, name, _ = strings.Cut(name, " ")
		found = append(found, name[:strings.IndexAny(name, "( ")])
	}
	slices.Sort(found)
	require.Equal(t, outbox, found)
}
