package page_test

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/checkout/page"
)

// Every answer tells browsers to use https only, if PublicURL is https and the host has not turned it off.
func TestStrictTransport(t *testing.T) {
	t.Parallel()
	const name = "Strict-Transport-Security"
	for _, c := range []struct {
		public string
		chosen time.Duration
		want   string
	}{
		{"https://pay.example", 0, "max-age=31536000"}, {"http://127.0.0.1:8080", 0, ""},
		{"https://pay.example", -1, ""}, {"https://pay.example", 24 * time.Hour, "max-age=86400"},
	} {
		h := page.Handler(&kernel{next: formAction(), public: c.public}, page.Options{StrictTransport: c.chosen,
			Apple: page.Apple{DomainFile: []byte("x")}})
		for _, route := range []struct{ method, path string }{
			{"GET", "/auth/" + token}, {"GET", "/auth/nobody"}, {"POST", "/auth/" + token}, {"GET", "/auth/" + token + "/qr.png"},
			{"POST", "/auth/" + token + "/answer"}, {"GET", "/auth/" + token + "/answer"}, {"POST", "/auth/" + token + "/cancel"},
			{"GET", "/auth/" + token + "/cancel"}, {"POST", "/auth/" + token + "/wallet"}, {"GET", "/return/" + token}, {"POST", "/return/nobody"},
			{"GET", "/notify/" + token}, {"POST", "/notify/" + token}, {"GET", "/page/assets/none.css"},
			{"GET", "/.well-known/apple-developer-merchantid-domain-association"},
		} {
			w := httptest.NewRecorder()
			h.ServeHTTP(w, httptest.NewRequest(route.method, route.path, http.NoBody))
			require.Equal(t, c.want, w.Header().Get(name), "%s %s", route.method, route.path)
		}
	}
}
