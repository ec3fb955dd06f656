package roomplan

import (
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Where the table is and the picture goes, from this folder.
const (
	tableFile   = "../../arrows_test.go"
	pictureFile = "../../docs/rooms.svg"
)

var rewrite = flag.Bool("rewrite", false, "draw docs/rooms.svg again")

// TestPicture keeps docs/rooms.svg as the table of imports says. `go generate ./internal/roomplan` draws it again.
func TestPicture(t *testing.T) {
	t.Parallel()
	picture, err := Draw(tableFile)
	require.NoError(t, err)
	if *rewrite {
		require.NoError(t, os.WriteFile(pictureFile, []byte(picture), 0o644))
	}
	kept, err := os.ReadFile(pictureFile)
	require.NoError(t, err)
	require.Equal(t, picture, string(kept), "run go generate ./internal/roomplan: docs/rooms.svg is behind the table")
}

// TestPictureIsWellFormed reads the picture as XML and finds the rooms in it.
func TestPictureIsWellFormed(t *testing.T) {
	t.Parallel()
	picture, err := Draw(tableFile)
	require.NoError(t, err)
	decoder, texts := xml.NewDecoder(strings.NewReader(picture)), []string{}
	for inText := false; ; {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err)
		switch token := token.(type) {
		case xml.StartElement:
			inText = token.Name.Local == "text"
		case xml.CharData:
			if inText {
				texts = append(texts, string(token))
			}
		case xml.EndElement:
			inText = false
		}
	}
	require.Subset(t, texts, []string{"gateway", "checkout", "s2s", "engine", "records", "store"})
}

// small is a table in the form of the real one.
const small = `package x

const floor = ". store"

var arrows = []arrow{
	{from: "store"},
	{from: "keys"},
	{from: "internal/state", to: "store"},
	{from: "internal/engine", to: "internal/state store", never: "net"},
	{from: ".", to: "internal/engine internal/state " + "store"},
	{from: "a", to: floor + " a/part a/internal/...", tests: "keys"},
	{from: "a/part"},
	{from: "a/internal/x", to: "a/internal/y"},
	{from: "a/internal/y", to: "keys"},
	{from: "store/one", to: "store store/internal/gate"},
	{from: "store/two", to: "store store/internal/gate"},
	{from: "store/internal/gate", to: "store"},
	{from: "b", to: floor + " keys"},
	{from: "kittest", to: "."},
	{from: "examples/...", to: "a b . kittest store/one store/two examples/..."},
	{from: "harness", to: "..."},
}
`

func tableOf(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "table.go")
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	return file
}

func smallGraph(t *testing.T) *graph {
	t.Helper()
	rows, err := readTable(tableOf(t, small))
	require.NoError(t, err)
	return graphOf(rows)
}

func TestGraph(t *testing.T) {
	t.Parallel()
	g := smallGraph(t)
	require.Equal(t, []string{".", "a", "a/internal/x", "a/internal/y", "a/part", "b", "internal/engine",
		"internal/state", "keys", "store", "store/internal/gate", "store/one", "store/two"}, g.names(), "no kits")
	require.Equal(t, []string{".", "a/internal/x", "a/internal/y", "a/part", "store"}, g.below("a"))

	g.foldParts()
	require.Equal(t, []string{".", "a", "b", "internal/engine", "internal/state", "keys", "store",
		"store/internal/gate", "store/one", "store/two"}, g.names())
	require.Equal(t, []string{".", "keys", "store"}, g.below("a"), "with the arrows of its parts")

	g.foldTwins()
	require.Equal(t, []string{"a", "b"}, g.rooms["a"], "they import the same")
	require.Nil(t, g.rooms["b"])
	require.Equal(t, []string{"store/one", "store/two"}, g.rooms["store/one"])

	g.foldParts()
	require.Nil(t, g.rooms["store/internal/gate"], "only the two of its folder import it")
	require.Equal(t, []string{"store"}, g.below("store/one"))

	g.reduce()
	require.Equal(t, []string{".", "keys"}, g.below("a"), "the store is reached by the root")
	require.Equal(t, []string{"internal/engine"}, g.below("."))
	require.Equal(t, []string{"internal/state"}, g.below("internal/engine"))
	require.Equal(t, []string{"store"}, g.below("internal/state"))
}

// TestPlan holds the real plan to what makes it readable: arrows point down, and no two boxes overlap.
func TestPlan(t *testing.T) {
	t.Parallel()
	rows, err := readTable(tableFile)
	require.NoError(t, err)
	g := graphOf(rows)
	g.foldParts()
	g.foldTwins()
	g.foldParts()
	g.reduce()
	p := place(g)
	require.Greater(t, len(p.arrows), 30)
	for _, a := range p.arrows {
		for i, n := range a[1:] {
			require.Greater(t, n.y, a[i].y, "%s to %s", a[0].names, a[len(a)-1].names)
		}
	}
	for _, layer := range p.layers {
		for i, n := range layer {
			require.GreaterOrEqual(t, n.x-n.w/2, 0.0)
			require.LessOrEqual(t, n.x+n.w/2, p.width)
			require.LessOrEqual(t, n.y+n.h, p.height)
			if i > 0 {
				require.Greater(t, n.x-n.w/2, layer[i-1].x+layer[i-1].w/2, "%s and %s", layer[i-1].names, n.names)
			}
		}
	}
}

func TestLayers(t *testing.T) {
	t.Parallel()
	g := smallGraph(t)
	g.foldParts()
	g.foldTwins()
	g.foldParts()
	g.reduce()
	require.Equal(t, map[string]int{
		"a": 0, ".": 1, "keys": 1, "internal/engine": 2, "internal/state": 3, "store/one": 3, "store": 4,
	}, layersOf(g))
}

func TestReadTableRejects(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, text, fault string }{
		{"no Go", "rooms", "expected 'package'"},
		{"no table", "package x\n", "no table arrows"},
		{"a row by a name", "package x\n\nvar arrows = []arrow{row}\n", "a row that is a *ast.Ident"},
		{"a row without names", "package x\n\nvar arrows = []arrow{{\"store\"}}\n", "a field without its name"},
		{"a text by a call", "package x\n\nvar arrows = []arrow{{from: f()}}\n", "a text that is a *ast.CallExpr"},
		{"a text of nowhere", "package x\n\nvar arrows = []arrow{{from: elsewhere}}\n", "a text that is a *ast.Ident"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, err := readTable(tableOf(t, c.text))
			require.ErrorContains(t, err, c.fault)
		})
	}
}

// TestUntangle: arrows that need not cross do not.
func TestUntangle(t *testing.T) {
	t.Parallel()
	p := &plan{}
	box := func(layer int) *node {
		n := &node{names: []string{"x"}, layer: layer}
		p.add(n)
		return n
	}
	a, b, c := box(0), box(0), box(0)
	x, y, z := box(2), box(2), box(2)
	for _, ends := range [][2]*node{{a, z}, {b, x}, {c, y}, {c, x}} {
		p.connect(ends[0], ends[1])
	}
	require.Equal(t, 4, p.crossings())
	p.untangle()
	require.Zero(t, p.crossings())
}
