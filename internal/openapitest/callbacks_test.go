package openapitest_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/internal/bracketform"
)

// Every golden callback keeps the schema of its protocol, and has no parameter that the schema does not name.
func TestGoldenCallbacks(t *testing.T) {
	t.Parallel()
	s := compiled(t)
	files, err := filepath.Glob("../../callback/testdata/*.txt")
	require.NoError(t, err)
	require.Greater(t, len(files), 300)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		head, body, _ := strings.Cut(string(text), "\n")
		protocol := strings.Fields(head)[1]
		tree := formOf(body)
		require.NoError(t, s.of(t, "Callback."+protocol).Validate(tree), file)
		delete(tree, "hash")
		require.Error(t, s.of(t, "Callback."+protocol).Validate(tree), "a callback without a hash")
	}
}

// formOf reads a body that is written with one parameter on each line.
func formOf(lines string) map[string]any {
	pairs := func(yield func(string, string) bool) {
		for line := range strings.Lines(lines) {
			name, value, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "=")
			if ok && !yield(name, value) {
				return
			}
		}
	}
	form, _ := bracketform.FromPairs(pairs, bracketform.Limits{MaxDepth: 16, Objects: []string{"custom_data"}})
	return treeOf(form)
}

// treeOf is a form as one object.
func treeOf(form bracketform.Form) map[string]any {
	tree := map[string]any{}
	for _, name := range form.Names() {
		tree[name] = form.Tree(name)
	}
	return tree
}
