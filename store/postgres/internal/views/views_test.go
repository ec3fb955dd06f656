package views_test

import (
	"crypto/sha256"
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store/postgres"
	"github.com/tollgatepay/gateway/store/postgres/internal/views"
)

var rewrite = flag.Bool("rewrite", false, "write migrations/views.sql again, and the sum of a new version")

const (
	file = "../../migrations/views.sql"
	sums = "testdata/versions.txt"
)

// TestViews keeps migrations/views.sql as the records say, and one version of the schema as it was.
func TestViews(t *testing.T) {
	t.Parallel()
	text, err := views.SQL()
	require.NoError(t, err)
	if *rewrite {
		require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
	}
	kept, err := os.ReadFile(file)
	require.NoError(t, err)
	require.True(t, text == string(kept), "run go generate in this folder: the views are behind the records")

	known, err := os.ReadFile(sums)
	require.NoError(t, err)
	sum := fmt.Sprintf("%d %x\n", postgres.Version, sha256.Sum256([]byte(text)))
	begins := fmt.Sprintf("%d ", postgres.Version)
	if *rewrite && !strings.Contains("\n"+string(known), "\n"+begins) {
		known = append(known, sum...)
		require.NoError(t, os.WriteFile(sums, known, 0o644))
	}
	require.Contains(t, string(known), sum, "the views are not those that databases of version %d have: raise "+
		"postgres.Version and go generate, or, if that version was never released, remove its line in %s first",
		postgres.Version, sums)
}

// Nothing that is sealed, opens something or is a hash of a secret has a column.
func TestSecretsAreLeftOut(t *testing.T) {
	t.Parallel()
	secret := regexp.MustCompile(`seal|hash|token|secret|signature|credential|continuation|held|code$|evidence`)
	// what asks for a token, and codes that are none
	harmless := regexp.MustCompile(`^(req_token|extra_req_token|facts_approval_code|facts_reason_code|` +
		`.*phone_country_code)$`)
	seen := 0
	for _, v := range views.All() {
		list, err := v.Columns()
		require.NoError(t, err)
		names := map[string]bool{}
		for _, c := range list {
			require.False(t, names[c.Name], "%s.%s comes twice", v.Name, c.Name)
			names[c.Name] = true
			if harmless.MatchString(c.Name) {
				seen++
				continue
			}
			require.NotRegexp(t, secret, c.Name, v.Name)
		}
	}
	require.NotZero(t, seen)
}
