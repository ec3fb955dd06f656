package gateway_test

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/build"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// figures measure the layers and the size of a package. Test files count only for files.
type figures struct {
	circle     int // files in the largest circle of files that use each other
	unexported int // methods of the type that the row names
	exported   int
	names      int // exported names of the package, without methods
	lines      int // of code, from the first of each file to the end of its last declaration
	files      int // .go files, tests too
}

// room is a row of figures that a package keeps. A zero is a figure that is not kept.
type room struct {
	dir, hub string // hub is the type whose methods are counted
	figures
}

// anyCircle bounds the largest circle of a package without a row.
const anyCircle = 8

// rooms are the current figures. None may get worse; if one gets better, the test prints the number to write here,
// so that it stays.
var rooms = []room{
	{dir: ".", hub: "Gateway", figures: figures{circle: 2, unexported: 22, exported: 23, lines: 5500, files: 72}},
	{dir: "checkout", figures: figures{circle: 6}},
	{dir: "checkout/page", figures: figures{circle: 2}},
	{dir: "hpf", figures: figures{circle: 5}},
	{dir: "hpf/sdk", figures: figures{circle: 5}},
	{dir: "s2s", figures: figures{circle: 1}},
	{dir: "callback", figures: figures{circle: 1}},
	{dir: "callback/signature", figures: figures{circle: 4}},
	{dir: "methods", figures: figures{circle: 1}},
	{dir: "methods/methodstest", figures: figures{circle: 1}},
	{dir: "methods/vcard", figures: figures{circle: 1}},
	{dir: "methods/wallet", figures: figures{circle: 3}},
	{dir: "store", figures: figures{circle: 3}},
	{dir: "refusal", figures: figures{circle: 1}},

	{dir: "internal/engine", hub: "Engine", figures: figures{circle: 7, unexported: 0, exported: 14, names: 22}},
	{dir: "internal/charge", figures: figures{circle: 3}},
	{dir: "internal/delivery", figures: figures{circle: 1}},
	{dir: "internal/due", figures: figures{circle: 3}},
	{dir: "internal/fields", figures: figures{circle: 1}},
	{dir: "internal/links", figures: figures{circle: 1}},
	{dir: "internal/merchant", figures: figures{circle: 5}},
	{dir: "internal/records", figures: figures{circle: 4}},
	{dir: "internal/recurring", figures: figures{circle: 5}},
	{dir: "internal/retention", figures: figures{circle: 4}},
	{dir: "internal/seal", figures: figures{circle: 1}},
	{dir: "internal/strictjson", figures: figures{circle: 5}},
	{dir: "internal/work", figures: figures{circle: 1}},

	// Larger than a package without a row may be.
	{dir: "internal/sim", figures: figures{circle: 34}},
}

// steps are how far a row may be above the figure: by less than a step.
var steps = []struct {
	name string
	step int
	of   func(figures) int
}{
	{"circle", 1, func(f figures) int { return f.circle }},
	{"unexported", 1, func(f figures) int { return f.unexported }},
	{"exported", 1, func(f figures) int { return f.exported }},
	{"names", 1, func(f figures) int { return f.names }},
	{"lines", 100, func(f figures) int { return f.lines }},
	{"files", 5, func(f figures) int { return f.files }},
}

func TestHouse(t *testing.T) {
	t.Parallel()
	tree := ourHouse(t)
	require.Greater(t, len(tree.dirs), 50, "the tree was not found")
	for _, dir := range tree.dirs {
		row := rowOf(rooms, dir)
		got, circle := tree.measure(t, dir, row.hub)
		for _, fault := range row.faults(got, circle) {
			t.Error(fault)
		}
	}
	for _, row := range rooms {
		require.Contains(t, tree.dirs, row.dir, "a row of a folder that is not there")
	}
}

// rowOf is the row of a folder; a folder without one has a bound only for its circle.
func rowOf(rooms []room, dir string) room {
	if i := slices.IndexFunc(rooms, func(r room) bool { return r.dir == dir }); i >= 0 {
		return rooms[i]
	}
	return room{dir: dir}
}

// faults are the figures that are worse than the row, and those that became better.
func (r room) faults(got figures, circle []string) (list []string) {
	if r.circle == 0 && got.circle > anyCircle {
		list = append(list, fmt.Sprintf("%s: a circle of %d files without a row, more than %d: %s",
			r.dir, got.circle, anyCircle, strings.Join(circle, " ")))
	}
	for _, s := range steps {
		row, is := s.of(r.figures), s.of(got)
		switch {
		case row == 0:
		case is > row && s.name == "circle":
			list = append(list, fmt.Sprintf("%s: %s is %d, more than %d: %s", r.dir, s.name, is, row, strings.Join(circle, " ")))
		case is > row:
			list = append(list, fmt.Sprintf("%s: %s is %d, more than %d", r.dir, s.name, is, row))
		case is <= row-s.step:
			tight := (is + s.step - 1) / s.step * s.step
			list = append(list, fmt.Sprintf("%s: %s is %d, better than %d: write %d", r.dir, s.name, is, row, tight))
		}
	}
	return list
}

// house is a parsed tree and the compiled imports of its packages.
type house struct {
	dirs     []string // with Go files of the module other than tests
	sources  map[string][]source
	importer types.Importer
}

// ourHouse is that of this repository.
func ourHouse(t *testing.T) *house {
	t.Helper()
	sources := slices.DeleteFunc(ours(t), otherBuild)
	exports, err := compiled()
	require.NoError(t, err)
	return newHouse(sources, exports)
}

func newHouse(sources []source, exports map[string]string) *house {
	h := &house{sources: map[string][]source{}}
	for _, s := range sources {
		h.sources[s.dir] = append(h.sources[s.dir], s)
		if !s.test && !slices.Contains(h.dirs, s.dir) && !matches(nested, s.dir) {
			h.dirs = append(h.dirs, s.dir)
		}
	}
	h.importer = importer.ForCompiler(token.NewFileSet(), "gc", func(path string) (io.ReadCloser, error) {
		if exports[path] == "" {
			return nil, fs.ErrNotExist
		}
		return os.Open(exports[path])
	})
	return h
}

// otherBuild reports a file that a tag or the name of a system keeps out of this build.
func otherBuild(s source) bool {
	fits, err := build.Default.MatchFile(s.dir, path.Base(s.name))
	return !s.test && err == nil && !fits
}

// nested are the nested modules, whose imports this one does not have.
const nested = "internal/browser/... internal/reading store/postgres/... observe/otel observe/prometheus " +
	"examples/server/..."

// compiled returns the compiler's export data of each package, found once for all tests. The go command compiles
// missing packages.
var compiled = sync.OnceValues(func() (map[string]string, error) {
	list, err := exec.Command("go", "list", "-export", "-deps", "-f", "{{.ImportPath}} {{.Export}}", "./...").Output()
	exports := map[string]string{}
	for line := range bytes.Lines(list) {
		if imported, file, ok := strings.Cut(string(bytes.TrimSpace(line)), " "); ok {
			exports[imported] = file
		}
	}
	return exports, err
})

// measure counts a package, and names the files of its largest circle.
func (h *house) measure(t *testing.T, dir, hub string) (f figures, circle []string) {
	t.Helper()
	var files []*ast.File
	var set *token.FileSet
	for _, s := range h.sources[dir] {
		f.files++
		if s.test {
			continue
		}
		set, files = s.set, append(files, s.file)
		f.lines += s.set.Position(s.file.End()).Line
		unexported, exported := methodsOf(s.file, hub)
		f.unexported, f.exported = f.unexported+unexported, f.exported+exported
	}
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
	config := &types.Config{Importer: h.importer}
	pkg, err := config.Check(dir, set, files, info)
	require.NoError(t, err)
	for _, name := range pkg.Scope().Names() {
		if token.IsExported(name) {
			f.names++
		}
	}
	circle = largestCircle(arrowsBetween(pkg, set, info))
	f.circle = max(len(circle), 1)
	return f, circle
}

func methodsOf(file *ast.File, hub string) (unexported, exported int) {
	for _, d := range file.Decls {
		method, ok := d.(*ast.FuncDecl)
		if !ok || method.Recv == nil || strings.TrimPrefix(types.ExprString(method.Recv.List[0].Type), "*") != hub {
			continue
		}
		if method.Name.IsExported() {
			exported++
		} else {
			unexported++
		}
	}
	return unexported, exported
}

// arrowsBetween returns, for each file of a package, the other files whose names, fields or methods it uses.
func arrowsBetween(pkg *types.Package, set *token.FileSet, info *types.Info) map[string]map[string]bool {
	leans := map[string]map[string]bool{}
	for id, used := range info.Uses {
		if used.Pkg() != pkg || !used.Pos().IsValid() {
			continue
		}
		if v, ok := used.(*types.Var); ok && !v.IsField() && used.Parent() != pkg.Scope() {
			continue // of a function
		}
		from, to := path.Base(set.Position(id.Pos()).Filename), path.Base(set.Position(used.Pos()).Filename)
		if from == to {
			continue
		}
		if leans[from] == nil {
			leans[from] = map[string]bool{}
		}
		leans[from][to] = true
	}
	return leans
}

// largestCircle returns the files of which each leads to each other by arrows; empty if there are none.
func largestCircle(arrows map[string]map[string]bool) (largest []string) {
	reach := map[string]map[string]bool{}
	for from := range arrows {
		reach[from] = map[string]bool{}
		follow(arrows, from, reach[from])
	}
	for from := range arrows {
		var circle []string
		for to := range reach[from] {
			if reach[to][from] {
				circle = append(circle, to)
			}
		}
		if len(circle) > len(largest) {
			largest = circle
		}
	}
	slices.Sort(largest)
	return largest
}

func follow(arrows map[string]map[string]bool, from string, seen map[string]bool) {
	for to := range arrows[from] {
		if !seen[to] {
			seen[to] = true
			follow(arrows, to, seen)
		}
	}
}

// TestHouseCanFail measures small packages, and compares them with rows that they keep and do not keep.
func TestHouseCanFail(t *testing.T) {
	t.Parallel()
	kept := figures{circle: 2, unexported: 1, exported: 1, names: 2, lines: 100, files: 5}
	const (
		up   = "package a\ntype T struct{ n int }\nfunc (t *T) F() { G(t) }\n"
		down = "package a\nfunc G(t *T) { t.n = 1 }\nfunc (T) g() {}\n"
	)
	for _, c := range []struct {
		name, up, down string
		change         func(*room)
		fault          string
	}{
		{"kept", up, down, nil, ""},
		{"not kept at all", up, down, func(r *room) { r.figures = figures{} }, ""},
		{"by a field", up, strings.Replace(down, "func (T) g() {}", "", 1), func(r *room) { r.unexported = 0 }, ""},
		{"a larger circle", up, down, func(r *room) { r.circle = 1 }, "x: circle is 2, more than 1: down.go up.go"},
		{"a smaller circle", up, down, func(r *room) { r.circle = 3 }, "x: circle is 2, better than 3: write 2"},
		{"one way only", strings.Replace(up, "G(t)", "", 1), down, nil, "x: circle is 1, better than 2: write 1"},
		{"a method more", up, down + "func (t T) h() {}\n", nil, "x: unexported is 2, more than 1"},
		{"a method less", up, down, func(r *room) { r.exported = 2 }, "x: exported is 1, better than 2: write 1"},
		{"a name more", up, down + "var V = 1\n", nil, "x: names is 3, more than 2"},
		{"lines more", up, down + strings.Repeat("var _ = 1\n", 100), nil, "x: lines is 106, more than 100"},
		{"lines less by a step", up, down, func(r *room) { r.lines = 200 }, "x: lines is 6, better than 200: write 100"},
		{"files more", up, down, func(r *room) { r.files = 1 }, "x: files is 3, more than 1"},
		{"files less by a step", up, down, func(r *room) { r.files = 8 }, "x: files is 3, better than 8: write 5"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			tree := fstest.MapFS{
				"x/up.go": {Data: []byte(c.up)}, "x/down.go": {Data: []byte(c.down)},
				"x/a_test.go": {Data: []byte("package a\nfunc testOnly() { G(nil) }\n")},
			}
			row := room{"x", "T", kept}
			if c.change != nil {
				c.change(&row)
			}
			faults := row.faults(newHouse(parseTree(t, tree), nil).measure(t, "x", row.hub))
			if c.fault == "" {
				require.Empty(t, faults)
				return
			}
			require.Equal(t, []string{c.fault}, faults)
		})
	}
}

// TestHouseWithoutRow: a package without a row has its own bound.
func TestHouseWithoutRow(t *testing.T) {
	t.Parallel()
	row, circle := rowOf(rooms, "nowhere"), []string{"a.go", "b.go"}
	require.Empty(t, row.faults(figures{circle: anyCircle, lines: 10_000}, circle))
	require.Equal(t, []string{"nowhere: a circle of 9 files without a row, more than 8: a.go b.go"},
		row.faults(figures{circle: anyCircle + 1}, circle))
}

// maxColumns bounds a line. A tab is one column.
const maxColumns = 120

func TestHouseColumns(t *testing.T) {
	t.Parallel()
	for _, s := range ours(t) {
		for _, line := range wideLines(t, os.DirFS("."), s) {
			t.Errorf("%s:%d has more than %d columns", s.name, line, maxColumns)
		}
	}
}

// languages are the files with the texts of one language each, whose lines may be as long as their texts.
const languages = "checkout/page/texts/text_*.go"

// wideLines are the lines of a file that are too long. Rows of tables may be: a line that begins among the elements of
// a list or a map, outside any block of code.
func wideLines(t *testing.T, tree fs.FS, s source) (lines []int) {
	t.Helper()
	if text, _ := path.Match(languages, s.name); text {
		return nil
	}
	text, err := fs.ReadFile(tree, s.name)
	require.NoError(t, err)
	file, n := s.set.File(s.file.FileStart), 0
	for line := range strings.Lines(string(text)) {
		n++
		line = strings.TrimRight(line, "\n")
		begins := len(line) - len(strings.TrimLeft(line, "\t "))
		if utf8.RuneCountInString(line) > maxColumns && !inTable(s.file, file.LineStart(n)+token.Pos(begins)) {
			lines = append(lines, n)
		}
	}
	return lines
}

// inTable reports whether a position is among the elements of a list or a map, or inside one of them, with no block of
// code in between.
func inTable(file *ast.File, at token.Pos) (table bool) {
	ast.Inspect(file, func(n ast.Node) bool {
		if n == nil || at < n.Pos() || at >= n.End() {
			return false
		}
		switch n := n.(type) {
		case *ast.CompositeLit:
			table = table || n.Lbrace < at && at <= n.Rbrace && isList(n)
		case *ast.BlockStmt:
			table = false
		}
		return true
	})
	return table
}

// isList reports whether a composite literal is a list or a map.
func isList(n *ast.CompositeLit) bool {
	switch n.Type.(type) {
	case *ast.ArrayType, *ast.MapType:
		return true
	}
	return false
}

// TestHouseColumnsCanFail checks small files with lines of all kinds.
func TestHouseColumnsCanFail(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("x", maxColumns)
	for _, c := range []struct {
		name, body string
		lines      []int
	}{
		{"short", "// " + text[3:], nil},
		{"a tab is a column", "func f() {\n\t_ = `" + text[7:] + "`\n}", nil},
		{"letters, not bytes", "// " + strings.Repeat("é", maxColumns-3), nil},
		{"a row of a table", "var t = []string{\n\t`" + text + "`,\n}", nil},
		{"a row of a map", "var t = map[string]string{\n\t`x`: `" + text + "`,\n}", nil},
		{"a field of a row", "var t = []s{{\n\tx: `" + text + "`,\n}}", nil},
		{"a field of a struct", "var t = s{\n\tx: `" + text + "`,\n}", []int{3}},
		{"a row of rows", "var t = [][]string{\n\t{`" + text + "`},\n}", nil},
		{"the table itself", "var t = []string{`" + text + "`}", []int{2}},
		{"a comment", "// " + text, []int{2}},
		{"code", "func f() {\n\t_ = `" + text + "`\n}", []int{3}},
		{"code in a table", "var t = []func(){func() {\n\t_ = `" + text + "`\n}}", []int{3}},
		{"a table in code in a table", "var t = []func(){func() {\n\t_ = []string{\n\t`" + text + "`,\n}\n}}", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			tree := fstest.MapFS{"a.go": {Data: []byte("package a\n" + c.body + "\n")}}
			require.Equal(t, c.lines, wideLines(t, tree, parseTree(t, tree)[0]))
		})
	}
	german := strings.Replace(languages, "*", "de", 1)
	tree := fstest.MapFS{german: {Data: []byte("package texts\n\nvar t = s{\n\tx: `" + text + "`,\n}\n")}}
	require.Empty(t, wideLines(t, tree, parseTree(t, tree)[0]))
}
