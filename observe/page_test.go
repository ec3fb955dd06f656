package observe_test

import (
	"flag"
	"fmt"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/observe"
	"github.com/tollgatepay/gateway/observe/gauges"
)

var rewrite = flag.Bool("rewrite", false, "write docs/events.md again")

const pageFile = "../docs/events.md"

// TestPage keeps docs/events.md equal to the types of this package and to the lines that the library logs.
// `go generate ./observe` writes it again.
func TestPage(t *testing.T) {
	t.Parallel()
	page := pageHead + strings.Join(eventRows(t), "") + pageMetrics + metricRows(observe.Metrics()) +
		pageGauges + metricRows(gauges.Metrics()) + pageLog + strings.Join(logRows(t), "")
	if *rewrite {
		require.NoError(t, os.WriteFile(pageFile, []byte(page), 0o644))
	}
	written, err := os.ReadFile(pageFile)
	require.NoError(t, err)
	require.Equal(t, page, string(written), "docs/events.md is behind the code: run go generate ./observe")
}

const pageHead = `<!-- Written by go generate ./observe. Do not edit. -->

# Events and the log

What a gateway tells its ` + "`Config.Observers`" + `, each type of event as a row. Every event at level warn or error
is also logged, with its message and the attributes that are not empty, whether there are observers or not; the others
are logged at level debug. Durations are in seconds, amounts in major units of their currency. No event has card data,
a secret, or data of the payer, except what a merchant's server says itself: the detail of a refused callback has up to
100 characters of its answer, with long numbers masked.

| Event | Name | Level | Message | Attributes | Told when |
|---|---|---|---|---|---|
`

const pageMetrics = `
## Metrics

What events add to metrics. ` + "`observe/otel`" + ` puts ` + "`tollgate.`" + ` in front of a name. ` +
	"`observe/prometheus`" + ` puts
` + "`tollgate_`" + ` in front, writes underscores for dots, and adds ` + "`_seconds`" + ` to durations and ` +
	"`_total`" + ` to counters. The
approval rate of an acquirer is its ` + "`transactions`" + ` with outcome success, divided by those with success or
fail. Amounts in metrics are floating point numbers: they are for charts, and callbacks are for books.

| Metric | Kind | Unit | Labels | Value |
|---|---|---|---|---|
`

const pageGauges = `
Package ` + "`observe/gauges`" + ` reads the state of one gateway. Both modules export it too.

| Metric | Kind | Unit | Labels | Value |
|---|---|---|---|---|
`

func metricRows(metrics []observe.Metric) string {
	var rows strings.Builder
	for _, m := range metrics {
		fmt.Fprintf(&rows, "| `%s` | %s | %s | %s | %s |\n", m.Name, m.Kind, m.Unit, strings.Join(m.Labels, ", "), m.Help)
	}
	return rows.String()
}

const pageLog = `
## Other lines of the log

A line at error says that something was not done. It is tried again, or it is on one of the operators' lists.

| Level | Message | Attributes |
|---|---|---|
`

func eventRows(t *testing.T) (rows []string) {
	t.Helper()
	told := comments(t)
	for _, e := range observe.Types() {
		name := reflect.TypeOf(e).Name()
		line := observe.LineOf(e)
		var attrs []string
		for _, a := range line.Attrs {
			attrs = append(attrs, a.Key)
		}
		require.NotEmpty(t, told[name], name)
		rows = append(rows, fmt.Sprintf("| `%s` | `%s` | %s | %s | %s | %s |\n", name, line.Name,
			strings.ToLower(line.Level.String()), line.Message, strings.Join(attrs, ", "), told[name]))
	}
	return rows
}

// comments returns what the comment of each type says that it tells.
func comments(t *testing.T) map[string]string {
	t.Helper()
	set := token.NewFileSet()
	var files []*ast.File
	for _, name := range []string{"observe.go", "events.go"} {
		file, err := parser.ParseFile(set, name, nil, parser.ParseComments)
		require.NoError(t, err)
		files = append(files, file)
	}
	pkg, err := doc.NewFromFiles(set, files, "observe")
	require.NoError(t, err)
	told := map[string]string{}
	for _, typ := range pkg.Types {
		text := strings.Join(strings.Fields(typ.Doc), " ")
		told[typ.Name] = strings.TrimPrefix(text, typ.Name+" tells that ")
	}
	return told
}

// logRows returns the lines at warn and error that the library logs by itself.
func logRows(t *testing.T) (rows []string) {
	t.Helper()
	require.NoError(t, filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (slices.Contains([]string{"examples", "testdata", ".git", "node_modules", "browser"}, d.Name())):
			return filepath.SkipDir
		case d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		rows = append(rows, linesOf(t, path)...)
		return nil
	}))
	require.Greater(t, len(rows), 15, "the lines were not found")
	slices.Sort(rows)
	return slices.Compact(rows)
}

func linesOf(t *testing.T, path string) (rows []string) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
	require.NoError(t, err)
	ast.Inspect(file, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		at, ok := call.Fun.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if name := at.Sel.Name; (name == "Logged" || name == "due") && len(call.Args) > 2 && text(call.Args[0]) != "" {
			rows = append(rows, fmt.Sprintf("| error | %s | id, error |\n", text(call.Args[0]))) // due.Queues.Logged
		}
		if source(at.X) != "Log" {
			return true
		}
		level, _ := strings.CutSuffix(at.Sel.Name, "Context")
		if level != "Warn" && level != "Error" {
			return true
		}
		args := call.Args
		if level != at.Sel.Name {
			args = args[1:]
		}
		var attrs []string
		for i := 1; i < len(args); i += 2 {
			attrs = append(attrs, text(args[i]))
		}
		if message := text(args[0]); message != "" {
			rows = append(rows, fmt.Sprintf("| %s | %s | %s |\n", strings.ToLower(level), message, strings.Join(attrs, ", ")))
		}
		return true
	})
	return rows
}

// source returns the last name of an expression like gw.cfg.Log.
func source(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.SelectorExpr:
		return e.Sel.Name
	case *ast.Ident:
		return e.Name
	}
	return ""
}

// text returns a constant string; empty for any other expression.
func text(e ast.Expr) string {
	if literal, ok := e.(*ast.BasicLit); ok && literal.Kind == token.STRING {
		value, _ := strconv.Unquote(literal.Value)
		return value
	}
	return ""
}
