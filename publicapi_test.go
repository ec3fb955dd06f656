package gateway_test

//go:generate go test . -run ^TestSurface$ -surface

import (
	"context"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/tollgatepay/gateway"
)

// TestPublicNames checks that the exported names of public packages can be read and used without internal packages.
// An alias of an internal type counts too: its documentation shows no fields.
func TestPublicNames(t *testing.T) {
	t.Parallel()
	tree := ourHouse(t)
	read := 0
	for _, dir := range tree.dirs {
		if !isPublic(dir) {
			continue
		}
		pkg, err := tree.importer.Import(strings.TrimSuffix(module+"/"+dir, "/."))
		require.NoError(t, err)
		require.Empty(t, internalNames(pkg))
		read++
	}
	require.Greater(t, read, 15, "the public packages were not found")
}

var rewriteSurface = flag.Bool("surface", false, "write docs/api.txt again")

const surfaceFile = "docs/api.txt"

// TestSurface keeps docs/api.txt equal to what the public packages export, so that a review shows each change of it.
// `go generate .` writes it again.
func TestSurface(t *testing.T) {
	t.Parallel()
	tree := ourHouse(t)
	var text strings.Builder
	for _, dir := range tree.dirs {
		if !isPublic(dir) {
			continue
		}
		pkg, err := tree.importer.Import(strings.TrimSuffix(module+"/"+dir, "/."))
		require.NoError(t, err)
		for _, line := range surface(pkg) {
			fmt.Fprintf(&text, "%s: %s\n", strings.TrimPrefix(pkg.Path(), module+"/"), line)
		}
	}
	if *rewriteSurface {
		require.NoError(t, os.WriteFile(surfaceFile, []byte(text.String()), 0o644))
	}
	written, err := os.ReadFile(surfaceFile)
	require.NoError(t, err)
	require.Equal(t, string(written), text.String(), "the public API has changed: run go generate .")
}

// surface lists the exported names of a package: constants, variables, functions, types with their fields and methods.
func surface(pkg *types.Package) (lines []string) {
	short := func(other *types.Package) string {
		if other == pkg {
			return ""
		}
		return other.Name()
	}
	for _, name := range pkg.Scope().Names() {
		object := pkg.Scope().Lookup(name)
		if !object.Exported() {
			continue
		}
		typ, isType := object.(*types.TypeName)
		if !isType {
			lines = append(lines, types.ObjectString(object, short))
			continue
		}
		if typ.IsAlias() {
			lines = append(lines, "type "+name+" = "+types.TypeString(types.Unalias(typ.Type()), short))
			continue
		}
		lines = append(lines, membersOf(typ, short)...)
	}
	return lines
}

// membersOf lists a type, and a line for each of its exported fields and methods.
func membersOf(typ *types.TypeName, short types.Qualifier) []string {
	head := "type " + typ.Name() + " "
	var lines []string
	switch of := typ.Type().Underlying().(type) {
	case *types.Struct:
		head += "struct"
		for f := range of.Fields() {
			if f.Exported() {
				lines = append(lines, "field "+typ.Name()+"."+f.Name()+" "+types.TypeString(f.Type(), short))
			}
		}
	case *types.Interface:
		head += "interface"
		for m := range of.Methods() {
			lines = append(lines, "method "+typ.Name()+"."+m.Name()+types.TypeString(m.Type(), short)[len("func"):])
		}
	default:
		head += types.TypeString(of, short)
	}
	if named, ok := typ.Type().(*types.Named); ok {
		for m := range named.Methods() {
			if m.Exported() {
				lines = append(lines, "method "+typ.Name()+"."+m.Name()+types.TypeString(m.Type(), short)[len("func"):])
			}
		}
	}
	slices.Sort(lines)
	return append([]string{head}, lines...)
}

// TestPackagesHaveExamples checks that every public package shows how it is used, in code that is compiled at least.
func TestPackagesHaveExamples(t *testing.T) {
	t.Parallel()
	shown, examples := map[string]bool{}, 0
	for _, s := range ours(t) {
		for _, d := range s.file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && strings.HasPrefix(f.Name.Name, "Example") && isPublic(s.dir) {
				shown[s.dir], examples = true, examples+1
			}
		}
	}
	for _, s := range ours(t) {
		require.True(t, !isPublic(s.dir) || shown[s.dir], "%s has no Example", s.dir)
	}
	require.GreaterOrEqual(t, examples, 30)
}

// TestPackagesHaveComments checks that every package, internal ones too, says what it is for.
func TestPackagesHaveComments(t *testing.T) {
	t.Parallel()
	sources := ours(t)
	require.Greater(t, len(sources), 50, "the tree was not found")
	require.Empty(t, dirsWithoutComment(sources))
}

// isPublic reports a package that other modules can import and are meant to.
func isPublic(dir string) bool {
	return !strings.HasPrefix(dir, "examples/") && !isInternal(dir) && !strings.HasPrefix(dir, ".ci")
}

func isInternal(dir string) bool { return slices.Contains(strings.Split(dir, "/"), "internal") }

// internalNames are the exported names of a package whose types name a type of an internal package.
func internalNames(pkg *types.Package) (faults []string) {
	for _, name := range pkg.Scope().Names() {
		if object := pkg.Scope().Lookup(name); object.Exported() {
			w := signatureWalk{at: pkg.Path() + "." + name, seen: map[types.Type]bool{}}
			w.object(object)
			faults = append(faults, w.faults...)
		}
	}
	return faults
}

// signatureWalk follows what a reader of a name's documentation sees.
type signatureWalk struct {
	at     string
	seen   map[types.Type]bool
	faults []string
}

func (w *signatureWalk) object(object types.Object) {
	name, isType := object.(*types.TypeName)
	if !isType {
		w.walk(object.Type())
		return
	}
	if name.IsAlias() {
		w.walk(types.Unalias(name.Type()))
		return
	}
	w.walk(name.Type().Underlying())
	named := name.Type().(*types.Named)
	for method := range named.Methods() {
		if method.Exported() {
			w.walk(method.Type())
		}
	}
}

func (w *signatureWalk) walk(t types.Type) {
	if w.seen[t] {
		return
	}
	w.seen[t] = true
	switch t := t.(type) {
	case *types.Named:
		w.named(t.Obj(), t.TypeArgs())
	case *types.Alias:
		w.named(t.Obj(), t.TypeArgs())
	case *types.Map:
		w.walk(t.Key())
		w.walk(t.Elem())
	case interface{ Elem() types.Type }: // pointers, slices, arrays and channels
		w.walk(t.Elem())
	case *types.Signature:
		w.variables(t.Params().Variables())
		w.variables(t.Results().Variables())
	case *types.Struct:
		w.variables(func(yield func(*types.Var) bool) {
			for f := range t.Fields() {
				if f.Exported() && !yield(f) {
					return
				}
			}
		})
	case *types.Interface:
		for method := range t.Methods() {
			if method.Exported() {
				w.walk(method.Type())
			}
		}
	}
}

func (w *signatureWalk) variables(list func(func(*types.Var) bool)) {
	for v := range list {
		w.walk(v.Type())
	}
}

func (w *signatureWalk) named(name *types.TypeName, arguments *types.TypeList) {
	if pkg := name.Pkg(); pkg != nil && strings.HasPrefix(pkg.Path(), module) && isInternal(relative(pkg.Path())) {
		w.faults = append(w.faults, fmt.Sprintf("%s names %s.%s", w.at, relative(pkg.Path()), name.Name()))
	}
	for argument := range arguments.Types() {
		w.walk(argument)
	}
}

// dirsWithoutComment are the folders in which no file has a comment that begins like one of a package.
func dirsWithoutComment(sources []source) (faults []string) {
	commented := map[string]bool{}
	var dirs []string
	for _, s := range sources {
		if s.test {
			continue
		}
		if !slices.Contains(dirs, s.dir) {
			dirs = append(dirs, s.dir)
		}
		begins := "Package " + s.file.Name.Name + " "
		if s.file.Name.Name == "main" {
			begins = "Command "
		}
		if strings.HasPrefix(s.file.Doc.Text(), begins) {
			commented[s.dir] = true
		}
	}
	for _, dir := range dirs {
		if !commented[dir] {
			faults = append(faults, dir+" has no comment of its package")
		}
	}
	return faults
}

// TestPublicNamesCanFail checks small packages with names of all kinds.
func TestPublicNamesCanFail(t *testing.T) {
	t.Parallel()
	hidden := checked(t, module+"/internal/a", nil, "// Package a is.\npackage a\ntype T struct{}\n")
	for _, c := range []struct{ name, body, fault string }{
		{"its own", "type S struct{ A []map[string]S }", ""},
		{"unexported", "type s struct{ A a.T }\nfunc f(a.T) {}\nvar v a.T", ""},
		{"field that is not shown", "type S struct{ a a.T }", ""},
		{"made from one", "type S a.T", ""},

		{"alias", "type S = a.T", "x.S"},
		{"field", "type S struct{ A *a.T }", "x.S"},
		{"embedded", "type S struct{ a.T }", "x.S"},
		{"parameter", "func F(...a.T) {}", "x.F"},
		{"result", "func F() (int, map[string]a.T) { return 0, nil }", "x.F"},
		{"method", "type S int\nfunc (S) F(chan a.T) {}", "x.S"},
		{"method of an interface", "type S interface{ F(func(a.T)) }", "x.S"},
		{"variable", "var V [2]a.T", "x.V"},
		{"type argument", "type G[X any] struct{}\nvar V G[a.T]", "x.V"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			text := fmt.Sprintf("package x\nimport %q\nvar _ a.T\n%s\n", hidden.Path(), c.body)
			faults := internalNames(checked(t, "x", hidden, text))
			if c.fault == "" {
				require.Empty(t, faults)
				return
			}
			require.Equal(t, []string{c.fault + " names internal/a.T"}, faults)
		})
	}
	with := func(text string) (s source) {
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, "x/a.go", text, parser.ParseComments)
		require.NoError(t, err)
		return source{name: "x/a.go", dir: "x", file: file, set: set}
	}
	require.Empty(t, dirsWithoutComment([]source{with("package x"), with("// Package x is.\npackage x")}))
	require.Empty(t, dirsWithoutComment([]source{with("// Command x does.\npackage main")}))
	other := with("// X is.\npackage x")
	require.Equal(t, []string{"x has no comment of its package"}, dirsWithoutComment([]source{other}))
}

// checked is a package that may import another one.
func checked(t *testing.T, name string, other *types.Package, text string) *types.Package {
	t.Helper()
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "a.go", text, 0)
	require.NoError(t, err)
	config := &types.Config{Importer: importerOf{other}}
	pkg, err := config.Check(name, set, []*ast.File{file}, nil)
	require.NoError(t, err)
	return pkg
}

// importerOf imports one package, whatever the path.
type importerOf struct{ pkg *types.Package }

func (i importerOf) Import(string) (*types.Package, error) { return i.pkg, nil }

// A gateway that New did not make, and what hangs on it, panics with a sentence at every method.
func TestZeroGateway(t *testing.T) {
	t.Parallel()
	for name, zero := range map[string]any{
		"nil": (*gateway.Gateway)(nil), "zero": &gateway.Gateway{},
		"Merchant": gateway.Merchant{}, "HostedFields": gateway.HostedFields{}, "Operator": gateway.Operator{},
	} {
		of := reflect.TypeOf(zero)
		require.Positive(t, of.NumMethod(), name)
		for i := range of.NumMethod() {
			t.Run(name+"."+of.Method(i).Name, func(t *testing.T) {
				t.Parallel()
				require.PanicsWithValue(t, "gateway: the Gateway is nil or zero: make one with gateway.New", func() {
					reflect.ValueOf(zero).Method(i).Call(zeroes(of.Method(i).Type))
				})
			})
		}
	}
}

// zeroes are the zero arguments of a method, with a context, and with what is needed to get past the checks of the
// arguments.
func zeroes(method reflect.Type) (args []reflect.Value) {
	for i := 1; i < method.NumIn(); i++ {
		switch in := method.In(i); in {
		case reflect.TypeFor[context.Context]():
			args = append(args, reflect.ValueOf(context.Background()))
		case reflect.TypeFor[gateway.Review]():
			args = append(args, reflect.ValueOf(gateway.Review{By: "operator", Why: "the statement"}))
		case reflect.TypeFor[*gateway.Result]():
			args = append(args, reflect.ValueOf(&gateway.Result{}))
		default:
			args = append(args, reflect.Zero(in))
		}
	}
	return args
}
