package kerneltest

import (
	"net/url"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
)

// DueWork is a kind of due work.
type DueWork struct {
	Work gateway.Work
	// Leave leaves work for a merchant; Table and its id name the record that the work is about.
	Leave func(t *testing.T, kit *gatewaytest.Kit, merchantKey, order string)
	Table string
	Due   time.Duration
	Done  func(t *testing.T, kit *gatewaytest.Kit, order string) bool
	// sealed is the table of the record whose sealed value is altered; empty if the work opens none.
	sealed string
	// Aside are the damages that set the work aside; after any other it is still done.
	Aside []string
}

// DueWorks are all kinds of due work.
var DueWorks = []DueWork{
	{
		Work: gateway.WorkCallback, Table: "cb", sealed: "cb",
		Leave: func(t *testing.T, kit *gatewaytest.Kit, merchantKey, order string) {
			Charged(t, kit.As(merchantKey), order, gatewaytest.ThreeDSPasses, ViaCard, GoesBack)
		},
		Done: func(t *testing.T, kit *gatewaytest.Kit, order string) bool {
			return slices.ContainsFunc(kit.Inbox.Fields(t),
				func(form url.Values) bool { return slices.Contains(form["order_id"], order) })
		},
		Aside: []string{"bad JSON", "another schema", "missing", "sealed"},
	},
	{
		Work: gateway.WorkRecovery, Table: "p", sealed: "m", Due: time.Hour,
		Leave: func(t *testing.T, kit *gatewaytest.Kit, merchantKey, order string) {
			kit.Vcard.On(order, vcard.UnknownAfter())
			Charged(t, kit.As(merchantKey), order, gatewaytest.Settles)
		},
		Done: func(t *testing.T, kit *gatewaytest.Kit, order string) bool {
			return slices.ContainsFunc(ReadBooks(t, kit).Payments, func(p records.Payment) bool {
				return p.Order.Number == order &&
					p.Status == store.Settled
			})
		},
		Aside: []string{"bad JSON", "another schema", "missing", "MID", "merchant", "payment", "sealed"},
	},
	{
		Work: gateway.WorkSchedule, Table: "ch", sealed: "ch", Due: 8 * Day,
		Leave: func(t *testing.T, kit *gatewaytest.Kit, merchantKey, order string) {
			set, err := kit.Merchant(merchantKey).CreateSchedule(t.Context(), EveryDays(7, 1))
			require.NoError(t, err)
			Charged(t, kit.As(merchantKey), order, gatewaytest.Settles, OnSchedule(set))
		},
		Done: func(t *testing.T, kit *gatewaytest.Kit, order string) bool {
			n := 0
			for _, e := range kit.Charges(t) {
				if e.Order == order {
					n++
				}
			}
			return n == 2
		},
		Aside: []string{"bad JSON", "another schema", "missing", "MID", "merchant", "payment", "sealed"},
	},
	{
		Work: gateway.WorkExpiry, Table: "s", Due: 2 * Day,
		Leave: func(t *testing.T, kit *gatewaytest.Kit, merchantKey, order string) {
			r := HostedRequest(order)
			session, err := kit.Merchant(merchantKey).CreateHosted(t.Context(), r)
			require.NoError(t, err)
			require.NoError(t, kit.HostedFields().Collect(t.Context(), session.Token, gatewaytest.Settles))
		},
		Done: func(t *testing.T, kit *gatewaytest.Kit, order string) bool {
			return slices.ContainsFunc(ReadBooks(t, kit).Sessions, func(s store.Session) bool {
				return s.Order.Number == order &&
					s.HeldCard == nil
			})
		},
		Aside: []string{"bad JSON", "another schema", "missing"},
	},
	{
		Work: gateway.WorkPurge, Table: "s", Due: 200 * Day,
		Leave: func(t *testing.T, kit *gatewaytest.Kit, merchantKey, order string) {
			kit = kit.As(merchantKey)
			kit.Pay(t, kit.Session(t, order, "10.00"), gatewaytest.Settles)
		},
		Done: func(t *testing.T, kit *gatewaytest.Kit, order string) bool {
			return !slices.ContainsFunc(ReadBooks(t, kit).Sessions,
				func(s store.Session) bool { return s.Order.Number == order })
		},
		Aside: []string{"bad JSON", "another schema", "payment"},
	},
}
