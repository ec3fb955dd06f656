package gateway_test

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/callback"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/memory"
)

// errInjected is every fault that the loop below makes.
var errInjected = errors.New("injected fault")

// saboteur makes the n-th call of one port fail. A mode with a crash fails every call after it as well,
// of every port, as those of a process that is dead.
type saboteur struct {
	port, mode string
	n          int

	mu    sync.Mutex
	armed bool
	calls int
	fired bool
	dead  bool
}

// strike counts a call of a port and says what befalls it: "" nothing, "dead", or the mode.
func (s *saboteur) strike(port string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.dead {
		return "dead"
	}
	if port != s.port || !s.armed {
		return ""
	}
	if s.calls++; s.calls != s.n {
		return ""
	}
	s.fired = true
	s.dead = strings.HasPrefix(s.mode, "crash")
	return s.mode
}

// brokenStore is a store whose Updates and Views a saboteur watches.
type brokenStore struct {
	store.Store
	by *saboteur
}

func (b brokenStore) Update(ctx context.Context, fn func(store.Tx) error) error {
	switch b.by.strike("store") {
	case "":
		return b.Store.Update(ctx, fn)
	case "unknown", "crash after":
		if err := b.Store.Update(ctx, fn); err != nil {
			return err
		}
		return errors.Join(errInjected, store.ErrUnknownCommit)
	case "lost":
		return errors.Join(errInjected, store.ErrUnknownCommit)
	default:
		return errInjected
	}
}

func (b brokenStore) View(ctx context.Context, fn func(store.Reader) error) error {
	if b.by.strike("view") != "" {
		return errInjected
	}
	return b.Store.View(ctx, fn)
}

// brokenAcquirer is an acquirer that a saboteur watches.
type brokenAcquirer struct {
	*vcard.Connector
	by *saboteur
}

func (b brokenAcquirer) call(op methods.Operation, call func() methods.Answer) methods.Answer {
	switch mode := b.by.strike("connector"); mode {
	case "":
		return call()
	case "not sent":
		return methods.NotSent(op, "injected")
	case "after", "crash after":
		call()
		return methods.Unknown(op, "injected")
	case "panic after":
		call()
		panic("injected")
	case "panic":
		panic("injected")
	default:
		return methods.Unknown(op, "injected")
	}
}

func (b brokenAcquirer) Perform(ctx context.Context, op methods.Operation) methods.Answer {
	return b.call(op, func() methods.Answer { return b.Connector.Perform(ctx, op) })
}

func (b brokenAcquirer) Find(ctx context.Context, op methods.Operation) methods.Answer {
	return b.call(op, func() methods.Answer { return b.Connector.Find(ctx, op) })
}

func (b brokenAcquirer) Complete(ctx context.Context, op methods.Operation, back methods.Return) methods.Answer {
	return b.call(op, func() methods.Answer { return b.Connector.Complete(ctx, op, back) })
}

func (b brokenAcquirer) Notification(ctx context.Context, op methods.Operation, note methods.Note) methods.Answer {
	return b.call(op, func() methods.Answer { return b.Connector.Notification(ctx, op, note) })
}

// brokenNotifier is a merchant that a saboteur watches.
type brokenNotifier struct {
	callback.Notifier
	by *saboteur
}

func (b brokenNotifier) Deliver(ctx context.Context, d callback.Delivery) callback.Receipt {
	switch b.by.strike("notifier") {
	case "":
		return b.Notifier.Deliver(ctx, d)
	case "refused", "dead", "crash before":
		return callback.Receipt{Verdict: callback.Refused, Status: 500}
	default: // the merchant has it, and we do not know
		b.Notifier.Deliver(ctx, d)
		return callback.Receipt{Verdict: callback.TimedOut}
	}
}

// brokenRandom is a source of chance that a saboteur watches.
type brokenRandom struct{ by *saboteur }

func (b brokenRandom) Read(p []byte) (int, error) {
	if b.by.strike("random") != "" {
		return 0, errInjected
	}
	return io.ReadFull(rand.Reader, p)
}

// play drives a gateway under sabotage. Whatever fails, it goes on as a merchant and a payer would, and
// remembers what it was told for certain.
type play struct {
	t    *testing.T
	kit  *gatewaytest.Kit
	acks []gateway.Result
}

func (p *play) heard(r *gateway.Result, err error) *gateway.Result {
	if err != nil {
		return nil
	}
	p.acks = append(p.acks, *r)
	return r
}

func (p *play) charge(order string, card methods.Card, change ...func(*gateway.ChargeRequest)) string {
	r := p.heard(p.kit.Charge(p.t.Context(), chargeOf(order, card, change...)))
	p.work()
	if r == nil {
		return ""
	}
	return r.Payment.ID
}

func (p *play) follow(what, id, amount string) {
	if id != "" {
		p.heard(do{what: what, amount: amount}.run(p.t.Context(), p.kit, store.Payment{ID: id}))
	}
	p.work()
}

func (p *play) work() {
	for range 5 {
		_, _, _ = p.kit.Tick(p.t.Context(), 100)
	}
}

// session opens a session and pays it with each card in turn, going wherever he is sent.
func (p *play) session(cards ...methods.Card) {
	s, err := p.kit.CreateSession(p.t.Context(), gatewaytest.Request("ORD-1", "10.00"))
	if err != nil {
		return
	}
	token := strings.TrimPrefix(s.RedirectURL, gatewaytest.PublicURL+"/auth/")
	for _, card := range cards {
		turn, err := p.kit.Turn(p.t.Context(), token)
		if err != nil || turn.Kind != gateway.TurnForm {
			continue
		}
		turn, err = p.kit.PaySession(p.t.Context(), token, gateway.Submission{Attempt: turn.Attempt, Card: card})
		if err == nil && turn.Kind == gateway.TurnForward {
			target, back := p.kit.Away(p.t, turn.Next, "confirm")
			link := strings.TrimPrefix(strings.SplitN(target, "?", 2)[0], gatewaytest.PublicURL+"/return/")
			if _, err := p.kit.Return(p.t.Context(), link, back); err != nil {
				_, _ = p.kit.Return(p.t.Context(), link, back) // he presses reload
			}
		}
		p.work()
	}
}

var scenarios = []struct {
	name string
	play func(p *play)
}{
	{"sale", func(p *play) { p.charge("ORD-1", gatewaytest.Settles) }},
	{"declined sale", func(p *play) { p.charge("ORD-1", gatewaytest.Declines) }},
	{"sale whose answer is lost", func(p *play) { p.charge("ORD-1", gatewaytest.Card(10, 2038)) }},
	{"sale that never arrived", func(p *play) { p.charge("ORD-1", gatewaytest.Card(9, 2038)) }},
	{"sale that is late", func(p *play) { p.charge("ORD-1", gatewaytest.Card(11, 2038)) }},
	{"sale that is pending", func(p *play) { p.charge("ORD-1", gatewaytest.Card(7, 2038)) }},
	{"refunds", func(p *play) {
		id := p.charge("ORD-1", gatewaytest.Settles)
		p.follow("refund", id, "4.00")
		p.follow("refund", id, "4.00")
		p.follow("refund", id, "4.00")
		p.follow("refund", id, "")
	}},
	{"void", func(p *play) { p.follow("void", p.charge("ORD-1", gatewaytest.Settles), "") }},
	{"hold, capture, refund", func(p *play) {
		id := p.charge("ORD-1", gatewaytest.Settles, held)
		p.follow("capture", id, "6.00")
		p.follow("capture", id, "6.00")
		p.follow("refund", id, "")
	}},
	{"capture that fails, reversal", func(p *play) {
		id := p.charge("ORD-1", gatewaytest.CaptureFails, held)
		p.follow("capture", id, "")
		p.follow("refund", id, "")
	}},
	{"debit, reversal", func(p *play) { p.follow("refund", p.charge("ORD-1", gatewaytest.Settles, asDebit), "") }},
	{"dispute of what is left", func(p *play) {
		id := p.charge("ORD-1", gatewaytest.Settles)
		p.follow("refund", id, "1.00")
		p.follow("dispute", id, "")
	}},
	{"session: declined, then paid", func(p *play) { p.session(gatewaytest.Declines, gatewaytest.Settles) }},
	{"session: 3-D Secure", func(p *play) { p.session(gatewaytest.ThreeDSPasses) }},
	{"session: 3-D Secure fails, then the bank", func(p *play) { p.session(gatewaytest.ThreeDSFails, gatewaytest.BankPasses) }},
	{"session: declined to the end", func(p *play) {
		p.session(gatewaytest.Declines, gatewaytest.BankFails, gatewaytest.Declines, gatewaytest.Settles)
	}},
	{"chain, a later payment and its retry", func(p *play) {
		first := p.first(inits)
		p.kit.Vcard.On("ORD-2", vcard.SoftDecline("Try later"))
		if first == nil {
			return
		}
		r := p.heard(p.kit.Recur(p.t.Context(), later(*first, "ORD-2")))
		p.work()
		if r != nil {
			p.heard(p.kit.Retry(p.t.Context(), again(r.Payment)))
			p.work()
		}
	}},
	{"card token, issued and used", func(p *play) {
		if first := p.first(asks); first != nil {
			p.charge("ORD-2", gatewaytest.Settles, byToken(first.CardToken))
		}
	}},
	{"scheduled payments", func(p *play) {
		p.subscribe()
		p.sleep(24 * time.Hour)
		p.sleep(24 * time.Hour)
	}},
	{"scheduled payments, paused and run", func(p *play) {
		if set := p.subscribe(); set != nil {
			_ = p.kit.PauseSchedule(p.t.Context(), gatewaytest.MerchantKey, set.ID)
			p.sleep(48 * time.Hour)
			_ = p.kit.RunSchedule(p.t.Context(), gatewaytest.MerchantKey, set.ID)
			p.work()
		}
	}},
	{"scheduled payments, changed", func(p *play) {
		if set := p.subscribe(); set != nil {
			_, _ = p.kit.UpdateSchedule(p.t.Context(), gatewaytest.MerchantKey, set.ID, func(s *store.Schedule) error {
				s.IntervalLength = 2
				return nil
			})
			p.work()
			p.sleep(48 * time.Hour)
		}
	}},
}

// first makes the first payment of something longer; nil when nobody was told of one.
func (p *play) first(change ...func(*gateway.ChargeRequest)) *store.Payment {
	r := p.heard(p.kit.Charge(p.t.Context(), chargeOf("ORD-1", gatewaytest.Settles, change...)))
	p.work()
	if r == nil {
		return nil
	}
	return &r.Payment
}

// subscribe begins a chain with two daily payments; nil when nobody was told of one.
func (p *play) subscribe() *store.Schedule {
	set, err := p.kit.CreateSchedule(p.t.Context(), gatewaytest.MerchantKey, days(1, 2))
	if err != nil || p.first(on(set)) == nil {
		return nil
	}
	return set
}

// sleep moves the clock and does what is due then.
func (p *play) sleep(d time.Duration) {
	p.kit.Clock.Set(p.kit.Clock.Now().Add(d))
	p.work()
}

var sabotage = []struct {
	port  string
	modes []string
}{
	{"store", []string{"before", "lost", "unknown", "crash before", "crash after"}},
	{"view", []string{"before", "crash before"}},
	{"connector", []string{"not sent", "before", "after", "panic", "panic after", "crash before", "crash after"}},
	{"notifier", []string{"refused", "after", "crash before", "crash after"}},
	{"random", []string{"before", "crash before"}},
}

// L4: any single fault, of any port, at any call, and a fresh gateway over what is left: nothing is
// lost, nothing happens twice, and the merchant hears of everything. The loop ends where no fault fires.
func TestEveryFault(t *testing.T) {
	t.Parallel()
	for _, scenario := range scenarios {
		for _, s := range sabotage {
			for _, mode := range s.modes {
				t.Run(fmt.Sprintf("%s, %s, %s", scenario.name, s.port, mode), func(t *testing.T) {
					t.Parallel()
					for n := 1; ; n++ {
						require.Less(t, n, 1000)
						if !faulted(t, scenario.play, &saboteur{port: s.port, mode: mode, n: n}) {
							require.True(t, n > 1 || s.port == "notifier" || s.port == "connector", "no fault ever fired")
							return
						}
					}
				})
			}
		}
	}
}

// faulted plays a scenario with one fault, recovers, and judges. It reports whether the fault fired.
func faulted(t *testing.T, scenario func(*play), by *saboteur) bool {
	t.Helper()
	w := &watched{Store: memory.New()}
	kit := gatewaytest.On(t, w)
	broken := kit.Twin(t, func(c *gateway.Config) {
		c.Store = brokenStore{w, by}
		c.Connectors["vcard"] = brokenAcquirer{kit.Vcard, by}
		c.Notifier = brokenNotifier{kit.Inbox, by}
		c.Random = brokenRandom{by}
	})
	by.armed = true
	p := &play{t: t, kit: broken}
	scenario(p)
	healed := kit.Twin(t)
	healed.Advance(t, 7*24*time.Hour)
	runAgain(t, healed)
	b := quiet(t, kit)
	b.auditSchedules(t)
	require.Empty(t, w.faults())
	for _, ack := range p.acks {
		tr, ok := b.transactions[ack.Transaction.ID]
		require.True(t, ok, "D1: %s at call %d: an answered transaction is gone", by.mode, by.n)
		if ack.Transaction.Outcome.Final() {
			require.Equal(t, ack.Transaction.Outcome, tr.Outcome, "D1: %s at call %d", by.mode, by.n)
		}
	}
	return by.fired
}

// runAgain lets every schedule that is still paused run, and waits.
func runAgain(t *testing.T, kit *gatewaytest.Kit) {
	t.Helper()
	var paused []string
	require.NoError(t, kit.Store.View(t.Context(), func(r store.Reader) error {
		for s, err := range schedulesTable.Scan(r, everything) {
			require.NoError(t, err)
			if s.Paused {
				paused = append(paused, s.ID)
			}
		}
		return nil
	}))
	for _, id := range paused {
		require.NoError(t, kit.RunSchedule(t.Context(), gatewaytest.MerchantKey, id))
	}
	kit.Advance(t, 7*24*time.Hour)
}

var schedulesTable = store.Table[store.Schedule]{Prefix: "sc", Version: 1}

// auditSchedules: every chain of these plays was taken at its first payment, so each of the two dates of its
// schedule was charged once (S10).
func (b *books) auditSchedules(t *testing.T) {
	t.Helper()
	paid := map[string]map[int]int{}
	for _, p := range b.payments {
		if p.ScheduleID != "" && p.Occurrence == 0 && p.Status == store.Settled {
			paid[p.ID] = map[int]int{}
		}
	}
	for _, p := range b.payments {
		if p.Occurrence > 0 {
			paid[p.RecurringInitID][p.Occurrence]++
		}
	}
	for first, occurrences := range paid {
		require.Equal(t, map[int]int{1: 1, 2: 1}, occurrences, "S10: of the chain %s", first)
	}
}
