package hpf_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/hpf"
)

// The files that a browser loads for the fields tell it to use https only, if PublicURL is https.
func TestStrictTransport(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		public string
		opts   hpf.Options
		want   string
	}{
		{"https://pay.example", hpf.Options{}, "max-age=31536000"}, {"http://127.0.0.1:8080", hpf.Options{}, ""},
		{"https://pay.example", hpf.Options{StrictTransport: -1}, ""},
	} {
		kit := gatewaytest.New(t, func(cfg *gateway.Config) { cfg.PublicURL = c.public })
		h := hpf.Handler(kit.Gateway, c.opts)
		for _, route := range []struct{ method, path string }{
			{"GET", "/sdk/hosted-fields.js"}, {"GET", "/sdk/nothing.js"}, {"GET", "/sdk/frame/card.html?session=nobody"},
			{"GET", "/sdk/frame/expiry.html?session=nobody"}, {"GET", "/sdk/frame/cvv.html?session=nobody"}, {"GET", "/sdk/frame/none.css"}, {"POST", "/sdk/collect"},
		} {
			w := httptest.NewRecorder()
			h.ServeHTTP(w, httptest.NewRequest(route.method, route.path, http.NoBody))
			require.Equal(t, c.want, w.Header().Get("Strict-Transport-Security"), "%s %s", route.method, route.path)
		}
	}
}
