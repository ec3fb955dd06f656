package sdk

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
)

// A page that pins a released library gets it after an upgrade too, byte by byte, by the same URL and with the
// same integrity. A version that was never released is not served.
func TestReleasedLibraries(t *testing.T) {
	t.Parallel()
	script := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	before := loadAssets(fstest.MapFS{"assets/hosted-fields.js": script("first")}).Named[libraryName]
	f := &fields{assets: loadAssets(fstest.MapFS{
		"assets/hosted-fields.js":  script("second"),
		"assets/released/0.1.0.js": script("first"),
		"assets/released/README":   script("no library"),
	})}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /sdk/{file}", f.library)
	get := func(name string) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		mux.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/sdk/"+name, nil))
		return w
	}
	old, now := get(before.URL), get(libraryName)
	require.Equal(t, http.StatusOK, old.Code)
	require.Equal(t, "first", old.Body.String())
	require.Contains(t, old.Header().Get("Cache-Control"), "immutable")
	require.Equal(t, before.Integrity, f.assets.Served[before.URL].Integrity)
	require.Equal(t, "second", now.Body.String(), "the plain name is the newest")
	require.Len(t, f.assets.Served, 2)
	require.Len(t, f.assets.Named, 1, "the inventory lists what runs")

	f.assets = loadAssets(fstest.MapFS{"assets/hosted-fields.js": script("second")})
	require.Equal(t, http.StatusNotFound, get(before.URL).Code)
}
