package engine_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// declaring is an acquirer with other capabilities.
type declaring struct {
	*kerneltest.ScriptedConnector
	can methods.Capabilities
}

func (d declaring) option(c *gateway.Config) { c.Connectors["vcard"] = d }

func (d declaring) Capabilities() methods.Capabilities { return d.can }

// An acquirer that had accepted an operation and then finds nothing under its key says nothing about its outcome:
// whatever made it doubtful in between, it is neither declined nor sent again, but a person decides (4.4). That holds
// also for an acquirer whose answers carry no Continuation.
func TestAcceptedIsNeverAbsent(t *testing.T) {
	t.Parallel()
	ofAnother := func(op methods.Operation) methods.Answer { op.Key += "x"; return kerneltest.Approves(op) }
	returnsTo := func(answer func(methods.Operation) methods.Answer) func(*testing.T, *gatewaytest.Kit,
		*kerneltest.ScriptedConnector) {
		return func(t *testing.T, kit *gatewaytest.Kit, p *kerneltest.ScriptedConnector) {
			p.OnComplete = func(op methods.Operation, _ methods.Return) methods.Answer { return answer(op) }
			p.ComeBack(t, kit)
		}
	}
	asked := func(t *testing.T, kit *gatewaytest.Kit, p *kerneltest.ScriptedConnector) {
		p.OnFind = ofAnother
		kit.Advance(t, time.Hour)
	}
	stays := func(*testing.T, *gatewaytest.Kit, *kerneltest.ScriptedConnector) {}
	for _, c := range []struct {
		name  string
		first func(methods.Operation) methods.Answer
		then  func(*testing.T, *gatewaytest.Kit, *kerneltest.ScriptedConnector)
	}{
		{"away, the return is lost", awayWithoutContinuation, returnsTo(lost)},
		{"away, the return is answered for another", awayWithoutContinuation, returnsTo(ofAnother)},
		{"away, a question is answered for another", awayWithoutContinuation, asked},
		{"pending, a question is answered for another", stillWaits, asked},
		{"approved with another amount", func(op methods.Operation) methods.Answer {
			op.Amount = store.MustAmount("9.00")
			return kerneltest.Approves(op)
		}, stays},
		{"sent nowhere", func(op methods.Operation) methods.Answer {
			return methods.Redirected(op, store.Redirect{}, nil)
		}, stays},
	} {
		for name, can := range map[string]methods.Capabilities{
			"idempotent": kerneltest.Powers(true, time.Minute), "acts twice": kerneltest.Powers(false, time.Minute),
		} {
			t.Run(c.name+", "+name, func(t *testing.T) {
				t.Parallel()
				p := &kerneltest.ScriptedConnector{OnPerform: c.first}
				kit := gatewaytest.New(t, declaring{p, can}.option)
				kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Settles, kerneltest.ViaCard)
				c.then(t, kit, p)
				id := kit.Payment(t, "ORD-1").Transactions[0].ID
				require.Equal(t, store.InDoubt, kerneltest.TransactionOf(t, kit, id).Outcome)
				p.OnFind, p.OnPerform = methods.NotFound, kerneltest.Approves
				kit.Advance(t, 48*time.Hour)
				require.Len(t, p.Sent, 1, "it is not sent again")
				tr := kerneltest.TransactionOf(t, kit, id)
				require.False(t, tr.Outcome.Final(), "%s: %s", tr.Outcome, tr.Reason)
				require.NotEmpty(t, tr.Review)
			})
		}
	}
}

// The same return may come again after a call whose outcome is unknown, also without a Continuation.
func TestReturnWithoutContinuation(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]func(methods.Operation) methods.Answer{
		"lost": lost, "not sent": func(op methods.Operation) methods.Answer { return methods.NotSent(op, "no route") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := &kerneltest.ScriptedConnector{OnPerform: awayWithoutContinuation}
			p.OnComplete = func(op methods.Operation, _ methods.Return) methods.Answer { return answer(op) }
			kit := gatewaytest.New(t, p.Option)
			kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Settles, kerneltest.ViaCard)
			p.ComeBack(t, kit)
			p.OnComplete = func(op methods.Operation, _ methods.Return) methods.Answer { return kerneltest.Approves(op) }
			p.ComeBack(t, kit)
			require.Equal(t, store.Settled, kit.Payment(t, "ORD-1").Status)
		})
	}
}

func awayWithoutContinuation(op methods.Operation) methods.Answer {
	a := kerneltest.ToIssuer(op)
	a.Continuation = nil
	return a
}

// What an acquirer tells of another operation is not kept: neither its reference nor its Continuation.
func TestAnswerForAnother(t *testing.T) {
	t.Parallel()
	p := &kerneltest.ScriptedConnector{OnPerform: toStep("0")}
	p.OnFind = func(op methods.Operation) methods.Answer {
		op.Key += "x"
		a := toStep("another")(op)
		a.Reference, a.Facts = "another", store.Facts{ARN: "another"}
		return a
	}
	kit := gatewaytest.New(t, p.Option)
	kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Settles, kerneltest.ViaCard)
	id := kit.Payment(t, "ORD-1").Transactions[0].ID
	was := kerneltest.TransactionOf(t, kit, id)
	kit.Advance(t, time.Hour)
	is := kerneltest.TransactionOf(t, kit, id)
	require.Equal(t, store.InDoubt, is.Outcome)
	require.Equal(t, "0", string(is.Continuation))
	require.Equal(t, was.Reference, is.Reference)
	require.Equal(t, was.Facts, is.Facts)
}
