package gateway_test

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

// spy is an acquirer that can do as much as a test says, and notes what it is asked.
type spy struct {
	methods.Connector
	methods.Completer
	methods.Notified
	can methods.Capabilities
	now func() time.Time

	mu        sync.Mutex
	sent      []methods.Operation
	asked     []time.Time    // of Find
	completed map[string]int // genuine calls of Complete by key
}

// Complete counts, and is idempotent in nothing where it is not declared: what comes a second time is refused.
func (s *spy) Complete(ctx context.Context, op methods.Operation, back methods.Return) methods.Answer {
	answer := s.Completer.Complete(ctx, op, back)
	switch answer.Result {
	case methods.ResultUnverified, methods.ResultNotSent, methods.ResultUnknown: // it did not get there, for all we know
		return answer
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.completed == nil {
		s.completed = map[string]int{}
	}
	key := op.Key + " " + string(op.Continuation)
	if s.completed[key]++; s.completed[key] > 1 && !s.can.IdempotentByKey {
		return methods.Declined(op, "Completed before")
	}
	return answer
}

// completions is how often what one payer brought was handed over.
func (s *spy) completions() (most int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, n := range s.completed {
		most = max(most, n)
	}
	return most
}

func (s *spy) Capabilities() methods.Capabilities { return s.can }

func (s *spy) Perform(ctx context.Context, op methods.Operation) methods.Answer {
	s.mu.Lock()
	s.sent = append(s.sent, op)
	s.mu.Unlock()
	return s.Connector.Perform(ctx, op)
}

// sends is what was sent under one key, in order.
func (s *spy) sends(transactionID string) (list []methods.Operation) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, op := range s.sent {
		if op.TransactionID == transactionID {
			list = append(list, op)
		}
	}
	return list
}

func (s *spy) questions() []time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.asked)
}

// finder is a spy that can be asked.
type finder struct {
	*spy
	methods.Finder
}

func (f finder) Find(ctx context.Context, op methods.Operation) methods.Answer {
	f.mu.Lock()
	f.asked = append(f.asked, f.now())
	f.mu.Unlock()
	return f.Finder.Find(ctx, op)
}

// spied is an audited kit on an acquirer of these powers, which it lives up to.
func spied(t testing.TB, can methods.Capabilities, find bool, options ...gatewaytest.Option) (*gatewaytest.Kit, *spy) {
	t.Helper()
	s := &spy{can: can}
	var acquirer *vcard.Connector
	powers := func(c *gateway.Config) {
		var err error
		acquirer, err = vcard.New(vcard.Config{Store: memory.New(), Secret: store.NewSecret("an-acquirer-secret-0001"),
			PublicURL: gatewaytest.PublicURL + "/vcard", Now: c.Now, Capabilities: &can})
		require.NoError(t, err)
		s.Connector, s.Completer, s.Notified, s.now = acquirer, acquirer, acquirer, c.Now
		c.Connectors["vcard"] = s
		if find {
			c.Connectors["vcard"] = finder{s, acquirer}
		}
	}
	kit := audited(t, append([]gatewaytest.Option{powers}, options...)...)
	kit.Vcard = acquirer
	return kit, s
}
