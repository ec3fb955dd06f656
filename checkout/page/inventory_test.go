package page

import (
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/checkout/page/internal/static"
)

// The inventory has every script of every page, and each says its purpose.
func TestInventory(t *testing.T) {
	t.Parallel()
	set, err := static.Load(nil)
	require.NoError(t, err)
	list := Inventory()
	require.Len(t, list, len(purposes))
	require.Len(t, list, 5)
	for _, script := range list {
		require.Regexp(t, `^page/assets/[a-z]+\.`+script.Version+`\.js$`, script.Path)
		require.Regexp(t, `^sha384-[A-Za-z0-9+/]{64}$`, script.Integrity)
		require.Regexp(t, `^[0-9a-f]{12}$`, script.Version)
		require.NotEmpty(t, script.Purpose)
	}
	for _, v := range []*View{{Form: &FormView{Methods: []MethodView{{Card: true}}}}, {Form: &FormView{}},
		{Form: &FormView{Wallets: []WalletView{{}}}}, {Ask: &AskView{}}, {}} {
		v.assets = set
		for _, asset := range v.Scripts() {
			found := false
			for _, script := range list {
				found = found || script.Path == asset.URL && script.Integrity == asset.Integrity
			}
			require.True(t, found, asset.URL)
		}
	}
}

// The error names every file of a host that cannot be served.
func TestOwnAssets(t *testing.T) {
	t.Parallel()
	_, err := New(nil, Options{
		Assets:    fstest.MapFS{"page.js": {}, "x.html": {}, "a b.css": {}, "fonts/a.css": {}, "ok.css": {}},
		Templates: fstest.MapFS{},
	})
	for _, text := range []string{"asset page.js: only", "asset x.html: only", "asset a b.css: only",
		"asset fonts: only", "template form.html: missing"} {
		require.ErrorContains(t, err, text)
	}
	require.NotContains(t, err.Error(), "ok.css")
}
