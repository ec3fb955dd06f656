package sdk_test

import (
	"cmp"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The TypeScript compiler, from the path or from TOLLGATE_TSC, accepts every documented use of the library and
// refuses wrong ones. A machine without it skips the test.
func TestTypesCompile(t *testing.T) {
	t.Parallel()
	compiler, err := exec.LookPath(cmp.Or(os.Getenv("TOLLGATE_TSC"), "tsc"))
	if err != nil {
		t.Skip("no TypeScript compiler: put tsc into the path, or name it in TOLLGATE_TSC")
	}
	said, err := exec.CommandContext(t.Context(), compiler, "--strict", "--noEmit", "--target", "es2022", "--lib",
		"es2022,dom", "testdata/uses.ts").CombinedOutput()
	require.NoError(t, err, string(said))
}

var member = regexp.MustCompile(`(?m)^\s+(?:static )?(\w+)[(:]`)

// The types have the library's members: every member of the class is in its source.
func TestTypesAreTheLibrarys(t *testing.T) {
	t.Parallel()
	read := func(name string) string {
		text, err := os.ReadFile("assets/" + name)
		require.NoError(t, err)
		return string(text)
	}
	class, ok := cut(read("hosted-fields.d.ts"), "declare class HostedFields {", "\n}")
	require.True(t, ok)
	names := map[string]int{}
	for _, found := range member.FindAllStringSubmatch(class, -1) {
		names[found[1]]++
	}
	want := map[string]int{"cardOn": 2, "expiryOn": 2, "cvvOn": 2, "onSubmitResult": 2, "init": 2, "collectIframesData": 2}
	require.Equal(t, want, names, "of the class and of its instances")
	source, ok := cut(read("hosted-fields.js"), "class HostedFields {", "\n  }\n")
	require.True(t, ok)
	for name := range names {
		require.Regexp(t, `(?m)^\s+(this\.)?`+name+`( =|\()`, source)
	}
}

// cut returns the text between two others.
func cut(text, after, before string) (inner string, ok bool) {
	_, rest, ok := strings.Cut(text, after)
	inner, _, found := strings.Cut(rest, before)
	return inner, ok && found
}
