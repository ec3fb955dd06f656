package engine_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
)

// begun makes the payment that an operation needs, scripts the acquirer's answer to the operation, and
// returns the caller's result.
func begun(t testing.TB, kit *gatewaytest.Kit, op store.Operation, outcome ...vcard.Outcome) *gateway.Result {
	t.Helper()
	script := func() { kit.Vcard.Script(vcard.Script{Operation: op, Outcomes: outcome}) }
	kind := map[store.Operation]store.Kind{store.OpDebit: store.Debit, store.OpCredit: store.Credit,
		store.OpTransfer: store.Transfer}[op]
	change := func(r *gateway.ChargeRequest) {
		if kind != "" {
			r.Kind = kind
		}
		r.Hold = op == store.OpAuth || op == store.OpCapture || op == store.OpReversal
	}
	var r *gateway.Result
	var err error
	switch op {
	case store.OpCapture, store.OpReversal, store.OpVoid, store.OpRefund:
		p := kerneltest.Pay(t, kit, "ORD-1", gatewaytest.Settles, change)
		script()
		what := map[store.Operation]string{store.OpCapture: "capture", store.OpVoid: "void"}[op]
		r, err = kerneltest.Step{What: what}.Run(t.Context(), kit, p)
	default:
		script()
		r, err = kit.Shop().Charge(t.Context(), kerneltest.ChargeOf("ORD-1", gatewaytest.Settles, change))
	}
	require.NoError(t, err)
	require.Equal(t, op, r.Transaction.Operation)
	return r
}

var allOperations = []store.Operation{store.OpSale, store.OpAuth, store.OpDebit, store.OpCredit, store.OpTransfer,
	store.OpCapture, store.OpVoid, store.OpRefund, store.OpReversal}

// resolution is a row of reliability.md, 4.4, for an operation whose answer is unknown.
type resolution struct {
	idempotent, find, lateness bool
	what                       string // the fate of the request: lost, done, or late
	want                       store.Outcome
	sends                      int // how often the request is sent in all
}

var resolutions = []resolution{
	{true, true, true, "done", store.Success, 1},
	{true, true, true, "lost", store.Success, 2},
	{true, true, true, "late", store.Success, 1},
	{true, true, false, "done", store.Success, 1},
	{true, true, false, "lost", store.Success, 2},
	{true, true, false, "late", store.Success, 2},
	{true, false, true, "done", store.Success, 2},
	{true, false, true, "lost", store.Success, 2},
	{true, false, true, "late", store.Success, 2},
	{true, false, false, "done", store.Success, 2},
	{true, false, false, "lost", store.Success, 2},
	{false, true, true, "done", store.Success, 1},
	{false, true, true, "lost", store.Fail, 1},
	{false, true, true, "late", store.Success, 1},
	{false, true, false, "done", store.Success, 1},
	{false, true, false, "lost", store.InDoubt, 1},
	{false, true, false, "late", store.Success, 1},
	{false, false, true, "done", store.InDoubt, 1},
	{false, false, true, "lost", store.InDoubt, 1},
	{false, false, true, "late", store.InDoubt, 1},
	{false, false, false, "done", store.InDoubt, 1},
	{false, false, false, "lost", store.InDoubt, 1},
}

func TestResolutions(t *testing.T) {
	t.Parallel()
	const lateness = 2 * time.Minute
	outcomes := map[string]vcard.Outcome{"lost": vcard.UnknownBefore(), "done": vcard.UnknownAfter(),
		"late": vcard.Late(90 * time.Second)}
	for _, row := range resolutions {
		for _, op := range allOperations {
			t.Run(fmt.Sprintf("%s, idempotent %t, find %t, lateness %t, %s", op, row.idempotent, row.find, row.lateness,
				row.what), func(t *testing.T) {
				t.Parallel()
				can := kerneltest.Powers(row.idempotent, 0)
				if row.lateness {
					can.Lateness = lateness
				}
				kit, spy := kerneltest.Spied(t, can, row.find)
				r := begun(t, kit, op, outcomes[row.what])
				require.Equal(t, store.InDoubt, r.Transaction.Outcome)
				if row.lateness && row.find && row.what == "lost" {
					kit.Advance(t, 30*time.Second+lateness) // deadline and lateness: not a moment earlier
					require.Equal(t, store.InDoubt, kerneltest.TransactionOf(t, kit, r.Transaction.ID).Outcome)
				}
				kit.Advance(t, 30*24*time.Hour)
				tr := kerneltest.TransactionOf(t, kit, r.Transaction.ID)
				require.Equal(t, row.want, tr.Outcome, tr.Review)
				requireSends(t, spy, tr.ID, row.sends)
				if row.want == store.InDoubt {
					require.NotEmpty(t, tr.Review, "a person has to decide")
					doubts, err := kit.Operator().Doubts(t.Context(), 10)
					require.NoError(t, err)
					require.Len(t, doubts, 1)
					kerneltest.Audit(t, kit)
					return
				}
				kerneltest.Quiet(t, kit)
			})
		}
	}
}

// requireSends checks that the same request was sent with the same key each time, and with no security code
// after the first time.
func requireSends(t testing.TB, s *kerneltest.Spy, id string, times int) {
	t.Helper()
	sends := s.Sends(id)
	require.Len(t, sends, times)
	for i, op := range sends {
		first := sends[0]
		require.Equal(t, first.Key, op.Key)
		require.Zero(t, first.Amount.Cmp(op.Amount))
		require.Equal(t, []any{first.Kind, first.Currency, first.ParentKey, first.ParentReference},
			[]any{op.Kind, op.Currency, op.ParentKey, op.ParentReference})
		require.Equal(t, first.Card == nil, op.Card == nil)
		if i > 0 && op.Card != nil {
			require.Empty(t, op.Card.Code.Digits(), "the security code is gone")
			require.Equal(t, first.Card.PAN.Digits(), op.Card.PAN.Digits())
			require.Equal(t, first.Card.Expiry, op.Card.Expiry)
		}
	}
}

// If a charge needs the security code, it is sent again only if it had none (architecture.md, "What is not
// known").
func TestResendsThatNeedTheCode(t *testing.T) {
	t.Parallel()
	for _, op := range allOperations {
		t.Run(string(op), func(t *testing.T) {
			t.Parallel()
			can := kerneltest.Powers(true, 0)
			can.ResendWithoutCode = false
			kit, spy := kerneltest.Spied(t, can, false)
			r := begun(t, kit, op, vcard.UnknownBefore())
			kit.Advance(t, 72*time.Hour)
			tr := kerneltest.TransactionOf(t, kit, r.Transaction.ID)
			if slices.Contains([]store.Operation{store.OpSale, store.OpAuth, store.OpDebit, store.OpTransfer}, op) {
				require.Equal(t, store.InDoubt, tr.Outcome)
				require.NotEmpty(t, tr.Review)
				requireSends(t, spy, tr.ID, 1)
				return
			}
			require.Equal(t, store.Success, tr.Outcome, tr.Review)
			requireSends(t, spy, tr.ID, 2)
			kerneltest.Quiet(t, kit)
		})
	}
}

// The waits between questions: 1 m, 5 m, 15 m, 1 h, then daily; no timer ever declines.
func TestBackOff(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		outcome vcard.Outcome
		find    vcard.Outcome
		want    store.Outcome
	}{
		{"pending", vcard.Pending(), vcard.Pending(), store.Waiting},
		{"in doubt, pending there", vcard.UnknownBefore(), vcard.Pending(), store.Waiting},
		{"in doubt, no answer", vcard.UnknownBefore(), vcard.UnknownBefore(), store.InDoubt},
		{"in doubt, the question is not sent", vcard.UnknownBefore(), vcard.NotSent(), store.InDoubt},
		{"in doubt, the question panics", vcard.UnknownBefore(), vcard.Panic(), store.InDoubt},
		{"pending, no answer", vcard.Pending(), vcard.UnknownBefore(), store.Waiting},
	} {
		for _, op := range allOperations {
			t.Run(c.name+", "+string(op), func(t *testing.T) {
				t.Parallel()
				kit, spy := kerneltest.Spied(t, kerneltest.Powers(false, time.Minute), true)
				kit.Vcard.Script(vcard.Script{Call: vcard.CallFind, Outcomes: slices.Repeat([]vcard.Outcome{c.find}, 100)})
				start := kit.Clock.Now()
				r := begun(t, kit, op, c.outcome)
				kit.Advance(t, 60*24*time.Hour)
				var waits []time.Duration
				for _, at := range spy.Questions() {
					waits = append(waits, at.Sub(start))
					start = at
				}
				day := 24 * time.Hour
				fifth, looks := day, 4+59
				if spy.Sends(r.Transaction.ID)[0].Card != nil { // the card is erased a day after the operation began
					fifth, looks = day-81*time.Minute, 4+60
				}
				require.Equal(t, []time.Duration{time.Minute, 5 * time.Minute, 15 * time.Minute, time.Hour, fifth, day}, waits[:6])
				require.Len(t, waits, looks)
				require.Equal(t, c.want, kerneltest.TransactionOf(t, kit, r.Transaction.ID).Outcome)
				requireSends(t, spy, r.Transaction.ID, 1)
				if c.name == "pending, no answer" {
					require.NotContains(t, kerneltest.CallbackStatuses(t, kit)[1:], "sale undefined prepare",
						"a failed question shows nothing")
				}
				kerneltest.Audit(t, kit)
			})
		}
	}
}

// An answer about something else is not believed (bad inputs 96 and 97): neither the first answer nor the answer to a
// question.
func TestAnswersThatAreNotBelieved(t *testing.T) {
	t.Parallel()
	for _, o := range []vcard.Outcome{
		vcard.WrongAmount(store.MustAmount("9.99")), vcard.WrongAmount(store.MustAmount("10.01")),
		vcard.WrongAmount(store.Amount{}), vcard.WrongCurrency("EUR"), vcard.WrongCurrency(""), vcard.WrongKey("tg-other"),
		vcard.WrongKey(""),
	} {
		for _, op := range allOperations {
			t.Run(o.String()+", "+string(op), func(t *testing.T) {
				t.Parallel()
				kit, spy := kerneltest.Spied(t, kerneltest.Powers(true, time.Minute), true)
				kit.Vcard.Script(vcard.Script{Call: vcard.CallFind, Outcomes: []vcard.Outcome{o, o}})
				r := begun(t, kit, op, o)
				require.Equal(t, store.InDoubt, r.Transaction.Outcome)
				require.NotEmpty(t, r.Transaction.Review)
				kit.Advance(t, 7*time.Minute)
				tr := kerneltest.TransactionOf(t, kit, r.Transaction.ID)
				require.Equal(t, store.InDoubt, tr.Outcome, "asked twice, two wrong answers")
				require.NotEmpty(t, tr.Review)
				kit.Advance(t, time.Hour)
				require.Equal(t, store.Success, kerneltest.TransactionOf(t, kit, tr.ID).Outcome)
				requireSends(t, spy, tr.ID, 1)
				kerneltest.Quiet(t, kit)
			})
		}
	}
}

// odd gives an arbitrary answer.
type odd struct {
	kerneltest.Plain
	say func(methods.Operation) methods.Answer
}

func (o *odd) Perform(ctx context.Context, op methods.Operation) methods.Answer {
	if o.say == nil {
		return o.Connector.Perform(ctx, op)
	}
	return o.say(op)
}

// Answers that the state table does not know leave the operation in doubt, and the gateway running.
func TestAnswersThatCannotBe(t *testing.T) {
	t.Parallel()
	away := store.Redirect{URL: "https://bank.example/", Method: "GET"}
	for _, c := range []struct {
		name string
		say  func(methods.Operation) methods.Answer
		only []store.Operation // nil: all
	}{
		{"nothing", func(op methods.Operation) methods.Answer { return methods.Answer{} }, nil},
		{"a result of its own", func(op methods.Operation) methods.Answer {
			a := methods.Approved(op, "r")
			a.Result = "yes"
			return a
		}, nil},
		{"not found", func(op methods.Operation) methods.Answer { return methods.NotFound(op) }, nil},
		{"a redirect without a URL", func(op methods.Operation) methods.Answer { return methods.Redirected(op, store.Redirect{}, nil) }, nil},
		{"a redirect to a script", func(op methods.Operation) methods.Answer {
			return methods.Redirected(op, store.Redirect{URL: "javascript:alert(1)"}, nil)
		}, nil},
		{"a redirect of a follow-up", func(op methods.Operation) methods.Answer { return methods.Redirected(op, away, []byte("c")) },
			[]store.Operation{store.OpCapture, store.OpVoid, store.OpRefund, store.OpReversal}},
	} {
		for _, op := range allOperations {
			if c.only != nil && !slices.Contains(c.only, op) {
				continue
			}
			t.Run(c.name+", "+string(op), func(t *testing.T) {
				t.Parallel()
				var o *odd
				kit := kerneltest.Audited(t, func(cfg *gateway.Config) {
					o = &odd{Plain: kerneltest.Plain{Connector: cfg.Connectors["vcard"]}}
					cfg.Connectors["vcard"] = struct {
						methods.Connector
						methods.Declarer
					}{o, fixed(kerneltest.Powers(false, 0))}
				})
				follows := slices.Contains([]store.Operation{store.OpCapture, store.OpVoid, store.OpRefund, store.OpReversal}, op)
				if !follows {
					o.say = c.say
				}
				p, err := kit.Shop().Charge(t.Context(),
					kerneltest.ChargeOf("ORD-1", gatewaytest.Settles, func(r *gateway.ChargeRequest) {
						r.Hold = op == store.OpAuth || op == store.OpCapture || op == store.OpReversal
					}))
				require.NoError(t, err)
				if follows {
					o.say = c.say
					what := map[store.Operation]string{store.OpCapture: "capture", store.OpVoid: "void"}[op]
					p, err = kerneltest.Step{What: what}.Run(t.Context(), kit, p.Payment)
					require.NoError(t, err)
				}
				require.Equal(t, store.InDoubt, p.Transaction.Outcome)
				kit.Advance(t, 72*time.Hour)
				tr := kerneltest.TransactionOf(t, kit, p.Transaction.ID)
				require.Equal(t, store.InDoubt, tr.Outcome)
				require.NotEmpty(t, tr.Review)
				require.LessOrEqual(t, tr.RecoveryAttempts, 8, "asked on the schedule")
				kerneltest.Audit(t, kit)
			})
		}
	}
}

type fixed methods.Capabilities

func (f fixed) Capabilities() methods.Capabilities { return methods.Capabilities(f) }

// A connector that panics or misses its deadline leaves the operation in doubt; the outcome is learned later,
// once.
func TestConnectorsThatFail(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		outcome vcard.Outcome
		sends   int
	}{
		{vcard.Panic(), 2}, {vcard.PanicAfter(), 1}, {vcard.Block(nil), 2}, {vcard.BlockAfter(nil), 1},
	} {
		for _, op := range allOperations {
			t.Run(c.outcome.String()+", "+string(op), func(t *testing.T) {
				t.Parallel()
				can := kerneltest.Powers(true, time.Minute)
				if strings.HasPrefix(c.outcome.String(), "block") {
					can.Timeout = 250 * time.Millisecond
				}
				kit, spy := kerneltest.Spied(t, can, true)
				r := begun(t, kit, op, c.outcome)
				require.Equal(t, store.InDoubt, r.Transaction.Outcome)
				spy.Powers.Timeout = 0
				kit.Advance(t, 10*time.Minute)
				require.Equal(t, store.Success, kerneltest.TransactionOf(t, kit, r.Transaction.ID).Outcome)
				requireSends(t, spy, r.Transaction.ID, c.sends)
				kerneltest.Quiet(t, kit)
			})
		}
	}
}
