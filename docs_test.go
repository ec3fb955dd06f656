package gateway_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/callback"
	"github.com/tollgatepay/gateway/internal/roomplan"
	"github.com/tollgatepay/gateway/store"
)

// TestStatesPageTellsResults holds the last column of docs/states.md to what callbacks really tell: the page
// is made by a package that knows nothing of callbacks.
func TestStatesPageTellsResults(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("docs/states.md")
	require.NoError(t, err)
	rows := 0
	for line := range strings.Lines(string(page)) {
		cells := strings.Split(strings.Trim(line, "| \n"), " | ")
		for i := range cells {
			cells[i] = strings.Trim(cells[i], "` ")
		}
		if len(cells) != 7 || !slices.Contains(store.Operations(), store.Operation(cells[1])) || cells[6] == "" {
			continue
		}
		rows++
		name, status, _ := strings.Cut(cells[5], "` / `")
		require.Equal(t, toldResult(t, store.Operation(cells[1]), name, status), cells[6], line)
	}
	require.Greater(t, rows, 100, "the rows were not found")
}

var resultInBody = regexp.MustCompile(`(?:^|&)result=([A-Z]+)`)

func toldResult(t *testing.T, op store.Operation, name, status string) string {
	t.Helper()
	merchant := store.Merchant{Password: store.NewSecret("at least sixteen characters")}
	body, _, err := callback.Render(callback.Event{
		Type: name, Status: status, Merchant: &merchant, Mapping: &store.Mapping{}, MID: &store.MID{},
		Payment: &store.Payment{Protocol: store.S2SAPM}, Transaction: &store.Transaction{Operation: op},
	})
	require.NoError(t, err)
	found := resultInBody.FindSubmatch(body)
	require.NotNil(t, found, "%s", body)
	return string(found[1])
}

// TestDocsRooms fails beside a change of the table of imports, which stands in this folder.
func TestDocsRooms(t *testing.T) {
	t.Parallel()
	picture, err := roomplan.Draw("arrows_test.go")
	require.NoError(t, err)
	kept, err := os.ReadFile("docs/rooms.svg")
	require.NoError(t, err)
	require.Equal(t, picture, string(kept), "docs/rooms.svg is not as the table says: run go generate ./internal/roomplan")
}
