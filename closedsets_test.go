package gateway_test

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
)

// closedSets are the types whose constants are their only values, each with its folder.
var closedSets = []string{
	"store.Operation", "store.Kind", "store.Outcome", "store.Status", "internal/state.Event", "methods.Result",
	"store.Work", "internal/state.Request", "callback.Verdict",
}

// openSwitches is how many switches over a closed set in a folder still omit constants without saying what happens
// to them. A row may only shrink.
var openSwitches = map[string]int{}

// TestClosedSets requires one of these for every switch over a closed set: it lists all constants of the set, or
// its default does something, or its default is empty and contains a comment about the other constants. So a new
// constant needs a decision in every switch.
func TestClosedSets(t *testing.T) {
	t.Parallel()
	tree := ourHouse(t)
	for _, set := range closedSets {
		dir, name, _ := strings.Cut(set, ".")
		pkg, err := tree.importer.Import(module + "/" + dir)
		require.NoError(t, err)
		require.NotNil(t, pkg.Scope().Lookup(name), "%s is not there", set)
		require.Greater(t, len(constantsOf(pkg.Scope().Lookup(name).Type().(*types.Named))), 1, set)
	}
	found := 0
	for _, dir := range tree.dirs {
		switches, faults := tree.switchesOf(t, dir, closedSets)
		found += switches
		if fault := openFault(dir, openSwitches[dir], faults); fault != "" {
			t.Error(fault)
		}
	}
	require.Greater(t, found, 20, "the switches were not found")
	for dir := range openSwitches {
		require.Contains(t, tree.dirs, dir, "a row of a folder that is not there")
	}
}

func openFault(dir string, allowed int, faults []string) string {
	switch n := len(faults); {
	case n > allowed:
		return fmt.Sprintf("%s: %d switches are open, %d may be:\n%s", dir, n, allowed, strings.Join(faults, "\n"))
	case n < allowed:
		return fmt.Sprintf("%s: %d switches are open, better than %d: write %d", dir, n, allowed, n)
	}
	return ""
}

// switchesOf counts the switches of a package over closed sets, and returns those that are open.
func (h *house) switchesOf(t *testing.T, dir string, sets []string) (found int, faults []string) {
	t.Helper()
	sources := slices.DeleteFunc(slices.Clone(h.sources[dir]), func(s source) bool { return s.test })
	var files []*ast.File
	for _, s := range sources {
		files = append(files, s.file)
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
	config := &types.Config{Importer: h.importer}
	_, err := config.Check(dir, sources[0].set, files, info)
	require.NoError(t, err)
	for _, s := range sources {
		ast.Inspect(s.file, func(n ast.Node) bool {
			sw, ok := n.(*ast.SwitchStmt)
			if !ok {
				return true
			}
			named := closedSetOf(info, sw.Tag, sets)
			if named == nil {
				return true
			}
			found++
			if left := leftOut(info, sw, named); len(left) > 0 && !s.decides(sw) {
				faults = append(faults, s.at(sw.Pos())+"neither a default nor a case for "+strings.Join(left, ", "))
			}
			return true
		})
	}
	return found, faults
}

// closedSetOf is the set that an expression belongs to, or nil.
func closedSetOf(info *types.Info, tag ast.Expr, sets []string) *types.Named {
	if tag == nil {
		return nil
	}
	named, ok := types.Unalias(info.TypeOf(tag)).(*types.Named)
	if !ok || named.Obj().Pkg() == nil {
		return nil
	}
	if !slices.Contains(sets, relative(named.Obj().Pkg().Path())+"."+named.Obj().Name()) {
		return nil
	}
	return named
}

// constantsOf are the values of a set, each with the first name of its constants.
func constantsOf(set *types.Named) map[string]string {
	values := map[string]string{}
	scope := set.Obj().Pkg().Scope()
	for _, name := range scope.Names() {
		c, ok := scope.Lookup(name).(*types.Const)
		if !ok || !types.Identical(c.Type(), set) {
			continue
		}
		if value := constant.StringVal(c.Val()); values[value] == "" {
			values[value] = name
		}
	}
	return values
}

// leftOut names the constants of a set for which a switch has no case.
func leftOut(info *types.Info, sw *ast.SwitchStmt, set *types.Named) []string {
	left := constantsOf(set)
	for _, clause := range sw.Body.List {
		for _, expr := range clause.(*ast.CaseClause).List {
			if value := info.Types[expr].Value; value != nil {
				delete(left, constant.StringVal(value))
			}
		}
	}
	return slices.Sorted(maps.Values(left))
}

// decides reports whether a switch has a default that does something, or has a comment why it does nothing.
func (s source) decides(sw *ast.SwitchStmt) bool {
	for i, stmt := range sw.Body.List {
		clause := stmt.(*ast.CaseClause)
		if clause.List != nil {
			continue
		}
		end := sw.Body.Rbrace
		if i+1 < len(sw.Body.List) {
			end = sw.Body.List[i+1].Pos()
		}
		return len(clause.Body) > 0 || s.commented(clause.Colon, end)
	}
	return false
}

func (s source) commented(from, to token.Pos) bool {
	return slices.ContainsFunc(s.file.Comments, func(c *ast.CommentGroup) bool { return from < c.Pos() && c.End() <= to })
}

// TestClosedSetsCanFail checks a small package with one switch after the other.
func TestClosedSetsCanFail(t *testing.T) {
	t.Parallel()
	const declared = "package a\ntype Set string\ntype Alias = Set\ntype Other string\nconst X Other = \"x\"\n" +
		"const (\n\tA Set = \"a\"\n\tB Set = \"b\"\n\tC Set = \"c\"\n\tOld = C\n)\n"
	for _, c := range []struct {
		name, of, body string
		found          int
		fault          string
	}{
		{"all", "Set", "case A, B:\n\tcase C:", 1, ""},
		{"all, one by another name", "Set", "case A, B, Old:", 1, ""},
		{"all, one by its text", "Set", "case A, B, \"c\":", 1, ""},
		{"a default that does something", "Set", "case A:\n\tdefault: println()", 1, ""},
		{"a default that says why not", "Set", "case A:\n\tdefault: // the others do nothing", 1, ""},
		{"such a default below it", "Set", "case A:\n\tdefault:\n\t\t// the others do nothing", 1, ""},
		{"such a default first", "Set", "default: // the others do nothing\n\tcase A:", 1, ""},
		{"a set that is not closed", "Other", "case \"y\":", 0, ""},
		{"a number", "int", "case 1:", 0, ""},

		{"one left out", "Set", "case A, B:", 1, "neither a default nor a case for C"},
		{"two left out", "Set", "case B:", 1, "neither a default nor a case for A, C"},
		{"under another name", "Alias", "case A, B:", 1, "neither a default nor a case for C"},
		{"what it is compared with is computed", "Set", "case A, B, x + C:", 1, "neither a default nor a case for C"},
		{"an empty default", "Set", "case A:\n\tdefault:", 1, "neither a default nor a case for B, C"},
		{"a comment elsewhere", "Set", "default:\n\tcase A: // why", 1, "neither a default nor a case for B, C"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			text := fmt.Sprintf("%sfunc f(x %s) {\n\tswitch x {\n\t%s\n\t}\n}\n", declared, c.of, c.body)
			tree := newHouse(parseTree(t, fstest.MapFS{path.Join("x", "a.go"): {Data: []byte(text)}}), nil)
			found, faults := tree.switchesOf(t, "x", []string{"x.Set"})
			require.Equal(t, c.found, found)
			if c.fault == "" {
				require.Empty(t, faults)
				return
			}
			require.Equal(t, []string{"x/a.go:13: " + c.fault}, faults)
		})
	}
	require.Empty(t, openFault("x", 1, []string{"one"}))
	require.Equal(t, "x: 2 switches are open, 1 may be:\none\ntwo", openFault("x", 1, []string{"one", "two"}))
	require.Equal(t, "x: 1 switches are open, better than 2: write 1", openFault("x", 2, []string{"one"}))
}
