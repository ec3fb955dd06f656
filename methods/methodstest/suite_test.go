package methodstest

import (
	"context"
	"crypto/rand"
	"errors"
	"net/http/httptest"
	"net/url"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/memory"
)

// faulty is a sound connector with one part replaced.
type faulty struct {
	*vcard.Connector
	says     methods.Capabilities
	perform  func(ctx context.Context, op methods.Operation) methods.Answer
	find     func(ctx context.Context, op methods.Operation) methods.Answer
	complete func(ctx context.Context, op methods.Operation, back methods.Return) methods.Answer
	note     func(ctx context.Context, op methods.Operation, note methods.Note) methods.Answer
}

func (f *faulty) Capabilities() methods.Capabilities { return f.says }

func (f *faulty) Perform(ctx context.Context, op methods.Operation) methods.Answer {
	return f.perform(ctx, op)
}

func (f *faulty) Find(ctx context.Context, op methods.Operation) methods.Answer {
	return f.find(ctx, op)
}

func (f *faulty) Complete(ctx context.Context, op methods.Operation, back methods.Return) methods.Answer {
	return f.complete(ctx, op, back)
}

func (f *faulty) Notification(ctx context.Context, op methods.Operation, note methods.Note) methods.Answer {
	return f.note(ctx, op, note)
}

func sound(tb testing.TB, can *methods.Capabilities) *faulty {
	c, err := vcard.New(vcard.Config{
		Store: memory.New(), Secret: store.NewSecret("a secret of sixteen bytes or more"),
		PublicURL: "https://acquirer.example", Capabilities: can,
	})
	require.NoError(tb, err)
	return &faulty{c, c.Capabilities(), c.Perform, c.Find, c.Complete, c.Notification}
}

func with(month int) func(*methods.Operation) {
	return func(op *methods.Operation) {
		pan, err := store.ParsePAN("4111111111111111")
		if err != nil {
			panic(err)
		}
		code, err := store.ParseSecurityCode("737")
		if err != nil {
			panic(err)
		}
		op.Card = &methods.Card{PAN: pan, Expiry: store.Expiry{Year: 2038, Month: month}, Code: code}
	}
}

var proof = regexp.MustCompile(`name="(PaRes|MD)" value="([^"]+)"`)

func subject(can *methods.Capabilities, fault func(*faulty)) Subject {
	return Subject{
		New: func(tb testing.TB) methods.Connector {
			f := sound(tb, can)
			fault(f)
			return f
		},
		Approve: with(1), Decline: with(2), Away: with(5), Payout: with(1),
		Calc: func(op *methods.Operation) { op.Method, op.MethodKind = "some", methods.KindWallet },
		Open: func(op *methods.Operation) { op.Method, op.MethodKind = "helio", methods.KindCrypto },
		Pay: func(tb testing.TB, c methods.Connector, op methods.Operation, _ methods.Answer, amount store.Amount) {
			require.NoError(tb, c.(*faulty).Pay(context.Background(), op.Key, amount))
		},
		Payer: func(tb testing.TB, c methods.Connector, op methods.Operation, a methods.Answer) methods.Return {
			form := url.Values{"decision": {"confirm"}}
			for _, p := range a.Redirect.Params {
				form.Set(p.Name, p.Value)
			}
			r := httptest.NewRequest("POST", "/acs/decision", strings.NewReader(form.Encode()))
			r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
			w := httptest.NewRecorder()
			c.(*faulty).Pages().ServeHTTP(w, r)
			back := methods.Return{Method: "POST", Params: map[string][]string{}}
			for _, m := range proof.FindAllStringSubmatch(w.Body.String(), -1) {
				back.Params[m[1]] = []string{m[2]}
			}
			return back
		},
		Notify: func(tb testing.TB, c methods.Connector, op methods.Operation) methods.Note {
			note, err := c.(*faulty).Notify(context.Background(), op.Key)
			require.NoError(tb, err)
			return note
		},
		Stall: func(tb testing.TB, c methods.Connector, op methods.Operation) {
			c.(*faulty).On(op.Key, vcard.BlockAfter(nil))
		},
		Effects: func(tb testing.TB, c methods.Connector, op methods.Operation) int {
			e, err := c.(*faulty).Entry(context.Background(), op.Key)
			require.True(tb, err == nil || errors.Is(err, store.ErrNotFound), "%v", err)
			return e.Effects
		},
		Patience: 300 * time.Millisecond,
	}
}

func TestSound(t *testing.T) {
	t.Parallel()
	s := subject(nil, func(*faulty) {})
	s.Patience = 0
	Run(t, s)
}

// little is a connector of which only Perform is to be seen.
type little struct{ of methods.Connector }

func (l little) Perform(ctx context.Context, op methods.Operation) methods.Answer {
	return l.of.Perform(ctx, op)
}

// TestLittle: a connector with Perform only is complete; the checks that it cannot run are skipped.
func TestLittle(t *testing.T) {
	t.Parallel()
	Run(t, Subject{
		New: func(tb testing.TB) methods.Connector {
			return little{sound(tb, &methods.Capabilities{})}
		},
		Approve: with(1),
	})
}

// recorder is a testing.TB that only remembers whether it failed.
type recorder struct {
	testing.TB
	failed bool
}

func (r *recorder) Helper()               {}
func (r *recorder) Errorf(string, ...any) { r.failed = true }
func (r *recorder) FailNow()              { r.failed = true; runtime.Goexit() }
func (r *recorder) Skipf(string, ...any)  { runtime.Goexit() }
func (r *recorder) Log(...any)            {}

// failing runs the whole suite and returns the checks that failed.
func failing(tb testing.TB, s Subject) []string {
	var failed []string
	for _, c := range checks() {
		r := &recorder{TB: tb}
		done := make(chan struct{})
		go func() {
			defer close(done)
			p := newProbe(r, s)
			if c.needs.missing(p) == "" {
				c.run(p)
			}
		}()
		<-done
		if r.failed {
			failed = append(failed, c.name)
		}
	}
	return failed
}

// TestFaults: the check that is meant for a fault of a connector finds it.
func TestFaults(t *testing.T) {
	t.Parallel()
	all := methods.Capabilities{IdempotentByKey: true, Holds: true, ZeroAmount: true}
	for _, row := range []struct {
		name  string
		want  string
		fault func(*faulty)
	}{
		{"forgets the key", "charge/approve", performing(func(op methods.Operation, a *methods.Answer) { a.Key = "" })},
		{"converts the amount", "charge/approve", performing(func(op methods.Operation, a *methods.Answer) { a.Amount = store.MustAmount("1000") })},
		{"has no reference", "charge/approve", performing(func(op methods.Operation, a *methods.Answer) { a.Reference = "" })},
		{"has one reference", "charge/two keys are two charges", performing(func(op methods.Operation, a *methods.Answer) { a.Reference = "R" })},
		{"declines without a reason", "charge/decline", performing(func(op methods.Operation, a *methods.Answer) { a.Reason = "" })},
		{"approves a decline", "charge/decline", performing(func(op methods.Operation, a *methods.Answer) { a.Result = methods.ResultApproved })},
		{"refunds anything", "sale/refund above captured", performing(func(op methods.Operation, a *methods.Answer) {
			if op.Kind == store.OpRefund {
				a.Result, a.Reference = methods.ResultApproved, "R"
			}
		})},
		{"captures anything", "hold/capture above authorized", performing(func(op methods.Operation, a *methods.Answer) {
			if op.Kind == store.OpCapture {
				a.Result, a.Reference = methods.ResultApproved, "R"
			}
		})},
		{"invents a result", "charge/approve", performing(func(op methods.Operation, a *methods.Answer) { a.Result = "maybe" })},
		{"finds nothing when performing", "charge/decline", performing(func(op methods.Operation, a *methods.Answer) {
			if a.Result == methods.ResultDeclined {
				a.Result = methods.ResultNotFound
			}
		})},
		{"shows the card", "charge/approve", performing(func(op methods.Operation, a *methods.Answer) {
			if op.Card != nil {
				a.Cause = "sent 4111 1111-1111 1111"
			}
		})},
		{"shows the code", "charge/approve", performing(func(op methods.Operation, a *methods.Answer) { a.Cause = "code 737 sent" })},
		{"stores the card", "payer/genuine return", performing(func(op methods.Operation, a *methods.Answer) {
			if op.Card != nil && a.Result == methods.ResultRedirect {
				a.Continuation = append(a.Continuation, op.Card.PAN.Digits()...)
			}
		})},
		{"redirects nowhere", "payer/genuine return", performing(func(op methods.Operation, a *methods.Answer) { a.Redirect = nil })},
		{"authenticates again", "payer/authenticated elsewhere", func(f *faulty) {
			f.perform = func(ctx context.Context, op methods.Operation) methods.Answer {
				op.Authentication = methods.AuthPlatform
				return f.Connector.Perform(ctx, op)
			}
		}},
		{"shows the authentication value", "payer/authenticated elsewhere", performing(func(op methods.Operation, a *methods.Answer) {
			if op.MPI != nil {
				a.Cause = "sent " + op.MPI.AuthenticationValue
			}
		})},
		{"rounds the total", "debit/calculated, then completed", performing(func(op methods.Operation, a *methods.Answer) {
			if op.Kind == store.OpCalc {
				a.Facts.TotalAmount = "11.00"
			}
		})},
		{"reports no commission", "debit/calculated, then completed", performing(func(op methods.Operation, a *methods.Answer) {
			if op.Kind == store.OpCalc {
				a.Facts.Commission = ""
			}
		})},
		{"changes the commission", "debit/calculated, then completed", performing(func(op methods.Operation, a *methods.Answer) {
			if op.Kind == store.OpDebit {
				a.Facts.Commission, a.Facts.TotalAmount = "0.60", "10.60"
			}
		})},
		{"moves money to calculate", "debit/calculated, then completed", func(f *faulty) {
			f.perform = func(ctx context.Context, op methods.Operation) methods.Answer {
				if op.Kind == store.OpCalc {
					op.Kind = store.OpDebit
				}
				return f.Connector.Perform(ctx, op)
			}
		}},
		{"pays out twice", "payout/once", performing(func(op methods.Operation, a *methods.Answer) {
			if op.Kind == store.OpCredit {
				a.Reference = rand.Text()
			}
		})},
		{"redirects a payee", "payout/once", performing(func(op methods.Operation, a *methods.Answer) {
			if op.Kind == store.OpCredit {
				a.Result, a.Redirect = methods.ResultRedirect, &store.Redirect{URL: "https://acquirer.example", Method: "GET"}
			}
		})},
		{"approves an open amount of zero", "open amount/chosen by the payer", finding(func(op methods.Operation, a *methods.Answer) {
			if op.AmountOpen {
				a.Amount = op.Amount
			}
		})},
		{"finds another amount than was chosen", "open amount/chosen by the payer", finding(func(op methods.Operation, a *methods.Answer) {
			if op.AmountOpen {
				a.Amount = store.MustAmount("9.99")
			}
		})},
		{"approves before the payer chose", "open amount/chosen by the payer", performing(func(op methods.Operation, a *methods.Answer) {
			if op.AmountOpen {
				a.Result, a.Amount = methods.ResultApproved, store.MustAmount("1.00")
			}
		})},
		{"panics on an empty operation", "empty operations", func(f *faulty) {
			f.perform = func(ctx context.Context, op methods.Operation) methods.Answer {
				_ = op.Card.Holder
				return f.Connector.Perform(ctx, op)
			}
		}},
		{"never gives up", "context/acquirer does not answer", func(f *faulty) {
			f.perform = func(ctx context.Context, op methods.Operation) methods.Answer {
				return f.Connector.Perform(context.WithoutCancel(ctx), op)
			}
		}},
		{"reports the end of the context as a decline", "context/cancelled", func(f *faulty) {
			f.perform = func(ctx context.Context, op methods.Operation) methods.Answer {
				if ctx.Err() != nil {
					return methods.Declined(op, "too late")
				}
				return f.Connector.Perform(ctx, op)
			}
		}},
		{"answers not sent after sending", "context/deadline passed", func(f *faulty) {
			f.perform = func(ctx context.Context, op methods.Operation) methods.Answer {
				a := f.Connector.Perform(context.WithoutCancel(ctx), op)
				if ctx.Err() != nil {
					return methods.NotSent(op, "ended")
				}
				return a
			}
		}},
		{"finds an unknown operation", "find/unknown", func(f *faulty) {
			f.find = func(_ context.Context, op methods.Operation) methods.Answer { return methods.Approved(op, "R") }
		}},
		{"finds nothing", "find/known", func(f *faulty) {
			f.find = func(_ context.Context, op methods.Operation) methods.Answer { return methods.NotFound(op) }
		}},
		{"repeats the amount of the question", "find/another amount", func(f *faulty) {
			f.find = func(ctx context.Context, op methods.Operation) methods.Answer {
				a := f.Connector.Find(ctx, op)
				a.Amount = op.Amount
				return a
			}
		}},
		{"believes the browser", "payer/made-up returns", func(f *faulty) {
			f.complete = func(_ context.Context, op methods.Operation, _ methods.Return) methods.Answer {
				return methods.Approved(op, "R")
			}
		}},
		{"believes any payer", "payer/another payer's return", func(f *faulty) {
			f.complete = func(ctx context.Context, op methods.Operation, back methods.Return) methods.Answer {
				if len(back.Params["PaRes"]) == 1 && len(back.Params["PaRes"][0]) > 20 {
					return methods.Approved(op, "R")
				}
				return f.Connector.Complete(ctx, op, back)
			}
		}},
		{"believes any note", "notification/made up", func(f *faulty) {
			f.note = func(_ context.Context, op methods.Operation, _ methods.Note) methods.Answer {
				return methods.Approved(op, "R")
			}
		}},
		{"believes any signed note", "notification/genuine, replayed and tampered with", func(f *faulty) {
			f.note = func(ctx context.Context, op methods.Operation, note methods.Note) methods.Answer {
				if len(note.Header) > 0 {
					return methods.Approved(op, "R")
				}
				return f.Connector.Notification(ctx, op, note)
			}
		}},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			require.Contains(t, failing(t, subject(&all, row.fault)), row.want)
		})
	}
}

// TestDeclaredButUntrue: an acquirer books a repeated key again, while its connector declares that it does not.
func TestDeclaredButUntrue(t *testing.T) {
	t.Parallel()
	failed := failing(t, subject(&methods.Capabilities{}, func(f *faulty) {
		f.says = methods.Capabilities{IdempotentByKey: true, Holds: true, ZeroAmount: true}
	}))
	for _, want := range []string{"idempotence/one after the other", "idempotence/all at once",
		"charge/zero amount", "hold/capture and refund"} {
		require.Contains(t, failed, want)
	}
}

func performing(change func(op methods.Operation, a *methods.Answer)) func(*faulty) {
	return func(f *faulty) {
		f.perform = func(ctx context.Context, op methods.Operation) methods.Answer {
			a := f.Connector.Perform(ctx, op)
			change(op, &a)
			return a
		}
	}
}

func finding(change func(op methods.Operation, a *methods.Answer)) func(*faulty) {
	return func(f *faulty) {
		f.find = func(ctx context.Context, op methods.Operation) methods.Answer {
			a := f.Connector.Find(ctx, op)
			change(op, &a)
			return a
		}
	}
}

func TestChecksHaveNames(t *testing.T) {
	t.Parallel()
	names := map[string]bool{}
	for _, c := range checks() {
		require.False(t, names[c.name], "two checks are called %s", c.name)
		names[c.name] = true
	}
	require.Greater(t, len(names), 25)
}
