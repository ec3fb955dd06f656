package engine_test

import (
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/memory"
)

// The last attempt of an APM cascade sends no redirect callback (callbacks.md, "Cascading").
func TestCascadeOfAPMTellsNoRedirect(t *testing.T) {
	t.Parallel()
	p := &kerneltest.ScriptedConnector{}
	p.OnPerform = func(op methods.Operation) methods.Answer {
		if len(p.Sent) == 1 {
			return methods.SoftDeclined(op, "Try elsewhere")
		}
		return kerneltest.ToBank(op)
	}
	p.OnComplete = func(op methods.Operation, _ methods.Return) methods.Answer { return kerneltest.Approves(op) }
	kit := gatewaytest.New(t, p.Option)
	kerneltest.AddMIDs(t, kit, "second")
	kerneltest.SwitchCascading(t, kit, store.S2SAPM)
	r := kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Settles, kerneltest.ViaAPM)
	require.Equal(t, "https://bank.example/go", r.Redirect.URL, "the answer contains it")
	p.ComeBack(t, kit)
	var heard []string
	for _, form := range kerneltest.FormsOf(t, kit, "ORD-1") {
		heard = append(heard, form.Get("result")+" "+form.Get("status"))
	}
	require.ElementsMatch(t, []string{"DECLINED DECLINED", "SUCCESS SETTLED"}, heard)
}

// A soft decline after the payer's return from the issuer continues at the next MID, with card and code.
func TestCascadeAfterReturn(t *testing.T) {
	t.Parallel()
	for name, start := range map[string]func(*testing.T, *gatewaytest.Kit){
		"session": func(t *testing.T, kit *gatewaytest.Kit) {
			next := kit.Pay(t, kit.Session(t, "ORD-1", "10.00"), kerneltest.CanaryCard(t, 1, 2038))
			require.Equal(t, gateway.ActionRedirect, next.Kind)
		},
		"S2S CARD": func(t *testing.T, kit *gatewaytest.Kit) {
			require.NotNil(t, kerneltest.Charged(t, kit, "ORD-1", kerneltest.CanaryCard(t, 1, 2038),
				kerneltest.ViaCard).Redirect)
		},
		"a charge": func(t *testing.T, kit *gatewaytest.Kit) {
			require.NotNil(t, kerneltest.Charged(t, kit, "ORD-1", kerneltest.CanaryCard(t, 1, 2038)).Redirect)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := kerneltest.FirstAway()
			p.NeedsCode = true
			kit := gatewaytest.New(t, p.Option)
			kerneltest.AddMIDs(t, kit, "second")
			kerneltest.SwitchCascading(t, kit, store.Checkout)
			kerneltest.SwitchCascading(t, kit, store.S2SCard)
			start(t, kit)
			page := p.ComeBack(t, kit)
			require.Len(t, p.Sent, 2)
			require.Equal(t, "second", p.Sent[1].MID.ID)
			require.Equal(t, kerneltest.CanaryPAN, p.Sent[1].Card.PAN.Digits())
			require.Equal(t, kerneltest.CanaryCode, p.Sent[1].Card.Code.Digits())
			require.NotEqual(t, p.Sent[0].Key, p.Sent[1].Key)
			require.NotEqual(t, p.Sent[0].ReturnURL, p.Sent[1].ReturnURL)
			list := kerneltest.AttemptsOf(t, kit, "ORD-1")
			linked(t, list)
			require.Equal(t, store.Settled, list[1].Status)
			s := kerneltest.ReadBooks(t, kit).Sessions
			require.Len(t, s, 1)
			require.Equal(t, []any{store.SessionPaid, false, list[1].ID}, []any{s[0].State, s[0].Running, s[0].PaymentID})
			require.Contains(t, page, gatewaytest.PublicURL+"/auth/")
			forms := kerneltest.FormsOf(t, kit, "ORD-1")
			require.Len(t, forms, 2, "redirected, and the final outcome")
		})
	}
}

// The second attempt keeps the request of the first, such as channel and card token, but none of its outcome.
func TestCascadeAfterReturnKeepsTheRequest(t *testing.T) {
	t.Parallel()
	t.Run("channel", func(t *testing.T) {
		t.Parallel()
		for _, protocol := range []store.Protocol{store.Checkout, store.S2SCard} {
			p := kerneltest.FirstAway()
			kit := gatewaytest.New(t, p.Option)
			kerneltest.SwitchCascading(t, kit, store.Checkout)
			kerneltest.SwitchCascading(t, kit, store.S2SCard)
			require.NoError(t, kit.SaveMID(t.Context(),
				store.MID{ID: "shop", MerchantID: gatewaytest.MerchantID, Connector: "vcard", ChannelID: "shop-1"}))
			kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Settles,
				func(r *gateway.ChargeRequest) { r.ChannelID, r.Protocol = "shop-1", protocol })
			p.ComeBack(t, kit)
			require.Len(t, p.Sent, 1, "no other MID has that channel")
			require.Equal(t, store.Declined, kit.Payment(t, "ORD-1").Status)
		}
	})
	t.Run("card token", func(t *testing.T) {
		t.Parallel()
		p := &kerneltest.ScriptedConnector{OnPerform: kerneltest.Approves}
		kit := gatewaytest.New(t, p.Option)
		kerneltest.AddMIDs(t, kit, "second")
		kerneltest.SwitchCascading(t, kit, store.Checkout)
		token := kerneltest.TokenOf(t, kit, "ORD-0", gatewaytest.Settles)
		*p = kerneltest.ScriptedConnector{}
		again := kerneltest.FirstAway()
		p.OnPerform, p.OnComplete = func(op methods.Operation) methods.Answer {
			if len(p.Sent) == 1 {
				return kerneltest.ToIssuer(op)
			}
			return kerneltest.Approves(op)
		}, again.OnComplete
		kerneltest.Charged(t, kit, "ORD-1", methods.Card{}, kerneltest.ByToken(token))
		p.ComeBack(t, kit)
		for _, form := range kerneltest.FormsOf(t, kit, "ORD-1") {
			require.Equal(t, token, form.Get("card_token"))
		}
		require.Equal(t, store.Settled, kit.Payment(t, "ORD-1").Status)
	})
	t.Run("a later payment of a chain", func(t *testing.T) {
		t.Parallel()
		p := &kerneltest.ScriptedConnector{OnPerform: kerneltest.Approves}
		kit := gatewaytest.New(t, p.Option)
		kerneltest.AddMIDs(t, kit, "second")
		kerneltest.SwitchCascading(t, kit, store.Checkout)
		first := kerneltest.Charged(t, kit, "ORD-0", gatewaytest.Settles, kerneltest.BeginsChain).Payment
		p.OnPerform = kerneltest.ToIssuer
		p.OnComplete = kerneltest.FirstAway().OnComplete
		kerneltest.Recurred(t, kit, kerneltest.LaterOf(first, "ORD-1"))
		p.ComeBack(t, kit)
		require.Len(t, p.Sent, 2, "it stays where the chain began")
		require.Equal(t, store.Declined, kit.Payment(t, "ORD-1").Status)
	})
	t.Run("a card that is erased", func(t *testing.T) {
		t.Parallel()
		for wait, sent := range map[time.Duration]int{23 * time.Hour: 2, 25 * time.Hour: 1} {
			p := kerneltest.FirstAway()
			kit := gatewaytest.New(t, p.Option)
			kerneltest.AddMIDs(t, kit, "second")
			kerneltest.SwitchCascading(t, kit, store.Checkout)
			kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Settles)
			kit.Advance(t, wait)
			p.ComeBack(t, kit)
			require.Len(t, p.Sent, sent, "after a day there is no card to send")
		}
	})
}

// A payer who returns twice at once, and once more, causes one next attempt.
func TestCascadeAfterTwoReturns(t *testing.T) {
	t.Parallel()
	p := kerneltest.FirstAway()
	p.OnPerform = func(op methods.Operation) methods.Answer {
		if op.MID.ID == "live" {
			return kerneltest.ToIssuer(op)
		}
		return kerneltest.Approves(op)
	}
	kit := gatewaytest.New(t, p.Option)
	kerneltest.AddMIDs(t, kit, "second", "third")
	kerneltest.SwitchCascading(t, kit, store.S2SCard)
	kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Settles, kerneltest.ViaCard)
	token := strings.TrimPrefix(p.Sent[0].ReturnURL, gatewaytest.PublicURL+"/return/")
	var running sync.WaitGroup
	pages := make([]string, 8)
	errs := make([]error, len(pages))
	for i := range pages {
		running.Go(func() { pages[i], errs[i] = kit.Return(t.Context(), token, methods.Return{Method: "GET"}) })
	}
	running.Wait()
	for i, page := range pages {
		require.NoError(t, errs[i])
		require.Equal(t, pages[0], page)
	}
	_, err := kit.Return(t.Context(), token, methods.Return{Method: "GET"})
	require.NoError(t, err)
	require.Len(t, p.Sent, 2)
	require.Len(t, kerneltest.AttemptsOf(t, kit, "ORD-1"), 2)
	require.Equal(t, gateway.ReturnPaid, kerneltest.NextActionOf(t, kit, kerneltest.PageToken(t, pages[0])).Status)
}

// Each attempt of a cascade may redirect the payer to an issuer; the payer returns to the same page, with
// card and code.
func TestCascadeThroughTwoIssuers(t *testing.T) {
	t.Parallel()
	for _, protocol := range []store.Protocol{store.Checkout, store.S2SCard} {
		t.Run(string(protocol), func(t *testing.T) {
			t.Parallel()
			p := &kerneltest.ScriptedConnector{OnPerform: kerneltest.ToIssuer, NeedsCode: true}
			p.OnComplete = func(op methods.Operation, _ methods.Return) methods.Answer {
				if op.MID.ID != "third" {
					return methods.SoftDeclined(op, "Try elsewhere")
				}
				return kerneltest.Approves(op)
			}
			kit := gatewaytest.New(t, p.Option)
			kerneltest.AddMIDs(t, kit, "second", "third")
			kerneltest.SwitchCascading(t, kit, protocol)
			var token string
			if protocol == store.Checkout {
				token = kit.Session(t, "ORD-1", "10.00")
				kit.Pay(t, token, kerneltest.CanaryCard(t, 1, 2038))
			} else {
				kerneltest.Charged(t, kit, "ORD-1", kerneltest.CanaryCard(t, 1, 2038), kerneltest.ViaCard, kerneltest.GoesBack)
				token = kerneltest.PageToken(t, p.ComeBack(t, kit))
			}
			for len(p.Sent) < 3 {
				next := kerneltest.NextActionOf(t, kit, token)
				require.Equal(t, gateway.ActionRedirect, next.Kind)
				require.Equal(t, p.Sent[len(p.Sent)-1].ReturnURL, next.Redirect.Params[0].Value, "the newest attempt's link")
				require.Equal(t, token, kerneltest.PageToken(t, p.ComeBack(t, kit)))
			}
			p.ComeBack(t, kit)
			require.Equal(t, gateway.ReturnPaid, kerneltest.NextActionOf(t, kit, token).Status)
			for _, op := range p.Completed {
				require.Equal(t, kerneltest.CanaryPAN, op.Card.PAN.Digits())
				require.Equal(t, kerneltest.CanaryCode, op.Card.Code.Digits())
			}
			list := kerneltest.AttemptsOf(t, kit, "ORD-1")
			require.Len(t, list, 3)
			linked(t, list)
			require.Len(t, kerneltest.ReadBooks(t, kit).Sessions, 1)
		})
	}
}

// The same after the payer returns from the issuer: any call of the store fails, and the payer tries again.
func TestCascadeAfterReturnSurvives(t *testing.T) {
	t.Parallel()
	for _, mode := range []string{"before", "unknown", "lost", "crash before", "crash after"} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			for n := 1; ; n++ {
				require.Less(t, n, 50)
				if !returnUnder(t, &kerneltest.Fault{Port: "store", Mode: mode, N: n}) {
					require.Greater(t, n, 2, "cascade, outcome")
					return
				}
			}
		})
	}
}

// staysOn is a payer who stays on our page, which sends the browser back to the interrupted return.
func staysOn(t *testing.T, kit *gatewaytest.Kit, page string) {
	t.Helper()
	for range 3 {
		next := kerneltest.NextActionOf(t, kit, kerneltest.PageToken(t, page))
		if next.Kind == gateway.ActionReturn {
			return
		}
		if next.Kind == gateway.ActionRedirect {
			link, ours := strings.CutPrefix(next.Redirect.URL, gatewaytest.PublicURL+"/return/")
			require.True(t, ours, "a payer is sent to the issuer once")
			_, err := kit.Return(t.Context(), link, methods.Return{Method: next.Redirect.Method})
			require.NoError(t, err)
		}
		kit.Advance(t, 40*time.Second)
	}
}

func returnUnder(t *testing.T, by *kerneltest.Fault) bool {
	t.Helper()
	s, p := memory.New(), kerneltest.Truthful()
	kit := gatewaytest.On(t, s, p.Option)
	kerneltest.AddMIDs(t, kit, "second")
	kerneltest.SwitchCascading(t, kit, store.S2SCard)
	kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Settles, kerneltest.ViaCard)
	token := strings.TrimPrefix(p.Sent[0].ReturnURL, gatewaytest.PublicURL+"/return/")
	back := methods.Return{Method: "GET"}
	broken := kit.Twin(t, func(c *gateway.Config) { c.Store = kerneltest.FaultyStore{Store: s, By: by} })
	by.Armed = true
	_, _ = broken.Return(t.Context(), token, back)
	by.Armed = false
	page, err := kit.Return(t.Context(), token, back)
	require.NoError(t, err)
	staysOn(t, kit, page)
	kit.Twin(t).Advance(t, 72*time.Hour)
	b := kerneltest.ReadBooks(t, kit)
	require.Len(t, b.Payments, 2, "%s at %d", by.Mode, by.N)
	require.Len(t, b.Sessions, 1)
	last := b.Payment(t, b.Sessions[0].PaymentID)
	require.Equal(t, store.Settled, last.Status)
	require.Equal(t, []any{store.SessionPaid, false}, []any{b.Sessions[0].State, b.Sessions[0].Running})
	require.Equal(t, gateway.ReturnPaid, kerneltest.NextActionOf(t, kit, kerneltest.PageToken(t, page)).Status)
	keys := map[string]bool{}
	for _, op := range p.Sent {
		keys[op.Key] = true
	}
	require.Len(t, keys, 2, "one request for each attempt, however often it is sent")
	var finals []string
	for _, form := range kerneltest.FormsOf(t, kit, "ORD-1") {
		if form.Get("result") == "SUCCESS" || form.Get("result") == "DECLINED" {
			finals = append(finals, form.Get("status"))
		}
	}
	require.Equal(t, []string{"SETTLED"}, finals)
	return by.Fired
}
