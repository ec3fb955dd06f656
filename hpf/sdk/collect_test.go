package sdk_test

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/hpf/sdk"
	"github.com/tollgatepay/gateway/store"
)

func TestCollect(t *testing.T) {
	t.Parallel()
	f := &fake{}
	w := serve(sdk.Handler(f, sdk.Options{}), post(good))
	require.Equal(t, http.StatusOK, w.Code)
	require.JSONEq(t, `{"result":"success"}`, w.Body.String())
	require.Equal(t, "no-store", w.Header().Get("Cache-Control"))
	require.Empty(t, w.Header().Get("Access-Control-Allow-Origin"))
	require.Len(t, f.cards, 1)
	require.Equal(t, "4111111111111111", f.cards[0].Number.Digits())
	require.Equal(t, "01/2030", f.cards[0].Expiry.String())
	require.Equal(t, "123", f.cards[0].Code.Digits())
	require.NotContains(t, fmt.Sprintf("%+v", f.cards), "11111111")
}

// Only a frame of our own origin may call it.
func TestCollectFromElsewhere(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, site, origin string
		want               int
	}{
		{"own frame", "same-origin", "https://pay.example", 200},
		{"browser without these headers", "", "https://pay.example", 200},
		{"another site", "cross-site", shop, 403},
		{"sibling domain", "same-site", "https://a.pay.example", 403},
		{"typed by the user", "none", "", 403},
		{"lies in Origin only", "cross-site", "https://pay.example", 403},
		{"origin of others", "", shop, 403},
		{"origin with another port", "", "https://pay.example:8443", 403},
		{"opaque", "", "null", 403},
		{"no browser", "", "", 403},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			f, r := &fake{}, post(good)
			r.Header.Set("Sec-Fetch-Site", c.site)
			r.Header.Set("Origin", c.origin)
			w := serve(sdk.Handler(f, sdk.Options{}), r)
			require.Equal(t, c.want, w.Code)
			require.Equal(t, c.want == 200, len(f.cards) == 1)
			if c.want == 403 {
				require.Contains(t, w.Header().Get("Content-Type"), "text/html")
			}
		})
	}
}

func TestCollectToken(t *testing.T) {
	t.Parallel()
	for _, token := range []string{"", "other", strings.Repeat("a", 513)} {
		f, r := &fake{}, post(good)
		r.Header.Set("Token", token)
		w := serve(sdk.Handler(f, sdk.Options{}), r)
		require.Equal(t, http.StatusForbidden, w.Code)
		require.Contains(t, w.Header().Get("Content-Type"), "text/html")
		require.Contains(t, w.Body.String(), "<!doctype html>")
		require.Empty(t, f.cards)
	}
	for _, second := range []string{knownToken, "other", ""} {
		f, r := &fake{}, post(good)
		r.Header.Add("Token", second)
		require.Equal(t, http.StatusForbidden, serve(sdk.Handler(f, sdk.Options{}), r).Code, "two tokens are none")
		require.Empty(t, f.cards)
	}
}

func TestCollectInvalid(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, body, message string }{
		{"number", strings.Replace(good, "4111", "4112", 1), "Invalid card number"},
		{"number with spaces", strings.Replace(good, "4111", "4111 ", 1), "Invalid card number"},
		{"expiry", strings.Replace(good, "01/30", "13/30", 1), "The expiration date of card is expired and not valid."},
		{"code", strings.Replace(good, "123", "12", 1), "Invalid security code"},
		{"nothing", `{}`, "Invalid card number"},
		{"empty", ``, "Request data is invalid."},
		{"list", `[]`, "Request data is invalid."},
		{"number as number", `{"card_number":4111111111111111}`, "Request data is invalid."},
		{"twice", strings.Replace(good, "{", `{"cvv":"999",`, 1), "Request data is invalid."},
		{"trailing", good + good, "Request data is invalid."},
		{"too long", good[:len(good)-1] + `,"x":"` + strings.Repeat("a", 2000) + `"}`, "Request data is invalid."},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			f := &fake{}
			w := serve(sdk.Handler(f, sdk.Options{}), post(c.body))
			require.Equal(t, http.StatusUnprocessableEntity, w.Code)
			require.JSONEq(t, `{"result":"undefined","message":"`+c.message+`"}`, w.Body.String())
			require.Empty(t, f.cards)
		})
	}
	r := post(good)
	r.Header.Set("Content-Type", "text/plain")
	require.Equal(t, http.StatusUnprocessableEntity, serve(sdk.Handler(&fake{}, sdk.Options{}), r).Code)
}

func TestCollectFaults(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		fault  error
		status int
		want   string
	}{
		{"expired card", fmt.Errorf("card: %w", store.ErrExpiry), 422, store.ErrExpiry.Error()},
		{"catalogue", gateway.ErrBrandRoute, 422, gateway.ErrBrandRoute.Message()},
		{"faults of the card", gateway.ErrInvalid.Fields(gateway.Fault{Path: "card_number", Text: "Bad Request. Brand of card does not support."},
			gateway.Fault{Path: "expiry", Text: store.ErrExpiry.Error()}), 422,
			"Bad Request. Brand of card does not support. " + store.ErrExpiry.Error()},
		{"store down", errors.New("disk on fire"), 500, "The card data could not be saved. Please try again."},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var log bytes.Buffer
			w := serve(sdk.Handler(&fake{fault: c.fault}, sdk.Options{Log: slog.New(slog.NewTextHandler(&log, nil))}),
				post(good))
			require.Equal(t, c.status, w.Code)
			require.JSONEq(t, `{"result":"undefined","message":"`+c.want+`"}`, w.Body.String())
			require.Equal(t, c.status == 500, strings.Contains(log.String(), "disk on fire"))
			require.NotContains(t, log.String(), "4111")
		})
	}
}

// No header allows another origin, whatever its preflight asks.
func TestCollectPreflight(t *testing.T) {
	t.Parallel()
	r := httptest.NewRequest(http.MethodOptions, "/sdk/collect", nil)
	r.Header.Set("Origin", shop)
	w := serve(sdk.Handler(&fake{}, sdk.Options{}), r)
	require.GreaterOrEqual(t, w.Code, 400)
	require.Empty(t, w.Header().Get("Access-Control-Allow-Origin"))
}

func FuzzCollect(f *testing.F) {
	f.Add(good)
	f.Add(`{"card_number":"378282246310005","expiry":"2030-01","cvv":"1234"}`)
	f.Fuzz(func(t *testing.T, body string) {
		g := &fake{}
		w := serve(sdk.Handler(g, sdk.Options{}), post(body))
		require.Contains(t, []int{200, 422}, w.Code)
		require.Equal(t, w.Code == 200, len(g.cards) == 1)
	})
}
