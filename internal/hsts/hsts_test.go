package hsts_test

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/internal/hsts"
)

func TestHandler(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, url string
		chosen    time.Duration
		want      string
	}{
		{"behind https", "https://pay.example", 0, "max-age=31536000"},
		{"capitals", "HTTPS://pay.example", 0, "max-age=31536000"},
		{"behind http", "http://localhost:8080", 0, ""},
		{"a choice", "https://pay.example", time.Hour, "max-age=3600"},
		{"a choice behind http", "http://pay.example", time.Hour, "max-age=3600"},
		{"switched off", "https://pay.example", -1, ""},
		{"less than a second", "https://pay.example", time.Millisecond, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := httptest.NewRecorder()
			hsts.Handler(hsts.Age(c.chosen, c.url),
				func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNotFound) })(w, nil)
			require.Equal(t, c.want, w.Header().Get("Strict-Transport-Security"))
			require.Equal(t, http.StatusNotFound, w.Code)
		})
	}
}
