package postgres_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
)

// shown is the piece of code that docs/postgres.md shows in a language.
func shown(t *testing.T, language string) string {
	t.Helper()
	page, err := os.ReadFile("../../docs/postgres.md")
	require.NoError(t, err)
	found := regexp.MustCompile("(?s)```"+language+"\n(.*?)```").FindAllStringSubmatch(string(page), -1)
	require.Len(t, found, 1)
	return found[0][1]
}

// The query of the page counts what was paid.
func TestShownQuery(t *testing.T) {
	t.Parallel()
	schema := newSchema(t)
	s := open(t, schema)
	kit := gatewaytest.On(t, s, onStore(s))
	for _, order := range []string{"ORD-1", "ORD-2"} {
		_, err := kit.Shop().Charge(t.Context(), kerneltest.ChargeOf(order, gatewaytest.Settles))
		require.NoError(t, err)
	}
	query := strings.ReplaceAll(strings.TrimSuffix(strings.TrimSpace(shown(t, "sql")), ";"), "tollgate.", schema+".")
	require.Equal(t, "USD 2 20.00", ask[string](t, shared.URL(),
		"select order_currency || ' ' || count || ' ' || sum from ("+query+") as shown"))
}

// The line of the page opens a store, in a program of its own.
func TestShownLine(t *testing.T) {
	t.Parallel()
	server := newServer(t)
	url := regexp.MustCompile(`"postgres://[^"]+"`)
	line := shown(t, "go")
	require.Regexp(t, url, line)
	program := `package main
import ("context"; "log"; "github.com/tollgatepay/gateway/store/postgres")
func main() {
	ctx := context.Background()
	` + url.ReplaceAllString(line, `"`+server.URL()+`"`) + `
	if err == nil { err = records.Close() }
	if err != nil { log.Fatal(err) }
}`
	file := filepath.Join(t.TempDir(), "main.go")
	require.NoError(t, os.WriteFile(file, []byte(program), 0o600))
	out, err := exec.CommandContext(t.Context(), "go", "run", file).CombinedOutput()
	require.NoError(t, err, string(out))
	require.NotZero(t, ask[int64](t, server.URL(), "select count(*) from tollgate.versions"))
}
