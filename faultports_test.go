package gateway_test

import (
	"context"
	"crypto/rand"
	"errors"
	"io"
	"strings"
	"sync"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/callback"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/vcard"
)

// errInjected is every fault that TestEveryFault makes.
var errInjected = errors.New("injected fault")

// saboteur makes the n-th call of one port fail. A mode with a crash fails every call after it as well,
// of every port, as those of a process that is dead.
type saboteur struct {
	port, mode string
	n          int

	mu    sync.Mutex
	armed bool
	calls int
	fired bool
	dead  bool

	softly bool              // what an issuer refuses may be tried elsewhere
	strict bool              // the acquirer is idempotent in nothing
	taken  map[string]bool   // what it was told to complete, by key and continuation
	links  map[string]string // where the acquirer tells what becomes of it, by its key
}

// strike counts a call of a port and says what befalls it: "" nothing, "dead", or the mode.
func (s *saboteur) strike(port string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.dead {
		return "dead"
	}
	if port != s.port || !s.armed {
		return ""
	}
	if s.calls++; s.calls != s.n {
		return ""
	}
	s.fired = true
	s.dead = strings.HasPrefix(s.mode, "crash")
	return s.mode
}

// keep remembers the notification link of an operation, as the acquirer does.
func (s *saboteur) keep(op methods.Operation) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.links == nil {
		s.links = map[string]string{}
	}
	s.links[op.Key] = strings.TrimPrefix(op.NotificationURL, notifyBase)
}

const notifyBase = gatewaytest.PublicURL + "/notify/"

// brokenAcquirer is an acquirer that a saboteur watches.
type brokenAcquirer struct {
	*vcard.Connector
	by *saboteur
}

func (b brokenAcquirer) call(op methods.Operation, call func() methods.Answer) methods.Answer {
	switch mode := b.by.strike("connector"); mode {
	case "":
		return call()
	case "not sent":
		return methods.NotSent(op, "injected")
	case "after", "crash after":
		call()
		return methods.Unknown(op, "injected")
	case "garbled": // the answer to something else
		answer := call()
		answer.Key = "tg-other"
		return answer
	case "panic after":
		call()
		panic("injected")
	case "panic":
		panic("injected")
	default:
		return methods.Unknown(op, "injected")
	}
}

func (b brokenAcquirer) Perform(ctx context.Context, op methods.Operation) methods.Answer {
	b.by.keep(op)
	return b.call(op, func() methods.Answer { return b.Connector.Perform(ctx, op) })
}

func (b brokenAcquirer) Find(ctx context.Context, op methods.Operation) methods.Answer {
	return b.call(op, func() methods.Answer { return b.Connector.Find(ctx, op) })
}

func (b brokenAcquirer) Complete(ctx context.Context, op methods.Operation, back methods.Return) methods.Answer {
	return b.call(op, func() methods.Answer {
		answer := b.Connector.Complete(ctx, op, back)
		answer.Soft = answer.Soft || b.by.softly && answer.Result == methods.ResultDeclined
		if b.by.strict && answer.Result != methods.ResultUnverified && !b.by.takes(op) {
			return methods.Declined(op, "Completed before")
		}
		return answer
	})
}

// takes reports what is completed for the first time.
func (s *saboteur) takes(op methods.Operation) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.taken == nil {
		s.taken = map[string]bool{}
	}
	key := op.Key + " " + string(op.Continuation)
	before := s.taken[key]
	s.taken[key] = true
	return !before
}

// Capabilities are the acquirer's, but that a strict one is idempotent in nothing.
func (b brokenAcquirer) Capabilities() methods.Capabilities {
	can := b.Connector.Capabilities()
	can.IdempotentByKey = can.IdempotentByKey && !b.by.strict
	return can
}

func (b brokenAcquirer) Notification(ctx context.Context, op methods.Operation, note methods.Note) methods.Answer {
	return b.call(op, func() methods.Answer { return b.Connector.Notification(ctx, op, note) })
}

// StopSchedule stops whatever it is asked to, also where no schedule runs.
func (b brokenAcquirer) StopSchedule(_ context.Context, op methods.Operation) methods.Answer {
	return b.call(op, func() methods.Answer { return methods.Approved(op, op.ParentReference) })
}

// brokenNotifier is a merchant that a saboteur watches.
type brokenNotifier struct {
	callback.Notifier
	by *saboteur
}

func (b brokenNotifier) Deliver(ctx context.Context, d callback.Delivery) callback.Receipt {
	switch b.by.strike("notifier") {
	case "":
		return b.Notifier.Deliver(ctx, d)
	case "refused", "dead", "crash before":
		return callback.Receipt{Verdict: callback.Refused, Status: 500}
	case "timeout":
		return callback.Receipt{Verdict: callback.TimedOut}
	case "refused after": // the merchant has it, and says otherwise
		b.Notifier.Deliver(ctx, d)
		return callback.Receipt{Verdict: callback.Refused, Status: 500}
	default: // the merchant has it, and we do not know
		b.Notifier.Deliver(ctx, d)
		return callback.Receipt{Verdict: callback.TimedOut}
	}
}

// brokenRandom is a source of chance that a saboteur watches.
type brokenRandom struct{ by *saboteur }

func (b brokenRandom) Read(p []byte) (int, error) {
	switch b.by.strike("random") {
	case "":
		return io.ReadFull(rand.Reader, p)
	case "piecemeal": // less than was asked for, as a reader may
		return io.ReadFull(rand.Reader, p[:(len(p)+1)/2])
	case "short":
		n, _ := io.ReadFull(rand.Reader, p[:len(p)/2])
		return n, errInjected
	default:
		return 0, errInjected
	}
}

// brokenKeys is a key provider that a saboteur watches.
type brokenKeys struct {
	gateway.KeyProvider
	by *saboteur
}

// ask asks the provider unless the saboteur is before; what fails after its answer is lost.
func (b brokenKeys) ask(call func() error) error {
	switch b.by.strike("keys") {
	case "":
		return call()
	case "gone":
		return errors.Join(errInjected, gateway.ErrKeyGone)
	case "after":
		_ = call()
		return errInjected
	default:
		return errInjected
	}
}

func (b brokenKeys) Wrap(ctx context.Context, key []byte) (w gateway.WrappedKey, err error) {
	err = b.ask(func() (err error) { w, err = b.KeyProvider.Wrap(ctx, key); return err })
	return w, err
}

func (b brokenKeys) Unwrap(ctx context.Context, wrapped gateway.WrappedKey) (key []byte, err error) {
	err = b.ask(func() (err error) { key, err = b.KeyProvider.Unwrap(ctx, wrapped); return err })
	return key, err
}

func (b brokenKeys) LookupKey(ctx context.Context) (key []byte, err error) {
	err = b.ask(func() (err error) { key, err = b.KeyProvider.LookupKey(ctx); return err })
	return key, err
}
