package observe

import (
	"log/slog"
	"time"

	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// PaymentMoved tells that the outcome of a transaction was stored, or that the payer's next step was. From and To are
// equal where the payment's status stays.
type PaymentMoved struct {
	Subject
	From, To store.Status
	Outcome  store.Outcome
	Reason   string // of a decline
	Soft     bool   // another attempt may change the decline
	At       time.Time
}

func (e PaymentMoved) line() Line {
	return Line{"payment.moved", slog.LevelDebug, "a payment moved", e.attrs(
		slog.String("from", string(e.From)), slog.String("to", string(e.To)),
		slog.String("outcome", string(e.Outcome)), slog.String("reason", e.Reason), slog.Bool("soft", e.Soft))}
}

// Call says why a connector was called.
type Call string

// The calls.
const (
	CallPerform  Call = "perform"  // the operation, or its resend under the same key
	CallComplete Call = "complete" // what the payer brought back, or answered
	CallFind     Call = "find"     // a question by our key
	CallNotify   Call = "notify"   // reading a notification of the acquirer
	CallStop     Call = "stop"     // ending a schedule that the acquirer keeps
)

// ConnectorCalled tells that a connector has answered, or that its time has passed: then Result is unknown.
type ConnectorCalled struct {
	Subject
	Call   Call
	Result methods.Result
	Took   time.Duration
	At     time.Time
}

func (e ConnectorCalled) line() Line {
	return Line{"connector.called", slog.LevelDebug, "a connector was called", e.attrs(
		slog.String("call", string(e.Call)), slog.String("result", string(e.Result)), seconds("seconds", e.Took))}
}

// Delivery is one try of a callback.
type Delivery struct {
	MerchantID    string
	PaymentID     string
	TransactionID string
	CallbackID    string
	Type          string // of the callback, like "sale"
	Host          string // of the merchant's server; of a sink without host its scheme, like "queue:"
	Attempt       int    // from 1
	Status        int    // of the HTTP answer; zero for none
	Detail        string // what was wrong
	Took          time.Duration
	Age           time.Duration // since the callback was made
	At            time.Time
}

func (d *Delivery) attrs() []slog.Attr {
	return []slog.Attr{
		slog.String("merchant", d.MerchantID), slog.String("payment", d.PaymentID),
		slog.String("transaction", d.TransactionID), slog.String("callback", d.CallbackID),
		slog.String("type", d.Type), slog.String("host", d.Host), slog.Int("attempt", d.Attempt),
		slog.Int("status", d.Status), slog.String("detail", d.Detail),
		seconds("seconds", d.Took), seconds("age", d.Age),
	}
}

// CallbackDelivered tells that a merchant's server has acknowledged a callback.
type CallbackDelivered struct{ Delivery }

func (e CallbackDelivered) line() Line {
	return Line{"callback.delivered", slog.LevelDebug, "a callback was delivered", e.attrs()}
}

// CallbackRefused tells that a try of a callback failed, by an answer or by a time-out. It is tried again.
type CallbackRefused struct {
	Delivery
	TimedOut bool
}

func (e CallbackRefused) line() Line {
	return Line{"callback.refused", slog.LevelDebug, "a callback was refused", append(e.attrs(),
		slog.Bool("timed_out", e.TimedOut))}
}

// CallbackDead tells that the last try of a callback failed. The merchant has not heard of the outcome; Resend tries
// again.
type CallbackDead struct {
	Delivery
	TimedOut bool
}

func (e CallbackDead) line() Line {
	return Line{"callback.dead", slog.LevelError, "a callback is dead: its last try failed", append(e.attrs(),
		slog.Bool("timed_out", e.TimedOut))}
}

// EndpointBlocked tells that nothing is sent for a while, after time-outs (decisions g and ak).
type EndpointBlocked struct {
	Endpoint string // a URL without its query, "host NAME" or "merchant ID"
	Until    time.Time
	At       time.Time
}

func (e EndpointBlocked) line() Line {
	return Line{"endpoint.blocked", slog.LevelWarn, "an endpoint is blocked, because it does not answer", []slog.Attr{
		slog.String("endpoint", e.Endpoint), slog.Time("until", e.Until)}}
}

// EndpointFreed tells that a block is over: a person has lifted it, or a callback was accepted after its end.
type EndpointFreed struct {
	Endpoint string
	ByHand   bool
	At       time.Time
}

func (e EndpointFreed) line() Line {
	return Line{"endpoint.freed", slog.LevelDebug, "an endpoint answers again, or was freed", []slog.Attr{
		slog.String("endpoint", e.Endpoint), slog.Bool("by_hand", e.ByHand)}}
}

// DoubtOpened tells that the outcome of an operation is not known. Recovery asks for it.
type DoubtOpened struct {
	Subject
	At time.Time
}

func (e DoubtOpened) line() Line {
	return Line{"doubt.opened", slog.LevelDebug, "the outcome of an operation is not known", e.attrs()}
}

// DoubtResolved tells that an unknown outcome is known.
type DoubtResolved struct {
	Subject
	Outcome store.Outcome
	ByHand  bool          // a person decided it
	Age     time.Duration // since the operation began
	At      time.Time
}

func (e DoubtResolved) line() Line {
	return Line{"doubt.resolved", slog.LevelDebug, "an unknown outcome is known", e.attrs(
		slog.String("outcome", string(e.Outcome)), slog.Bool("by_hand", e.ByHand), seconds("age", e.Age))}
}

// ReviewNeeded tells that a person has to decide about a transaction: one in doubt that nobody can be asked about
// (Doubts), or a closed one that later evidence contradicts (Breaches).
type ReviewNeeded struct {
	Subject
	Outcome store.Outcome
	Why     string
	At      time.Time
}

func (e ReviewNeeded) line() Line {
	return Line{"review.needed", slog.LevelWarn, "a person has to decide about a transaction", e.attrs(
		slog.String("outcome", string(e.Outcome)), slog.String("why", e.Why))}
}

// RecordSetAside tells that a record cannot be read and that its work was taken out of its queue. In a log the id of a
// chain is left out, because a chain's token charges its card.
type RecordSetAside struct {
	Aside store.Aside
	Shown string // the id for a log
}

func (e RecordSetAside) line() Line {
	return Line{"record.aside", slog.LevelError, "set aside: it cannot be read", []slog.Attr{
		slog.String("work", string(e.Aside.Work)), slog.String("id", e.Shown), slog.String("reason", e.Aside.Reason)}}
}

// WorkPutOff tells that due work could not be begun. It is tried again. Of each kind of work it is told every five
// minutes at most, with the number of times since.
type WorkPutOff struct {
	store.PutOff
	At time.Time
}

func (e WorkPutOff) line() Line {
	return Line{"work.put_off", slog.LevelError, "put off: it could not be begun", []slog.Attr{
		slog.String("work", string(e.Work)), slog.String("id", e.ID), slog.Int("count", e.Count),
		slog.String("reason", e.Reason)}}
}

// Swept tells that a step of the sweeper has deleted records that are past their time.
type Swept struct {
	Records int  // that were past their time
	Lap     bool // the step ended a lap over all records
	At      time.Time
}

func (e Swept) line() Line {
	return Line{"retention.swept", slog.LevelDebug, "old records were deleted", []slog.Attr{
		slog.Int("records", e.Records), slog.Bool("lap", e.Lap)}}
}

// Scheduled is a payment by a schedule.
type Scheduled struct {
	Subject
	ScheduleID string
	Occurrence int // which payment of the schedule, from 1; zero when it could not begin
	At         time.Time
}

func (s *Scheduled) attrs(more ...slog.Attr) []slog.Attr {
	return s.Subject.attrs(append([]slog.Attr{
		slog.String("schedule", s.ScheduleID), slog.Int("occurrence", s.Occurrence)}, more...)...)
}

// SchedulePaid tells that a scheduled payment was approved.
type SchedulePaid struct{ Scheduled }

func (e SchedulePaid) line() Line {
	return Line{"schedule.paid", slog.LevelDebug, "a scheduled payment was paid", e.attrs()}
}

// ScheduleFailed tells that a scheduled payment was declined, or could not begin: then it is tried again.
type ScheduleFailed struct {
	Scheduled
	Reason string
}

func (e ScheduleFailed) line() Line {
	return Line{"schedule.failed", slog.LevelWarn, "a scheduled payment failed", e.attrs(
		slog.String("reason", e.Reason))}
}

// Types returns an empty event of each type, in the order of the documentation.
func Types() []Event {
	return []Event{
		PaymentMoved{}, ConnectorCalled{}, CallbackDelivered{}, CallbackRefused{}, CallbackDead{}, EndpointBlocked{},
		EndpointFreed{}, DoubtOpened{}, DoubtResolved{}, ReviewNeeded{}, RecordSetAside{}, WorkPutOff{}, Swept{},
		SchedulePaid{}, ScheduleFailed{},
	}
}
