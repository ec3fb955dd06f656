package gateway_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/internal/kerneltest"
)

const module = "github.com/tollgatepay/gateway"

// arrow is a row of the table of imports. Folders are relative to the root, "." is the kernel, and
// "x/..." stands for x and everything below it.
type arrow struct {
	from  string // folders the row is about
	to    string // our packages that they may import
	never string // other packages that they must not import
	tests string // our packages that their tests may also import, besides their own folder
}

// impure is what the pure rules of the kernel must not import: contexts, the network, the machine, random sources.
const impure = "context net net/http os crypto/rand math/rand github.com/google/uuid"

// The packages that a protocol or a page may import.
const (
	floor = ". callback callback/signature internal/asset internal/bodylimit internal/bracketform internal/cardui " +
		"contract internal/clientip internal/envelope internal/jsonbody internal/fields internal/hsts internal/readonce " +
		"internal/sessionjson internal/strictjson internal/weburl methods refusal store"
	kits = "callback/notifiertest gatewaytest internal/doortest methods/vcard store/memory"
)

// arrows is the order of the packages, the lowest first: a higher package may import lower ones. The first row that
// fits a folder applies. A folder without a row is a fault: decide where it belongs.
var arrows = []arrow{
	{from: "internal/release", never: impure},
	{from: "store", tests: "internal/release store/memory store/storetest"},
	{from: "store/keys"},
	{from: "store/keys/keyfile", to: "store/keys", tests: "store/keys/keystest"},
	{from: "store/keys/keystest", to: "store/keys"},
	{from: "refusal", to: "internal/release"},
	{from: "store/internal/access", to: "store"},
	{from: "store/internal/gate", to: "store"},
	{from: "store/internal/turn", to: "store"},
	{from: "store/internal/tree", to: "store"},
	{from: "store/memory", to: "store store/internal/access store/internal/gate store/internal/tree store/internal/turn",
		tests: "store/storetest"},
	{from: "store/bolt/internal/wal", to: "store"},
	{
		from: "store/bolt", to: "store store/bolt/internal/wal store/internal/access store/internal/gate store/internal/tree " +
			"store/internal/turn",
		tests: "store/storetest",
	},
	{from: "internal/dbclock", never: "net net/http os"},
	{from: "store/postgres/internal/cluster"},
	{from: "store/postgres/internal/cluster/serve", to: "store/postgres/internal/cluster"},
	{from: "store/postgres/internal/views", to: "store internal/records", tests: "store/postgres"},
	{
		from: "store/postgres", to: "store store/internal/access store/internal/gate internal/dbclock",
		tests: ". callback gatewaytest internal/kerneltest internal/records internal/s2sclient internal/speed " +
			"methods methods/vcard store/bolt store/difftest " +
			"store/memory store/postgres/internal/cluster store/postgres/internal/views store/storetest",
	},
	{from: "store/storetest", to: "store", tests: "store/memory"},
	{from: "store/difftest", to: "store", tests: "store/memory store/bolt"},

	{from: "methods", to: "internal/fault refusal store"},
	{from: "methods/wallet", to: "store", tests: "methods/wallet/wallettest"},
	{from: "methods/wallet/wallettest", to: "methods/wallet store"},
	{from: "methods/vcard", to: "methods store", tests: "methods/methodstest store/memory"},
	{from: "methods/rest", to: "methods store"},
	{from: "methods/methodstest", to: "methods store", tests: "methods/rest methods/vcard store/memory"},

	{from: "callback/signature"},
	{from: "internal/share", never: impure},
	{from: "internal/thrown", never: impure},
	{from: "callback", to: "callback/signature internal/share internal/thrown store", tests: "callback/notifiertest store/memory"},
	{from: "callback/receive", to: "callback/signature store", tests: ". gatewaytest"},
	{from: "callback/notifiertest", to: "callback callback/signature store", tests: "store/memory"},

	{from: "wire", to: "callback/signature methods/rest store", tests: ". gatewayhttp gatewaytest internal/s2sclient " +
		"methods methods/vcard store/memory"},

	{from: "internal/asset"},
	{from: "internal/cardui"},
	{from: "internal/readonce", to: "store"},
	{from: "internal/weburl"},
	{from: "internal/fields", tests: "...", to: "contract internal/fault internal/weburl refusal store", never: impure},
	{from: "internal/fault", to: "refusal"},
	{from: "internal/browser", tests: "..."}, // a nested module: the page in a real browser
	{from: "internal/deadline"},
	{from: "internal/s2sclient"}, // written from the documents alone, it imports none of our packages
	{from: "internal/strictjson", to: "internal/fault"},
	{from: "internal/bracketform", to: "internal/fault"},
	{from: "internal/state", to: "store", never: impure},
	{from: "internal/route", tests: "...", to: "store", never: impure},
	{from: "internal/schedule", to: "store", never: impure},
	{from: "internal/vault", to: "store store/keys", never: impure},

	{
		from: "internal/engine", tests: "...",
		to: "callback internal/deadline internal/due internal/ids internal/links internal/records internal/seal internal/state " +
			"internal/vault internal/watch internal/weburl methods observe refusal store",
	},
	{
		from: "internal/merchant", tests: "...",
		to: "internal/due internal/fields internal/readonce internal/records internal/route internal/seal internal/vault " +
			"internal/weburl methods methods/wallet refusal store store/keys",
	},
	{from: "internal/recurring", tests: "...", to: "internal/due internal/fields internal/records internal/schedule observe refusal store"},
	{from: "internal/work", tests: "...", to: "internal/due refusal store"},
	{from: "internal/delivery", tests: "...", to: "callback internal/due internal/records internal/seal internal/vault internal/watch observe store"},
	{
		from: "internal/door", tests: "...", to: "callback callback/signature internal/fields internal/merchant internal/records refusal store methods",
	},
	{from: "internal/session", tests: "...", to: "internal/due internal/links internal/records internal/vault methods refusal store store/keys"},
	{from: "internal/token", tests: "...", to: "internal/ids internal/records internal/seal internal/vault methods refusal store"},
	{from: "internal/retention", tests: "...", to: "callback internal/due internal/records internal/state internal/watch observe store"},
	{from: "internal/due", tests: "...", to: "internal/records internal/share internal/watch observe store store/keys"},
	{
		from: "internal/operator", tests: "...",
		to: "callback internal/due internal/records internal/watch observe refusal store",
	},
	{from: "internal/watch", tests: "...", to: "internal/thrown observe"},
	{from: "observe", tests: "...", to: "methods store"},
	{from: "internal/ids"},
	{from: "internal/links", tests: "...", to: "internal/records internal/vault internal/weburl store"},
	{from: "internal/seal", tests: "...", to: "internal/records internal/vault methods store store/keys"},
	{from: "internal/records", to: "callback internal/schedule refusal store", tests: "store/memory"},

	{from: "internal/once", tests: "...", to: "internal/records internal/seal internal/vault refusal store"},
	{
		from: "internal/charge", tests: "...",
		to: "internal/door internal/engine internal/fields internal/ids internal/links internal/merchant internal/once " +
			"internal/records internal/recurring internal/route internal/seal internal/session internal/token internal/vault " +
			"methods methods/wallet refusal store",
	},
	{
		from: ".", never: "net/http", tests: "...",
		to: "internal/charge internal/delivery internal/door internal/due internal/engine internal/fields internal/ids " +
			"internal/links internal/merchant internal/once internal/operator internal/readonce internal/records internal/recurring internal/retention " +
			"internal/route internal/schedule internal/seal internal/session internal/state internal/thrown internal/token " +
			"internal/watch internal/weburl internal/work " +
			"callback callback/signature contract methods methods/wallet observe refusal store store/keys",
	},
	{from: "internal/clientip"},
	{from: "internal/hsts"},
	{from: "internal/bodylimit"},
	{from: "internal/envelope", to: ". internal/bodylimit internal/fields refusal"},
	{from: "contract", to: "callback/signature internal/release refusal", tests: "checkout", never: impure},
	{from: "internal/jsonbody", to: "contract internal/strictjson", never: impure},
	{from: "internal/sessionjson", to: ". callback/signature contract internal/fields internal/jsonbody internal/strictjson store"},

	{from: "checkout", to: floor, tests: kits + " checkout/page internal/kerneltest"},
	{from: "hpf", to: floor + " hpf/sdk", tests: kits + " checkout/page"},
	{from: "hpf/sdk", to: floor, tests: kits + " checkout/page hpf"},
	{
		from: "s2s", to: floor,
		tests: kits + " checkout/page internal/kerneltest internal/s2sclient methods/wallet methods/wallet/wallettest",
	},
	{from: "checkout/page", to: floor + " checkout/page/texts checkout/page/internal/...", tests: kits + " checkout"},
	{from: "checkout/page/texts", to: ". methods store", never: impure},
	{from: "checkout/page/internal/clean", never: impure},
	{from: "checkout/page/internal/qrcode", never: impure},
	{from: "checkout/page/internal/policy"},
	{from: "checkout/page/internal/static", to: "internal/asset internal/cardui"},
	{from: "checkout/page/internal/places", tests: "checkout/page/texts internal/fields", never: impure},
	{from: "checkout/page/internal/locale", to: "checkout/page/internal/clean methods store", never: impure},
	{from: "checkout/page/internal/cardinput", to: "checkout/page/internal/clean store", never: impure},
	{from: "checkout/page/internal/applepay", to: ". store"},
	{
		from: "checkout/page/internal/form",
		to: ". checkout/page/internal/cardinput checkout/page/internal/clean checkout/page/internal/locale " +
			"checkout/page/internal/places checkout/page/texts internal/fields methods store",
	},

	// The last rows are written as an outsider would: without internal packages.
	{from: "observe/gauges", to: ". observe store", tests: "..."},
	{from: "observe/prometheus", to: ". methods observe observe/gauges store", tests: "callback gatewayhttp store/memory " + kits},
	{from: "observe/otel", to: ". callback methods observe observe/gauges store", tests: "gatewayhttp store/memory " + kits},
	{from: "openapi", to: "callback callback/signature checkout contract hpf internal/envelope internal/release refusal s2s store"},
	{from: "internal/clients", tests: "..."},     // a nested module: clients generated from the document
	{from: "internal/guides", tests: "..."},      // a nested module: what the guides tell to run
	{from: "internal/image"},                     // a nested module: the Dockerfile
	{from: "internal/openapitest", tests: "..."}, // a nested module: the document held against the traffic of tests
	{from: "internal/reading"},                   // a nested module: the documents as pages
	{from: "gatewayhttp", to: ". checkout checkout/page hpf s2s", tests: "callback/signature contract methods store " + kits},
	{from: "gatewaytest", to: above + " store/storetest", tests: "store/bolt store/keys/keystest"},
	{
		from: "examples/...", to: above + " callback/receive observe/prometheus store/bolt store/postgres gatewaytest examples/...",
		tests: "methods/methodstest methods/wallet/wallettest internal/s2sclient store/keys/keystest",
	},
	// The machines drive the whole platform.
	{from: "internal/sim/...", to: "..."},
	{from: "internal/crash/...", to: "..."},
	{from: "internal/kerneltest", to: "..."},
	{from: "internal/race", to: "..."},
	{from: "internal/faults", to: "..."},
	{from: "internal/attack", to: "..."},
	{from: "internal/badinput", to: "..."},
	{from: "internal/fieldcases", to: "..."},
	{from: "internal/doortest", to: ". methods methods/vcard store"},
	{from: "internal/reference", to: "callback callback/receive callback/signature contract internal/envelope " +
		"internal/fields internal/release refusal s2s store", tests: "..."},
	{from: "internal/figures"},
	{from: "internal/recordcode"},
	{from: "internal/roomplan"},
	{from: "internal/canary", to: "..."},
	{from: "internal/speed/...", to: "..."},
}

const above = ". callback callback/signature checkout checkout/page contract gatewayhttp hpf hpf/sdk s2s methods " +
	"methods/rest methods/vcard methods/wallet observe observe/gauges openapi store store/keys store/keys/keyfile " +
	"store/memory wire"

// Only test kits may bring the assertion library into a program.
const (
	testify  = "github.com/stretchr/testify"
	testKits = "store/storetest store/keys/keystest methods/methodstest callback/notifiertest gatewaytest " +
		"internal/kerneltest"
)

func TestArrows(t *testing.T) {
	t.Parallel()
	sources := ours(t)
	require.Greater(t, len(sources), 50, "the tree was not found")
	require.Empty(t, arrowFaults(sources))
}

// TestArrowsAreNeeded checks that what the kernel or a room may import is imported, so that the table and the
// picture drawn from it are true.
func TestArrowsAreNeeded(t *testing.T) {
	t.Parallel()
	used := map[string]bool{}
	for _, s := range ours(t) {
		for _, imported := range s.imports() {
			if !s.test {
				used[s.dir+" -> "+relative(imported)] = true
			}
		}
	}
	for _, a := range arrows {
		if !matches(kernel, a.from) {
			continue
		}
		for _, to := range strings.Fields(a.to) {
			require.True(t, used[a.from+" -> "+to], "%s need not import %s", a.from, to)
		}
	}
}

// TestArrowsCanFail checks a small tree with one wrong arrow after the other.
func TestArrowsCanFail(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, file, imports, fault string }{
		{"downhill", "methods/a.go", module + "/store", ""},
		{"a leaf on its own", "store/a.go", "context", ""},
		{"everything for tests of the whole", "a_test.go", module + "/checkout/page", ""},
		{"own folder from its tests", "checkout/a_test.go", module + "/checkout", ""},
		{"testify in a test", "store/a_test.go", testify + "/require", ""},
		{"testify in a kit", "store/storetest/a.go", testify + "/require", ""},
		{"net/http in a protocol", "checkout/a.go", "net/http", ""},
		{"nested module", "store/postgres/a.go", module + "/store", ""},
		{"an example in an example", "examples/shop/a.go", module + "/examples/shop/cart", ""},
		{"hidden folder", ".ci/a.go", module + "/nowhere", ""},
		{"test data", "store/testdata/a.go", module + "/methods", ""},

		{"store uphill", "store/a.go", module + "/methods", "store/a.go: store must not import methods"},
		{"leaf to kernel", "methods/a.go", module, "methods/a.go: methods must not import ."},
		{"leaf to kernel from a test", "methods/a_test.go", module, "methods/a_test.go: methods must not import ."},
		{"leaf to leaf", "callback/a.go", module + "/methods", "callback/a.go: callback must not import methods"},
		{"protocol to protocol", "checkout/a.go", module + "/s2s", "checkout/a.go: checkout must not import s2s"},
		{"protocol to protocol from a test", "hpf/a_test.go", module + "/s2s", "hpf/a_test.go: hpf must not import s2s"},
		{"protocol to the kernel's inside", "s2s/a.go", module + "/internal/state", "s2s/a.go: s2s must not import internal/state"},
		{"kernel to vcard", "a.go", module + "/methods/vcard", "a.go: . must not import methods/vcard"},
		{"kernel to page", "a.go", module + "/checkout/page", "a.go: . must not import checkout/page"},
		{"kernel to net/http", "a.go", "net/http", "a.go: . must not import net/http"},
		{"kernel to a part of net/http", "a.go", "net/http/httptrace", "a.go: . must not import net/http/httptrace"},
		{"pure rules to context", "internal/state/a.go", "context", "internal/state/a.go: internal/state must not import context"},
		{"pure rules to chance", "internal/vault/a.go", "crypto/rand", "internal/vault/a.go: internal/vault must not import crypto/rand"},
		{"example to the inside", "examples/shop/a.go", module + "/internal/vault", "examples/shop/a.go: examples/shop must not import internal/vault"},
		{"nested module uphill", "store/postgres/a.go", module, "store/postgres/a.go: store/postgres must not import ."},
		{"testify in the library", "store/a.go", testify + "/require", "store/a.go: store must not import " + testify + "/require"},
		{"folder without a row", "util/a.go", "fmt", "util/a.go: util stands nowhere in the table of arrows"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			text := fmt.Sprintf("package a\n\nimport _ %q\n", c.imports)
			faults := arrowFaults(parseTree(t, fstest.MapFS{c.file: {Data: []byte(text)}}))
			if c.fault == "" {
				require.Empty(t, faults)
				return
			}
			require.Equal(t, []string{c.fault}, faults)
		})
	}
}

func arrowFaults(sources []source) (faults []string) {
	for _, s := range sources {
		i := slices.IndexFunc(arrows, func(a arrow) bool { return matches(a.from, s.dir) })
		if i < 0 {
			faults = append(faults, fmt.Sprintf("%s: %s stands nowhere in the table of arrows", s.name, s.dir))
			continue
		}
		for _, imported := range s.imports() {
			if !arrows[i].allows(s, imported) {
				faults = append(faults, fmt.Sprintf("%s: %s must not import %s", s.name, s.dir, relative(imported)))
			}
		}
	}
	return faults
}

// allows reports whether a source of the row's folders may import a package.
func (a arrow) allows(s source, imported string) bool {
	dir := relative(imported)
	switch {
	case dir == imported: // not ours
		if s.test {
			return true
		}
		kit := imported != testify && !strings.HasPrefix(imported, testify+"/") || matches(testKits, s.dir)
		return kit && !slices.ContainsFunc(strings.Fields(a.never), func(never string) bool {
			return imported == never || strings.HasPrefix(imported, never+"/")
		})
	case s.test && (dir == s.dir || matches(a.tests, dir)):
		return true
	}
	return matches(a.to, dir)
}

// matches reports whether a list of patterns names a folder.
func matches(patterns, dir string) bool {
	return slices.ContainsFunc(strings.Fields(patterns), func(p string) bool {
		base, below := strings.CutSuffix(p, "/...")
		return p == "..." || dir == base || below && strings.HasPrefix(dir, base+"/")
	})
}

// relative returns the folder of a package of ours, and the path itself of any other.
func relative(imported string) string {
	if imported == module {
		return "."
	}
	return strings.TrimPrefix(imported, module+"/")
}

// source is a parsed Go file.
type source struct {
	name string // path from the root
	dir  string
	test bool
	file *ast.File
	set  *token.FileSet
}

func (s source) imports() (paths []string) {
	for _, spec := range s.file.Imports {
		imported, _ := strconv.Unquote(spec.Path.Value) // the parser has checked it
		paths = append(paths, imported)
	}
	return paths
}

// ours are the sources of this repository, parsed once for all tests. Under the race detector, which sees nothing of
// what reads them, such a test is skipped: .ci/run has a run without it.
func ours(t *testing.T) []source {
	t.Helper()
	if kerneltest.Raced {
		t.Skip("reads sources, of which the race detector sees nothing; go test without -race runs it")
	}
	sources, err := oursParsed()
	require.NoError(t, err)
	return slices.Clone(sources)
}

var oursParsed = sync.OnceValues(func() ([]source, error) { return parse(os.DirFS(".")) })

// parseTree reads every Go file below the root, nested modules too, except those that the go command ignores.
func parseTree(t *testing.T, tree fs.FS) []source {
	t.Helper()
	sources, err := parse(tree)
	require.NoError(t, err)
	return sources
}

func parse(tree fs.FS) (sources []source, err error) {
	set := token.NewFileSet()
	err = fs.WalkDir(tree, ".", func(name string, entry fs.DirEntry, err error) error {
		base := path.Base(name)
		hidden := base != "." && (base[0] == '.' || base[0] == '_')
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (hidden || base == "testdata" || base == "node_modules"):
			return fs.SkipDir
		case entry.IsDir() || hidden || path.Ext(name) != ".go":
			return nil
		}
		text, err := fs.ReadFile(tree, name)
		if err != nil {
			return err
		}
		file, err := parser.ParseFile(set, name, text, parser.SkipObjectResolution|parser.ParseComments)
		sources = append(sources, source{name, path.Dir(name), strings.HasSuffix(name, "_test.go"), file, set})
		return err
	})
	return sources, err
}
