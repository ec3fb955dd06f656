package methodstest

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/rest"
	"github.com/tollgatepay/gateway/store"
)

type reading = func(restPayment) methods.Answer

// instead answers for a reply where it has an answer, and as a sound connector does elsewhere.
func instead(special func(rest.Reply, methods.Operation) (methods.Answer, bool)) func(rest.Reply, methods.Operation,
	reading) methods.Answer {
	return func(r rest.Reply, op methods.Operation, read reading) methods.Answer {
		if a, ok := special(r, op); ok {
			return a
		}
		return rest.Performed(r, op, read)
	}
}

// cents converts every currency as one with two decimals.
func cents(c *restConnector) {
	c.minor = func(a store.Amount, _ string) (string, error) { return a.Decimal().Shift(2).StringFixed(0), nil }
	c.major = func(units, _ string) (store.Amount, error) {
		return store.ParseAmount(unitsOf(units).Decimal().Shift(-2).String())
	}
}

// restMutants are faults that authors of connectors make, with the check that finds each.
var restMutants = []struct {
	name  string
	found string
	plant func(*restConnector)
}{
	{"a power is not declared", "capabilities/every power is declared", func(c *restConnector) {
		c.can.Powers = []methods.Power{methods.Finds}
	}},
	{"a time-out is not sent", "context/acquirer does not answer", func(c *restConnector) {
		c.perform = instead(func(r rest.Reply, op methods.Operation) (methods.Answer, bool) {
			return methods.NotSent(op, "no answer"), r.Status == 0
		})
	}},
	{"a lost answer is not sent", "lost/answer to a charge", func(c *restConnector) {
		c.perform = instead(func(r rest.Reply, op methods.Operation) (methods.Answer, bool) {
			return methods.NotSent(op, "no answer"), r.Status == 0
		})
	}},
	{"a lost answer is a decline", "lost/answer to a charge", func(c *restConnector) {
		c.perform = instead(func(r rest.Reply, op methods.Operation) (methods.Answer, bool) {
			return methods.Declined(op, "The acquirer is down"), r.Status == 0
		})
	}},
	{"a lost request is a decline", "lost/request of a charge", func(c *restConnector) {
		c.perform = instead(func(r rest.Reply, op methods.Operation) (methods.Answer, bool) {
			return methods.Declined(op, "The acquirer is down"), r.Status == 0
		})
	}},
	{"status 500 is a decline", "lost/status of a charge", func(c *restConnector) {
		c.perform = instead(func(r rest.Reply, op methods.Operation) (methods.Answer, bool) {
			return methods.Declined(op, "Declined"), r.Status == 500
		})
	}},
	{"status 503 is not sent", "lost/status of a charge", func(c *restConnector) {
		c.perform = instead(func(r rest.Reply, op methods.Operation) (methods.Answer, bool) {
			return methods.NotSent(op, "unavailable"), r.Status == 503
		})
	}},
	{"a conflict of keys is a decline", "lost/status of a charge", func(c *restConnector) {
		c.perform = instead(func(r rest.Reply, op methods.Operation) (methods.Answer, bool) {
			return methods.Declined(op, "Declined"), r.Status == http.StatusConflict
		})
	}},
	{"wrong secrets are a decline", "lost/status of a charge", func(c *restConnector) {
		c.perform = instead(func(r rest.Reply, op methods.Operation) (methods.Answer, bool) {
			return methods.Declined(op, "Declined"), r.Status == http.StatusUnauthorized
		})
	}},
	{"only refunds decline at 500", "lost/status of a refund", func(c *restConnector) {
		c.perform = instead(func(r rest.Reply, op methods.Operation) (methods.Answer, bool) {
			return methods.Declined(op, "Declined"), r.Status == 500 && op.Kind == store.OpRefund
		})
	}},
	{"the body is read whatever the status is", "lost/status of a charge", func(c *restConnector) {
		c.perform = func(r rest.Reply, op methods.Operation, read reading) methods.Answer {
			var p restPayment
			if r.Decode(&p) != nil {
				return methods.Unknown(op, "no JSON")
			}
			return read(p)
		}
	}},
	{"a question that failed finds nothing", "lost/status of a question", func(c *restConnector) {
		c.find = func(r rest.Reply, op methods.Operation, read reading) methods.Answer {
			if r.Status != http.StatusOK {
				return methods.NotFound(op)
			}
			return rest.Found(r, op, read)
		}
	}},
	{"the key is not passed on", "charge/approve", func(c *restConnector) {
		c.request = func(_ methods.Operation, r rest.Request) rest.Request {
			r.Key = randomText()
			return r
		}
	}},
	{"refunds have a key of their own", "sale/refund twice by one key", func(c *restConnector) {
		c.request = func(op methods.Operation, r rest.Request) rest.Request {
			if op.Kind == store.OpRefund {
				r.Key = randomText()
			}
			return r
		}
		c.answer = func(op methods.Operation, _ restPayment, a methods.Answer) methods.Answer {
			a.Key = op.Key
			return a
		}
	}},
	{"the key of a refund is that of its charge", "sale/refund in parts", func(c *restConnector) {
		c.request = func(op methods.Operation, r rest.Request) rest.Request {
			if op.Kind == store.OpRefund {
				r.Key = "refund-" + op.ParentKey
			}
			return r
		}
	}},
	{"an answer has no key", "charge/approve", func(c *restConnector) {
		c.answer = func(_ methods.Operation, _ restPayment, a methods.Answer) methods.Answer {
			a.Key = ""
			return a
		}
	}},
	{"an answer repeats our amount", "find/another amount", func(c *restConnector) {
		c.answer = func(op methods.Operation, _ restPayment, a methods.Answer) methods.Answer {
			a.Key, a.Amount, a.Currency = op.Key, op.Amount, op.Currency
			return a
		}
	}},
	{"every currency has cents", "charge/other currencies", cents},
	{"the currency is always one", "charge/other currencies", func(c *restConnector) {
		c.request = func(_ methods.Operation, r rest.Request) rest.Request {
			body := r.Body.(restPayment)
			body.Currency = "USD"
			r.Body = body
			return r
		}
		c.answer = func(op methods.Operation, _ restPayment, a methods.Answer) methods.Answer {
			a.Currency, a.Amount = op.Currency, op.Amount
			return a
		}
	}},
	{"an empty operation is performed", "empty operations", func(c *restConnector) {
		c.check = func(methods.Operation) string { return "" }
		c.request = func(op methods.Operation, r rest.Request) rest.Request {
			r.Header = http.Header{"X-Api-Key": {"key-1"}}
			return r
		}
	}},
	{"a refund is a charge", "sale/refund above captured", func(c *restConnector) {
		c.request = func(op methods.Operation, r rest.Request) rest.Request {
			body := r.Body.(restPayment)
			if body.Kind == "refund" {
				body.Kind = "charge"
			}
			r.Body = body
			return r
		}
	}},
	{"a return without a proof is believed", "payer/made-up returns", func(c *restConnector) {
		c.confirm = func(op methods.Operation, _ methods.Return, _ methods.Answer) methods.Answer {
			return methods.Approved(op, string(op.Continuation))
		}
	}},
	{"the context is not heeded", "context/acquirer does not answer", func(c *restConnector) {
		send := c.send
		c.send = func(ctx context.Context, r rest.Request) rest.Reply { return send(context.WithoutCancel(ctx), r) }
	}},
	{"idempotent, it says", "idempotence/one after the other", func(c *restConnector) {
		c.request = func(_ methods.Operation, r rest.Request) rest.Request {
			r.Key += "-" + randomText()
			return r
		}
		c.answer = func(op methods.Operation, _ restPayment, a methods.Answer) methods.Answer {
			a.Key = op.Key
			return a
		}
	}},
}

// loneConnector is a connector that redirects, and of which only Perform is left: nobody completes its redirects.
type loneConnector struct{ of *restConnector }

func (l loneConnector) Perform(ctx context.Context, op methods.Operation) methods.Answer {
	return l.of.Perform(ctx, op)
}

// TestRestMutants: each planted fault of a connector over HTTP is found, by the check that is meant for it.
func TestRestMutants(t *testing.T) {
	t.Parallel()
	require.GreaterOrEqual(t, len(restMutants)+1, 20)
	for _, m := range restMutants {
		t.Run(m.name, func(t *testing.T) {
			t.Parallel()
			s := restSubject(t, func(base string) methods.Connector {
				c := newRestConnector(base)
				m.plant(c)
				return c
			})
			s.Patience = 300 * time.Millisecond
			require.Contains(t, failing(t, s), m.found)
		})
	}
	t.Run("a redirect that nobody completes", func(t *testing.T) {
		t.Parallel()
		s := restSubject(t, func(base string) methods.Connector { return loneConnector{newRestConnector(base)} })
		require.Contains(t, failing(t, s), "payer/sent away")
	})
}
