package guides_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// What the text around the code of these guides names is there. Their code is compiled and run.
func TestNames(t *testing.T) {
	t.Parallel()
	known := ""
	for _, name := range []string{"docs/api.txt", "docs/openapi.json", "docs/events.md"} {
		text, err := os.ReadFile(filepath.Join("../..", name))
		require.NoError(t, err)
		known += string(text)
	}
	for _, page := range []string{"production", "move-from-the-platform"} {
		whole := text(t, "guides/"+page+".md")
		code := regexp.MustCompile("(?s)```.*?```")
		known += strings.Join(code.FindAllString(whole, -1), "\n")
		names := regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(code.ReplaceAllString(whole, ""), -1)
		require.Greater(t, len(names), 5, page)
		for _, found := range names {
			require.Empty(t, unknown(known, found[1]), page)
		}
	}
	require.NotEmpty(t, unknown(known, "Mapping.Additionals"))
	require.NotEmpty(t, unknown(known, "store/oracle"))
}

// unknown is a name that stands for nothing: no folder, no exported name, no field of the protocol and no event.
func unknown(known, name string) string {
	if _, err := os.Stat(filepath.Join("../..", name)); err == nil {
		return ""
	}
	want := name
	if of, last, ok := strings.Cut(name, "."); ok && of == strings.ToLower(of) { // of a package, or of a variable
		want = last
	}
	if regexp.MustCompile(`\b` + regexp.QuoteMeta(want) + `\b`).MatchString(known) {
		return ""
	}
	return name
}
