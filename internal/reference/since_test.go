package reference_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/callback"
	"github.com/tollgatepay/gateway/checkout"
	"github.com/tollgatepay/gateway/hpf"
	"github.com/tollgatepay/gateway/internal/release"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/s2s"
	"github.com/tollgatepay/gateway/store"
)

// Every release that a row names is one of the change log.
func TestReleasesOfRows(t *testing.T) {
	t.Parallel()
	named := map[string]string{"": "the first release"} // by the release, one row that names it
	for _, c := range append(append(checkout.Contract(), hpf.Contract()...), s2s.Contract()...) {
		named[c.Since] = c.Name
		for _, f := range c.Fields {
			named[f.Since] = c.Name + " " + f.Path
		}
		for _, a := range c.Answers {
			for _, f := range a.Fields {
				named[f.Since] = c.Name + " answers " + f.Path
			}
		}
	}
	for _, protocol := range store.Protocols() {
		for _, p := range callback.Parameters(protocol) {
			named[p.Since] = "callback " + p.Name
		}
	}
	for _, row := range refusal.Catalogue() {
		named[row.Error.Since()] = row.Name
	}
	for _, e := range s2s.Refusals() {
		named[e.Since()] = e.Message()
	}
	text, err := os.ReadFile("../../docs/options.md")
	require.NoError(t, err)
	options := 0
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(strings.Trim(line, "|\n "), " | ")
		if len(cells) == 7 && strings.HasPrefix(cells[1], "`") {
			named[cells[6]], options = "option "+cells[0], options+1
		}
	}
	require.Greater(t, options, 80, "the options were not found")
	log, err := os.ReadFile("../../CHANGELOG.md")
	require.NoError(t, err)
	for version, row := range named {
		require.Regexp(t, `(?m)^(## \[|Towards )`+regexp.QuoteMeta(release.Since(version))+`\b`, string(log),
			"%s names a release that is not in the change log", row)
	}
}
