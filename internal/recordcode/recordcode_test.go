package recordcode

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// Where the records are and the code goes, from this folder.
const (
	recordFolder = "../../store"
	codeFile     = recordFolder + "/documentcode.go"
)

var rewrite = flag.Bool("rewrite", false, "write store/documentcode.go again")

// TestCode keeps store/documentcode.go as the records say. `go generate ./internal/recordcode` writes it again.
func TestCode(t *testing.T) {
	t.Parallel()
	code, err := Generate(recordFolder)
	require.NoError(t, err)
	if *rewrite {
		require.NoError(t, os.WriteFile(codeFile, []byte(code), 0o644))
	}
	kept, err := os.ReadFile(codeFile)
	require.NoError(t, err)
	require.Equal(t, code, string(kept), "run go generate ./internal/recordcode: the code is behind the records")
}

// TestTypesWithoutCode: a field whose type the generator does not know is an error that names it, and never left out.
func TestTypesWithoutCode(t *testing.T) {
	t.Parallel()
	const others = "type Session struct{}\ntype CallbackRecord struct{}\n"
	for _, c := range []struct{ name, record, err string }{
		{"a float", "type PaymentRecord struct {\n\tRate float64 `json:\"rate\"`\n}\n",
			"PaymentRecord: Rate: no code for this type"},
		{"no tag", "type PaymentRecord struct {\n\tID string\n}\n", "PaymentRecord: field ID has no name in the document"},
		{"embedded, but no struct", "type PaymentRecord struct {\n\tOrder\n}\ntype Order string\n",
			"PaymentRecord: field  has no name in the document"},
		{"behind a field that is not there",
			"type PaymentRecord struct {\n\tOrder\n\tID string `json:\"id\" after:\"m\"`\n}\ntype Order struct{}\n",
			"PaymentRecord: ID: after: no field has the name \"m\""},
		{"a missing pointer that is written",
			"type PaymentRecord struct {\n\tCard *Card `json:\"card\"`\n}\ntype Card struct{}\n",
			"PaymentRecord: Card: a pointer needs omitempty"},
		{"lists of lists", "type PaymentRecord struct {\n\tA [][]string `json:\"a\"`\n}\n",
			"PaymentRecord: A: no code for this type"},
		{"no such record", "", "PaymentRecord: the folder declares no such struct"},
		{"a sound one", "type PaymentRecord struct {\n\tID string `json:\"id\"`\n}\n", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			folder := t.TempDir()
			text := "package store\n\n" + c.record + others
			require.NoError(t, os.WriteFile(filepath.Join(folder, "a.go"), []byte(text), 0o600))
			code, err := Generate(folder)
			if c.err == "" {
				require.NoError(t, err)
				require.Contains(t, code, "func (r *PaymentRecord) write(w *documentWriter) {")
				return
			}
			require.EqualError(t, err, c.err)
		})
	}
}

// TestEmbedded: a record that embeds another has all its fields in one document, each at the place that its tag names.
func TestEmbedded(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	const text = "package store\n\ntype Session struct{}\ntype CallbackRecord struct{}\n" +
		"type Order struct {\n\tA string `json:\"a\"`\n\tList []string `json:\"l\"`\n\tC string `json:\"c\"`\n}\n" +
		"type PaymentRecord struct {\n\tOrder\n\tX string `json:\"x\" after:\"a\"`\n\tY string `json:\"y\"`\n" +
		"\tList []int `json:\"l\"`\n\tZ string `json:\"z\" after:\"c\"`\n}\n"
	require.NoError(t, os.WriteFile(filepath.Join(folder, "a.go"), []byte(text), 0o600))
	code, err := Generate(folder)
	require.NoError(t, err)
	var names []string
	for _, m := range regexp.MustCompile("w.name\\(`\"(.)\":`\\)").FindAllStringSubmatch(code, -1) {
		names = append(names, m[1])
	}
	require.Equal(t, []string{"a", "x", "y", "l", "c", "z"}, names)
	require.Contains(t, code, "w.number(r.List[i])", "the record's own field, and not the one that it hides")
}
