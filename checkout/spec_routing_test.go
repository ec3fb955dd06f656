package checkout_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
)

// addMID adds a live MID that is tried after the first.
func (s *shop) addMID(t testing.TB, id string, change func(*store.MID)) {
	t.Helper()
	mid := store.MID{ID: id, MerchantID: gatewaytest.MerchantID, Name: id, Connector: "vcard", Priority: 1}
	change(&mid)
	require.NoError(t, s.SaveMID(t.Context(), mid))
}

// The whole table "Routing by the purchase parameter auth", with every pair of two MIDs.
func TestSPEC1RoutingTable(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		first, second store.Mode
		auth          bool
		mid, status   string
	}{
		{store.SMS, store.DMS, false, "live", "settled"}, {store.SMS, store.DMS, true, "second", "pending"},
		{store.DMS, store.SMS, false, "second", "settled"}, {store.DMS, store.SMS, true, "live", "pending"},
		{store.DMS, store.SMSDMS, false, "second", "settled"}, {store.SMS, store.SMSDMS, true, "second", "pending"},
		{store.SMSDMS, store.DMS, true, "live", "pending"}, {store.SMSDMS, store.SMS, false, "live", "settled"},
	} {
		t.Run(strings.Join([]string{string(c.first), string(c.second), map[bool]string{true: "auth", false: "sale"}[c.auth]},
			" "), func(t *testing.T) {
			t.Parallel()
			s := open(t)
			s.mid(t, func(m *store.MID) { m.Mode = c.first })
			s.addMID(t, "second", func(m *store.MID) { m.Mode = c.second })
			p := s.settled(t, set("auth", c.auth))
			require.Equal(t, c.mid, p.MIDID)
			require.Equal(t, c.status, s.statusOf(t, p.ID))
		})
	}
}

// moto_type: "the card verification code is optional, the merchant's MPI service is not started, and the
// payment goes only to MIDs with MOTO enabled"; callbacks repeat it.
func TestSPEC1MOTOPayment(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		moto   string
		mid    string
		code   gateway.CodeNeed
		status string
	}{
		{"phone_moto", "moto", gateway.CodeOptional, "settled"}, {"email_moto", "moto", gateway.CodeOptional, "settled"},
		{"default_moto", "moto", gateway.CodeOptional, "settled"}, {"ecommerce", "live", gateway.CodeNeeded, "3ds"},
	} {
		t.Run(c.moto, func(t *testing.T) {
			t.Parallel()
			s := open(t)
			s.addMID(t, "moto", func(m *store.MID) { m.MOTO = true })
			link := s.link(t, set("moto_type", c.moto))
			next, err := s.NextAction(t.Context(), link)
			require.NoError(t, err)
			require.Equal(t, c.code, next.Code)
			card := gatewaytest.ThreeDSPasses
			if c.code == gateway.CodeOptional {
				card.Code = store.SecurityCode{}
			}
			s.Pay(t, link, card)
			p := s.Payment(t, "ORD-1")
			require.Equal(t, c.mid, p.MIDID)
			require.Equal(t, c.status, s.statusOf(t, p.ID))
			require.Equal(t, c.moto, s.callbackOf(t, "ORD-1").Get("moto_type"))
		})
	}
}

// methods: "when omitted, pre-routing rules apply"; methods of the request win.
func TestSPEC1PreRouting(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.mapping(t, func(m *store.Mapping) {
		m.PreRouting = []store.PreRoute{
			{Currencies: []string{"EUR"}, Countries: []string{"DE"}, Methods: []string{"paypal"}},
			{Min: "100.00", Methods: []string{"paypal", "card"}},
			{Methods: []string{"card"}},
		}
	})
	shown := func(edits ...edit) (codes []string) {
		next, err := s.NextAction(t.Context(), s.link(t, edits...))
		require.NoError(t, err)
		for _, choice := range next.Methods {
			codes = append(codes, choice.Code)
		}
		return codes
	}
	require.Equal(t, []string{"card"}, shown())
	require.Equal(t, []string{"paypal"},
		shown(set("order.number", "ORD-2"), of("EUR", "10.00"), set("billing_address.country", "DE")))
	require.Equal(t, []string{"paypal", "card"}, shown(set("order.number", "ORD-3"), set("order.amount", "100.00")))
	require.Equal(t, []string{"paypal"}, shown(set("order.number", "ORD-4"), set("methods", []string{"paypal"})))
}

// Day and month limits of MIDs, 204007 and 204014: a MID over its limit is skipped. Day and week limits of the
// mapping, 204008 and 204015: no other MID is tried.
func TestSPEC1Limits(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		limits store.Limits
		common store.MappingLimits
		want   *gateway.Error
		next   time.Duration // when it accepts payments again
	}{
		{"204007", store.Limits{Day: "15.00"}, store.MappingLimits{}, gateway.ErrDayLimit, 24 * time.Hour},
		{"204008", store.Limits{}, store.MappingLimits{Day: "15.00"}, gateway.ErrMappingDayLimit, 24 * time.Hour},
		{"204015", store.Limits{}, store.MappingLimits{Week: "15.00"}, gateway.ErrWeekLimit, 7 * 24 * time.Hour},
		{"204014", store.Limits{Month: "15.00"}, store.MappingLimits{}, gateway.ErrMonthLimit, 31 * 24 * time.Hour},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := open(t)
			s.mid(t, func(m *store.MID) { m.Limits = c.limits })
			s.mapping(t, func(m *store.Mapping) { m.Limits = c.common })
			s.settled(t)
			link := s.link(t, set("order.number", "ORD-2"), set("session_expiry", 720))
			_, err := s.PaySession(t.Context(), link, gateway.Submission{Card: gatewaytest.Settles})
			require.ErrorIs(t, err, c.want)
			require.Equal(t, 400, gateway.AsError(err).Status())
			requireError(t, s.post(t, pathCredit, payout()), c.want.Code(), c.want.Message())
			s.addMID(t, "second", func(*store.MID) {})
			if c.common != (store.MappingLimits{}) {
				_, err := s.PaySession(t.Context(), link, gateway.Submission{Card: gatewaytest.Settles})
				require.ErrorIs(t, err, c.want)
			} else {
				s.Pay(t, link, gatewaytest.Settles)
				require.Equal(t, "second", s.Payment(t, "ORD-2").MIDID)
			}
			s.Clock.Set(s.Clock.Now().Add(c.next))
			s.Pay(t, s.link(t, set("order.number", "ORD-3")), gatewaytest.Settles)
			require.Equal(t, "live", s.Payment(t, "ORD-3").MIDID)
		})
	}
}

// Cascading: the next MID after a soft decline, only the last attempt's callback, and Cascading Context for
// Get Status.
func TestSPEC1Cascade(t *testing.T) {
	t.Parallel()
	for _, follows := range []bool{false, true} {
		t.Run(map[bool]string{true: "with context", false: "without"}[follows], func(t *testing.T) {
			t.Parallel()
			s := open(t)
			s.mapping(t, func(m *store.Mapping) { m.Cascade, m.CascadingStatus = true, follows })
			s.addMID(t, "second", func(*store.MID) {})
			s.addMID(t, "third", func(m *store.MID) { m.Settings, m.Priority = map[string]string{vcard.SoftSetting: "off"}, 2 })
			next := s.Pay(t, s.link(t), gatewaytest.Card(4, 2038))
			require.Equal(t, gateway.ReturnPaid, next.Status)
			list := ok[[]payment](t, s, pathStatus, byOrder("ORD-1", set("size", 100)))
			require.Len(t, list, 3, "each attempt is a payment of the order")
			require.Contains(t, next.URL, "payment_id="+list[0].ID)
			form := s.callbackOf(t, "ORD-1")
			require.Len(t, s.Inbox.All(), 1, "of the last attempt only")
			require.Equal(t, []string{list[0].ID, "sale", "settled"},
				[]string{form.Get("id"), form.Get("type"), form.Get("order_status")})
			first := ok[payment](t, s, pathStatus, followUp(list[2].ID, ""))
			if follows {
				require.Equal(t, list[0], first, "a lookup by payment_id tells the newest attempt")
				require.Equal(t, list[0], ok[payment](t, s, pathStatus, followUp(list[1].ID, "")))
			} else {
				require.Equal(t, list[2], first)
				require.Equal(t, "decline", first.Status)
			}
		})
	}
}

// "One connector requires a non-empty value and otherwise returns the error cause INVALID_REQUEST": a payer
// without the attribute is declined, and nothing is sent (decision al).
func TestSPEC1BrowserFields(t *testing.T) {
	t.Parallel()
	s := open(t, func(cfg *gateway.Config) {
		strict, err := vcard.New(vcard.Config{Store: cfg.Store, Secret: store.NewSecret("gatewaytest-acquirer-0001"),
			PublicURL: gatewaytest.PublicURL + "/vcard",
			Now:       cfg.Now, Capabilities: &methods.Capabilities{IdempotentByKey: true,
				BrowserFields: []string{"accept_headers"}}})
		if err != nil {
			panic(err)
		}
		cfg.Connectors["vcard"] = strict
	})
	link := s.link(t)
	s.Pay(t, link, gatewaytest.Settles)
	require.Equal(t, "INVALID_REQUEST", ok[payment](t, s, pathStatus, byOrder("ORD-1")).Reason)
	s.submit(t, link, gateway.Submission{Card: gatewaytest.Settles,
		Browser: map[string]string{"accept_headers": "text/html"}})
	require.Equal(t, "settled", ok[payment](t, s, pathStatus, byOrder("ORD-1")).Status)
}
