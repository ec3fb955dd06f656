package sim

import (
	"math/rand/v2"
	"time"

	"github.com/tollgatepay/gateway/callback"
	"github.com/tollgatepay/gateway/methods"
)

// swarm is everything a seed draws before its world begins: a third of the odds are zero, so that worlds differ in
// kind and not only in luck (reliability.md, 3.5).
type swarm struct {
	odds      [lastFault]float64
	instances int
	policy    policy
	burst     bool // requests come in groups at one instant
	hot       bool // most requests are about one payment
	calm      bool // there are no faults
	halting   bool // instances are paused for minutes, again and again
	skew      time.Duration
	oneClock  bool    // instances take the clock of the store, which each of them knows within the skew
	stale     float64 // odds that the store runs a function over what it remembers first
	start     time.Time
	gap       time.Duration // between two groups of requests, on average
	period    time.Duration // of the workers
	workers   int           // per instance
	batch     int           // of one Tick
	lazy      bool          // idle workers sleep for long
	retry     callback.Schedule
	can       [connectors]capability
	decline   float64
	soft      float64
	pending   float64
	away      float64
	cascade   bool
	kept      bool // partial_refund_status: settled
	sha256    bool
	zone      string
	dayEnd    string
	mix       [lastAction]float64
	back      homecoming
}

// homecoming is how acquirers of a world take the returns of payers.
type homecoming struct {
	away     float64 // odds that a payer is sent away, if they are better than those of the swarm
	steps    float64 // odds that a return leads to another page
	later    float64 // odds that the acquirer decides later
	shows    float64 // odds that an acquirer that is asked tells where the payer has to go
	punctual bool    // a connector does not send a return after the deadline of its call
	bare     bool    // answers carry no Continuation, so there is one step
}

// capability is what an acquirer of a world can do.
type capability struct {
	methods.Capabilities
	find bool
	// slack is how late an effect may be if no lateness is declared.
	slack time.Duration
	// strict: it declines a return after another one was completed, whatever became of that.
	strict bool
}

const connectors = 2

// odds are the upper limits of the odds, per opportunity.
var odds = [lastFault]float64{
	storeError: 0.03, storeReadError: 0.02, storeAbort: 0.15, storeLost: 0.04, storeUnsaid: 0.05, storeSlow: 0.04,
	storePause:  0.004,
	callRefused: 0.1, callRefusedAgain: 0.9, callLost: 0.12, callUnheard: 0.15, callLate: 0.1, callHangs: 0.06,
	callError: 0.08, callErrorDone: 0.1,
	callPanic: 0.03, callPanicDone: 0.04, callWrong: 0.05, callDuplicate: 0.08, findError: 0.2, findPanic: 0.05,
	findSlow:  0.06,
	findStale: 0.15, findForgets: 0.8, completeError: 0.15, noteForged: 0.4, noteStale: 0.3, noteTwice: 0.4,
	noteEarly: 0.3, noteNobody: 0.1, noteBreach: 0.2,
	payerGone: 0.2, payerLate: 0.2, payerTwice: 0.3, payerForged: 0.2, merchantRefuse: 0.2, merchantNoOK: 0.1,
	merchantLost:   0.15,
	merchantSilent: 0.15, merchantSlow: 0.2, crash: 0.004, hangUp: 0.1, keysFail: 0.02, noRandom: 0.004, clockSkew: 0.5,
	payerOther: 0.8, completeRefused: 0.2, completeLost: 0.2, completeLate: 0.15, findLate: 0.2,
}

// swarmOf is what a seed draws for its world.
func swarmOf(seed uint64, rng *rand.Rand) swarm {
	s := drawSwarm(rng)
	s.drawReturns(rand.New(rand.NewPCG(seed, 0x72657475726e7321)))
	s.drawRare(rand.New(rand.NewPCG(seed, 0x7261726521)))
	return s
}

// drawRare turns some worlds into ones of what hardly comes together otherwise. It has a stream of its own, too.
func (s *swarm) drawRare(rng *rand.Rand) {
	switch rng.IntN(16) {
	case 0:
		s.waitInLine()
	case 1:
		s.askAfterHalts()
	}
}

// waitInLine lets callbacks of all merchants wait while one is taken after the other.
func (s *swarm) waitInLine() {
	s.instances, s.batch, s.halting, s.hot = 1, 1, false, true
	s.gap, s.period = 5*time.Second, 20*time.Second
	s.odds[storePause] = 0
}

// askAfterHalts draws instances that stand still again and again, so that acquirers are asked late about calls that
// were never sent, and that others are asked about meanwhile.
func (s *swarm) askAfterHalts() {
	s.calm, s.halting, s.gap = false, true, 2*time.Minute
	s.odds[storePause], s.odds[storeSlow], s.odds[callRefused], s.odds[findForgets] = 0.1, 0.1, 0.3, 0
	for i := range s.can {
		can := &s.can[i]
		if can.find, can.IdempotentByKey = true, false; can.Lateness == 0 {
			can.Lateness, can.slack = 10*time.Second, 10*time.Second
		}
	}
	s.skew = min(s.skew, s.mostSkew())
}

// drawReturns draws what payers bring back. It has a stream of its own, so that a world without all this is as it was.
func (s *swarm) drawReturns(rng *rand.Rand) {
	s.back = homecoming{steps: thirdZero(rng) * 0.5, later: thirdZero(rng) * 0.5, shows: thirdZero(rng), punctual: true}
	for i := range s.can {
		s.can[i].strict = rng.IntN(2) == 0
	}
	if s.calm {
		return
	}
	for f := firstOfReturns; f < lastFault; f++ {
		if rng.IntN(3) > 0 {
			s.odds[f] = fraction(rng) * odds[f]
		}
	}
	if rng.IntN(4) == 0 {
		s.back.bare, s.back.steps = true, 0
	}
	if rng.IntN(6) == 0 { // a world of payers who are sent away and bring much, of which much is lost
		s.back.away, s.odds[payerOther], s.odds[findLate] = 0.8, 0.9, 0.3
		s.odds[[...]fault{completeLost, completeLate}[rng.IntN(2)]] = 0.4
	}
	if rng.IntN(12) == 0 { // a world of acquirers who lead payers on, of which much is told late
		s.lateSteps()
	}
}

// lateSteps draws acquirers that would act twice on a return. They lead many payers on, often answer late, and tell
// where the payer is when they are asked.
func (s *swarm) lateSteps() {
	s.back.steps, s.back.shows, s.back.away, s.back.bare = max(s.back.steps, 0.3), 0.6, 0.8, false
	s.odds[payerOther], s.odds[completeLate] = 0.9, 0.5
	for i := range s.can {
		s.can[i].strict, s.can[i].find, s.can[i].IdempotentByKey = true, true, false
	}
}

// returnPlainly lets every payer bring one return, by which the acquirer decides at once.
func (s *swarm) returnPlainly() {
	s.back = homecoming{}
	for i := range s.can {
		s.can[i].strict = false
	}
	for f := firstOfReturns; f < lastFault; f++ {
		s.odds[f] = 0
	}
}

func drawSwarm(rng *rand.Rand) (s swarm) {
	s.instances = 1 + rng.IntN(4)
	s.halting = rng.IntN(8) == 0
	s.policy = policy(rng.IntN(3))
	s.burst, s.hot, s.calm = rng.IntN(2) == 0, rng.IntN(3) == 0, rng.IntN(8) == 0
	for f := range firstOfReturns {
		if rng.IntN(3) > 0 && !s.calm {
			s.odds[f] = fraction(rng) * odds[f]
		}
	}
	if s.halting && !s.calm {
		s.odds[storePause], s.odds[storeSlow], s.odds[callRefused] = 0.02, 0.1, 0.3
	}
	s.gap = [...]time.Duration{200 * time.Millisecond, 5 * time.Second, 2 * time.Minute, time.Hour}[rng.IntN(4)]
	s.period = [...]time.Duration{50 * time.Millisecond, time.Second, 20 * time.Second}[rng.IntN(3)]
	s.workers, s.batch = 1+rng.IntN(2), [...]int{1, 2, 100}[rng.IntN(3)]
	s.lazy = rng.IntN(2) == 0
	s.retry = [...]callback.Schedule{nil, {5 * time.Second, time.Minute}, {},
		{time.Second, time.Second, time.Second, time.Minute, time.Hour}}[rng.IntN(4)]
	for i := range s.can {
		s.can[i] = drawCapability(rng)
	}
	if rng.IntN(3) > 0 {
		s.odds[clockSkew] = 0
	} else {
		s.skew = between(rng, time.Millisecond, [...]time.Duration{5 * time.Second, s.mostSkew()}[rng.IntN(2)])
	}
	s.decline, s.soft = fraction(rng)*0.4, thirdZero(rng)
	s.pending, s.away = thirdZero(rng)*0.3, thirdZero(rng)*0.4
	s.cascade, s.kept, s.sha256 = rng.IntN(3) == 0, rng.IntN(2) == 0, rng.IntN(3) == 0
	s.zone = [...]string{"", "Asia/Kolkata", "America/Phoenix", "America/New_York"}[rng.IntN(4)]
	s.dayEnd = [...]string{"", "18:30", "05:00"}[rng.IntN(3)]
	s.start = s.drawStart(rng)
	for a := range s.mix {
		s.mix[a] = thirdZero(rng)
	}
	s.mix[actSale] += 0.2 // something to act on
	return s
}

// drawStart is when a world begins: any time, or shortly before a financial day ends, or, for a world that lasts
// for days, before a month ends.
func (s *swarm) drawStart(rng *rand.Rand) time.Time {
	if s.gap == time.Hour && rng.IntN(2) == 0 {
		return time.Date(2027, 3, 31, 20+rng.IntN(4), rng.IntN(60), rng.IntN(60), rng.IntN(1e9), time.UTC)
	}
	start := time.Date(2027, 3, 1+rng.IntN(28), rng.IntN(24), rng.IntN(60), rng.IntN(60), rng.IntN(1e9), time.UTC)
	if rng.IntN(2) == 0 {
		start = s.calendar().close(start).Add(-between(rng, 0, 30*s.gap))
	}
	return start
}

// mostSkew is how far the clock of an instance may be off: five minutes, but not so far that what is late for one
// instance has not yet happened for another.
func (s *swarm) mostSkew() time.Duration {
	most := 5 * time.Minute
	for _, can := range s.can {
		if can.Lateness > 0 {
			most = min(most, can.Lateness/2)
		}
	}
	return most
}

// fraction is a random number from 0 to 1, used for odds and never for money.
func fraction(rng *rand.Rand) float64 { return float64(rng.Uint64()>>11) / (1 << 53) }

func thirdZero(rng *rand.Rand) float64 {
	if rng.IntN(3) == 0 {
		return 0
	}
	return fraction(rng)
}

func drawCapability(rng *rand.Rand) (c capability) {
	c.Holds = true
	c.IdempotentByKey, c.find = rng.IntN(2) == 0, rng.IntN(4) > 0
	c.ResendWithoutCode = rng.IntN(2) == 0
	if rng.IntN(3) > 0 {
		c.Lateness = [...]time.Duration{10 * time.Second, 3 * time.Minute, 2 * time.Hour}[rng.IntN(3)]
	}
	c.slack = between(rng, time.Second, 6*time.Hour)
	if c.Lateness > 0 {
		c.slack = c.Lateness
	}
	c.Timeout = [...]time.Duration{0, 4 * time.Second, 20 * time.Second, 70 * time.Second}[rng.IntN(4)]
	return c
}
