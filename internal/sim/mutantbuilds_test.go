package sim

import (
	"errors"
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestMutantsBuild checks the types of every package with a defect in it. A defect that does not build proves nothing,
// and renames elsewhere are what breaks one.
func TestMutantsBuild(t *testing.T) {
	if withRace {
		t.Skip("checks types, of which the race detector sees nothing; go test without -race runs it")
	}
	t.Parallel()
	c := newChecker(t)
	planted := allMutants()
	for _, e := range foundElsewhere {
		planted = append(planted, e.mutant)
	}
	for _, m := range planted {
		require.NoError(t, c.check(t, &m), m.name)
	}
	broken := mutant{"", planted[0].file, planted[0].old, planted[0].old + "; undeclared()"}
	require.Error(t, c.check(t, &broken))
}

// checker checks types against the compiled declarations of every package.
type checker struct {
	set      *token.FileSet
	importer types.Importer
}

func newChecker(t *testing.T) *checker {
	t.Helper()
	command := exec.Command("go", "list", "-export", "-deps",
		"-f", "{{with .Export}}{{$.ImportPath}}\t{{.}}{{end}}", "./...")
	command.Dir = filepath.Join("..", "..")
	command.Stderr = os.Stderr
	out, err := command.Output()
	require.NoError(t, err)
	built := map[string]string{}
	for line := range strings.Lines(string(out)) {
		path, file, _ := strings.Cut(strings.TrimSpace(line), "\t")
		built[path] = file
	}
	set := token.NewFileSet()
	return &checker{set, importer.ForCompiler(set, "gc", func(path string) (io.ReadCloser, error) {
		if built[path] == "" {
			return nil, errors.New("not built: " + path)
		}
		return os.Open(built[path])
	})}
}

// check returns the first error of the package with the defect.
func (c *checker) check(t *testing.T, m *mutant) error {
	t.Helper()
	dir, changed := filepath.Split(filepath.Join("..", "..", m.file))
	folder, err := build.ImportDir(dir, 0)
	require.NoError(t, err)
	var files []*ast.File
	for _, name := range folder.GoFiles {
		source, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		text := string(source)
		if name == changed {
			text = strings.Replace(text, m.old, m.new, 1)
		}
		parsed, err := parser.ParseFile(c.set, name, text, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		files = append(files, parsed)
	}
	config := types.Config{Importer: c.importer}
	_, err = config.Check(folder.ImportPath, c.set, files, nil)
	return err
}
