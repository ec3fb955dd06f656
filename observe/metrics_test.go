package observe_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/observe"
	"github.com/tollgatepay/gateway/store"
)

// Every type of event is counted, every metric is fed, and every sample has the labels of its metric.
func TestEveryEventIsCounted(t *testing.T) {
	t.Parallel()
	labels, fed := map[string]int{}, map[string]bool{}
	for _, m := range observe.Metrics() {
		require.NotContains(t, labels, m.Name)
		require.NotEmpty(t, m.Help)
		require.Contains(t, []observe.Kind{observe.Counter, observe.Histogram}, m.Kind)
		labels[m.Name] = len(m.Labels)
	}
	for _, e := range append(observe.Types(), observe.PaymentMoved{Outcome: store.Success}, observe.Swept{Lap: true}) {
		samples := observe.SamplesOf(e)
		require.NotEmpty(t, samples, "%T is not counted", e)
		for _, s := range samples {
			require.Contains(t, labels, s.Metric)
			require.Len(t, s.Labels, labels[s.Metric], s.Metric)
			require.GreaterOrEqual(t, s.Value, 0.0)
			fed[s.Metric] = true
		}
	}
	require.Len(t, fed, len(labels))
}

func sampleOf(metric string, value float64, labels ...string) observe.Sample {
	return observe.Sample{Metric: metric, Value: value, Labels: labels}
}

// What each event adds.
func TestSamples(t *testing.T) {
	t.Parallel()
	amount, err := store.ParseAmount("10.25")
	require.NoError(t, err)
	of := observe.Subject{MerchantID: "m1", PaymentID: "p1", TransactionID: "t1", MIDID: "live", Connector: "bank",
		Method: "card", Operation: store.OpSale, Amount: amount, Currency: "USD"}
	try := observe.Delivery{Type: "sale", Host: "shop.example", Took: 2 * time.Second, Age: time.Minute}
	for name, row := range map[string]struct {
		event observe.Event
		want  []observe.Sample
	}{
		"approved": {observe.PaymentMoved{Subject: of, Outcome: store.Success}, []observe.Sample{
			sampleOf("transactions", 1, "bank", "card", "SALE", "USD", "false", "success"),
			sampleOf("transaction.amount", 10.25, "bank", "card", "SALE", "USD", "false")}},
		"declined": {observe.PaymentMoved{Subject: of, Outcome: store.Fail, Reason: "no"}, []observe.Sample{
			sampleOf("transactions", 1, "bank", "card", "SALE", "USD", "false", "fail")}},
		"called": {observe.ConnectorCalled{Subject: of, Call: observe.CallFind, Result: methods.ResultNotSent,
			Took: 1500 * time.Millisecond}, []observe.Sample{
			sampleOf("connector.call.duration", 1.5, "bank", "SALE", "find", "not sent")}},
		"called, another word": {observe.ConnectorCalled{Subject: of, Call: observe.CallPerform, Result: "fine"},
			[]observe.Sample{sampleOf("connector.call.duration", 0, "bank", "SALE", "perform", "unknown")}},
		"delivered": {observe.CallbackDelivered{Delivery: try}, []observe.Sample{
			sampleOf("callback.duration", 2, "sale", "delivered"), sampleOf("callback.age", 60, "sale")}},
		"refused":   {observe.CallbackRefused{Delivery: try}, []observe.Sample{sampleOf("callback.duration", 2, "sale", "refused")}},
		"timed out": {observe.CallbackRefused{Delivery: try, TimedOut: true}, []observe.Sample{sampleOf("callback.duration", 2, "sale", "timed_out")}},
		"dead":      {observe.CallbackDead{Delivery: try, TimedOut: true}, []observe.Sample{sampleOf("callback.duration", 2, "sale", "dead")}},
		"blocked":   {observe.EndpointBlocked{Endpoint: "host shop.example"}, []observe.Sample{sampleOf("endpoint.blocks", 1)}},
		"freed":     {observe.EndpointFreed{ByHand: true}, []observe.Sample{sampleOf("endpoint.frees", 1, "true")}},
		"doubt":     {observe.DoubtOpened{Subject: of}, []observe.Sample{sampleOf("doubts", 1, "bank", "SALE", "false")}},
		"resolved": {observe.DoubtResolved{Subject: of, Outcome: store.Success, Age: time.Hour},
			[]observe.Sample{sampleOf("doubt.age", 3600, "bank", "SALE", "false", "success", "false")}},
		"resolved by a clock that was set back": {observe.DoubtResolved{Subject: of, Age: -time.Hour, ByHand: true},
			[]observe.Sample{sampleOf("doubt.age", 0, "bank", "SALE", "false", "sent", "true")}},
		"review":  {observe.ReviewNeeded{Subject: of}, []observe.Sample{sampleOf("reviews", 1, "bank", "SALE", "false")}},
		"aside":   {observe.RecordSetAside{Aside: store.Aside{Work: store.WorkCallback}}, []observe.Sample{sampleOf("records.aside", 1, "callback")}},
		"put off": {observe.WorkPutOff{PutOff: store.PutOff{Work: store.WorkCallback, Count: 7}}, []observe.Sample{sampleOf("work.put_off", 7, "callback")}},
		"swept":   {observe.Swept{Records: 12}, []observe.Sample{sampleOf("retention.deleted", 12)}},
		"a lap":   {observe.Swept{Lap: true}, []observe.Sample{sampleOf("retention.deleted", 0), sampleOf("retention.laps", 1)}},
		"paid": {observe.SchedulePaid{Scheduled: observe.Scheduled{Subject: of}},
			[]observe.Sample{sampleOf("scheduled.payments", 1, "bank", "USD", "false", "paid")}},
		"failed": {observe.ScheduleFailed{Scheduled: observe.Scheduled{Subject: of}, Reason: "no"},
			[]observe.Sample{sampleOf("scheduled.payments", 1, "bank", "USD", "false", "failed")}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, row.want, observe.SamplesOf(row.event))
		})
	}
}

// No label holds what names one merchant, payment or server: a shop's payments make no new series.
func TestLabelsAreBounded(t *testing.T) {
	t.Parallel()
	var heard gatewaytest.Events
	kit := gatewaytest.New(t, heard.Option)
	var series []map[string]bool
	for _, order := range []string{"ORD-1", "ORD-2", "ORD-3"} {
		p := kerneltest.Charged(t, kit, order, gatewaytest.Settles).Payment
		kit.Work(t)
		_, err := kit.Shop().CreditVoid(t.Context(), gateway.FollowUp{PaymentID: p.ID, Amount: "4.00"})
		require.NoError(t, err)
		kit.Work(t)
		seen := map[string]bool{}
		for _, e := range heard.All() {
			for _, s := range observe.SamplesOf(e) {
				seen[s.Metric+" "+strings.Join(s.Labels, " ")] = true
			}
		}
		series = append(series, seen)
	}
	require.NotEmpty(t, series[0])
	require.Equal(t, series[0], series[2])
}
