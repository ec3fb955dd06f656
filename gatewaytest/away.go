package gatewaytest

import (
	"html"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// ComeBack plays a payer at the page of the issuer or the bank: the payer confirms, and the browser comes back. It
// returns where the gateway sends the browser next.
func (kit *Kit) ComeBack(t testing.TB, next *store.Redirect) (location string) {
	t.Helper()
	return kit.comeBack(t, next, "confirm")
}

// GiveUp is ComeBack for a payer whose authentication fails.
func (kit *Kit) GiveUp(t testing.TB, next *store.Redirect) (location string) {
	t.Helper()
	return kit.comeBack(t, next, "fail")
}

func (kit *Kit) comeBack(t testing.TB, next *store.Redirect, button string) string {
	t.Helper()
	target, back := kit.Away(t, next, button)
	token, ok := strings.CutPrefix(strings.SplitN(target, "?", 2)[0], kit.address()+"/return/")
	require.True(t, ok, target)
	location, err := kit.Return(t.Context(), token, back)
	require.NoError(t, err)
	return location
}

var (
	hidden = regexp.MustCompile(`<input type="hidden" name="([^"]+)" value="([^"]*)"`)
	action = regexp.MustCompile(`action="([^"]*)"`)
)

// Away opens the page that the payer was sent to and presses a button (confirm or fail). It returns where the
// browser is sent and what it brings. Nothing reaches the gateway yet.
func (kit *Kit) Away(t testing.TB, next *store.Redirect, button string) (target string, back methods.Return) {
	t.Helper()
	var first url.Values
	if next.Method == http.MethodPost {
		first = url.Values{}
		for _, p := range next.Params {
			first.Set(p.Name, p.Value)
		}
	}
	to, form := readForm(t, kit.open(t, next.Method, next.URL, first))
	form.Set("decision", button)
	w := kit.open(t, http.MethodPost, to, form)
	if next.ThreeDS {
		to, form := readForm(t, w)
		return to, methods.Return{Method: http.MethodPost, Params: form}
	}
	u, err := url.Parse(w.Header().Get("Location"))
	require.NoError(t, err)
	return u.String(), methods.Return{Method: http.MethodGet, Params: u.Query()}
}

func (kit *Kit) open(t testing.TB, method, target string, form url.Values) *httptest.ResponseRecorder {
	t.Helper()
	path, ok := strings.CutPrefix(target, kit.address()+"/vcard")
	if !ok {
		path = strings.TrimPrefix(target, "/vcard")
	}
	r := httptest.NewRequest(method, path, strings.NewReader(form.Encode()))
	if form != nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	w := httptest.NewRecorder()
	kit.Vcard.Pages().ServeHTTP(w, r)
	require.Less(t, w.Code, 400, w.Body.String())
	return w
}

func readForm(t testing.TB, w *httptest.ResponseRecorder) (target string, form url.Values) {
	t.Helper()
	form = url.Values{}
	for _, m := range hidden.FindAllStringSubmatch(w.Body.String(), -1) {
		form.Set(m[1], html.UnescapeString(m[2]))
	}
	found := action.FindStringSubmatch(w.Body.String())
	require.NotNil(t, found, w.Body.String())
	return html.UnescapeString(found[1]), form
}
