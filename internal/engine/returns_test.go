package engine_test

import (
	"context"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/memory"
)

// onlyOnce is an acquirer that is not idempotent and cannot be asked. It declines a second completion. A
// return without a proof is forged.
type onlyOnce struct{ p *kerneltest.ScriptedConnector }

func (s onlyOnce) option(c *gateway.Config) { c.Connectors["vcard"] = s }

func (s onlyOnce) Perform(ctx context.Context, op methods.Operation) methods.Answer {
	return s.p.Perform(ctx, op)
}

func (s onlyOnce) Complete(ctx context.Context, op methods.Operation, back methods.Return) methods.Answer {
	if back.Method != methods.Answered && !slices.Equal(back.Params["proof"], []string{"genuine"}) {
		return methods.Unverified(op, "forged")
	}
	s.p.Mu.Lock()
	again := len(s.p.Completed) > 0
	s.p.Mu.Unlock()
	if answer := s.p.Complete(ctx, op, back); !again {
		return answer
	}
	return methods.Declined(op, "Completed before")
}

// strictAsked is the same acquirer, but it can be asked.
type strictAsked struct{ onlyOnce }

func (s strictAsked) option(c *gateway.Config) { c.Connectors["vcard"] = s }

func (s strictAsked) Find(ctx context.Context, op methods.Operation) methods.Answer {
	return s.p.Find(ctx, op)
}

// patient accepts a second completion, and cannot be asked.
type patient struct{ onlyOnce }

func (s patient) option(c *gateway.Config) { c.Connectors["vcard"] = s }

func (s patient) Capabilities() methods.Capabilities {
	return methods.Capabilities{IdempotentByKey: true, Holds: true}
}

func (s patient) Complete(ctx context.Context, op methods.Operation, back methods.Return) methods.Answer {
	return s.p.Complete(ctx, op, back)
}

// holding returns a connector that redirects every payer, and approves a return once let is closed.
func holding(let <-chan struct{}) *kerneltest.ScriptedConnector {
	return &kerneltest.ScriptedConnector{
		OnPerform: kerneltest.ToIssuer,
		OnComplete: func(op methods.Operation, _ methods.Return) methods.Answer {
			<-let
			return kerneltest.Approves(op)
		},
		OnFind: kerneltest.Approves,
	}
}

// Five browsers at one return link cause one call; later ones get a page that waits.
func TestReturnIsClaimed(t *testing.T) {
	t.Parallel()
	for name, option := range map[string]func(*kerneltest.ScriptedConnector) gatewaytest.Option{
		"idempotent": func(p *kerneltest.ScriptedConnector) gatewaytest.Option { return p.Option },
		"not idempotent": func(p *kerneltest.ScriptedConnector) gatewaytest.Option {
			return strictAsked{onlyOnce{p}}.option
		},
		"and that cannot be asked": func(p *kerneltest.ScriptedConnector) gatewaytest.Option { return onlyOnce{p}.option },
		"idempotent, cannot be asked": func(p *kerneltest.ScriptedConnector) gatewaytest.Option {
			return patient{onlyOnce{p}}.option
		},
	} {
		for _, way := range kerneltest.WaysAway {
			t.Run(name+", "+way.Name, func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					let := make(chan struct{})
					p := holding(let)
					kit := gatewaytest.New(t, option(p))
					way.Start(t, kit, gatewaytest.Settles)
					link := kerneltest.ReturnToken(t, p.Operation(0))
					twin := kit.Twin(t)
					first := make(chan string, 1)
					go func() {
						page, err := kit.Return(t.Context(), link, kerneltest.GenuineReturn)
						if err != nil {
							t.Error(err)
						}
						first <- page
					}()
					synctest.Wait()
					var page string
					for range 4 {
						var err error
						page, err = twin.Return(t.Context(), link, kerneltest.GenuineReturn)
						require.NoError(t, err)
						if page != "" {
							require.Equal(t, gateway.ActionPoll, kerneltest.NextActionOf(t, twin, kerneltest.PageToken(t, page)).Kind)
						}
					}
					require.Equal(t, 1, p.Calls(), "one call")
					close(let)
					require.Equal(t, page, <-first)
					require.Equal(t, store.Settled, kit.Payment(t, "ORD-1").Status)
					_, err := twin.Return(t.Context(), link, kerneltest.GenuineReturn)
					require.NoError(t, err)
					kit.Advance(t, 72*time.Hour)
					require.Equal(t, 1, p.Calls())
					require.Equal(t, store.Settled, kit.Payment(t, "ORD-1").Status)
				})
			})
		}
	}
}

// A forged return gives up its mark at once. A real return that comes in the meantime waits for that.
func TestForgedReturnLocksNobodyOut(t *testing.T) {
	t.Parallel()
	for _, way := range kerneltest.WaysAway {
		for _, meanwhile := range []bool{false, true} {
			t.Run(way.Name, func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					looks, let := make(chan struct{}, 1), make(chan struct{})
					p := &kerneltest.ScriptedConnector{OnPerform: kerneltest.ToIssuer,
						OnComplete: func(op methods.Operation, _ methods.Return) methods.Answer { return kerneltest.Approves(op) }}
					kit := gatewaytest.New(t, slow{onlyOnce{p}, looks, let}.option)
					way.Start(t, kit, gatewaytest.Settles)
					link := kerneltest.ReturnToken(t, p.Operation(0))
					var all sync.WaitGroup
					all.Go(func() {
						if _, err := kit.Return(t.Context(), link, methods.Return{Method: "GET"}); err != nil {
							t.Error(err)
						}
					})
					<-looks
					if meanwhile {
						all.Go(func() {
							if _, err := kit.Return(t.Context(), link, kerneltest.GenuineReturn); err != nil {
								t.Error(err)
							}
						})
						synctest.Wait()
					}
					close(let)
					all.Wait()
					if !meanwhile {
						_, err := kit.Return(t.Context(), link, kerneltest.GenuineReturn)
						require.NoError(t, err)
					}
					require.Equal(t, 1, p.Calls())
					require.Equal(t, store.Settled, kit.Payment(t, "ORD-1").Status)
				})
			})
		}
	}
}

// slow is the same acquirer, but it takes time to detect a forged return.
type slow struct {
	onlyOnce
	looks chan<- struct{}
	let   <-chan struct{}
}

func (s slow) option(c *gateway.Config) { c.Connectors["vcard"] = s }

func (s slow) Complete(ctx context.Context, op methods.Operation, back methods.Return) methods.Answer {
	if len(back.Params) == 0 {
		s.looks <- struct{}{}
		<-s.let
	}
	return s.onlyOnce.Complete(ctx, op, back)
}

// After an unknown answer, a reload does not call a connector that would act twice. The acquirer is asked by
// the reload or by recovery, or a person decides. The approved payment never ends declined.
func TestUnknownReturn(t *testing.T) {
	t.Parallel()
	lost := func() *kerneltest.ScriptedConnector {
		p := &kerneltest.ScriptedConnector{OnPerform: kerneltest.ToIssuer, OnFind: kerneltest.Approves}
		p.OnComplete = func(op methods.Operation, _ methods.Return) methods.Answer { return methods.Unknown(op, "502") }
		return p
	}
	for _, way := range kerneltest.WaysAway {
		for _, c := range []struct {
			name   string
			asked  bool
			reload bool
		}{{"asked by a reload", true, true}, {"asked by recovery", true, false}, {"cannot be asked", false, true}} {
			t.Run(way.Name+", "+c.name, func(t *testing.T) {
				t.Parallel()
				p := lost()
				option := onlyOnce{p}.option
				if c.asked {
					option = strictAsked{onlyOnce{p}}.option
				}
				kit := gatewaytest.New(t, option)
				way.Start(t, kit, gatewaytest.Settles)
				link := kerneltest.ReturnToken(t, p.Operation(0))
				_, err := kit.Return(t.Context(), link, kerneltest.GenuineReturn)
				require.NoError(t, err)
				for range 3 {
					if c.reload {
						_, err = kit.Return(t.Context(), link, kerneltest.GenuineReturn)
						require.NoError(t, err)
					}
				}
				if !c.asked {
					kit.Advance(t, 5*time.Minute)
					id := kit.Payment(t, "ORD-1").Transactions[0].ID
					doubts, err := kit.Operator().Doubts(t.Context(), 10)
					require.NoError(t, err)
					require.Len(t, doubts, 1, "a person decides")
					_, err = kit.Operator().ResolveDoubt(t.Context(), kerneltest.ReviewOf(t, kit, id, "seen at the acquirer"), true)
					require.NoError(t, err)
				}
				if !c.reload {
					kit.Advance(t, 5*time.Minute)
				}
				require.Equal(t, store.Settled, kit.Payment(t, "ORD-1").Status)
				require.Equal(t, 1, p.Calls())
			})
		}
	}
}

// otherReturn is genuine too, and different.
var otherReturn = methods.Return{Method: "POST", Params: map[string][]string{"proof": {"genuine"}, "n": {"2"}}}

// A different return after an unknown answer is sent to the connector once the acquirer says that it still
// waits for the payer. Its decline is doubted: it may be of the second call and not of the payment.
func TestOtherReturnAfterAnUnknownOne(t *testing.T) {
	t.Parallel()
	p := &kerneltest.ScriptedConnector{OnPerform: kerneltest.ToIssuer}
	p.OnComplete = func(op methods.Operation, _ methods.Return) methods.Answer { return methods.Unknown(op, "502") }
	p.OnFind = func(op methods.Operation) methods.Answer { return methods.Pending(op, nil) }
	kit := gatewaytest.New(t, strictAsked{onlyOnce{p}}.option)
	kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Settles, kerneltest.ViaCard)
	link := kerneltest.ReturnToken(t, p.Operation(0))
	for _, back := range []methods.Return{kerneltest.GenuineReturn, kerneltest.GenuineReturn, otherReturn, otherReturn,
		kerneltest.GenuineReturn} {
		_, err := kit.Return(t.Context(), link, back)
		require.NoError(t, err)
	}
	require.Equal(t, 2, p.Calls(), "each of the two once")
	require.False(t, kerneltest.TransactionOf(t, kit, kit.Payment(t, "ORD-1").Transactions[0].ID).Outcome.Final(),
		"the declines are not believed")
	p.OnFind = kerneltest.Approves
	kit.Advance(t, 5*time.Minute)
	require.Equal(t, store.Settled, kit.Payment(t, "ORD-1").Status)
}

// A process dies after it marked the call. The payer waits; once the mark has lapsed, the page repeats the
// return if that is allowed, otherwise the acquirer is asked, or a person decides.
func TestReturnWhoseProcessDied(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		option func(*kerneltest.ScriptedConnector) gatewaytest.Option
		calls  int
		turn   gateway.ActionKind
	}{
		{"idempotent", func(p *kerneltest.ScriptedConnector) gatewaytest.Option { return patient{onlyOnce{p}}.option }, 2,
			gateway.ActionRedirect},
		{"not idempotent", func(p *kerneltest.ScriptedConnector) gatewaytest.Option { return strictAsked{onlyOnce{p}}.option }, 1, gateway.ActionRedirect},
		{"which cannot be asked either",
			func(p *kerneltest.ScriptedConnector) gatewaytest.Option { return onlyOnce{p}.option }, 1, gateway.ActionPoll},
	} {
		for _, way := range kerneltest.WaysAway {
			t.Run(c.name+", "+way.Name, func(t *testing.T) {
				t.Parallel()
				by := &kerneltest.Fault{Port: "store", Mode: "crash before", N: 2}
				p := &kerneltest.ScriptedConnector{OnPerform: kerneltest.ToIssuer, OnFind: kerneltest.Approves}
				p.OnComplete = func(op methods.Operation, _ methods.Return) methods.Answer { return kerneltest.Approves(op) }
				s := memory.New()
				kit := gatewaytest.On(t, s, c.option(p))
				way.Start(t, kit, gatewaytest.Settles)
				link := kerneltest.ReturnToken(t, p.Operation(0))
				broken := kit.Twin(t, func(cfg *gateway.Config) { cfg.Store = kerneltest.FaultyStore{Store: s, By: by} })
				by.Armed = true
				_, err := broken.Return(t.Context(), link, kerneltest.GenuineReturn)
				require.Error(t, err)
				page, err := kit.Return(t.Context(), link, kerneltest.GenuineReturn)
				require.NoError(t, err)
				require.Equal(t, 1, p.Calls(), "another browser waits")
				if page == "" { // a Go caller has no page of ours
					page, err = kit.Return(t.Context(), link, kerneltest.GenuineReturn)
					require.NoError(t, err)
				}
				kit.Clock.Set(kit.Clock.Now().Add(time.Minute))
				if page != "" {
					next := kerneltest.NextActionOf(t, kit, kerneltest.PageToken(t, page))
					require.Equal(t, c.turn, next.Kind)
					if c.turn == gateway.ActionRedirect {
						require.Equal(t, &store.Redirect{URL: gatewaytest.PublicURL + "/return/" + link, Method: "POST",
							Params: []store.RedirectParam{{Name: "proof", Value: "genuine"}}}, next.Redirect)
					}
				}
				_, err = kit.Return(t.Context(), link, kerneltest.GenuineReturn)
				require.NoError(t, err)
				require.Equal(t, c.calls, p.Calls())
				if c.turn == gateway.ActionPoll {
					kit.Work(t)
					doubts, err := kit.Operator().Doubts(t.Context(), 10)
					require.NoError(t, err)
					require.Len(t, doubts, 1, "a person decides, at once")
					_, err = kit.Operator().ResolveDoubt(t.Context(), kerneltest.ReviewOf(t, kit, doubts[0].ID, "seen"), true)
					require.NoError(t, err)
				}
				require.Equal(t, store.Settled, kit.Payment(t, "ORD-1").Status)
			})
		}
	}
}

// Once the acquirer was asked about a return whose process had died, the page does not repeat the return any more: it
// would go to and fro while the acquirer does not know.
func TestAskedReturnIsNotRepeated(t *testing.T) {
	t.Parallel()
	for name, find := range map[string]func(methods.Operation) methods.Answer{
		"it does not say": lost, "it waits": stillWaits,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			by := &kerneltest.Fault{Port: "store", Mode: "crash before", N: 2, Armed: true}
			p := &kerneltest.ScriptedConnector{OnPerform: kerneltest.ToIssuer, OnFind: find}
			p.OnComplete = func(op methods.Operation, _ methods.Return) methods.Answer { return kerneltest.Approves(op) }
			s := memory.New()
			kit := gatewaytest.On(t, s, strictAsked{onlyOnce{p}}.option)
			token := kit.Session(t, "ORD-1", "10.00")
			kit.Pay(t, token, gatewaytest.Settles)
			link := kerneltest.ReturnToken(t, p.Operation(0))
			broken := kit.Twin(t, func(cfg *gateway.Config) { cfg.Store = kerneltest.FaultyStore{Store: s, By: by} })
			_, err := broken.Return(t.Context(), link, kerneltest.GenuineReturn)
			require.Error(t, err)
			kit.Clock.Set(kit.Clock.Now().Add(time.Minute))
			require.Equal(t, gateway.ActionRedirect, kerneltest.NextActionOf(t, kit, token).Kind)
			_, err = kit.Return(t.Context(), link, kerneltest.GenuineReturn)
			require.NoError(t, err)
			require.Equal(t, gateway.ActionPoll, kerneltest.NextActionOf(t, kit, token).Kind)
		})
	}
}

// A return that comes only once counts, even if recovery ran in the meantime.
func TestReturnIsNotLostToRecovery(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		let := make(chan struct{})
		p := holding(let)
		p.OnFind = func(op methods.Operation) methods.Answer { return methods.Pending(op, nil) }
		kit := gatewaytest.New(t, strictAsked{onlyOnce{p}}.option)
		kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Settles, kerneltest.ViaCard)
		done := make(chan error, 1)
		go func() {
			_, err := kit.Return(t.Context(), kerneltest.ReturnToken(t, p.Operation(0)), kerneltest.GenuineReturn)
			done <- err
		}()
		synctest.Wait()
		before := kerneltest.TransactionOf(t, kit, kit.Payment(t, "ORD-1").Transactions[0].ID).Version
		kit.Clock.Set(kit.Clock.Now().Add(2 * time.Minute))
		kit.Work(t)
		require.Greater(t, kerneltest.TransactionOf(t, kit, kit.Payment(t, "ORD-1").Transactions[0].ID).Version, before,
			"recovery looked")
		close(let)
		require.NoError(t, <-done)
		require.Equal(t, store.Settled, kit.Payment(t, "ORD-1").Status)
	})
}

// Two equal answers to a prompt reach the connector once. If the process dies, the prompt is repeated only if
// the connector may get the answer twice.
func TestAnswerIsClaimed(t *testing.T) {
	t.Parallel()
	t.Run("two at once", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			let := make(chan struct{})
			p := kerneltest.AsksForCode(kerneltest.Approves)
			approve := p.OnComplete
			p.OnComplete = func(op methods.Operation, back methods.Return) methods.Answer {
				<-let
				return approve(op, back)
			}
			kit := gatewaytest.New(t, onlyOnce{p}.option)
			token := kerneltest.PageToken(t,
				kerneltest.Charged(t, kit, "ORD-1", methods.Card{}, kerneltest.ViaAPM, kerneltest.GoesBack).Redirect.URL)
			answer := func() (*gateway.NextAction, error) {
				return kit.AnswerSession(t.Context(), token, map[string]string{"otp": "123456"})
			}
			done := make(chan error, 1)
			go func() {
				_, err := answer()
				done <- err
			}()
			synctest.Wait()
			next, err := answer()
			require.NoError(t, err)
			require.Equal(t, gateway.ActionPoll, next.Kind)
			close(let)
			require.NoError(t, <-done)
			next, err = answer()
			require.NoError(t, err)
			kerneltest.RequireLeaves(t, next, gateway.ReturnPaid)
			require.Equal(t, 1, p.Calls())
		})
	})
	t.Run("one that had read before the other", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			p, s := kerneltest.AsksForCode(kerneltest.Approves), memory.New()
			let, goOn := make(chan struct{}), make(chan struct{})
			approve := p.OnComplete
			p.OnComplete = func(op methods.Operation, back methods.Return) methods.Answer {
				<-let
				return approve(op, back)
			}
			kit := gatewaytest.On(t, s, onlyOnce{p}.option)
			late := kit.Twin(t, func(cfg *gateway.Config) { cfg.Store = hesitant{s, goOn} })
			token := kerneltest.PageToken(t,
				kerneltest.Charged(t, kit, "ORD-1", methods.Card{}, kerneltest.ViaAPM, kerneltest.GoesBack).Redirect.URL)
			var all sync.WaitGroup
			for _, one := range []*gatewaytest.Kit{late, kit} {
				all.Go(func() {
					if _, err := one.AnswerSession(t.Context(), token, map[string]string{"otp": "123456"}); err != nil {
						t.Error(err)
					}
				})
				synctest.Wait()
			}
			require.Equal(t, 1, p.Calls())
			close(goOn)
			synctest.Wait()
			require.Equal(t, 1, p.Calls(), "the answer is accepted")
			close(let)
			all.Wait()
			require.Equal(t, store.Settled, kit.Payment(t, "ORD-1").Status)
		})
	})
	for name, asked := range map[string]bool{"died, and may come twice": true, "died, and may not": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			by := &kerneltest.Fault{Port: "store", Mode: "crash before", N: 2}
			p, s := kerneltest.AsksForCode(kerneltest.Approves), memory.New()
			option := onlyOnce{p}.option
			if asked {
				option = patient{onlyOnce{p}}.option
			}
			kit := gatewaytest.On(t, s, option)
			token := kerneltest.PageToken(t,
				kerneltest.Charged(t, kit, "ORD-1", methods.Card{}, kerneltest.ViaAPM, kerneltest.GoesBack).Redirect.URL)
			broken := kit.Twin(t, func(cfg *gateway.Config) { cfg.Store = kerneltest.FaultyStore{Store: s, By: by} })
			by.Armed = true
			_, err := broken.AnswerSession(t.Context(), token, map[string]string{"otp": "123456"})
			require.Error(t, err)
			require.Equal(t, gateway.ActionPoll, kerneltest.NextActionOf(t, kit, token).Kind)
			kit.Clock.Set(kit.Clock.Now().Add(time.Minute))
			next, err := kit.AnswerSession(t.Context(), token, map[string]string{"otp": "123456"})
			require.NoError(t, err)
			if asked {
				kerneltest.RequireLeaves(t, next, gateway.ReturnPaid)
				require.Equal(t, 2, p.Calls())
				return
			}
			require.Equal(t, gateway.ActionPoll, next.Kind)
			require.Equal(t, 1, p.Calls())
			kit.Work(t)
			doubts, err := kit.Operator().Doubts(t.Context(), 10)
			require.NoError(t, err)
			require.Len(t, doubts, 1)
		})
	}
	t.Run("unverified", func(t *testing.T) {
		t.Parallel()
		p := kerneltest.AsksForCode(kerneltest.Approves)
		right := p.OnComplete
		p.OnComplete = func(op methods.Operation, back methods.Return) methods.Answer {
			if p.Calls() == 1 {
				return methods.Unverified(op, "torn")
			}
			return right(op, back)
		}
		kit := gatewaytest.New(t, p.Option)
		token := kerneltest.PageToken(t,
			kerneltest.Charged(t, kit, "ORD-1", methods.Card{}, kerneltest.ViaAPM, kerneltest.GoesBack).Redirect.URL)
		next, err := kit.AnswerSession(t.Context(), token, map[string]string{"otp": "123456"})
		require.NoError(t, err)
		require.Equal(t, gateway.ActionPrompt, next.Kind, "nothing was done: the payer is asked again")
		next, err = kit.AnswerSession(t.Context(), token, map[string]string{"otp": "123456"})
		require.NoError(t, err)
		kerneltest.RequireLeaves(t, next, gateway.ReturnPaid)
	})
}

// hesitant is a store whose writers wait.
type hesitant struct {
	store.Store
	until <-chan struct{}
}

func (h hesitant) Update(ctx context.Context, fn func(store.Tx) error) error {
	<-h.until
	return h.Store.Update(ctx, fn)
}
