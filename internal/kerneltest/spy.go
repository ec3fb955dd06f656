package kerneltest

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/memory"
)

// Spy is an acquirer with the capabilities that a test sets; it records its operations.
type Spy struct {
	Plain
	methods.Completer
	methods.Notified
	Powers methods.Capabilities
	Clock  func() time.Time

	mu        sync.Mutex
	sent      []methods.Operation
	asked     []time.Time    // of Find
	completed map[string]int // genuine calls of Complete by key
}

// Complete counts the calls. Unless the capability is declared it is not idempotent: it declines a second
// completion.
func (s *Spy) Complete(ctx context.Context, op methods.Operation, back methods.Return) methods.Answer {
	answer := s.Completer.Complete(ctx, op, back)
	switch answer.Result {
	case methods.ResultUnverified, methods.ResultNotSent, methods.ResultUnknown: // it may not have arrived
		return answer
	default: // it arrived
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.completed == nil {
		s.completed = map[string]int{}
	}
	key := op.Key + " " + string(op.Continuation)
	if s.completed[key]++; s.completed[key] > 1 && !s.Powers.IdempotentByKey {
		return methods.Declined(op, "Completed before")
	}
	return answer
}

// Completions returns how often one payer's return was sent at most.
func (s *Spy) Completions() (most int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, n := range s.completed {
		most = max(most, n)
	}
	return most
}

// Capabilities implements methods.Declarer.
func (s *Spy) Capabilities() methods.Capabilities { return withoutPowers(s.Powers) }

// withoutPowers is what a double declares that has fewer powers than its connector.
func withoutPowers(can methods.Capabilities) methods.Capabilities {
	can.Powers = nil
	return can
}

// Fewer declares what a connector declares, without its powers: for a double that has fewer.
type Fewer struct{ Of methods.Connector }

// Capabilities implements methods.Declarer.
func (f Fewer) Capabilities() methods.Capabilities {
	return withoutPowers(methods.CapabilitiesOf(f.Of))
}

// Perform implements methods.Connector.
func (s *Spy) Perform(ctx context.Context, op methods.Operation) methods.Answer {
	s.mu.Lock()
	s.sent = append(s.sent, op)
	s.mu.Unlock()
	return s.Connector.Perform(ctx, op)
}

// Sends lists what was sent under one key, in order.
func (s *Spy) Sends(transactionID string) (list []methods.Operation) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, op := range s.sent {
		if op.TransactionID == transactionID {
			list = append(list, op)
		}
	}
	return list
}

// Questions are the times of the calls of Find.
func (s *Spy) Questions() []time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.asked)
}

// Finder is a spy that can be asked.
type Finder struct {
	*Spy
	methods.Finder
}

// Find implements methods.Finder.
func (f Finder) Find(ctx context.Context, op methods.Operation) methods.Answer {
	f.mu.Lock()
	f.asked = append(f.asked, f.Clock())
	f.mu.Unlock()
	return f.Finder.Find(ctx, op)
}

// Spied is an audited kit on an acquirer with these capabilities, which it really has.
func Spied(t testing.TB, can methods.Capabilities, find bool, options ...gatewaytest.Option) (*gatewaytest.Kit, *Spy) {
	t.Helper()
	s := &Spy{Powers: can}
	var acquirer *vcard.Connector
	powers := func(c *gateway.Config) {
		var err error
		acquirer, err = vcard.New(vcard.Config{Store: memory.New(), Secret: store.NewSecret("an-acquirer-secret-0001"),
			PublicURL: gatewaytest.PublicURL + "/vcard", Now: c.Now, Capabilities: &can})
		require.NoError(t, err)
		s.Connector, s.Completer, s.Notified, s.Clock = acquirer, acquirer, acquirer, c.Now
		c.Connectors["vcard"] = s
		if find {
			c.Connectors["vcard"] = Finder{s, acquirer}
		}
	}
	kit := Audited(t, append([]gatewaytest.Option{powers}, options...)...)
	kit.Vcard = acquirer
	return kit, s
}

// Powers are the capabilities of an acquirer that accepts everything.
func Powers(idempotent bool, lateness time.Duration) methods.Capabilities {
	return methods.Capabilities{IdempotentByKey: idempotent, Lateness: lateness, ResendWithoutCode: true, Holds: true,
		ZeroAmount: true}
}
