package asset_test

import (
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/internal/asset"
)

func TestAdd(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, url, kind string }{
		{"page.css", "page.ba7816bf8f01.css", "text/css; charset=utf-8"},
		{"hosted-fields.js", "hosted-fields.ba7816bf8f01.js", "text/javascript; charset=utf-8"},
		{"hosted-fields.d.ts", "hosted-fields.ba7816bf8f01.d.ts", "application/typescript; charset=utf-8"},
		{"sign.svg", "sign.ba7816bf8f01.svg", "image/svg+xml"},
		{"page.html", "", ""},
		{"LICENSE", "", ""},
		{"a.ts", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			set := asset.NewSet()
			f, ok := set.Add(c.name, []byte("abc"))
			require.Equal(t, c.url != "", ok)
			require.Equal(t, c.url, f.URL)
			if !ok {
				require.Empty(t, set.Named)
				require.Empty(t, set.Served)
				return
			}
			require.Equal(t, c.kind, f.Kind)
			require.Equal(t, "ba7816bf8f01", f.Version())
			require.Equal(t, "sha384-ywB1P0WjXou1oD1pmsZQBycsMqsO3tFjGotgWkP/W+2AhgcroefMI1i67KE0yCWn", f.Integrity)
			require.Equal(t, f, set.Named[c.name])
			require.Equal(t, f, set.Served[c.url])
		})
	}
}

func TestServe(t *testing.T) {
	t.Parallel()
	set := asset.NewSet()
	now, _ := set.Add("a.js", []byte("new"))
	before, ok := set.Serve("a.js", []byte("old"))
	require.True(t, ok)
	require.NotEqual(t, now.URL, before.URL)
	require.Equal(t, now, set.Named["a.js"], "the earlier value is not the named one")
	require.Len(t, set.Served, 2)
}

func TestLoad(t *testing.T) {
	t.Parallel()
	set := asset.NewSet()
	require.NoError(t, set.Load(fstest.MapFS{
		"files/a.js": {Data: []byte("a")}, "files/b.txt": {Data: []byte("b")}, "files/below/c.js": {Data: []byte("c")},
		"d.js": {Data: []byte("d")},
	}, "files"))
	require.Len(t, set.Named, 1)
	require.Contains(t, set.Named, "a.js")
	require.ErrorContains(t, set.Load(fstest.MapFS{}, "nowhere"), "assets: ")
}
