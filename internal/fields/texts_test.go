package fields_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// home are the two files that hold the texts of refused fields.
var home = []string{"internal/fields/texts.go", "internal/fault/texts.go"}

// elsewhere are files that may repeat one, each with the reason.
var elsewhere = map[string]string{
	"refusal/refusal.go": "the floor: it may not import those above, and is one whole refusal",
	"store/amount.go":    "the floor: an error of its own",

	"methods/wallet/shape.go": "the cause of a token that is refused, for the log: no field",
}

// Every text of a refused field stands once: what the documents word may not be worded twice.
func TestTextsStandOnce(t *testing.T) {
	t.Parallel()
	texts := map[string]bool{}
	for _, file := range home {
		for _, text := range literals(t, os.DirFS("../.."), file) {
			if len(text) >= len("has changed") && strings.Contains(text, " ") {
				require.False(t, texts[text], "%q stands twice", text)
				texts[text] = true
			}
		}
	}
	require.Greater(t, len(texts), 20)
	root := os.DirFS("../..")
	require.NoError(t, fs.WalkDir(root, ".", func(name string, entry fs.DirEntry, err error) error {
		skip := strings.HasSuffix(name, "_test.go") || elsewhere[name] != "" || name == home[0] || name == home[1] ||
			strings.HasPrefix(name, "internal/sim/") || strings.HasPrefix(name, "internal/kerneltest/") ||
			strings.HasPrefix(name, "examples/") || strings.HasPrefix(name, "internal/s2sclient/") || strings.HasPrefix(name,
			"internal/browser/")
		if err != nil || entry.IsDir() || path.Ext(name) != ".go" || skip {
			return err
		}
		for _, text := range literals(t, root, name) {
			assert.False(t, texts[text], "%s: %q stands in internal/fields/texts.go", name, text)
		}
		return nil
	}))
}

// literals are the texts of a file.
func literals(t *testing.T, root fs.FS, name string) (list []string) {
	t.Helper()
	source, err := fs.ReadFile(root, name)
	require.NoError(t, err)
	file, err := parser.ParseFile(token.NewFileSet(), name, source, parser.SkipObjectResolution)
	require.NoError(t, err)
	ast.Inspect(file, func(n ast.Node) bool {
		if literal, ok := n.(*ast.BasicLit); ok && literal.Kind == token.STRING {
			text, err := strconv.Unquote(literal.Value)
			require.NoError(t, err)
			list = append(list, text)
		}
		return true
	})
	return list
}
