package gatewaytest

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/callback"
)

// Inbox is a merchant that keeps every callback sent to it. By default it accepts them all. It is safe for concurrent
// use.
type Inbox struct {
	mu        sync.Mutex
	delivered []callback.Delivery
	answer    func(callback.Delivery) callback.Receipt

	now       func() time.Time
	away      time.Time // until then nobody answers
	endpoint  http.Handler
	duplicate int
	holds     bool
	held      []callback.Delivery // accepted, and not yet passed on to the endpoint
}

// Deliver keeps the delivery and answers it.
func (in *Inbox) Deliver(_ context.Context, d callback.Delivery) callback.Receipt {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.delivered = append(in.delivered, d)
	switch {
	case in.answer != nil:
		return in.answer(d)
	case in.now != nil && in.now().Before(in.away):
		return callback.Receipt{Verdict: callback.TimedOut, Detail: "the merchant is away"}
	case in.endpoint == nil:
		return callback.Receipt{Verdict: callback.Accepted, Status: 200}
	case in.holds:
		in.held = append(in.held, d)
		return callback.Receipt{Verdict: callback.Accepted, Status: 200}
	}
	return in.post(d)
}

// Answer makes the merchant answer as f says from now on; nil accepts everything again. f must not call the inbox,
// which waits for it.
func (in *Inbox) Answer(f func(callback.Delivery) callback.Receipt) {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.answer = f
}

// All returns every delivery so far, redeliveries included, in the order of arrival.
func (in *Inbox) All() []callback.Delivery {
	in.mu.Lock()
	defer in.mu.Unlock()
	return append([]callback.Delivery(nil), in.delivered...)
}

// Fields returns every delivery so far as a parsed form.
func (in *Inbox) Fields(t testing.TB) []url.Values {
	t.Helper()
	var forms []url.Values
	for _, d := range in.All() {
		form, err := url.ParseQuery(string(d.Body))
		require.NoError(t, err)
		forms = append(forms, form)
	}
	return forms
}

// Expect returns the newest callback of an order that has a type, like "sale" or "refund". The test fails when none has
// arrived, and says what has. Callbacks arrive while work is done (Kit.Work, Kit.Advance).
func (in *Inbox) Expect(t testing.TB, order, kind string) url.Values {
	t.Helper()
	all := in.All()
	forms := in.Fields(t)
	arrived := make([]string, len(all))
	for i := len(all) - 1; i >= 0; i-- {
		number := cmp.Or(forms[i].Get("order_number"), forms[i].Get("order_id"))
		if number == order && all[i].Type == kind {
			return forms[i]
		}
		arrived[i] = all[i].Type + " of " + number
	}
	t.Fatalf("no callback %q of order %s has arrived; there are %d: %s", kind, order, len(all),
		strings.Join(arrived, ", "))
	return nil
}
