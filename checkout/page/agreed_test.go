package page_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/checkout/page"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/store"
)

const termsChanged = "The terms of this payment have changed."

var agreementField = regexp.MustCompile(`<input type="hidden" name="agreement" value="([^"]*)">`)

// A payment by a form whose terms have changed gets the current form with a notice, whatever else is wrong with
// it, however it is paid, and whether the page finds the change or the kernel when the payment begins.
func TestFormWithOldTerms(t *testing.T) {
	t.Parallel()
	script := []string{"Accept", "application/json"}
	broken := goodForm()
	broken.Set("card_number", "4")
	elsewhere := goodForm()
	elsewhere.Set("method", "gone")
	for _, c := range []struct {
		name    string
		form    url.Values
		shown   string // the terms that the payer read
		refuses bool   // the kernel finds it
		header  []string
		paid    int
		status  int
		said    bool
	}{
		{"unchanged", goodForm(), "now", false, nil, 1, 303, false},
		{"a form of the host's own", goodForm(), "", false, nil, 1, 303, false},
		{"old", goodForm(), "old", false, nil, 0, 422, true},
		{"old, and a wrong card", broken, "old", false, nil, 0, 422, true},
		{"old, and a method that is gone", elsewhere, "old", false, nil, 0, 422, true},
		{"changed at that moment", goodForm(), "now", true, nil, 1, 422, true},
		{"old, by a wallet", goodForm(), "old", false, script, 0, 422, true},
		{"changed at that moment, by a wallet", goodForm(), "now", true, script, 1, 422, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			k := &kernel{next: with(func(next *gateway.NextAction) {
				next.Agreement, next.TermsURL = "now",
					"https://shop.example/terms"
			})}
			if c.refuses {
				k.payErr = gateway.ErrInvalid.Fields(gateway.Fault{Path: "agreement", Text: "has changed"})
			}
			form, _ := url.ParseQuery(c.form.Encode())
			form.Set("terms", "yes")
			if c.shown != "" {
				form.Set("agreement", c.shown)
			}
			w := call(k, "POST", "/auth/"+token, form.Encode(), c.header...)
			require.Equal(t, c.status, w.Code)
			require.Len(t, k.paid, c.paid)
			for _, s := range k.paid {
				require.Equal(t, c.shown, s.Agreement)
			}
			switch {
			case !c.said:
			case c.header != nil:
				require.JSONEq(t, `{"result":"fail","changed":true}`, bodyOf(w))
			default:
				require.Contains(t, bodyOf(w), termsChanged)
				require.Equal(t, "now", agreementField.FindStringSubmatch(bodyOf(w))[1])
				require.NotContains(t, bodyOf(w), " checked", "the terms are agreed to anew")
			}
		})
	}
	k := &kernel{next: with(func(next *gateway.NextAction) { next.Agreement = "now" })}
	w := call(k, "GET", "/auth/"+token+"?changed", "")
	require.Equal(t, http.StatusOK, w.Code)
	require.Contains(t, bodyOf(w), termsChanged, "the script of the wallets gets the notice")
	require.NotContains(t, bodyOf(call(k, "GET", "/auth/"+token, "")), termsChanged)
}

// A schedule changes while its payer reads: the page shows the new one, and only a payment for that one is made.
func TestScheduleChangesUnderTheForm(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	set, err := kit.Shop().CreateSchedule(t.Context(),
		store.Schedule{Name: "Monthly", IntervalLength: 1, IntervalUnit: store.Month, PaymentsCount: 12})
	require.NoError(t, err)
	r := gatewaytest.Request("ORD-1", "10.00")
	r.Extra.RecurringInit, r.Extra.ScheduleID = true, set.ID
	link := "/auth/" + kit.SessionOf(t, r)
	handler := page.Handler(kit.Gateway, page.Options{})
	send := func(method string, form url.Values) *httptest.ResponseRecorder {
		r := httptest.NewRequest(method, link, strings.NewReader(form.Encode()))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		return w
	}
	read := func(w *httptest.ResponseRecorder) url.Values {
		form := goodForm()
		form.Set("attempt", "0")
		form.Set("agreement", agreementField.FindStringSubmatch(bodyOf(w))[1])
		return form
	}
	shown := send("GET", nil)
	require.Contains(t, bodyOf(shown), "12 payments")
	_, err = kit.Shop().UpdateSchedule(t.Context(), set.ID, func(s *store.Schedule) error {
		s.PaymentsCount = 24
		return nil
	})
	require.NoError(t, err)
	now := send("POST", read(shown))
	require.Equal(t, http.StatusUnprocessableEntity, now.Code)
	require.Contains(t, bodyOf(now), termsChanged)
	require.Contains(t, bodyOf(now), "24 payments")
	require.Empty(t, kit.Charges(t))
	require.Equal(t, http.StatusSeeOther, send("POST", read(now)).Code)
	require.Equal(t, store.Settled, kit.Payment(t, "ORD-1").Status)
}
