package sim

import (
	"context"
	"errors"
	"strconv"
	"time"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

const password = "a-password-of-every-merchant-01"

func itoa(n int) string { return strconv.Itoa(n) }

// action is a request that merchants and payers make.
type action int

const (
	actSale action = iota // S2S
	actAuth
	actDebit
	actCharge  // Checkout, by a Go caller
	actSession // a session, its page, and a payer who pays, perhaps twice at once
	actHosted  // Hosted Payment Fields: collect, update and pay, concurrently
	actCapture
	actRefund
	actVoid
	actStatus
	actChain // a first payment that begins a chain
	actRecur
	actRetry
	actSubscribe // a chain that a schedule continues
	actPause
	actDispute
	actLeave
	actResend
	actToken  // a charge by a card token, sometimes another merchant's
	actAPM    // S2S APM: a method that redirects the payer
	actRotate // the key provider gets a new current key
	actPayout
	actRepoint // a MID moves to another connector
	lastAction
)

var actionNames = [lastAction]string{"sale", "auth", "debit", "charge", "session", "hosted", "capture", "refund",
	"void",
	"status", "chain", "recur", "retry", "subscribe", "pause", "dispute", "leave", "resend", "token", "apm", "rotate", "payout", "repoint"}

func (a action) String() string { return actionNames[a] }

// clients are the merchants' backends and the payers' browsers.
type clients struct {
	w       *World
	orders  int
	hot     string                   // the payment most requests are about
	links   []string                 // of sessions
	errands int                      // people who come at a later time
	money   map[string]*moneyHistory // by payment
	resent  map[string]int           // by callback that was resent manually: how often it has to be sent at least

	schedules []string // by merchant
	days      calendar // of the MIDs
}

func newClients(w *World) *clients {
	return &clients{w: w, days: w.swarm.calendar(), money: map[string]*moneyHistory{}, resent: map[string]int{}}
}

// merchantKeys are the keys of each world's merchants; the second merchant's settings depend on the seed.
var merchantKeys = []string{"key-of-m0", "key-of-m1"}

func (c *clients) configure(ctx context.Context) {
	gw, s := c.w.instances[0].gw, &c.w.swarm
	must := func(err error) {
		if err != nil {
			panic(err)
		}
	}
	for i, key := range merchantKeys {
		id := "m" + itoa(i)
		must(gw.SaveMerchant(ctx, store.Merchant{ID: id, Name: "Shop " + id, Key: key, Password: store.NewSecret(password),
			NotificationURL: "https://" + id + ".example/callback"}))
		for n := range connectors {
			must(gw.SaveMID(ctx, c.mid(i, n, (n+i)%connectors)))
		}
		for _, protocol := range store.Protocols() {
			must(gw.SaveMapping(ctx, store.Mapping{MerchantID: id, Protocol: protocol, SHA256: s.sha256, Cascade: s.cascade,
				PartialRefundSettled: s.kept && i == 1}))
		}
	}
	must(c.createSchedules(ctx))
}

// keeps reports whether a merchant's mapping keeps SETTLED after a partial refund.
func (c *clients) keeps(p *paymentRecord) bool { return c.w.swarm.kept && p.Merchant == "m1" }

// tries is how often a callback is sent before it is dead.
func (c *clients) tries() int {
	if c.w.swarm.retry == nil {
		return 13
	}
	return len(c.w.swarm.retry) + 1
}

// run sends requests until faults stop.
func (c *clients) run(ctx context.Context) {
	w := c.w
	for w.stopped.IsZero() {
		group := 1
		if w.swarm.burst {
			group += w.rng.IntN(6)
		}
		act := c.draw()
		same := w.rng.IntN(2) == 0 // a group of equal requests, or of different ones
		var request func(context.Context, *instance)
		for range group {
			if request == nil || !same {
				request = c.prepare(c.drawUnless(act, same))
			}
			c.send(request)
		}
		wait := between(w.rng, 0, 2*w.swarm.gap)
		w.pause(ctx, atSleep, wait)
	}
}

func (c *clients) drawUnless(act action, same bool) action {
	if same {
		return act
	}
	return c.draw()
}

func (c *clients) draw() action {
	total := 0.0
	for _, share := range c.w.swarm.mix {
		total += share
	}
	at := fraction(c.w.rng) * total
	for act, share := range c.w.swarm.mix {
		if at -= share; at < 0 {
			return action(act)
		}
	}
	return actSale
}

// send makes one of the instances serve a request, whose client may hang up.
func (c *clients) send(request func(context.Context, *instance)) {
	w := c.w
	inst := w.alive()
	if inst == nil || request == nil {
		return
	}
	patience := time.Duration(0)
	if w.chance(hangUp) {
		patience = between(w.rng, time.Microsecond, 10*time.Millisecond)
		if w.rng.IntN(2) == 0 {
			patience = between(w.rng, time.Microsecond, 40*time.Second)
		}
	}
	w.spawn(inst, 0, func(ctx context.Context) {
		if patience > 0 {
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeout(ctx, patience)
			defer cancel()
		}
		request(ctx, inst)
	})
}

// errand sends a request at a later time. The world does not end before that.
func (c *clients) errand(wait time.Duration, request func(context.Context, *instance)) {
	c.errands++
	c.w.spawn(nil, wait, func(context.Context) {
		c.send(request)
		c.errands--
	})
}

// comeBack is a payer's browser at the return link; then comes after it.
func (c *clients) comeBack(token string, back methods.Return, then func()) {
	c.send(func(ctx context.Context, inst *instance) {
		_, err := inst.gw.Return(ctx, token, back)
		c.judgeError("return", err)
		then()
	})
}

// forge brings a forged return to the return link.
func (c *clients) forge(token string) {
	fake := methods.Return{Method: "GET", Params: map[string][]string{"proof": {"forged"}}}
	c.send(func(ctx context.Context, inst *instance) { _, _ = inst.gw.Return(ctx, token, fake) })
}

func (c *clients) note(token string, note methods.Note) {
	c.send(func(ctx context.Context, inst *instance) {
		err := inst.gw.Notify(ctx, token, note)
		c.judgeError("notify", err)
	})
}

// judgeError checks that without faults no client gets an internal error (I4: repeated requests get a clear
// answer).
func (c *clients) judgeError(what string, err error) {
	if errors.Is(err, gateway.ErrKeyGone) || errors.Is(err, gateway.ErrSealBroken) {
		c.w.fail("K1: %s answers %v, though no key is gone", what, err)
	}
	if err == nil || !c.w.swarm.calm || c.w.ended() { // the end of a world stops requests under way
		return
	}
	var known *gateway.Error
	if !errors.As(err, &known) || known.Status() >= 500 {
		c.w.fail("I4: %s answers %v though nothing fails", what, err)
	}
}

// judgeTick checks that a tick fails only with its store.
func (c *clients) judgeTick(err error) {
	if err != nil && c.w.swarm.calm {
		c.w.fail("L2: a tick fails in a calm world: %v", err)
	}
}
