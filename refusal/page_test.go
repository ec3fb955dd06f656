package refusal_test

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var rewrite = flag.Bool("rewrite", false, "write docs/errors.md again")

const pageFile = "../docs/errors.md"

// TestPage keeps docs/errors.md equal to the catalogue. `go generate ./refusal` writes it again.
func TestPage(t *testing.T) {
	t.Parallel()
	rows := rowsOf(t)
	require.Greater(t, len(rows), 50, "the catalogue was not found")
	page := pageHead + strings.Join(rows, "")
	if *rewrite {
		require.NoError(t, os.WriteFile(pageFile, []byte(page), 0o644))
	}
	written, err := os.ReadFile(pageFile)
	require.NoError(t, err)
	require.Equal(t, page, string(written), "docs/errors.md is behind the catalogue: run go generate ./refusal")
}

const pageHead = `<!-- Written by go generate ./refusal. Do not edit. -->

# Errors in Go

What the gateway's methods return when a request is refused: a ` + "`*gateway.Error`" + `, whose values package
refusal has and the root repeats. Compare with ` + "`errors.Is`" + `: every field that is refused is
` + "`ErrInvalid`" + `, and ` + "`errors.As`" + ` gives its ` + "`Faults`" + `, each with the path of the field and
the rule in words. Any other error is of the host or of its store; ` + "`gateway.AsError`" + ` makes
` + "`ErrInternal`" + ` of it. What the wire protocols send is in [errors](protocol/errors.md).

| Kind | What it means |
|---|---|
| invalid | a field of the request is wrong; ` + "`Faults`" + ` names it |
| refused | the request is sound, and state, routing or settings do not allow it |
| not found | what the request names does not exist, or is another merchant's |
| duplicate | the same was asked for a moment ago |
| unavailable | nothing was done; the same request may be sent again later |
| internal | the cause is in the log, and it is unknown what was done |

| Error | Kind | Code | HTTP | Message |
|---|---|--:|--:|---|
`

// kinds are the names of the kinds in the page.
var kinds = map[string]string{"Invalid": "invalid", "Refused": "refused", "NotFound": "not found",
	"Duplicate": "duplicate", "Unavailable": "unavailable", "Internal": "internal"}

// rowsOf reads the catalogue from its source: a variable knows its value, and not its name.
func rowsOf(t *testing.T) (rows []string) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "refusal.go", nil, 0)
	require.NoError(t, err)
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || len(spec.Values) != 1 || !strings.HasPrefix(spec.Names[0].Name, "Err") {
			return true
		}
		call := spec.Values[0].(*ast.CallExpr)
		name := spec.Names[0].Name
		if of, ok := call.Fun.(*ast.SelectorExpr); ok { // a copy with a fault
			fault := call.Args[0].(*ast.CompositeLit)
			rows = append(rows, fmt.Sprintf("| `%s` | the fault of `%s` | | | %s: %s |\n", name,
				of.X.(*ast.Ident).Name, literal(fault.Elts[0]), literal(fault.Elts[1])))
			return true
		}
		kind := kinds[call.Args[0].(*ast.Ident).Name]
		require.NotEmpty(t, kind, name)
		rows = append(rows, fmt.Sprintf("| `%s` | %s | %s | %s | %s |\n", name, kind, literal(call.Args[1]),
			literal(call.Args[2]), literal(call.Args[3])))
		return true
	})
	return rows
}

func literal(n ast.Expr) string { return strings.Trim(n.(*ast.BasicLit).Value, `"`) }
