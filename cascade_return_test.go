package gateway_test

import (
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/memory"
)

// The last attempt of an APM cascade sends no redirect callback (callbacks.md, "Cascading").
func TestCascadeOfAPMTellsNoRedirect(t *testing.T) {
	t.Parallel()
	p := &puppet{}
	p.perform = func(op methods.Operation) methods.Answer {
		if len(p.sent) == 1 {
			return methods.SoftDeclined(op, "Try elsewhere")
		}
		return toBank(op)
	}
	p.complete = func(op methods.Operation, _ methods.Return) methods.Answer { return approves(op) }
	kit := gatewaytest.New(t, p.option)
	moreMIDs(t, kit, "second")
	cascading(t, kit, store.S2SAPM)
	r := charged(t, kit, "ORD-1", gatewaytest.Settles, viaAPM)
	require.Equal(t, "https://bank.example/go", r.Next.URL, "the answer tells it")
	p.comeBack(t, kit)
	var heard []string
	for _, form := range told(t, kit, "ORD-1") {
		heard = append(heard, form.Get("result")+" "+form.Get("status"))
	}
	require.ElementsMatch(t, []string{"DECLINED DECLINED", "SUCCESS SETTLED"}, heard)
}

// What comes back from the issuer and is declined softly goes on at the next MID, with card and code.
func TestCascadeAfterReturn(t *testing.T) {
	t.Parallel()
	for name, start := range map[string]func(*testing.T, *gatewaytest.Kit){
		"session": func(t *testing.T, kit *gatewaytest.Kit) {
			turn := kit.Pay(t, kit.Session(t, "ORD-1", "10.00"), canaryCard(t, 1, 2038))
			require.Equal(t, gateway.TurnForward, turn.Kind)
		},
		"S2S CARD": func(t *testing.T, kit *gatewaytest.Kit) {
			require.NotNil(t, charged(t, kit, "ORD-1", canaryCard(t, 1, 2038), viaCard).Next)
		},
		"a charge": func(t *testing.T, kit *gatewaytest.Kit) {
			require.NotNil(t, charged(t, kit, "ORD-1", canaryCard(t, 1, 2038)).Next)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := firstAway()
			p.needsCode = true
			kit := gatewaytest.New(t, p.option)
			moreMIDs(t, kit, "second")
			cascading(t, kit, store.Checkout)
			cascading(t, kit, store.S2SCard)
			start(t, kit)
			page := p.comeBack(t, kit)
			require.Len(t, p.sent, 2)
			require.Equal(t, "second", p.sent[1].MID.ID)
			require.Equal(t, canaryPAN, p.sent[1].Card.PAN.Digits())
			require.Equal(t, canaryCode, p.sent[1].Card.Code.Digits())
			require.NotEqual(t, p.sent[0].Key, p.sent[1].Key)
			require.NotEqual(t, p.sent[0].ReturnURL, p.sent[1].ReturnURL)
			list := attempts(t, kit, "ORD-1")
			linked(t, list)
			require.Equal(t, store.Settled, list[1].Status)
			s := read(t, kit).sessions
			require.Len(t, s, 1)
			require.Equal(t, []any{store.SessionPaid, false, list[1].ID}, []any{s[0].State, s[0].Running, s[0].PaymentID})
			require.Contains(t, page, gatewaytest.PublicURL+"/auth/")
			forms := told(t, kit, "ORD-1")
			require.Len(t, forms, 2, "away, and the last word")
		})
	}
}

// What the first attempt went by holds for the second: the channel, the card token, and nothing of the
// first one's fate.
func TestCascadeAfterReturnKeepsTheRequest(t *testing.T) {
	t.Parallel()
	t.Run("channel", func(t *testing.T) {
		t.Parallel()
		for _, protocol := range []store.Protocol{store.Checkout, store.S2SCard} {
			p := firstAway()
			kit := gatewaytest.New(t, p.option)
			cascading(t, kit, store.Checkout)
			cascading(t, kit, store.S2SCard)
			require.NoError(t, kit.SaveMID(t.Context(), store.MID{ID: "shop", MerchantID: gatewaytest.MerchantID, Connector: "vcard", ChannelID: "shop-1"}))
			charged(t, kit, "ORD-1", gatewaytest.Settles, func(r *gateway.ChargeRequest) { r.ChannelID, r.Protocol = "shop-1", protocol })
			p.comeBack(t, kit)
			require.Len(t, p.sent, 1, "no other MID has that channel")
			require.Equal(t, store.Declined, kit.Payment(t, "ORD-1").Status)
		}
	})
	t.Run("card token", func(t *testing.T) {
		t.Parallel()
		p := &puppet{perform: approves}
		kit := gatewaytest.New(t, p.option)
		moreMIDs(t, kit, "second")
		cascading(t, kit, store.Checkout)
		token := tokenOf(t, kit, "ORD-0", gatewaytest.Settles)
		*p = puppet{}
		again := firstAway()
		p.perform, p.complete = func(op methods.Operation) methods.Answer {
			if len(p.sent) == 1 {
				return toIssuer(op)
			}
			return approves(op)
		}, again.complete
		charged(t, kit, "ORD-1", methods.Card{}, byToken(token))
		p.comeBack(t, kit)
		for _, form := range told(t, kit, "ORD-1") {
			require.Equal(t, token, form.Get("card_token"))
		}
		require.Equal(t, store.Settled, kit.Payment(t, "ORD-1").Status)
	})
	t.Run("a later payment of a chain", func(t *testing.T) {
		t.Parallel()
		p := &puppet{perform: approves}
		kit := gatewaytest.New(t, p.option)
		moreMIDs(t, kit, "second")
		cascading(t, kit, store.Checkout)
		first := charged(t, kit, "ORD-0", gatewaytest.Settles, inits).Payment
		p.perform = toIssuer
		p.complete = firstAway().complete
		recurred(t, kit, later(first, "ORD-1"))
		p.comeBack(t, kit)
		require.Len(t, p.sent, 2, "it stays where the chain began")
		require.Equal(t, store.Declined, kit.Payment(t, "ORD-1").Status)
	})
}

// A payer who comes back twice at once, and once more, makes one next attempt.
func TestCascadeAfterTwoReturns(t *testing.T) {
	t.Parallel()
	p := firstAway()
	p.perform = func(op methods.Operation) methods.Answer {
		if op.MID.ID == "live" {
			return toIssuer(op)
		}
		return approves(op)
	}
	kit := gatewaytest.New(t, p.option)
	moreMIDs(t, kit, "second", "third")
	cascading(t, kit, store.S2SCard)
	charged(t, kit, "ORD-1", gatewaytest.Settles, viaCard)
	token := strings.TrimPrefix(p.sent[0].ReturnURL, gatewaytest.PublicURL+"/return/")
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
	require.Len(t, p.sent, 2)
	require.Len(t, attempts(t, kit, "ORD-1"), 2)
	require.Equal(t, gateway.LeftPaid, turnOf(t, kit, pageToken(t, pages[0])).Status)
}

// Each attempt of a cascade may send the payer away; he comes back to the same page, with card and code.
func TestCascadeThroughTwoIssuers(t *testing.T) {
	t.Parallel()
	for _, protocol := range []store.Protocol{store.Checkout, store.S2SCard} {
		t.Run(string(protocol), func(t *testing.T) {
			t.Parallel()
			p := &puppet{perform: toIssuer, needsCode: true}
			p.complete = func(op methods.Operation, _ methods.Return) methods.Answer {
				if op.MID.ID != "third" {
					return methods.SoftDeclined(op, "Try elsewhere")
				}
				return approves(op)
			}
			kit := gatewaytest.New(t, p.option)
			moreMIDs(t, kit, "second", "third")
			cascading(t, kit, protocol)
			var token string
			if protocol == store.Checkout {
				token = kit.Session(t, "ORD-1", "10.00")
				kit.Pay(t, token, canaryCard(t, 1, 2038))
			} else {
				charged(t, kit, "ORD-1", canaryCard(t, 1, 2038), viaCard, goesBack)
				token = pageToken(t, p.comeBack(t, kit))
			}
			for len(p.sent) < 3 {
				turn := turnOf(t, kit, token)
				require.Equal(t, gateway.TurnForward, turn.Kind)
				require.Equal(t, p.sent[len(p.sent)-1].ReturnURL, turn.Next.Params[0].Value, "the newest attempt's link")
				require.Equal(t, token, pageToken(t, p.comeBack(t, kit)))
			}
			p.comeBack(t, kit)
			require.Equal(t, gateway.LeftPaid, turnOf(t, kit, token).Status)
			for _, op := range p.completed {
				require.Equal(t, canaryPAN, op.Card.PAN.Digits())
				require.Equal(t, canaryCode, op.Card.Code.Digits())
			}
			list := attempts(t, kit, "ORD-1")
			require.Len(t, list, 3)
			linked(t, list)
			require.Len(t, read(t, kit).sessions, 1)
		})
	}
}

// The same on the way of a payer who comes back from the issuer: a fault anywhere, and he tries again.
func TestCascadeAfterReturnSurvives(t *testing.T) {
	t.Parallel()
	for _, mode := range []string{"before", "unknown", "lost", "crash before", "crash after"} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			for n := 1; ; n++ {
				require.Less(t, n, 50)
				if !returnUnder(t, &saboteur{port: "store", mode: mode, n: n}) {
					require.Greater(t, n, 2, "cascade, outcome")
					return
				}
			}
		})
	}
}

// truthful is an issuer and two acquirers: what the first declines softly the second takes.
func truthful() *puppet {
	p := firstAway()
	p.perform = func(op methods.Operation) methods.Answer {
		if op.MID.ID == "live" {
			return toIssuer(op)
		}
		return approves(op)
	}
	p.find = func(op methods.Operation) methods.Answer {
		p.mu.Lock()
		defer p.mu.Unlock()
		same := func(other methods.Operation) bool { return other.Key == op.Key }
		switch {
		case !slices.ContainsFunc(p.sent, same):
			return methods.NotFound(op)
		case op.MID.ID == "second":
			return approves(op)
		case slices.ContainsFunc(p.completed, same):
			return methods.SoftDeclined(op, "Try elsewhere")
		}
		return methods.Pending(op, op.Continuation)
	}
	return p
}

// staysOn is a payer who stays on our page, which sends the browser back to the return that was interrupted.
func staysOn(t *testing.T, kit *gatewaytest.Kit, page string) {
	t.Helper()
	for range 3 {
		turn := turnOf(t, kit, pageToken(t, page))
		if turn.Kind == gateway.TurnLeave {
			return
		}
		if turn.Kind == gateway.TurnForward {
			link, ours := strings.CutPrefix(turn.Next.URL, gatewaytest.PublicURL+"/return/")
			require.True(t, ours, "nobody goes to the issuer twice")
			_, err := kit.Return(t.Context(), link, methods.Return{Method: turn.Next.Method})
			require.NoError(t, err)
		}
		kit.Advance(t, 40*time.Second)
	}
}

func returnUnder(t *testing.T, by *saboteur) bool {
	t.Helper()
	s, p := memory.New(), truthful()
	kit := gatewaytest.On(t, s, p.option)
	moreMIDs(t, kit, "second")
	cascading(t, kit, store.S2SCard)
	charged(t, kit, "ORD-1", gatewaytest.Settles, viaCard)
	token := strings.TrimPrefix(p.sent[0].ReturnURL, gatewaytest.PublicURL+"/return/")
	back := methods.Return{Method: "GET"}
	broken := kit.Twin(t, func(c *gateway.Config) { c.Store = brokenStore{s, by} })
	by.armed = true
	_, _ = broken.Return(t.Context(), token, back)
	by.armed = false
	page, err := kit.Return(t.Context(), token, back)
	require.NoError(t, err)
	staysOn(t, kit, page)
	kit.Twin(t).Advance(t, 72*time.Hour)
	b := read(t, kit)
	require.Len(t, b.payments, 2, "%s at %d", by.mode, by.n)
	require.Len(t, b.sessions, 1)
	last := b.payment(t, b.sessions[0].PaymentID)
	require.Equal(t, store.Settled, last.Status)
	require.Equal(t, []any{store.SessionPaid, false}, []any{b.sessions[0].State, b.sessions[0].Running})
	require.Equal(t, gateway.LeftPaid, turnOf(t, kit, pageToken(t, page)).Status)
	keys := map[string]bool{}
	for _, op := range p.sent {
		keys[op.Key] = true
	}
	require.Len(t, keys, 2, "one request for each attempt, however often it is sent")
	var finals []string
	for _, form := range told(t, kit, "ORD-1") {
		if form.Get("result") == "SUCCESS" || form.Get("result") == "DECLINED" {
			finals = append(finals, form.Get("status"))
		}
	}
	require.Equal(t, []string{"SETTLED"}, finals)
	return by.fired
}
