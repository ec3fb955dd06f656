package page_test

import (
	"context"
	"errors"
	"html"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/checkout/page"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/memory"
)

// issuer sends every payer away, and approves those who come back; a second call gives the same answer.
type issuer struct {
	link  string
	calls int
}

func (i *issuer) Capabilities() methods.Capabilities {
	return methods.Capabilities{IdempotentByKey: true}
}

func (i *issuer) Perform(_ context.Context, op methods.Operation) methods.Answer {
	i.link = op.ReturnURL
	return methods.Redirected(op, store.Redirect{ThreeDS: true, URL: "https://acs.example/go", Method: "POST"},
		[]byte("issuer"))
}

func (i *issuer) Complete(_ context.Context, op methods.Operation, back methods.Return) methods.Answer {
	if i.calls++; strings.Join(back.Params["PaRes"], "") != "<a&b>" {
		return methods.Unverified(op, "forged")
	}
	return methods.Approved(op, "ref")
}

// dying is the store of a process that stops after some number of commits.
type dying struct {
	store.Store
	left *atomic.Int32
}

func (d dying) Update(ctx context.Context, fn func(store.Tx) error) error {
	if d.left.Add(-1) < 0 {
		return errors.New("dead")
	}
	return d.Store.Update(ctx, fn)
}

var (
	action = regexp.MustCompile(`<form id="forward" method="post" action="([^"]*)"`)
	hidden = regexp.MustCompile(`<input type="hidden" name="([^"]*)" value="([^"]*)"`)
)

// A payer's return was interrupted, in a browser without script: the page waits, then its form sends the issuer's
// return again, and the payment is made.
func TestInterruptedReturn(t *testing.T) {
	t.Parallel()
	bank, records, left := &issuer{}, memory.New(), &atomic.Int32{}
	left.Store(1)
	kit := gatewaytest.On(t, records, func(c *gateway.Config) { c.Connectors["vcard"] = bank })
	dead := kit.Twin(t, func(c *gateway.Config) { c.Store = dying{records, left} })
	link := kit.Session(t, "ORD-1", "10.00")
	kit.Pay(t, link, gatewaytest.Settles)

	send := func(gw *gatewaytest.Kit, method, target string, form url.Values) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		r := httptest.NewRequest(method, strings.TrimPrefix(target, gatewaytest.PublicURL), strings.NewReader(form.Encode()))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		page.Handler(gw.Gateway, page.Options{}).ServeHTTP(w, r)
		return w
	}
	back := url.Values{"PaRes": {"<a&b>"}}
	require.Equal(t, http.StatusInternalServerError, send(dead, "POST", bank.link, back).Code)
	require.Equal(t, http.StatusSeeOther, send(kit, "POST", bank.link, back).Code)
	require.Equal(t, 1, bank.calls, "the first call may be under way")
	require.NotContains(t, send(kit, "GET", "/auth/"+link, nil).Body.String(), "<form", "it waits")

	kit.Clock.Set(kit.Clock.Now().Add(time.Minute))
	body := send(kit, "GET", "/auth/"+link, nil).Body.String()
	require.Contains(t, body, `type="submit"`, "without script the payer presses")
	to, form := html.UnescapeString(action.FindStringSubmatch(body)[1]), url.Values{}
	require.Equal(t, bank.link, to)
	for _, field := range hidden.FindAllStringSubmatch(body, -1) {
		form.Add(html.UnescapeString(field[1]), html.UnescapeString(field[2]))
	}
	require.Equal(t, back, form)
	w := send(kit, "POST", to, form)
	require.Equal(t, http.StatusSeeOther, w.Code)
	require.Equal(t, gatewaytest.PublicURL+"/auth/"+link, w.Header().Get("Location"))
	require.Equal(t, store.Settled, kit.Payment(t, "ORD-1").Status)
}
