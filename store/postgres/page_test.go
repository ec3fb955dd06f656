package postgres_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/postgres/internal/views"
)

// shown is the piece of code that docs/postgres.md shows in a language, and begins like this.
func shown(t *testing.T, language, begins string) string {
	t.Helper()
	page, err := os.ReadFile("../../docs/postgres.md")
	require.NoError(t, err)
	found := regexp.MustCompile("(?s)```"+language+"\n("+begins+".*?)```").FindAllStringSubmatch(string(page), -1)
	require.Len(t, found, 1)
	return found[0][1]
}

// The query of the page counts what was paid, without what was given back, voided or paid out.
func TestShownQuery(t *testing.T) {
	t.Parallel()
	schema := newSchema(t)
	s := open(t, schema)
	kit := gatewaytest.On(t, s, onStore(s))
	for _, order := range []string{"ORD-1", "ORD-2"} {
		kerneltest.Pay(t, kit, order, gatewaytest.Settles)
	}
	refunded := kerneltest.Pay(t, kit, "ORD-3", gatewaytest.Settles)
	voided := kerneltest.Pay(t, kit, "ORD-4", gatewaytest.Settles)
	_, err := kit.Shop().CreditVoid(t.Context(), kerneltest.FollowUpOf(refunded, "4.00"))
	require.NoError(t, err)
	kit.Work(t)
	_, err = kit.Shop().Void(t.Context(), kerneltest.FollowUpOf(voided, ""))
	require.NoError(t, err)
	require.Equal(t, store.Voided, kit.Payment(t, "ORD-4").Status)
	payout := kerneltest.Pay(t, kit, "ORD-5", gatewaytest.Settles,
		func(r *gateway.ChargeRequest) { r.Kind = store.Credit })
	require.Equal(t, store.Settled, payout.Status)
	query := strings.ReplaceAll(shown(t, "sql", "select"), "tollgate.", schema+".")
	query = strings.TrimSuffix(strings.TrimSpace(query), ";")
	require.Equal(t, "USD 3 26.00", ask[string](t, shared.URL(),
		"select order_currency || ' ' || count || ' ' || sum from ("+query+") as shown"))
}

// The grants of the page are what a role for reports needs, and are to be made again when the views were.
func TestShownGrants(t *testing.T) {
	t.Parallel()
	schema := newSchema(t)
	require.NoError(t, open(t, schema).Close())
	role, url := newRole(t, schema)
	grants := strings.NewReplacer("tollgate", schema, "to reports", "to "+role).Replace(shown(t, "sql", "grant"))
	granted := func(view string) bool {
		return ask[bool](t, shared.URL(), "select has_table_privilege($1, $2, 'select')",
			strings.Trim(role, `"`), schema+"."+view)
	}
	for range 2 {
		execute(t, shared.URL(), grants)
		for _, view := range views.All() {
			require.Zero(t, ask[int64](t, url, "select count(*) from "+schema+"."+view.Name))
		}
		require.False(t, granted("records"))
		made, err := os.ReadFile("migrations/views.sql")
		require.NoError(t, err)
		execute(t, shared.URL(), strings.ReplaceAll(string(made), "SCHEMA", schema))
		require.False(t, granted("payments"), "the page says that they are gone")
	}
}

// The line of the page opens a store, in a program of its own.
func TestShownLine(t *testing.T) {
	t.Parallel()
	server := newServer(t)
	url := regexp.MustCompile(`"postgres://[^"]+"`)
	line := shown(t, "go", "")
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
