package sdk_test

import (
	"crypto/sha512"
	"encoding/base64"
	"html"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/hpf/sdk"
)

// maxLibrary is the size promised to merchants' pages: 12 KB, uncompressed.
const maxLibrary = 12_000

func TestLibrary(t *testing.T) {
	t.Parallel()
	h, own := sdk.Handler(&fake{}, sdk.Options{}), sdk.Library()
	plain, versioned := get(t, h, "/sdk/hosted-fields.js"), get(t, h, "/"+own.Path)
	require.Equal(t, http.StatusOK, plain.Code)
	require.Equal(t, http.StatusOK, versioned.Code)
	require.Equal(t, plain.Body.String(), versioned.Body.String())
	require.Less(t, plain.Body.Len(), maxLibrary)
	sum := sha512.Sum384(plain.Body.Bytes())
	require.Equal(t, "sha384-"+base64.StdEncoding.EncodeToString(sum[:]), own.Integrity)
	require.Contains(t, versioned.Header().Get("Cache-Control"), "immutable")
	require.NotContains(t, plain.Header().Get("Cache-Control"), "immutable")
	for _, w := range []*httptest.ResponseRecorder{plain, versioned} {
		require.Equal(t, "*", w.Header().Get("Access-Control-Allow-Origin"), "browsers check integrity only then")
		require.Equal(t, "text/javascript; charset=utf-8", w.Header().Get("Content-Type"))
		require.Equal(t, "nosniff", w.Header().Get("X-Content-Type-Options"))
	}
	r := httptest.NewRequest(http.MethodGet, "/sdk/hosted-fields.js", nil)
	r.Header.Set("If-None-Match", plain.Header().Get("ETag"))
	require.Equal(t, http.StatusNotModified, serve(h, r).Code)
}

func TestTypes(t *testing.T) {
	t.Parallel()
	w := get(t, sdk.Handler(&fake{}, sdk.Options{}), "/sdk/hosted-fields.d.ts")
	require.Equal(t, http.StatusOK, w.Code)
	for _, name := range []string{"sessionToken", "cardOn", "expiryOn", "cvvOn", "onSubmitResult", "collectIframesData",
		".hosted-field-card-brand-logo"} {
		require.Contains(t, w.Body.String(), name)
	}
}

func TestMissing(t *testing.T) {
	t.Parallel()
	h := sdk.Handler(&fake{}, sdk.Options{})
	for _, path := range []string{"/sdk/frame.js", "/sdk/frame/frame.js", "/sdk/frame/frame.html",
		"/sdk/frame/hosted-fields.js", "/sdk/refused.html", "/sdk/hosted-fields.000000000000.js", "/sdk/"} {
		require.Equal(t, http.StatusNotFound, get(t, h, path).Code, path)
	}
}

var link = regexp.MustCompile(`(?:src|href|data-\w+)="([\w-]+\.[0-9a-f]{12}\.\w+)"`)

// Every file of a frame is served, with a long cache time, and the inventory has every script.
func TestFrameFiles(t *testing.T) {
	t.Parallel()
	h, scripts := sdk.Handler(&fake{}, sdk.Options{}), 0
	page := html.UnescapeString(get(t, h, "/sdk/frame/card.html?session="+knownSession).Body.String())
	links := link.FindAllStringSubmatch(page, -1)
	require.Len(t, links, 14, "3 scripts, a stylesheet, 9 brands and the first picture")
	for _, found := range links {
		w := get(t, h, "/sdk/frame/"+found[1])
		require.Equal(t, http.StatusOK, w.Code, found[1])
		require.Contains(t, w.Header().Get("Cache-Control"), "immutable")
		require.Contains(t, w.Header().Get("Content-Security-Policy"), "sandbox")
	}
	for _, script := range sdk.Inventory() {
		require.NotEmpty(t, script.Purpose, script.Path)
		require.Contains(t, script.Path, script.Version)
		require.Equal(t, http.StatusOK, get(t, h, "/"+script.Path).Code)
		if name, ok := strings.CutPrefix(script.Path, "sdk/frame/"); ok {
			require.Contains(t, page, `src="`+name+`" integrity="`+script.Integrity+`"`)
			scripts++
		}
	}
	require.Equal(t, 3, scripts)
	require.Equal(t, 3, strings.Count(page, "<script"))
}

// styleWarning is the only message on the console: selectors and properties of the page's own.
const styleWarning = `console.warn("HostedFields: left out of the style`

// No script posts a message to every origin ("*"), and the library listens to no window.
func TestScriptsNameTheirTarget(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"assets/hosted-fields.js", "assets/frame.js", "assets/style.js",
		"../../internal/cardui/files/rules.js"} {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		for _, bad := range []string{`"*"`, "'*'", "innerHTML", "eval(", "document.write", "localStorage", "console.",
			"cssText"} {
			require.NotContains(t, strings.Replace(string(text), styleWarning, "", 1), bad, name)
		}
		if name == "assets/hosted-fields.js" {
			require.NotContains(t, string(text), `"message"`)
		}
	}
}
