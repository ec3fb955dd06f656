package checkout_test

import (
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/callback/signature"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
)

// requireReturn requires a URL with its own query, the four parameters of the newest payment of ORD-1, each once,
// and no others but extras.
func (s *shop) requireReturn(t testing.TB, got, base string, own, extras map[string]string) {
	t.Helper()
	u, err := url.Parse(got)
	require.NoError(t, err)
	p, query := s.Payment(t, "ORD-1"), u.Query()
	require.Equal(t, base, u.Scheme+"://"+u.Host+u.Path)
	want := url.Values{"payment_id": {p.ID}, "trans_id": {p.Transactions[0].ID}, "order_id": {"ORD-1"},
		"hash": query["hash"]}
	for _, more := range []map[string]string{own, extras} {
		for name, value := range more {
			want.Set(name, value)
		}
	}
	require.Equal(t, want, query)
	require.True(t, signature.Verify(signature.CheckoutCallback, signature.MD5, signature.Inputs{
		PaymentID: p.ID, OrderNumber: "ORD-1", Amount: "10.00", Currency: "USD", Description: "Important gift",
	}, gatewaytest.Password, query.Get("hash")))
}

// "Return query parameters on success_url and cancel_url (both 3DS and non-3DS): always payment_id, trans_id,
// order_id, hash; plus selected extras".
func TestSPEC1ReturnOnBothURLs(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		card methods.Card
		paid bool
	}{
		{"success", gatewaytest.Settles, true}, {"success after 3DS", gatewaytest.ThreeDSPasses, true}, {"success after a redirect", gatewaytest.BankPasses, true},
		{"decline", gatewaytest.Declines, false}, {"decline after 3DS", gatewaytest.ThreeDSFails, false}, {"decline after a redirect", gatewaytest.BankFails, false},
	} {
		for _, extras := range []bool{false, true} {
			t.Run(c.name+map[bool]string{true: " with extras", false: ""}[extras], func(t *testing.T) {
				t.Parallel()
				s := open(t)
				added := map[string]string{}
				s.mapping(t, func(m *store.Mapping) {
					m.MaxDeclines = 1
					if extras {
						m.ReturnExtras = []string{"payment_method", "brand"}
						added = map[string]string{"payment_method": "card", "brand": "visa"}
					}
				})
				link := s.link(t, set("cancel_url", "https://shop.example/cancel?why=1&why2=%20"))
				next := s.Pay(t, link, c.card)
				if next.Kind == gateway.ActionRedirect {
					s.ComeBack(t, next.Redirect)
					var err error
					next, err = s.NextAction(t.Context(), link)
					require.NoError(t, err)
				}
				require.Equal(t, gateway.ActionReturn, next.Kind)
				if c.paid {
					s.requireReturn(t, next.URL, "https://shop.example/success", map[string]string{"cart": "1"}, added)
				} else {
					s.requireReturn(t, next.URL, "https://shop.example/cancel", map[string]string{"why": "1", "why2": " "}, added)
				}
			})
		}
	}
}

// cancel_url "when the customer closes the form": without parameters before an attempt, with them after one
// (checkout.md, "Return to merchant").
func TestSPEC1CancelURL(t *testing.T) {
	t.Parallel()
	s := open(t)
	link := s.link(t)
	next, err := s.LeaveSession(t.Context(), link)
	require.NoError(t, err)
	require.Equal(t, "https://shop.example/cancel", next.URL)
	require.Equal(t, next.URL, s.Pay(t, link, gatewaytest.Settles).URL, "the link is dead")
	require.Empty(t, s.Charges(t))

	s.Clock.Set(s.Clock.Now().Add(gateway.DuplicateWindow))
	link = s.link(t)
	s.Pay(t, link, gatewaytest.Declines)
	next, err = s.LeaveSession(t.Context(), link)
	require.NoError(t, err)
	s.requireReturn(t, next.URL, "https://shop.example/cancel", nil, nil)
}

// expiry_url gets no parameters, even after an attempt.
func TestSPEC1ExpiryURLIsBare(t *testing.T) {
	t.Parallel()
	s := open(t)
	link := s.link(t, set("expiry_url", "https://shop.example/late?a=1"), set("session_expiry", 1))
	s.Pay(t, link, gatewaytest.Declines)
	s.Advance(t, time.Minute)
	next, err := s.NextAction(t.Context(), link)
	require.NoError(t, err)
	require.Equal(t, "https://shop.example/late?a=1", next.URL)
}

// error_url: "the payer goes here on an undefined transaction status; cancel_url is used when absent".
func TestSPEC1ErrorURL(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		edit edit
		want string
	}{
		"given":  {set("error_url", "https://shop.example/error?a=1"), "https://shop.example/error?a=1"},
		"absent": {drop("error_url"), ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := open(t)
			s.Vcard.Next(vcard.UnknownAfter())
			link := s.link(t, c.edit)
			next := s.Pay(t, link, gatewaytest.Settles)
			require.Equal(t, gateway.ReturnUndefined, next.Status)
			if c.want != "" {
				require.Equal(t, c.want, next.URL)
			} else {
				s.requireReturn(t, next.URL, "https://shop.example/cancel", nil, nil)
			}
			s.Advance(t, time.Hour)
			s.requireStatus(t, s.Payment(t, "ORD-1").ID, "settled")
		})
	}
}

// "One redirect link = one payment; the link becomes invalid after a successful payment".
func TestSPEC1LinkPaysOnce(t *testing.T) {
	t.Parallel()
	s := open(t)
	link := s.link(t)
	s.Pay(t, link, gatewaytest.Declines)
	first := s.Payment(t, "ORD-1").ID
	s.Pay(t, link, gatewaytest.Settles)
	require.NotEqual(t, first, s.Payment(t, "ORD-1").ID,
		"a declined attempt leaves the session usable, for a new payment of the order")
	s.Pay(t, link, gatewaytest.Settles)
	require.Len(t, s.Charges(t), 2)
}

// url_target: "_self, _parent, _top (a MID attribute Override Link Target ... wins unconditionally)".
func TestSPEC1URLTarget(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ asked, own, want string }{
		{"_parent", "", "_parent"}, {"", "", ""}, {"_parent", "_blank", "_blank"}, {"", "_self", "_self"},
	} {
		s := open(t)
		s.mid(t, func(m *store.MID) { m.LinkTarget = c.own })
		require.Equal(t, c.want, s.Pay(t, s.link(t, set("url_target", c.asked)), gatewaytest.Settles).Target)
	}
}
