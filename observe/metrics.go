package observe

import (
	"slices"
	"strconv"
	"time"

	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// Kind says how the samples of a metric are put together.
type Kind string

// The kinds.
const (
	Counter   Kind = "counter"   // the sum of the values
	Histogram Kind = "histogram" // their distribution
	Gauge     Kind = "gauge"     // the newest value
)

// Seconds is the unit of a duration.
const Seconds = "s"

// Metric is a series of numbers, one for each combination of its labels. Labels have few values: names of the
// configuration, codes of currencies, and words of this module. Nothing that a merchant or a payer sends is among them.
type Metric struct {
	Name   string // like "connector.call.duration"
	Kind   Kind
	Unit   string // Seconds, or nothing for a number
	Help   string
	Labels []string
}

// Metrics returns what events are counted in. The modules observe/prometheus and observe/otel export them; an
// exporter of a host's own does it with SamplesOf.
func Metrics() []Metric {
	return []Metric{
		{"transactions", Counter, "", "transactions that got an outcome, or wait for the payer",
			[]string{"connector", "method", "operation", "currency", "test", "outcome"}},
		{"transaction.amount", Counter, "", "sum of successful transactions in major units of the currency, for charts",
			[]string{"connector", "method", "operation", "currency", "test"}},
		{"connector.call.duration", Histogram, Seconds, "calls of connectors", []string{"connector", "operation", "call", "result"}},
		{"callback.duration", Histogram, Seconds, "tries to deliver a callback", []string{"type", "result"}},
		{"callback.age", Histogram, Seconds, "time from the making of a callback to its delivery", []string{"type"}},
		{"endpoint.blocks", Counter, "", "endpoints that were blocked, because they do not answer", nil},
		{"endpoint.frees", Counter, "", "endpoints that were freed", []string{"by_hand"}},
		{"doubts", Counter, "", "operations whose outcome was not known", []string{"connector", "operation", "test"}},
		{"doubt.age", Histogram, Seconds, "time from the beginning of an operation in doubt to its outcome",
			[]string{"connector", "operation", "test", "outcome", "by_hand"}},
		{"reviews", Counter, "", "transactions that a person has to decide about", []string{"connector", "operation", "test"}},
		{"records.aside", Counter, "", "records that cannot be read and were set aside", []string{"work"}},
		{"work.put_off", Counter, "", "due work that could not be begun", []string{"work"}},
		{"retention.deleted", Counter, "", "records that were deleted past their time", nil},
		{"retention.laps", Counter, "", "laps of the sweeper over all records", nil},
		{"scheduled.payments", Counter, "", "payments of schedules", []string{"connector", "currency", "test", "result"}},
	}
}

// Sample is what an event adds to a metric, with the values of its labels in their order.
type Sample struct {
	Metric string // its name
	Value  float64
	Labels []string
}

// SamplesOf returns what an event adds to the metrics. Every type of event adds something.
func SamplesOf(e Event) []Sample {
	switch e := e.(type) {
	case PaymentMoved:
		return moved(&e)
	case ConnectorCalled:
		return one(seconded("connector.call.duration", e.Took, e.Connector, string(e.Operation), string(e.Call),
			resultOf(e.Result)))
	case CallbackDelivered:
		return []Sample{seconded("callback.duration", e.Took, e.Type, "delivered"), seconded("callback.age", e.Age, e.Type)}
	case CallbackRefused:
		return one(seconded("callback.duration", e.Took, e.Type, refusedAs(e.TimedOut)))
	case CallbackDead:
		return one(seconded("callback.duration", e.Took, e.Type, "dead"))
	case EndpointBlocked:
		return one(counted("endpoint.blocks", 1))
	case EndpointFreed:
		return one(counted("endpoint.frees", 1, strconv.FormatBool(e.ByHand)))
	case DoubtOpened:
		return one(counted("doubts", 1, e.Connector, string(e.Operation), e.test()))
	case DoubtResolved:
		return one(seconded("doubt.age", e.Age, e.Connector, string(e.Operation), e.test(), outcomeOf(e.Outcome),
			strconv.FormatBool(e.ByHand)))
	case ReviewNeeded:
		return one(counted("reviews", 1, e.Connector, string(e.Operation), e.test()))
	case RecordSetAside:
		return one(counted("records.aside", 1, string(e.Aside.Work)))
	case WorkPutOff:
		return one(counted("work.put_off", float64(max(1, e.Count)), string(e.Work)))
	case Swept:
		return swept(&e)
	case SchedulePaid:
		return one(e.counted("paid"))
	case ScheduleFailed:
		return one(e.counted("failed"))
	default:
		return nil
	}
}

func moved(e *PaymentMoved) []Sample {
	list := one(counted("transactions", 1, e.Connector, e.Method, string(e.Operation), e.Currency, e.test(),
		outcomeOf(e.Outcome)))
	if e.Outcome == store.Success {
		list = append(list, counted("transaction.amount", e.Amount.Decimal().InexactFloat64(), e.Connector, e.Method,
			string(e.Operation), e.Currency, e.test()))
	}
	return list
}

func swept(e *Swept) []Sample {
	list := one(counted("retention.deleted", float64(e.Records)))
	if e.Lap {
		list = append(list, counted("retention.laps", 1))
	}
	return list
}

func one(s Sample) []Sample { return []Sample{s} }

func counted(metric string, n float64, labels ...string) Sample { return Sample{metric, n, labels} }

// seconded is a sample of seconds. A clock that was set back gives none below zero.
func seconded(metric string, d time.Duration, labels ...string) Sample {
	return Sample{metric, max(0, d).Seconds(), labels}
}

func (s *Subject) test() string { return strconv.FormatBool(s.Test) }

func (s *Scheduled) counted(result string) Sample {
	return counted("scheduled.payments", 1, s.Connector, s.Currency, s.test(), result)
}

func refusedAs(timedOut bool) string {
	if timedOut {
		return "timed_out"
	}
	return "refused"
}

// outcomeOf names an outcome; the first of them has no name in records.
func outcomeOf(o store.Outcome) string {
	if o == store.Sent {
		return "sent"
	}
	return string(o)
}

// resultOf names the result of a call. What a connector returns beyond the closed set is not known.
func resultOf(r methods.Result) string {
	if !slices.Contains(methods.Results(), r) {
		r = methods.ResultUnknown
	}
	return string(r)
}
