package engine_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// asked is an acquirer that can be asked, and still waits.
type asked struct{}

func (asked) Find(_ context.Context, op methods.Operation) methods.Answer {
	return methods.Pending(op, nil)
}

// notifies is an acquirer that sends notifications.
type notifies struct{}

func (notifies) Notification(_ context.Context, op methods.Operation, _ methods.Note) methods.Answer {
	return methods.Approved(op, "by-note")
}

// waitingAnswers are the answers after which a payment waits for something that has to come.
var waitingAnswers = map[string]func(methods.Operation) methods.Answer{
	"redirect": kerneltest.ToIssuer,
	"display": func(op methods.Operation) methods.Answer {
		show := store.Display{Details: []store.Detail{{Label: "IBAN", Value: "DE00"}}}
		return methods.Displayed(op, show, []byte("1"))
	},
	"prompt": func(op methods.Operation) methods.Answer {
		return methods.Prompted(op, []store.Prompt{{Name: "code", Label: "Code"}}, []byte("1"))
	},
	"pending": func(op methods.Operation) methods.Answer { return methods.Pending(op, []byte("1")) },
}

// A payment that waits where nothing can report its end any more is put before a person, within a time that depends on
// what may still come; that never decides it.
func TestStrandedPayments(t *testing.T) {
	t.Parallel()
	const hour, day = time.Hour, 24 * time.Hour
	for name, c := range map[string]struct {
		powers func(kerneltest.Plain, *kerneltest.ScriptedConnector) methods.Connector
		quiet  time.Duration // until then no person is asked
		by     time.Duration // a person is by then; zero: never
		why    string
	}{
		"nothing": {func(p kerneltest.Plain, _ *kerneltest.ScriptedConnector) methods.Connector { return p }, 0, hour,
			"the connector completes no return, reads no notification"},
		"completes": {func(p kerneltest.Plain, s *kerneltest.ScriptedConnector) methods.Connector {
			return struct {
				kerneltest.Plain
				methods.Completer
			}{p, s}
		}, 20 * hour, 3 * day, "the payer has not come back"},
		"notifies": {func(p kerneltest.Plain, _ *kerneltest.ScriptedConnector) methods.Connector {
			return struct {
				kerneltest.Plain
				notifies
			}{p, notifies{}}
		}, 6 * day, 9 * day, "no notification has come"},
		"completes and notifies": {func(p kerneltest.Plain, s *kerneltest.ScriptedConnector) methods.Connector {
			return struct {
				kerneltest.Plain
				methods.Completer
				notifies
			}{p, s, notifies{}}
		}, 6 * day, 9 * day, "no notification has come"},
		"finds": {func(p kerneltest.Plain, _ *kerneltest.ScriptedConnector) methods.Connector {
			return struct {
				kerneltest.Plain
				asked
			}{p, asked{}}
		}, 60 * day, 0, ""},
	} {
		for wait, answer := range waitingAnswers {
			for _, wrapped := range []bool{false, true} {
				t.Run(fmt.Sprint(name, " after ", wait, ", wrapped ", wrapped), func(t *testing.T) {
					t.Parallel()
					s := &kerneltest.ScriptedConnector{OnPerform: answer}
					acquirer := c.powers(kerneltest.Plain{Connector: s}, s)
					if wrapped {
						acquirer = methods.Wrap(acquirer, func(ctx context.Context, _ methods.Call,
							next func(context.Context) methods.Answer) methods.Answer {
							return next(ctx)
						})
					}
					kit := gatewaytest.New(t, func(cfg *gateway.Config) { cfg.Connectors["vcard"] = acquirer })
					r := kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Settles, kerneltest.ViaCard, kerneltest.GoesBack)
					require.Equal(t, store.Waiting, r.Transaction.Outcome)
					kit.Advance(t, c.quiet)
					require.Empty(t, kerneltest.TransactionOf(t, kit, r.Transaction.ID).Review)
					kit.Advance(t, max(c.by-c.quiet, 0))
					doubts, err := kit.Operator().Doubts(t.Context(), 10)
					require.NoError(t, err)
					stored := kerneltest.TransactionOf(t, kit, r.Transaction.ID)
					require.Equal(t, store.Waiting, stored.Outcome, "it is not decided")
					if c.by == 0 {
						require.Empty(t, doubts)
						return
					}
					require.Len(t, doubts, 1)
					require.Contains(t, stored.Review, c.why)
				})
			}
		}
	}
}
