package gateway_test

import (
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/callback"
	"github.com/tollgatepay/gateway/internal/state"
	"github.com/tollgatepay/gateway/store"
)

// These tests compare the state table with the golden files of callbacks, because neither of the two packages knows
// the other.

// goldenRow is the content of one golden file. name and result are type and status on Checkout, action and result
// on S2S; status is that of the payment, in the spelling of the records.
type goldenRow struct {
	protocol store.Protocol
	kind     store.Kind
	name     string
	result   string
	status   store.Status
}

// exclusion is a set of rows that are never reported to a merchant.
type exclusion struct {
	reason string
	fits   func(protocol store.Protocol, r state.Rule) bool
}

// neverTold are rows without a golden file, each with its reason. The first that fits applies.
var neverTold = []exclusion{
	{"a payout has no redirect: there is no payer at a page", func(_ store.Protocol, r state.Rule) bool {
		return r.Kind == store.Credit && (r.To == store.ThreeDS || r.To == store.Redirected)
	}},
	{"only S2S APM has an action that asks for the commission first", func(protocol store.Protocol, r state.Rule) bool {
		return r.Op == store.OpCalc && protocol != store.S2SAPM
	}},
	{"S2S CARD pays by card, and only crypto waits for a chain", func(protocol store.Protocol, r state.Rule) bool {
		return protocol == store.S2SCard && confirmedByChain(r)
	}},
	{"only S2S CARD has a status of its own for a hold that waits", func(protocol store.Protocol, r state.Rule) bool {
		return r.Guard == state.OnCard && protocol != store.S2SCard
	}},
	{"on S2S CARD a row of its own replaces it", func(protocol store.Protocol, r state.Rule) bool {
		own := r.Key
		own.Guard = state.OnCard
		return protocol == store.S2SCard && r.Guard == state.Always &&
			slices.ContainsFunc(state.Rows(), func(other state.Rule) bool { return other.Key == own })
	}},
	{"S2S APM has no transfer", func(protocol store.Protocol, r state.Rule) bool {
		return protocol == store.S2SAPM && r.Kind == store.Transfer
	}},
	{"S2S APM has no later payments of a chain", func(protocol store.Protocol, r state.Rule) bool {
		return protocol == store.S2SAPM && r.Type == "recurring"
	}},
}

// confirmedByChain reports a row of payments in crypto: no other sale or payout is PENDING.
func confirmedByChain(r state.Rule) bool {
	return r.Event == state.Init || r.From == store.Pending && (r.Op == store.OpSale || r.Op == store.OpCredit)
}

func TestEveryCallbackRowHasAGoldenFile(t *testing.T) {
	t.Parallel()
	files := goldenFiles(t)
	require.Empty(t, rowsWithoutFile(t, state.Rows(), files))

	told, excluded := reportedRows(t, state.Rows())
	for i, e := range neverTold {
		require.NotZero(t, excluded[i], "no row is excluded because %s", e.reason)
	}
	require.Greater(t, len(told), 200, "the rows were not found")
}

// TestGoldenFilesCanFail removes each file that a row needs, and adds rows without a file.
func TestGoldenFilesCanFail(t *testing.T) {
	t.Parallel()
	files, rows := goldenFiles(t), state.Rows()
	told, _ := reportedRows(t, rows)
	for row := range told {
		without := maps.Clone(files)
		delete(without, row)
		require.Equal(t, []goldenRow{row}, missing(told, without))
	}
	for _, to := range []store.Status{store.Voided, store.Reversed} {
		invented := state.Rule{Row: state.Row{To: to, Type: "capture", Status: "waiting"}}
		invented.Key = state.Key{Kind: store.Purchase, From: store.Pending, Op: store.OpCapture, Event: state.Waiting}
		require.Len(t, rowsWithoutFile(t, append(rows, invented), files), len(store.Protocols()))
	}
}

func rowsWithoutFile(t *testing.T, rows []state.Rule, files map[goldenRow]bool) []goldenRow {
	t.Helper()
	told, _ := reportedRows(t, rows)
	return missing(told, files)
}

func missing(told, files map[goldenRow]bool) (rows []goldenRow) {
	for row := range told {
		if !files[row] {
			rows = append(rows, row)
		}
	}
	return rows
}

// reportedRows returns the callbacks of rows of the state table, and how many rows each entry of neverTold excludes.
func reportedRows(t *testing.T, rows []state.Rule) (told map[goldenRow]bool, excluded map[int]int) {
	t.Helper()
	told, excluded = map[goldenRow]bool{}, map[int]int{}
	for _, r := range rows {
		if r.Type == "" {
			continue // no callback
		}
		for _, protocol := range store.Protocols() {
			why := slices.IndexFunc(neverTold, func(e exclusion) bool { return e.fits(protocol, r) })
			if why >= 0 {
				excluded[why]++
				continue
			}
			for _, row := range goldenRowsOf(t, protocol, r) {
				told[row] = true
			}
		}
	}
	return told, excluded
}

// goldenRowsOf returns the names of one row on a protocol: as an ordinary payment, and as a later payment of a chain.
func goldenRowsOf(t *testing.T, protocol store.Protocol, r state.Rule) (rows []goldenRow) {
	t.Helper()
	charge := r.Type == "sale" || r.Type == "debit"
	if protocol == store.Checkout {
		rows = append(rows, goldenRow{protocol, r.Kind, r.Type, r.Status, r.To})
		if charge && !confirmedByChain(r) { // later payments are by card
			rows = append(rows, goldenRow{protocol, r.Kind, "recurring", r.Status, r.To})
		}
		return rows
	}
	for _, action := range chargeActions(protocol, r) {
		name := r.Type
		if charge && strings.HasPrefix(action, "RECURRING_") {
			name = "recurring"
		}
		rows = append(rows, rendered(t, protocol, r, action, name))
	}
	return rows
}

// chargeActions are the S2S actions that can have made the payment of a row.
func chargeActions(protocol store.Protocol, r state.Rule) []string {
	switch {
	case protocol == store.S2SCard && r.Type == "recurring":
		return []string{map[store.Kind]string{store.Purchase: "RECURRING_SALE", store.Debit: "RECURRING_DEBIT"}[r.Kind]}
	case protocol == store.S2SAPM && r.Kind == store.Credit && confirmedByChain(r):
		return []string{"CREDIT2CRYPTO"}
	}
	return map[store.Protocol]map[store.Kind][]string{
		store.S2SCard: {
			store.Purchase: {"SALE", "RECURRING_SALE"}, store.Debit: {"DEBIT", "RECURRING_DEBIT"},
			store.Transfer: {"CARD2CARD"}, store.Credit: {"CREDIT2CARD"},
		},
		store.S2SAPM: {
			store.Purchase: {"SALE"}, store.Debit: {"DEBIT2VIRTUAL"}, store.Credit: {"CREDIT2VIRTUAL", "CREDIT2CRYPTO"},
		},
	}[protocol][r.Kind]
}

// rendered renders an S2S callback of a row and reads its action and result.
func rendered(t *testing.T, protocol store.Protocol, r state.Rule, action, name string) goldenRow {
	t.Helper()
	body, _, err := callback.Render(callback.Event{
		Type: name, Status: r.Status, Mapping: &store.Mapping{}, MID: &store.MID{},
		Merchant:    &store.Merchant{Password: store.NewSecret("at least sixteen characters")},
		Payment:     &store.Payment{Protocol: protocol, Action: action, Kind: r.Kind, Status: r.To},
		Transaction: &store.Transaction{Operation: r.Op},
	})
	require.NoError(t, err)
	fields, err := url.ParseQuery(body)
	require.NoError(t, err)
	require.Equal(t, string(r.To), fields.Get("status"))
	return goldenRow{protocol, r.Kind, fields.Get("action"), fields.Get("result"), r.To}
}

// goldenFiles reads the content of each golden file from its first line: "# protocol name result status variant".
func goldenFiles(t *testing.T) map[goldenRow]bool {
	t.Helper()
	names, err := filepath.Glob("callback/testdata/*.txt")
	require.NoError(t, err)
	require.NotEmpty(t, names)
	files := map[goldenRow]bool{}
	for _, name := range names {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		head, _, _ := strings.Cut(string(text), "\n")
		words := append(strings.Fields(head), "") // a variant may be missing
		require.GreaterOrEqual(t, len(words), 6, name)
		row := goldenRow{store.Protocol(words[1]), kindOfGolden(words[2], words[5]), words[2], words[3],
			store.Status(words[4])}
		files[row] = true
	}
	return files
}

// kindOfGolden is the kind of payment of a golden file: the variant names it if the name does not.
func kindOfGolden(name, variant string) store.Kind {
	first, _, _ := strings.Cut(variant, "-")
	if slices.Contains(store.Kinds(), store.Kind(first)) {
		return store.Kind(first)
	}
	switch name {
	case "debit", "DEBIT", "RECURRING_DEBIT", "DEBIT2VIRTUAL", "DEBIT2VIRTUAL_CALC":
		return store.Debit
	case "transfer", "CARD2CARD":
		return store.Transfer
	case "credit", "CREDIT2CARD", "CREDIT2VIRTUAL", "CREDIT2CRYPTO":
		return store.Credit
	}
	return store.Purchase
}
