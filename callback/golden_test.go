package callback_test

import (
	"flag"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/callback"
	"github.com/tollgatepay/gateway/store"
)

var rewrite = flag.Bool("rewrite", false, "write testdata/*.txt again from the rendered bodies")

// TestGolden compares every callback of the documents with its file in testdata. A row without a file fails, and
// so does a file without a row.
func TestGolden(t *testing.T) {
	t.Parallel()
	known := map[string]bool{}
	for _, c := range everyCallback() {
		require.False(t, known[c.file()], "listed twice: %s", c)
		known[c.file()] = true
		t.Run(c.String(), func(t *testing.T) {
			t.Parallel()
			e := event(c)
			body, requireOK, err := callback.Render(e)
			require.NoError(t, err)
			require.Equal(t, c.protocol != store.Checkout, requireOK)
			path := filepath.Join("testdata", c.file())
			got := "# " + c.String() + "\n" + lines(t, body)
			if *rewrite {
				require.NoError(t, os.WriteFile(path, []byte(got), 0o644))
			}
			want, err := os.ReadFile(path)
			require.NoError(t, err, "no golden file; run with -rewrite and read it")
			require.Equal(t, string(want), got)
			checkNames(t, c, read(t, string(want)))
			require.Equal(t, byHand(t, e, read(t, string(want))), value(read(t, string(want)), "hash"))
		})
	}
	files, err := filepath.Glob("testdata/*.txt")
	require.NoError(t, err)
	for _, file := range files {
		require.True(t, known[filepath.Base(file)], "%s has no row", file)
	}
}

// checkNames compares a body with its row.
func checkNames(t *testing.T, c documented, fields []callback.Field) {
	t.Helper()
	if c.protocol == store.Checkout {
		require.Equal(t, []string{c.action, c.result, c.status.Checkout()},
			[]string{value(fields, "type"), value(fields, "status"), value(fields, "order_status")})
		return
	}
	require.Equal(t, []string{c.action, c.result, string(c.status)},
		[]string{value(fields, "action"), value(fields, "result"), value(fields, "status")})
}

// lines returns a body in readable form: one name=value per line, decoded.
func lines(t *testing.T, body string) string {
	t.Helper()
	var out strings.Builder
	for _, f := range fieldsOf(t, body) {
		require.NotContains(t, f.Name+f.Value, "\n")
		out.WriteString(f.Name + "=" + f.Value + "\n")
	}
	return out.String()
}

// fieldsOf decodes a body and keeps its order.
func fieldsOf(t testing.TB, body string) []callback.Field {
	t.Helper()
	var fields []callback.Field
	for pair := range strings.SplitSeq(body, "&") {
		name, value, ok := strings.Cut(pair, "=")
		require.True(t, ok)
		name, err := url.QueryUnescape(name)
		require.NoError(t, err)
		value, err = url.QueryUnescape(value)
		require.NoError(t, err)
		fields = append(fields, callback.Field{Name: name, Value: value})
	}
	return fields
}

func read(t *testing.T, text string) []callback.Field {
	t.Helper()
	_, text, _ = strings.Cut(text, "\n") // the comment
	var fields []callback.Field
	for line := range strings.Lines(text) {
		name, value, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "=")
		require.True(t, ok)
		fields = append(fields, callback.Field{Name: name, Value: value})
	}
	return fields
}

// value returns the last field of a name, which is the one that PHP reads.
func value(fields []callback.Field, name string) string {
	text := ""
	for _, f := range fields {
		if f.Name == name {
			text = f.Value
		}
	}
	return text
}
