package engine_test

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"sync/atomic"
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

// actsTwice is an acquirer that acts on every return it gets, and that can be asked. It notes which ones it got.
type actsTwice struct {
	p    *kerneltest.ScriptedConnector
	sent *string
}

func (s actsTwice) option(c *gateway.Config) { c.Connectors["vcard"] = s }

func (s actsTwice) Perform(ctx context.Context, op methods.Operation) methods.Answer {
	return s.p.Perform(ctx, op)
}

func (s actsTwice) Complete(ctx context.Context, op methods.Operation, back methods.Return) methods.Answer {
	*s.sent += back.Params["name"][0]
	return s.p.Complete(ctx, op, back)
}

func (s actsTwice) Find(ctx context.Context, op methods.Operation) methods.Answer {
	return s.p.Find(ctx, op)
}

// named is a return that is told apart by its name.
func named(name string) methods.Return {
	return methods.Return{Method: "POST", Params: map[string][]string{"name": {name}}}
}

func lost(op methods.Operation) methods.Answer { return methods.Unknown(op, "502") }

func stillWaits(op methods.Operation) methods.Answer { return methods.Pending(op, nil) }

func nextStep(op methods.Operation) methods.Answer {
	return methods.Redirected(op, store.Redirect{URL: "https://issuer.example/next", Method: "GET"}, []byte("next"))
}

// Every return is sent once to an acquirer that would act twice, whatever became of the first call and of the questions
// in between. The script is of steps: a letter is a return, and what is before it says what the acquirer answers to a
// return or a question, or what fails.
func TestReturnIsSentOnce(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ script, sent string }{
		{"complete:lost A find:lost B find:waits A", "A"},
		{"complete:lost A find:unsent B find:waits A", "A"},
		{"complete:lost A find:lost B A B B A", "A"},
		{"complete:lost A find:panics B find:waits A", "A"},
		{"complete:lost A find:missing B find:waits A", "A"},
		{"complete:lost A find:other B A", "A"},
		{"complete:lost A find:lost dies B find:waits A B", "A"},
		{"complete:lost A find:waits dies B A B", "AB"},
		{"complete:lost A find:panics fails B find:waits A B", "AB"},
		{"complete:lost A find:waits complete:waits B A B", "AB"},
		{"complete:lost A find:waits complete:lost B A B", "AB"},
		{"complete:lost A find:waits complete:unsent B A B", "ABB"},
		{"complete:lost A find:waits complete:forged B A B", "ABB"},
		{"complete:lost A find:waits complete:waits fails B A B", "AB"},
		{"complete:lost A find:waits complete:next B A", "AB"},
		{"complete:lost A find:next B A complete:waits C A", "AC"},
		{"complete:lost A find:next recovers A complete:waits B A", "AB"},
		{"complete:lost A find:next recovers A recovers A complete:waits B recovers A", "AB"},
		{"complete:waits A A", "A"},
		{"complete:waits A B A B", "AB"},
		{"complete:waits A complete:refused B", "AB"},
		{"complete:lost A find:waits complete:refused B", "AB"},
		{"complete:lost A find:next B complete:refused C", "AC"},
		{"complete:lost A find:next recovers complete:refused B", "AB"},
		{"complete:next A B", "AB"},
		{"complete:lost A find:waits complete:forged B C D E F G H I J", "ABCDEFGHIJ"},
		{"complete:lost A find:waits B C D E F G H I J K", "ABCDEFGHI"},
	} {
		for _, dies := range []bool{false, true} {
			script := c.script
			if dies {
				script = "dies " + script
			}
			t.Run(script, func(t *testing.T) {
				t.Parallel()
				require.Equal(t, c.sent, sentBy(t, script))
			})
		}
	}
}

// However many different returns come, a mark knows a few.
func TestSentReturnsAreBounded(t *testing.T) {
	t.Parallel()
	p := &kerneltest.ScriptedConnector{OnPerform: kerneltest.ToIssuer}
	p.OnComplete = func(op methods.Operation, _ methods.Return) methods.Answer { return lost(op) }
	kit := gatewaytest.New(t, patient{onlyOnce{p}}.option)
	kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Settles, kerneltest.ViaCard)
	for i := range 30 {
		_, err := kit.Return(t.Context(), kerneltest.ReturnToken(t, p.Operation(0)), named(strconv.Itoa(i)))
		require.NoError(t, err)
	}
	require.Equal(t, 30, p.Calls(), "an acquirer that does not act twice gets them all")
	require.Len(t, kerneltest.TransactionOf(t, kit, kit.Payment(t, "ORD-1").Transactions[0].ID).Returning.Sent, 8)
}

// sentBy plays a script and returns the returns that the acquirer got.
func sentBy(t *testing.T, script string) (sent string) {
	t.Helper()
	answers := map[string]func(methods.Operation) methods.Answer{
		"lost": lost, "waits": stillWaits, "next": nextStep, "missing": methods.NotFound,
		"panics":  func(methods.Operation) methods.Answer { panic("out of order") },
		"other":   func(op methods.Operation) methods.Answer { op.Key += "x"; return stillWaits(op) },
		"refused": func(op methods.Operation) methods.Answer { return methods.Declined(op, "completed before") },
		"unsent":  func(op methods.Operation) methods.Answer { return methods.NotSent(op, "no route") },
		"forged":  func(op methods.Operation) methods.Answer { return methods.Unverified(op, "forged") },
	}
	p := &kerneltest.ScriptedConnector{OnPerform: kerneltest.ToIssuer, OnFind: stillWaits}
	s := memory.New()
	kit := gatewaytest.On(t, s, actsTwice{p, &sent}.option)
	kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Settles, kerneltest.ViaCard)
	link, mode := kerneltest.ReturnToken(t, p.Operation(0)), ""
	for _, word := range strings.Fields(script) {
		call, answer, _ := strings.Cut(word, ":")
		switch {
		case call == "complete":
			p.OnComplete = func(op methods.Operation, _ methods.Return) methods.Answer { return answers[answer](op) }
		case call == "find":
			p.OnFind = answers[answer]
		case call == "recovers":
			kit.Advance(t, 5*time.Minute)
		case call == "dies":
			mode = "crash before"
		case call == "fails":
			mode = "before"
		case mode == "":
			_, err := kit.Return(t.Context(), link, named(word))
			require.NoError(t, err)
		default:
			by := &kerneltest.Fault{Port: "store", Mode: mode, N: 2, Armed: true}
			twin := kit.Twin(t, func(cfg *gateway.Config) { cfg.Store = kerneltest.FaultyStore{Store: s, By: by} })
			_, err := twin.Return(t.Context(), link, named(word))
			require.Error(t, err)
			kit.Clock.Set(kit.Clock.Now().Add(time.Minute))
			mode = ""
		}
	}
	p.OnFind = kerneltest.Approves
	kit.Advance(t, 48*time.Hour)
	require.Equal(t, store.Settled, kit.Payment(t, "ORD-1").Status, "recovery ends it")
	return sent
}

// heldView is a store whose next view, once armed, hands out only later what it has read.
type heldView struct {
	store.Store
	armed atomic.Bool
	let   chan struct{}
}

func (h *heldView) View(ctx context.Context, fn func(store.Reader) error) error {
	err := h.Store.View(ctx, fn)
	if h.armed.CompareAndSwap(true, false) {
		<-h.let
	}
	return err
}

// A question that is answered after its deadline has ended: the return that asked it is not sent any more. That holds
// also if the answer came in time, and the store takes too long to say that the payment is still open.
func TestLateQuestionSendsNothing(t *testing.T) {
	t.Parallel()
	for _, late := range []struct {
		name   string
		answer func(methods.Operation) methods.Answer
		store  bool
	}{{"it waits", stillWaits, false}, {"unknown", lost, false}, {"the store", stillWaits, true}} {
		t.Run(late.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var sent string
				s := &heldView{Store: memory.New(), let: make(chan struct{})}
				p := &kerneltest.ScriptedConnector{OnPerform: kerneltest.ToIssuer}
				p.OnComplete = func(op methods.Operation, _ methods.Return) methods.Answer { return lost(op) }
				p.OnFind = func(op methods.Operation) methods.Answer {
					s.armed.Store(late.store)
					if !late.store {
						<-s.let
					}
					return late.answer(op)
				}
				kit := gatewaytest.On(t, s, actsTwice{p, &sent}.option)
				kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Settles, kerneltest.ViaCard)
				link := kerneltest.ReturnToken(t, p.Operation(0))
				for _, name := range []string{"A", "B"} { // B waits for the deadline and the grace after it
					_, err := kit.Return(t.Context(), link, named(name))
					require.NoError(t, err)
				}
				require.Equal(t, "A", sent)
				close(s.let)
				synctest.Wait()
				require.Equal(t, "A", sent)
				p.OnFind = stillWaits
				for _, name := range []string{"A", "B", "A"} {
					_, err := kit.Return(t.Context(), link, named(name))
					require.NoError(t, err)
				}
				require.Equal(t, "AB", sent, "B was not sent, so it is new")
			})
		})
	}
}

// The first call is answered after its deadline, when the payer has long been at the page that it names, and has come
// back: it sends nobody there again, and their return is not new.
func TestLateRedirectIsOutdated(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var sent string
		let := make(chan struct{})
		p := &kerneltest.ScriptedConnector{OnFind: kerneltest.ToIssuer}
		p.OnPerform = func(op methods.Operation) methods.Answer {
			<-let
			return kerneltest.ToIssuer(op)
		}
		p.OnComplete = func(op methods.Operation, _ methods.Return) methods.Answer { return stillWaits(op) }
		kit := gatewaytest.New(t, actsTwice{p, &sent}.option)
		kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Settles, kerneltest.ViaCard)
		kit.Advance(t, 5*time.Minute)
		require.Equal(t, store.ThreeDS, kit.Payment(t, "ORD-1").Status)
		link := kerneltest.ReturnToken(t, p.Operation(0))
		_, err := kit.Return(t.Context(), link, named("A"))
		require.NoError(t, err)
		was := kit.Payment(t, "ORD-1").Status
		close(let)
		synctest.Wait()
		require.Equal(t, was, kit.Payment(t, "ORD-1").Status)
		_, err = kit.Return(t.Context(), link, named("A"))
		require.NoError(t, err)
		require.Equal(t, "A", sent)
	})
}

// A connector takes longer than its deadline and then does not believe a return. The payer's own return still counts.
func TestLateUnverifiedReturn(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		let := make(chan struct{})
		p := &kerneltest.ScriptedConnector{OnPerform: kerneltest.ToIssuer}
		p.OnComplete = func(op methods.Operation, back methods.Return) methods.Answer {
			if p.Calls() > 1 {
				return kerneltest.Approves(op)
			}
			<-let
			return methods.Unverified(op, "forged")
		}
		kit := gatewaytest.New(t, notAsked{p}.option)
		kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Settles, kerneltest.ViaCard)
		link := kerneltest.ReturnToken(t, p.Operation(0))
		_, err := kit.Return(t.Context(), link, named("F"))
		require.NoError(t, err)
		close(let)
		synctest.Wait()
		tr := kerneltest.TransactionOf(t, kit, kit.Payment(t, "ORD-1").Transactions[0].ID)
		require.False(t, tr.Due.IsZero(), "recovery still looks")
		_, err = kit.Return(t.Context(), link, named("A"))
		require.NoError(t, err)
		require.Equal(t, store.Settled, kit.Payment(t, "ORD-1").Status)
	})
}

// An answer to prompts that the connector does not believe after its deadline is undone too: the payer is asked again.
func TestLateUnverifiedAnswer(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		let := make(chan struct{})
		p := kerneltest.AsksForCode(kerneltest.Approves)
		p.OnComplete = func(op methods.Operation, _ methods.Return) methods.Answer {
			<-let
			return methods.Unverified(op, "torn")
		}
		kit := gatewaytest.New(t, p.Option)
		token := kerneltest.PageToken(t,
			kerneltest.Charged(t, kit, "ORD-1", methods.Card{}, kerneltest.ViaAPM, kerneltest.GoesBack).Redirect.URL)
		_, err := kit.AnswerSession(t.Context(), token, map[string]string{"otp": "123456"})
		require.NoError(t, err)
		of := kit.Payment(t, "ORD-1").Transactions[0].ID
		require.Empty(t, kerneltest.TransactionOf(t, kit, of).Prompts, "the call has no answer")
		close(let)
		synctest.Wait()
		tr := kerneltest.TransactionOf(t, kit, of)
		require.Nil(t, tr.Answering)
		require.Len(t, tr.Prompts, 1)
	})
}

// notAsked completes returns, acts on each, and cannot be asked.
type notAsked struct{ p *kerneltest.ScriptedConnector }

func (s notAsked) option(c *gateway.Config) { c.Connectors["vcard"] = s }

func (s notAsked) Perform(ctx context.Context, op methods.Operation) methods.Answer {
	return s.p.Perform(ctx, op)
}

func (s notAsked) Complete(ctx context.Context, op methods.Operation, back methods.Return) methods.Answer {
	return s.p.Complete(ctx, op, back)
}

// A payment in a cryptocurrency that is still pending is no next step: recovery, which hears so, forgets no return.
func TestCryptoReturnIsSentOnce(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]func(methods.Operation) methods.Answer{"unknown": lost, "pending": stillWaits} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var sent string
			p := &kerneltest.ScriptedConnector{OnPerform: nextStep, OnFind: stillWaits}
			p.OnComplete = func(op methods.Operation, _ methods.Return) methods.Answer { return answer(op) }
			kit := gatewaytest.New(t, kerneltest.Tether, actsTwice{p, &sent}.option)
			next := kerneltest.Submit(kit, t, kit.SessionOf(t, kerneltest.Coins("10.000000")), gateway.Submission{})
			require.Equal(t, gateway.ActionRedirect, next.Kind)
			link := kerneltest.ReturnToken(t, p.Operation(0))
			for range 3 {
				_, err := kit.Return(t.Context(), link, named("A"))
				require.NoError(t, err)
				kit.Advance(t, 5*time.Minute)
			}
			require.Equal(t, "A", sent)
		})
	}
}

// blinded is a store that once does not know whether it has committed, and cannot be read then.
type blinded struct {
	store.Store
	armed, blind atomic.Bool
}

func (u *blinded) Update(ctx context.Context, fn func(store.Tx) error) error {
	err := u.Store.Update(ctx, fn)
	if err == nil && u.armed.CompareAndSwap(true, false) {
		u.blind.Store(true)
		return store.ErrUnknownCommit
	}
	return err
}

func (u *blinded) View(ctx context.Context, fn func(store.Reader) error) error {
	if u.blind.CompareAndSwap(true, false) {
		return store.ErrUnknownCommit
	}
	return u.Store.View(ctx, fn)
}

// belated is a store in which something happens once before a commit, or before it is known to be one.
type belated struct {
	store.Store
	armed     atomic.Bool
	unknown   bool
	meanwhile func()
}

func (b *belated) Update(ctx context.Context, fn func(store.Tx) error) error {
	if !b.armed.CompareAndSwap(true, false) {
		return b.Store.Update(ctx, fn)
	}
	if !b.unknown {
		b.meanwhile()
		return b.Store.Update(ctx, fn)
	}
	err := b.Store.Update(ctx, fn)
	b.meanwhile()
	return errors.Join(err, store.ErrUnknownCommit)
}

// overtake has the payer bring A, and B five minutes later, while the answer to A is stored, and then C and B again.
// Only A and B are sent, and nothing is decided.
func (b *belated) overtake(t *testing.T, kit *gatewaytest.Kit, sent *string, brings func(name string) error) {
	t.Helper()
	b.meanwhile = func() {
		kit.Clock.Set(kit.Clock.Now().Add(5 * time.Minute))
		ended := make(chan error)
		go func() { ended <- brings("B") }()
		require.NoError(t, <-ended)
		require.Equal(t, "AB", *sent)
	}
	for _, name := range []string{"A", "C", "B"} {
		require.NoError(t, brings(name))
		require.Equal(t, "AB", *sent, name)
	}
	require.False(t, kit.Payment(t, "ORD-1").Transactions[0].Outcome.Final())
}

// An answer is stored late, or a second time after a commit of unknown outcome. Meanwhile the payer has sent another
// return, whose outcome stays unknown: the answer does not begin their step again, and a decline is not of that return.
func TestBelatedStep(t *testing.T) {
	t.Parallel()
	declines := func(op methods.Operation) methods.Answer { return methods.Declined(op, "Not honored") }
	for _, c := range []struct {
		name    string
		unknown bool
		answer  func(methods.Operation) methods.Answer
	}{{"late", false, nextStep}, {"once more", true, nextStep}, {"late decline", false, declines}} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var sent string
			s := &belated{Store: memory.New(), unknown: c.unknown}
			answer := func(first func(methods.Operation) methods.Answer) func(methods.Operation) methods.Answer {
				return func(op methods.Operation) methods.Answer {
					if sent == "A" {
						return first(op)
					}
					return lost(op)
				}
			}
			p := &kerneltest.ScriptedConnector{OnPerform: kerneltest.ToIssuer, OnFind: answer(stillWaits)}
			p.OnComplete = func(op methods.Operation, _ methods.Return) methods.Answer {
				s.armed.Store(sent == "A")
				return answer(c.answer)(op)
			}
			kit := gatewaytest.On(t, s, actsTwice{p, &sent}.option)
			kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Settles, kerneltest.ViaCard)
			link := kerneltest.ReturnToken(t, p.Operation(0))
			comes := func(name string) error {
				_, err := kit.Return(t.Context(), link, named(name))
				return err
			}
			s.overtake(t, kit, &sent, comes)
		})
	}
}

// The same for an answer to a prompt. Recovery heard meanwhile that the acquirer still asks, and the payer answered
// once more.
func TestBelatedAnswerToPrompt(t *testing.T) {
	t.Parallel()
	asks := func(op methods.Operation) methods.Answer {
		return methods.Prompted(op, []methods.Prompt{{Name: "name", Label: "Name"}}, []byte("asked"))
	}
	declines := func(op methods.Operation) methods.Answer { return methods.Declined(op, "Wrong name") }
	for _, c := range []struct {
		name    string
		unknown bool
		answer  func(methods.Operation) methods.Answer
	}{
		{"late", false, asks}, {"once more", true, asks}, {"late decline", false, declines}, {"led on late", false, nextStep},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var sent string
			s := &belated{Store: memory.New(), unknown: c.unknown}
			p := &kerneltest.ScriptedConnector{OnPerform: asks}
			p.OnFind = func(op methods.Operation) methods.Answer {
				if sent == "A" {
					return asks(op)
				}
				return lost(op)
			}
			p.OnComplete = func(op methods.Operation, _ methods.Return) methods.Answer {
				if s.armed.Store(sent == "A"); sent == "A" {
					return c.answer(op)
				}
				return lost(op)
			}
			kit := gatewaytest.On(t, s, actsTwice{p, &sent}.option)
			begun := kerneltest.Charged(t, kit, "ORD-1", methods.Card{}, kerneltest.ViaAPM, kerneltest.GoesBack)
			token := kerneltest.PageToken(t, begun.Redirect.URL)
			s.overtake(t, kit, &sent, func(name string) (heard error) {
				if sent == "A" {
					_, _, heard = kit.Tick(t.Context(), 100)
				}
				_, err := kit.AnswerSession(t.Context(), token, map[string]string{"name": name})
				return errors.Join(heard, err)
			})
			next, err := kit.NextAction(t.Context(), token)
			require.NoError(t, err)
			require.Equal(t, gateway.ActionReturn, next.Kind, "neither asked nor led on")
		})
	}
}

// If the store cannot tell whether a call is marked, the call is not made, and what the payer brought counts as never
// sent: it is sent when it comes again.
func TestUnsureMark(t *testing.T) {
	t.Parallel()
	t.Run("return", func(t *testing.T) {
		t.Parallel()
		var sent string
		p := &kerneltest.ScriptedConnector{OnPerform: kerneltest.ToIssuer}
		p.OnComplete = func(op methods.Operation, _ methods.Return) methods.Answer { return kerneltest.Approves(op) }
		s := &blinded{Store: memory.New()}
		kit := gatewaytest.On(t, s, actsTwice{p, &sent}.option)
		kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Settles, kerneltest.ViaCard)
		link := kerneltest.ReturnToken(t, p.Operation(0))
		s.armed.Store(true)
		_, err := kit.Return(t.Context(), link, named("A"))
		require.Error(t, err)
		require.Empty(t, sent)
		_, err = kit.Return(t.Context(), link, named("A"))
		require.NoError(t, err)
		require.Equal(t, "A", sent)
		require.Equal(t, store.Settled, kit.Payment(t, "ORD-1").Status)
	})
	t.Run("answer", func(t *testing.T) {
		t.Parallel()
		p := kerneltest.AsksForCode(kerneltest.Approves)
		s := &blinded{Store: memory.New()}
		kit := gatewaytest.On(t, s, notAsked{p}.option)
		token := kerneltest.PageToken(t,
			kerneltest.Charged(t, kit, "ORD-1", methods.Card{}, kerneltest.ViaAPM, kerneltest.GoesBack).Redirect.URL)
		s.armed.Store(true)
		_, err := kit.AnswerSession(t.Context(), token, map[string]string{"otp": "123456"})
		require.Error(t, err)
		require.Zero(t, p.Calls())
		_, err = kit.AnswerSession(t.Context(), token, map[string]string{"otp": "123456"})
		require.NoError(t, err)
		require.Equal(t, store.Settled, kit.Payment(t, "ORD-1").Status)
	})
}

// An answer to a prompt that does not reach the acquirer does not count: the payer is asked again, as often as that
// happens.
func TestAnswerThatIsNotSent(t *testing.T) {
	t.Parallel()
	down := 5
	p := kerneltest.AsksForCode(func(op methods.Operation) methods.Answer {
		if down--; down >= 0 {
			return methods.NotSent(op, "no route")
		}
		return kerneltest.Approves(op)
	})
	kit := gatewaytest.New(t, notAsked{p}.option)
	token := kerneltest.PageToken(t,
		kerneltest.Charged(t, kit, "ORD-1", methods.Card{}, kerneltest.ViaAPM, kerneltest.GoesBack).Redirect.URL)
	for range 5 {
		next, err := kit.AnswerSession(t.Context(), token, map[string]string{"otp": "123456"})
		require.NoError(t, err)
		require.Equal(t, gateway.ActionPrompt, next.Kind)
	}
	_, err := kit.AnswerSession(t.Context(), token, map[string]string{"otp": "123456"})
	require.NoError(t, err)
	require.Equal(t, store.Settled, kit.Payment(t, "ORD-1").Status)
}

// A payer's return and their answer to a prompt are calls of one payment: while the outcome of one is unknown, an
// acquirer that would act twice is asked before it gets the other, or does not get it.
func TestReturnBesideAnAnswer(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		find  func(methods.Operation) methods.Answer
		calls int
	}{{"it still waits", stillWaits, 2}, {"it does not say", lost, 1}} {
		t.Run("return after an unknown answer, "+c.name, func(t *testing.T) {
			t.Parallel()
			p := kerneltest.AsksForCode(lost)
			p.OnFind = c.find
			kit, token := prompted(t, strictAsked{onlyOnce{p}}.option)
			_, err := kit.AnswerSession(t.Context(), token, map[string]string{"otp": "123456"})
			require.NoError(t, err)
			_, err = kit.Return(t.Context(), kerneltest.ReturnToken(t, p.Operation(0)), kerneltest.GenuineReturn)
			require.NoError(t, err)
			require.Equal(t, c.calls, p.Calls())
		})
		t.Run("answer after an unknown return, "+c.name, func(t *testing.T) {
			t.Parallel()
			p := kerneltest.AsksForCode(lost)
			p.OnFind = c.find
			kit, token := prompted(t, strictAsked{onlyOnce{p}}.option)
			p.OnComplete = func(op methods.Operation, _ methods.Return) methods.Answer { return lost(op) }
			_, err := kit.Return(t.Context(), kerneltest.ReturnToken(t, p.Operation(0)), kerneltest.GenuineReturn)
			require.NoError(t, err)
			kit.Advance(t, 5*time.Minute)
			next, err := kit.AnswerSession(t.Context(), token, map[string]string{"otp": "123456"})
			require.NoError(t, err)
			require.NotEqual(t, gateway.ActionPrompt, next.Kind)
			require.Equal(t, 1, p.Calls())
		})
	}
}

// A decline of a payer's second call may be of that call alone, also when the first was an answer and the second is a
// return: the acquirer is asked.
func TestDeclineOfTheSecondCall(t *testing.T) {
	t.Parallel()
	for _, first := range []string{"return", "answer"} {
		t.Run(first+" first", func(t *testing.T) {
			t.Parallel()
			p := kerneltest.AsksForCode(stillWaits)
			kit, token := prompted(t, strictAsked{onlyOnce{p}}.option)
			p.OnComplete = func(op methods.Operation, _ methods.Return) methods.Answer {
				if p.Calls() > 1 {
					return methods.Declined(op, "Completed before")
				}
				return stillWaits(op)
			}
			ways := map[string]func() error{
				"answer": func() error {
					_, err := kit.AnswerSession(t.Context(), token, map[string]string{"otp": "123456"})
					return err
				},
				"return": func() error {
					_, err := kit.Return(t.Context(), kerneltest.ReturnToken(t, p.Operation(0)), kerneltest.GenuineReturn)
					return err
				},
			}
			require.NoError(t, ways[first]())
			delete(ways, first)
			for _, second := range ways {
				require.NoError(t, second())
			}
			require.Equal(t, 2, p.Calls())
			require.False(t, kit.Payment(t, "ORD-1").Transactions[0].Outcome.Final(), "the decline is not believed")
			p.OnFind = kerneltest.Approves
			kit.Advance(t, 5*time.Minute)
			require.Equal(t, store.Settled, kit.Payment(t, "ORD-1").Status)
		})
	}
}

// prompted returns the page of a payer who is prompted.
func prompted(t *testing.T, option gatewaytest.Option) (*gatewaytest.Kit, string) {
	t.Helper()
	kit := gatewaytest.New(t, option)
	r := kerneltest.Charged(t, kit, "ORD-1", methods.Card{}, kerneltest.ViaAPM, kerneltest.GoesBack)
	return kit, kerneltest.PageToken(t, r.Redirect.URL)
}

// A return waits while the payer's answer is under way, and an answer is not taken while a return is.
func TestReturnWaitsForAnAnswer(t *testing.T) {
	t.Parallel()
	for _, first := range []string{"answer", "return"} {
		t.Run(first+" first", func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				p := kerneltest.AsksForCode(lost)
				kit, token := prompted(t, patient{onlyOnce{p}}.option) // it acts once, and still gets one at a time
				let := make(chan struct{})
				p.OnComplete = func(op methods.Operation, _ methods.Return) methods.Answer {
					<-let
					return kerneltest.Approves(op)
				}
				ways := map[string]func() error{
					"answer": func() error {
						_, err := kit.AnswerSession(t.Context(), token, map[string]string{"otp": "123456"})
						return err
					},
					"return": func() error {
						_, err := kit.Return(t.Context(), kerneltest.ReturnToken(t, p.Operation(0)), kerneltest.GenuineReturn)
						return err
					},
				}
				came := make(chan error, 2)
				go func() { came <- ways[first]() }()
				synctest.Wait()
				delete(ways, first)
				for _, second := range ways {
					go func() { came <- second() }()
				}
				synctest.Wait()
				require.Equal(t, 1, p.Calls())
				close(let)
				require.NoError(t, <-came)
				require.NoError(t, <-came)
				require.Equal(t, 1, p.Calls())
				require.Equal(t, store.Settled, kit.Payment(t, "ORD-1").Status)
			})
		})
	}
}
