package badinput_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// leastTargets is the least number of fuzz targets in the tree.
const leastTargets = 45

// TestFuzzTargetsHaveSeeds checks that every fuzz target of the tree has seeds: by f.Add in it or in a function
// that gets f, or by files in testdata. go test runs only those; a target without seeds tests nothing.
func TestFuzzTargetsHaveSeeds(t *testing.T) {
	t.Parallel()
	root, count := filepath.Join("..", ".."), 0
	for folder, functions := range testFunctions(t, root) {
		for name := range functions {
			if !strings.HasPrefix(name, "Fuzz") {
				continue
			}
			count++
			kept, _ := os.ReadDir(filepath.Join(folder, "testdata", "fuzz", name))
			if len(kept) == 0 && !adds(functions, name, map[string]bool{}) {
				t.Errorf("%s: %s has no seeds", folder, name)
			}
		}
	}
	require.GreaterOrEqual(t, count, leastTargets)
	t.Logf("%d fuzz targets", count)
}

// testFunctions are the functions of the tests by folder and name.
func testFunctions(t *testing.T, root string) map[string]map[string]*ast.FuncDecl {
	t.Helper()
	all := map[string]map[string]*ast.FuncDecl{}
	require.NoError(t, filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (entry.Name() == "testdata" || entry.Name() == "node_modules" || entry.Name() == ".git"):
			return filepath.SkipDir
		case !strings.HasSuffix(path, "_test.go"):
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil // parse errors are reported by another test
		}
		folder := filepath.Dir(path)
		if all[folder] == nil {
			all[folder] = map[string]*ast.FuncDecl{}
		}
		for _, decl := range file.Decls {
			if f, ok := decl.(*ast.FuncDecl); ok && f.Recv == nil && f.Body != nil {
				all[folder][f.Name.Name] = f
			}
		}
		return nil
	}))
	return all
}

// adds reports whether a function calls Add of a *testing.F, itself or in a function of the package.
func adds(functions map[string]*ast.FuncDecl, name string, seen map[string]bool) (found bool) {
	f := functions[name]
	if f == nil || seen[name] {
		return false
	}
	seen[name] = true
	ast.Inspect(f.Body, func(node ast.Node) bool {
		call, ok := node.(*ast.CallExpr)
		if !ok {
			return !found
		}
		switch fun := call.Fun.(type) {
		case *ast.SelectorExpr:
			receiver, ok := fun.X.(*ast.Ident)
			found = found || ok && receiver.Name == "f" && fun.Sel.Name == "Add"
		case *ast.Ident:
			found = found || handed(call) && adds(functions, fun.Name, seen)
		}
		return !found
	})
	return found
}

// handed reports whether f is among the arguments.
func handed(call *ast.CallExpr) bool {
	for _, arg := range call.Args {
		if name, ok := arg.(*ast.Ident); ok && name.Name == "f" {
			return true
		}
	}
	return false
}
