package gateway_test

import (
	"go/ast"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/callback"
	"github.com/tollgatepay/gateway/internal/roomplan"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/s2s"
	"github.com/tollgatepay/gateway/store"
)

// TestStatesPageTellsResults compares the last column of docs/states.md with the rendered callbacks, because the
// package that makes the page does not know callbacks.
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
	found := resultInBody.FindStringSubmatch(body)
	require.NotNil(t, found, "%s", body)
	return found[1]
}

// TestDocsRooms fails together with a change of the table of imports, which is in this folder.
func TestDocsRooms(t *testing.T) {
	t.Parallel()
	picture, err := roomplan.Draw("arrows_test.go")
	require.NoError(t, err)
	kept, err := os.ReadFile("docs/rooms.svg")
	require.NoError(t, err)
	require.Equal(t, picture, string(kept), "run go generate ./internal/roomplan: docs/rooms.svg is behind the table")
}

// TestDocsErrors compares the catalogue of errors with the page for merchants: each message is in a row of its
// code.
func TestDocsErrors(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("docs/protocol/errors.md")
	require.NoError(t, err)
	messages := 0
	for _, s := range parseTree(t, os.DirFS("refusal")) {
		ast.Inspect(s.file, func(n ast.Node) bool {
			code, message := refusalOf(n)
			if message == "" {
				return true
			}
			messages++
			stands := slices.ContainsFunc(strings.Split(string(page), "\n"), func(line string) bool {
				return strings.HasPrefix(line, "| "+code+" | ") && strings.Contains(line, message)
			})
			require.True(t, stands, "no row of %s in errors.md says %q", code, message)
			return true
		})
	}
	require.Greater(t, messages, 40, "the catalogue was not found")
}

// unsent are messages that the platform publishes and the catalogue does not have.
var unsent = map[string]string{
	"Not acceptable to request the 3ds for payment not in 3ds status": "no request asks for it",
	"order_id: Duplicate payment":                                     "a fault of a field",
	"Parameter is deprecated":                                         "a fault without a field",
	`Parameter "name" can not be updated`:                             "a fault of a field",
}

// TestDocsErrorsPublished compares the platform's own table with the catalogue: each code and message is there as it is
// published.
func TestDocsErrorsPublished(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("docs/protocol/errors.md")
	require.NoError(t, err)
	published, _, ok := strings.Cut(string(page), "The rest of the catalogue is ours")
	require.True(t, ok)
	sent := s2s.Refusals()
	for _, row := range refusal.Catalogue() {
		sent = append(sent, row.Error)
	}
	rows := 0
	for _, row := range regexp.MustCompile(`(?m)^\| (\d+) \| (.+?) \| .* \|$`).FindAllStringSubmatch(published, -1) {
		rows++
		left := row[2]
		for _, e := range sent {
			if strconv.Itoa(e.Code()) == row[1] {
				left = strings.ReplaceAll(left, strings.TrimSuffix(e.Message(), "."), "")
			}
		}
		for message := range unsent {
			left = strings.ReplaceAll(left, message, "")
		}
		require.Empty(t, strings.Trim(left, ". "), "of code %s the catalogue does not have it", row[1])
	}
	require.Greater(t, rows, 35, "the table was not found")
}

// refusalOf reads the code and the message of a call of New.
func refusalOf(n ast.Node) (code, message string) {
	call, ok := n.(*ast.CallExpr)
	if !ok || len(call.Args) != 4 {
		return "", ""
	}
	number, ok := call.Args[1].(*ast.BasicLit)
	text, written := call.Args[3].(*ast.BasicLit)
	if !ok || !written {
		return "", ""
	}
	message, _ = strconv.Unquote(text.Value) // the parser has checked it
	return number.Value, message
}

// codeSpan is code in a page, without spaces; isPlace matches a file or a folder.
var (
	codeSpan = regexp.MustCompile("`([^`\\s]+)`")
	isPlace  = regexp.MustCompile(`/|\.(?:go|md|txt)$`)
)

// TestDocsPlaces checks that the places named in CONTRIBUTING.md exist.
func TestDocsPlaces(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("CONTRIBUTING.md")
	require.NoError(t, err)
	places, faults := placeFaults(t, os.DirFS("."), string(page))
	require.Greater(t, places, 60, "the places were not found")
	require.Empty(t, faults, "CONTRIBUTING.md names them, and they are not there")
}

// placeFaults counts the files and folders that a page names, and returns the missing ones. A star stands for any
// name.
func placeFaults(t *testing.T, tree fs.FS, page string) (places int, faults []string) {
	t.Helper()
	for _, span := range codeSpan.FindAllStringSubmatch(page, -1) {
		if !isPlace.MatchString(span[1]) {
			continue
		}
		places++
		found, err := fs.Glob(tree, span[1])
		require.NoError(t, err)
		if len(found) == 0 {
			faults = append(faults, span[1])
		}
	}
	return places, faults
}

func TestDocsPlacesCanFail(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, text string
		places     int
		faults     []string
	}{
		{"a file", "`docs/states.md`", 1, nil},
		{"a folder", "`docs/protocol`", 1, nil},
		{"a file of the root", "`a.go`", 1, nil},
		{"any of them", "`docs/*.md`", 1, nil},
		{"other code", "`store.Store`, `go test ./nowhere`, `kinds`", 0, nil},
		{"in no code", "docs/nothing.md", 0, nil},

		{"no file", "`docs/nothing.md`, `docs/states.md`", 2, []string{"docs/nothing.md"}},
		{"no folder", "`nowhere/protocol`", 1, []string{"nowhere/protocol"}},
		{"no file of the root", "`states.md` and `b.go`", 2, []string{"states.md", "b.go"}},
		{"none of them", "`docs/*.go`", 1, []string{"docs/*.go"}},
		{"a folder with a slash behind it", "`docs/protocol/`", 1, []string{"docs/protocol/"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			tree := shelf()
			tree["a.go"] = &fstest.MapFile{}
			places, faults := placeFaults(t, tree, c.text)
			require.Equal(t, c.places, places)
			require.Equal(t, c.faults, faults)
		})
	}
}
