package records_test

import (
	"io/fs"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// named finds the names of tables, queues and marks in a file.
var named = regexp.MustCompile(`(?m)(?:Prefix|Name): +"(\w+)"|^\t\w+ += "(\w+)"` +
	`|store\.Key\((?:append\(\[\]string\{)?"(\w+)"`)

func prefixesIn(t *testing.T, file string) (list []string) {
	t.Helper()
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	for _, m := range named.FindAllStringSubmatch(string(text), -1) {
		list = append(list, m[1]+m[2]+m[3])
	}
	return list
}

// Every table, queue and mark has its own prefix, including those of package callback, which names its own.
func TestPrefixesAreUnique(t *testing.T) {
	t.Parallel()
	owner := map[string]string{}
	for _, prefix := range prefixesIn(t, "schema.go") {
		require.Empty(t, owner[prefix], "%q is used twice", prefix)
		owner[prefix] = "schema.go"
	}
	for _, known := range []string{"m", "p", "cb", "ep", "qr", "qh", "mk", "hs", "lm", "wr"} {
		require.NotEmpty(t, owner[known], "the schema was not read")
	}
	for _, file := range []string{"../../callback/outbox.go", "../../callback/endpoint.go"} {
		list := prefixesIn(t, file)
		require.NotEmpty(t, list, file)
		for _, prefix := range list {
			if prefix != "cb" && prefix != "ep" { // the schema repeats these for their readers
				require.Empty(t, owner[prefix], "%q of %s is used twice", prefix, file)
			}
			owner[prefix] = file
		}
	}
}

// literal finds a key that is made with a literal prefix.
var literal = regexp.MustCompile(`store\.Key\("\w+"|Key\(append\(\[\]string\{"\w+"` +
	`|(?:Table\[[\w.]+\]|Queue)\{(?:Prefix|Name): +"`)

// Only the schema contains literal prefixes.
func TestPrefixesStandInTheSchema(t *testing.T) {
	t.Parallel()
	require.Regexp(t, literal, `return store.Key("pw", id)`)
	require.Regexp(t, literal, `var t = store.Table[store.Session]{Prefix: "s"}`)
	root, read := os.DirFS("../.."), 0
	require.NoError(t, fs.WalkDir(root, ".", func(name string, entry fs.DirEntry, err error) error {
		harness := strings.HasPrefix(name, "internal/sim/") || strings.HasPrefix(name, "internal/crash/") ||
			strings.HasPrefix(name, "internal/kerneltest/")
		kernel := path.Dir(name) == "." || strings.HasPrefix(name, "internal/") && !harness
		source := strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go")
		if err != nil || entry.IsDir() || !kernel || !source || name == "internal/records/schema.go" {
			return err
		}
		text, err := fs.ReadFile(root, name)
		require.NoError(t, err)
		require.NotRegexp(t, literal, string(text), name)
		read++
		return nil
	}))
	require.Greater(t, read, 100, "the sources were not found")
}
