package gateway_test

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
)

// kernel are the folders that read no clock, random source or machine by themselves. Of store/keys only the port
// belongs to it: keyfile keeps its keys in a file.
const kernel = ". refusal store/keys internal/charge internal/delivery internal/door internal/due internal/engine " +
	"internal/fields internal/ids internal/links internal/merchant internal/once internal/operator internal/readonce " +
	"internal/records internal/recurring internal/retention internal/route internal/schedule internal/seal " +
	"internal/session internal/share internal/state internal/thrown internal/token internal/vault internal/watch " +
	"internal/weburl internal/work"

// outside lists those uses: a whole package, or some names of one.
var outside = []struct{ path, names string }{
	{"time", "Now Since Until Sleep After AfterFunc Tick NewTimer NewTicker"},
	{"crypto/rand", "*"},
	{"math/rand", "*"},
	{"math/rand/v2", "*"},
	{"github.com/google/uuid", "*"},
	{"os", "*"},
	{"syscall", "*"},
}

// edge is the few places where the kernel uses the outside: the defaults of Config, the timers of Run, of a connector
// that does not return, and of a payer's return that waits for an earlier one, and the time that a connector has left.
var edge = map[string]string{
	"config.go":                     "time.Now crypto/rand.Reader",
	"internal/ids/ordered.go":       "github.com/google/uuid.UUID",
	"internal/work/looks.go":        "time.NewTicker",
	"internal/engine/ask.go":        "time.After",
	"internal/deadline/deadline.go": "time.Now",
	"internal/engine/returncall.go": "time.NewTimer",
}

// wires are folders with programs that run beside ours and choose their own HTTP client.
const wires = "examples/... internal/s2sclient"

// ambient are the names of net/http that use the environment: a proxy named there could see where money goes, or
// answer in place of the other side.
const ambient = "ProxyFromEnvironment DefaultTransport DefaultClient Get Head Post PostForm"

// inexact are the functions of decimal, and the names of its methods, that round or leave exact numbers.
var inexact = struct{ functions, methods string }{
	"NewFromFloat NewFromFloat32 NewFromFloatWithExponent Avg RoundingMode DivisionPrecision",
	"Div DivRound QuoRem IntPart InexactFloat64 Float64 RoundBank RoundCash RoundCeil RoundFloor RoundUp RoundDown " +
		"StringFixedBank StringFixedCash",
}

// computes are the files that may compute and round an amount: those of hosts, and the metrics, which are for charts.
// A gateway never does.
var computes = []string{"examples/server/vat.go", "observe/metrics.go"}

// maxLines bounds a function (design rule 4). One that only returns a literal is a table and exempt, and so is
// generated code.
const maxLines = 70

func TestSources(t *testing.T) {
	t.Parallel()
	require.Empty(t, sourceFaults(ours(t)))
}

// TestSourcesCanFail checks small files with one fault each.
func TestSourcesCanFail(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("\tprintln()\n", maxLines)
	rows := strings.Repeat("\t\t1,\n", maxLines)
	for _, c := range []struct{ name, file, imports, body, fault string }{
		{"the edge", "config.go", "time", "var now = time.Now", ""},
		{"time that is only counted", "a.go", "time", "var day = 24 * time.Hour", ""},
		{"clock in a protocol", "s2s/a.go", "time", "var now = time.Now", ""},
		{"clock in a test", "a_test.go", "time", "var now = time.Now", ""},
		{"init in a test", "a_test.go", "time", "func init() {}", ""},
		{"init as a method", "a.go", "time", "func (t T) init() {}", ""},
		{"long table", "a.go", "time", "func table() []int {\n\treturn []int{\n" + rows + "\t}\n}", ""},
		{"long test", "a_test.go", "time", "func f() {\n" + long + "}", ""},
		{"Float64 of another package", "store/a.go", "math/rand/v2", "var f = rand.Float64()", ""},

		{"clock", "a.go", "time", "var now = time.Now()", "a.go:5: time.Now outside the kernel's edge"},
		{"clock at the wrong edge", "tick.go", "time", "var now = time.Now()", "tick.go:5: time.Now outside the kernel's edge"},
		{"clock in a namesake", "internal/state/config.go", "time", "var now = time.Now()", "internal/state/config.go:5: time.Now outside the kernel's edge"},
		{"clock under another name", "a.go", `clock "time`, "var now = clock.Now()", "a.go:5: time.Now outside the kernel's edge"},
		{"pause", "internal/route/a.go", "time", "func f() {\n\ttime.Sleep(1)\n}", "internal/route/a.go:6: time.Sleep outside the kernel's edge"},
		{"chance", "a.go", "math/rand/v2", "var n = rand.IntN(2)", "a.go:5: math/rand/v2.IntN outside the kernel's edge"},
		{"secrets", "a.go", "crypto/rand", "var s = rand.Text()", "a.go:5: crypto/rand.Text outside the kernel's edge"},
		{"machine", "a.go", "os", "var s = os.Getenv(\"A\")", "a.go:5: os.Getenv outside the kernel's edge"},
		{"dot import", "a.go", `. "time`, "var now = Now()", "a.go:3: dot import of time"},
		{"a proxy of the environment", "checkout/page/a.go", "net/http", "var p = http.ProxyFromEnvironment", "checkout/page/a.go:5: net/http.ProxyFromEnvironment goes by the environment"},
		{"the default client", "callback/a.go", "net/http", "var c = http.DefaultClient", "callback/a.go:5: net/http.DefaultClient goes by the environment"},
		{"the default client of a test", "a_test.go", "net/http", "var r, err = http.Get(\"http://a.example\")", "a_test.go:5: net/http.Get: use a transport that no other test closes"},
		{"a client of a test without a transport", "examples/a_test.go", "net/http", "var c = &http.Client{Timeout: 1}", "examples/a_test.go:5: http.Client without a Transport: use one that no other test closes"},
		{"a client of a test with a transport", "a_test.go", "net/http", "var c = &http.Client{Transport: &http.Transport{}}", ""},
		{"the default client of an example", "examples/a/a.go", "net/http", "var c = http.DefaultClient", ""},
		{"init", "store/a.go", "time", "func init() {}", "store/a.go:5: func init"},
		{"long function", "store/a.go", "time", "func f() {\n" + long + "}", "store/a.go:5: f has 72 lines, more than 70"},
		{"long method", "s2s/a.go", "time", "func (t T) f() {\n" + long + "}", "s2s/a.go:5: f has 72 lines, more than 70"},
		{"float to decimal", "store/a.go", "github.com/shopspring/decimal", "var d = decimal.NewFromFloat(1)", "store/a.go:5: decimal's NewFromFloat is not exact"},
		{"division", "methods/a.go", "time", "var d = a.Div(b)", "methods/a.go:5: decimal's Div is not exact"},
		{"division of a host", "examples/server/vat.go", "time", "var d = a.DivRound(b, 2)", ""},
		{"division beside it", "examples/server/host.go", "time", "var d = a.DivRound(b, 2)", "examples/server/host.go:5: decimal's DivRound is not exact"},
		{"whole part", "methods/a.go", "time", "var n = f().IntPart()", "methods/a.go:5: decimal's IntPart is not exact"},
		{"decimal to float", "a.go", "time", "var f, _ = a.Float64()", "a.go:5: decimal's Float64 is not exact"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			quoted := `"` + c.imports
			if strings.Contains(c.imports, `"`) {
				quoted = c.imports // it brings its own name
			}
			text := fmt.Sprintf("package a\n\nimport %s\"\n\n%s\n", quoted, c.body)
			faults := sourceFaults(parseTree(t, fstest.MapFS{c.file: {Data: []byte(text)}}))
			if c.fault == "" {
				require.Empty(t, faults)
				return
			}
			require.Equal(t, []string{c.fault}, faults)
		})
	}
}

// TestKernelIsWhole: every internal folder that the kernel imports is checked like the kernel, wherever code moves.
func TestKernelIsWhole(t *testing.T) {
	t.Parallel()
	i := slices.IndexFunc(arrows, func(a arrow) bool { return a.from == "." })
	for _, dir := range strings.Fields(arrows[i].to) {
		if strings.HasPrefix(dir, "internal/") {
			require.True(t, matches(kernel, dir), "%s is not in the list of guarded folders", dir)
		}
	}
}

// protocols are the folders that bring requests of merchants to the gateway.
const protocols = "checkout hpf s2s"

// TestProtocolsEnterByTheDoor: a protocol finds the merchant of a request once and calls the client. The verbs of a
// Merchant, which is the host's, check no signature.
func TestProtocolsEnterByTheDoor(t *testing.T) {
	t.Parallel()
	require.Empty(t, doorFaults(ours(t)))
	around := fstest.MapFS{"s2s/a.go": {Data: []byte("package s2s\n\nfunc f(m gateway.Merchant) {\n" +
		"x.gw.Merchant(key).Charge()\n(*gateway.Gateway).Merchant(nil)\n}\n")}}
	require.Equal(t, []string{"s2s/a.go:3: Merchant around the door", "s2s/a.go:4: Merchant around the door",
		"s2s/a.go:5: Merchant around the door"}, doorFaults(parseTree(t, around)))
}

// doorFaults are the uses of the host's Merchant in the protocols: the method of a gateway, and the type.
func doorFaults(sources []source) (faults []string) {
	for _, s := range sources {
		if s.test || !matches(protocols, s.dir) {
			continue
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			use, ok := n.(*ast.SelectorExpr)
			if !ok || use.Sel.Name != "Merchant" {
				return true
			}
			switch of := types.ExprString(use.X); {
			case of == "gw", of == "gateway", strings.HasSuffix(of, ".gw"), strings.HasSuffix(of, "*gateway.Gateway)"):
				faults = append(faults, s.at(n.Pos())+"Merchant around the door")
			}
			return true
		})
	}
	return faults
}

func sourceFaults(sources []source) (faults []string) {
	for _, s := range sources {
		names, dots := s.importNames()
		if s.test {
			faults = append(faults, s.sharedTransports(names)...)
			continue
		}
		faults = append(faults, dots...)
		ast.Inspect(s.file, func(n ast.Node) bool {
			for _, text := range []string{
				s.useFault(n, names), s.wireFault(n, names), s.exactFault(n, names), s.functionFault(n),
			} {
				if text != "" {
					faults = append(faults, s.at(n.Pos())+text)
				}
			}
			return true
		})
	}
	return faults
}

func (s source) at(pos token.Pos) string {
	return fmt.Sprintf("%s:%d: ", s.name, s.set.Position(pos).Line)
}

// importNames returns the package of each imported name in a file, and faults for dot imports, whose names cannot
// be recognised.
func (s source) importNames() (names map[string]string, faults []string) {
	names = map[string]string{}
	for i, imported := range s.imports() {
		name := path.Base(imported)
		if strings.HasPrefix(name, "v") && strings.Trim(name[1:], "0123456789") == "" {
			name = path.Base(path.Dir(imported))
		}
		spec := s.file.Imports[i]
		if spec.Name != nil {
			name = spec.Name.Name
		}
		if name == "." {
			faults = append(faults, s.at(spec.Pos())+"dot import of "+imported)
		}
		names[name] = imported
	}
	return names, faults
}

// useFault is the kernel's use of the outside.
func (s source) useFault(n ast.Node, names map[string]string) string {
	imported, name := selected(n, names)
	if imported == "" || !matches(kernel, s.dir) {
		return ""
	}
	for _, out := range outside {
		forbidden := out.path == imported && (out.names == "*" || slices.Contains(strings.Fields(out.names), name))
		if forbidden && !slices.Contains(strings.Fields(edge[s.name]), imported+"."+name) {
			return imported + "." + name + " outside the kernel's edge"
		}
	}
	return ""
}

// wireFault is a request that goes where the environment says.
func (s source) wireFault(n ast.Node, names map[string]string) string {
	imported, name := selected(n, names)
	if imported != "net/http" || matches(wires, s.dir) || !slices.Contains(strings.Fields(ambient), name) {
		return ""
	}
	return imported + "." + name + " goes by the environment"
}

// sharedTransports are the uses in a test of the transport that all of net/http shares. A server of net/http/httptest
// closes the idle connections of that transport when it closes, and so breaks a request of another test.
func (s source) sharedTransports(names map[string]string) (faults []string) {
	ast.Inspect(s.file, func(n ast.Node) bool {
		if imported, name := selected(n, names); imported == "net/http" && slices.Contains(strings.Fields(ambient), name) {
			faults = append(faults, s.at(n.Pos())+"net/http."+name+": use a transport that no other test closes")
		}
		if client, ok := n.(*ast.CompositeLit); ok && client.Type != nil && !setsTransport(client) {
			if imported, name := selected(client.Type, names); imported == "net/http" && name == "Client" {
				faults = append(faults, s.at(n.Pos())+"http.Client without a Transport: use one that no other test closes")
			}
		}
		return true
	})
	return faults
}

func setsTransport(client *ast.CompositeLit) bool {
	return slices.ContainsFunc(client.Elts, func(e ast.Expr) bool {
		pair, ok := e.(*ast.KeyValueExpr)
		return ok && types.ExprString(pair.Key) == "Transport"
	})
}

// exactFault is arithmetic that rounds. Methods are recognised by name only, so no other method may have such a
// name.
func (s source) exactFault(n ast.Node, names map[string]string) string {
	if slices.Contains(computes, s.name) {
		return ""
	}
	imported, name := selected(n, names)
	list := inexact.methods
	switch imported {
	case "":
	case "github.com/shopspring/decimal":
		list = inexact.functions
	default:
		return ""
	}
	if name != "" && slices.Contains(strings.Fields(list), name) {
		return "decimal's " + name + " is not exact"
	}
	return ""
}

// selected splits x.name; imported is the package that x stands for, if it does.
func selected(n ast.Node, names map[string]string) (imported, name string) {
	sel, ok := n.(*ast.SelectorExpr)
	if !ok {
		return "", ""
	}
	if x, ok := sel.X.(*ast.Ident); ok {
		imported = names[x.Name]
	}
	return imported, sel.Sel.Name
}

// functionFault is an init function, or one that is too long.
func (s source) functionFault(n ast.Node) string {
	f, ok := n.(*ast.FuncDecl)
	if !ok || f.Body == nil {
		return ""
	}
	lines := s.set.Position(f.End()).Line - s.set.Position(f.Pos()).Line + 1
	switch {
	case f.Name.Name == "init" && f.Recv == nil:
		return "func init"
	case lines > maxLines && !isTable(f) && !ast.IsGenerated(s.file):
		return fmt.Sprintf("%s has %d lines, more than %d", f.Name.Name, lines, maxLines)
	}
	return ""
}

// isTable reports a function that does nothing but return a literal.
func isTable(f *ast.FuncDecl) bool {
	if len(f.Body.List) != 1 {
		return false
	}
	ret, ok := f.Body.List[0].(*ast.ReturnStmt)
	if !ok || len(ret.Results) != 1 {
		return false
	}
	_, ok = ret.Results[0].(*ast.CompositeLit)
	return ok
}

// documented are the folders whose exported names need a comment: the public packages and the
// rooms.
const documented = ". callback/... checkout/... gatewayhttp gatewaytest/... hpf/... methods/... observe/... refusal " +
	"s2s store/... wire internal/charge internal/delivery internal/door internal/due internal/engine internal/fields " +
	"internal/ids internal/kerneltest internal/links internal/merchant internal/once internal/operator internal/records " +
	"internal/recurring internal/retention internal/seal internal/session internal/token internal/watch internal/work"

// TestSourcesComments checks that every exported name of those folders has a comment that starts with the name.
func TestSourcesComments(t *testing.T) {
	t.Parallel()
	sources := ours(t)
	require.Empty(t, commentFaults(sources))
	for dir := range strings.FieldsSeq(documented) {
		found := slices.ContainsFunc(sources, func(s source) bool { return matches(dir, s.dir) })
		require.True(t, found, "%s is not in the tree", dir)
	}
}

// commentFaults are the exported names without a comment that starts with the name.
func commentFaults(sources []source) (faults []string) {
	for _, s := range sources {
		if s.test || !matches(documented, s.dir) {
			continue
		}
		for _, d := range s.file.Decls {
			faults = append(faults, s.uncommented(d)...)
		}
	}
	return faults
}

// uncommented are the faults of one declaration. Constants and variables of one block may share its comment.
func (s source) uncommented(d ast.Decl) (faults []string) {
	check := func(name *ast.Ident, comments ...*ast.CommentGroup) {
		if name.IsExported() && !slices.ContainsFunc(comments,
			func(c *ast.CommentGroup) bool { return startsWith(c, name.Name) }) {
			faults = append(faults, s.at(name.Pos())+name.Name+" has no comment that starts with its name")
		}
	}
	switch d := d.(type) {
	case *ast.FuncDecl:
		if isReachable(d) {
			check(d.Name, d.Doc)
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				check(spec.Name, d.Doc, spec.Doc)
			case *ast.ValueSpec:
				if d.Lparen.IsValid() && d.Doc != nil || d.Lparen.IsValid() && spec.Comment != nil {
					continue
				}
				check(spec.Names[0], d.Doc, spec.Doc)
			}
		}
	}
	return faults
}

// startsWith reports whether a comment's first word is a name.
func startsWith(comment *ast.CommentGroup, name string) bool {
	words := strings.Fields(comment.Text())
	return len(words) > 0 && strings.TrimRight(words[0], ",:") == name
}

// isReachable reports a function, or a method of an exported type.
func isReachable(f *ast.FuncDecl) bool {
	if f.Recv == nil {
		return true
	}
	of := f.Recv.List[0].Type
	if star, ok := of.(*ast.StarExpr); ok {
		of = star.X
	}
	switch generic := of.(type) {
	case *ast.IndexExpr:
		of = generic.X
	case *ast.IndexListExpr:
		of = generic.X
	}
	name, ok := of.(*ast.Ident)
	return ok && name.IsExported()
}

// TestSourcesCommentsCanFail checks small files with declarations of all kinds.
func TestSourcesCommentsCanFail(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, file, body, fault string }{
		{"function", "a.go", "// F returns.\nfunc F() {}", ""},
		{"colon and comma", "a.go", "// F: returns.\nfunc F() {}\n\n// G, too.\nfunc G() {}", ""},
		{"block of constants", "a.go", "// The limits.\nconst (\n\tA = 1\n\tB = 2\n)", ""},
		{"rows of a block", "a.go", "const (\n\tA = 1 // one\n\t// B is two.\n\tB = 2\n)", ""},
		{"unexported", "a.go", "func f() {}\n\ntype t int\n\nfunc (t) F() {}\n\nconst c = 1", ""},
		{"other folder", "internal/sim/a.go", "func F() {}", ""},
		{"test", "a_test.go", "func F() {}", ""},

		{"no comment", "a.go", "func F() {}", "a.go:3: F has no comment that starts with its name"},
		{"another word", "a.go", "// Returns F.\nfunc F() {}", "a.go:4: F has no comment that starts with its name"},
		{"longer word", "a.go", "// Fs are.\nfunc F() {}", "a.go:4: F has no comment that starts with its name"},
		{"method", "internal/engine/a.go", "// T is.\ntype T[A any] int\n\nfunc (*T[A]) F() {}",
			"internal/engine/a.go:6: F has no comment that starts with its name"},
		{"type", "s2s/a.go", "type T int", "s2s/a.go:3: T has no comment that starts with its name"},
		{"type of a block", "s2s/a.go", "// Types.\ntype (\n\tT int\n)", "s2s/a.go:5: T has no comment that starts with its name"},
		{"single constant", "store/memory/a.go", "// One.\nconst C = 1",
			"store/memory/a.go:4: C has no comment that starts with its name"},
		{"row of a block", "a.go", "var (\n\t// A is.\n\tA = 1\n\tB = 2\n)", "a.go:6: B has no comment that starts with its name"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			faults := commentFaults(parseTree(t, fstest.MapFS{c.file: {Data: []byte("package a\n\n" + c.body + "\n")}}))
			if c.fault == "" {
				require.Empty(t, faults)
				return
			}
			require.Equal(t, []string{c.fault}, faults)
		})
	}
}
