package sim

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store/memory"
)

// Config describes a world.
type Config struct {
	Seed uint64
	// Steps is how long the safety phase lasts at least. Zero: 2,000.
	Steps int
	// Defect is planted in the ports, to test the simulator itself.
	Defect Defect
	// Verbose keeps the trace.
	Verbose bool
	// Without names faults and other things (see cuts) that the world does without, even if the seed drew them.
	Without []string
}

// Report is the result of a world.
type Report struct {
	Seed       uint64
	Steps      int
	Digest     uint64
	Faults     [lastFault]int
	Actions    [lastAction]int
	Payments   int
	Deliveries int
	Virtual    time.Duration
	Violations []string
	Trace      []string
}

// World is one run of one seed.
type World struct {
	cfg    Config
	defect Defect
	rng    *rand.Rand
	swarm  swarm

	mu      sync.Mutex // guards waiting, dead and the random source for goroutines that wake by a timer
	waiting []*waiter
	ready   []int
	stir    chan struct{}
	live    atomic.Int64
	procs   int
	steps   int
	jumps   int
	sum     uint64

	faulty    bool
	verbose   bool
	lines     []string
	faults    [lastFault]int
	actions   [lastAction]int
	violation []string
	over      bool

	mem       *memory.Store
	keys      *keys
	instances []*instance
	acquirer  *acquirer
	merchant  *merchant
	auditor   *auditor
	clients   *clients
	ids       int
	previous  map[string][]byte // what the last commit replaced, for those who read what was there
	stopped   time.Time         // when faults stopped; zero before
}

// instance is one process of the gateway, from its start to its death.
type instance struct {
	w       *World
	n       int
	dead    bool
	skew    time.Duration
	clock   *storeClock // of a world whose store has one; nil in others
	gw      *gateway.Gateway
	cancels []context.CancelFunc
	workers []*proc
}

// Run runs a world from its beginning to its end.
func Run(t *testing.T, cfg Config) (report Report) {
	t.Helper()
	if cfg.Steps == 0 {
		cfg.Steps = 2000
	}
	synctest.Test(t, func(*testing.T) {
		w := newWorld(cfg)
		w.run()
		report = w.report()
	})
	return report
}

// random is the source of everything a seed decides.
func random(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0x746f6c6c67617465)) }

func newWorld(cfg Config) *World {
	rng := random(cfg.Seed)
	w := &World{cfg: cfg, defect: cfg.Defect, rng: rng, swarm: swarmOf(cfg.Seed, rng), stir: make(chan struct{}, 1),
		sum: 14695981039346656037, verbose: cfg.Verbose, mem: memory.New()}
	w.swarm.without(cfg.Without)
	w.keys = &keys{w: w, wrapped: map[string][]byte{}}
	w.acquirer = newAcquirer(w)
	w.merchant = newMerchant(w)
	w.auditor = newAuditor(w)
	w.clients = newClients(w)
	return w
}

func (w *World) run() {
	begun := time.Now()
	for n := range w.swarm.instances {
		w.instances = append(w.instances, nil)
		w.boot(n)
	}
	w.setUp()
	w.safety()
	if len(w.violation) == 0 {
		w.liveness()
	}
	w.shutDown()
	w.digest(uint64(time.Since(begun)))
}

// setUp stores the configuration of the merchants, without faults.
func (w *World) setUp() {
	w.spawn(w.instances[0], 0, func(ctx context.Context) { w.clients.configure(ctx) })
	for w.live.Load() > 0 && w.advance(time.Now().Add(time.Hour)) {
	}
	for _, inst := range w.instances {
		w.employ(inst)
	}
}

// safety is the phase in which faults happen.
func (w *World) safety() {
	w.faulty = true
	w.spawn(nil, 0, w.clients.run)
	for w.steps < w.cfg.Steps && len(w.violation) == 0 {
		if !w.advance(time.Now().Add(24 * time.Hour)) {
			w.fail("the world stands still")
		}
		if len(w.instances) > 0 && w.chance(crash) {
			w.restart(w.rng.IntN(len(w.instances)))
		}
	}
	w.faulty = false
	w.stopped = time.Now()
}

// boot starts an instance over the current store.
func (w *World) boot(n int) {
	inst := &instance{w: w, n: n}
	if odds := w.swarm.odds[clockSkew]; odds > 0 && w.stopped.IsZero() && fraction(w.rng) < odds {
		w.count(clockSkew)
		inst.skew = between(w.rng, -w.swarm.skew, w.swarm.skew)
	}
	if w.defect == clockLags && n == len(w.instances)-1 {
		inst.skew = -time.Hour
	}
	now := inst.now
	if w.swarm.oneClock {
		inst.clock = newStoreClock(random(w.rng.Uint64()), w.now, w.fail)
		now = nil // the gateway takes that of the store
	}
	gw, err := gateway.New(gateway.Config{
		Store: &faultyStore{w: w, inst: inst}, Keys: w.keys,
		Connectors: map[string]methods.Connector{"c0": w.acquirer.connector(0), "c1": w.acquirer.connector(1)},
		PublicURL:  "https://pay.example", Notifier: w.merchant, Retry: w.swarm.retry,
		Now: now, NewID: w.newID, Random: source{w},
		Log: w.logger(),
	})
	if err != nil {
		panic(err)
	}
	inst.gw = gw
	w.instances[n] = inst
}

// restart kills an instance wherever its goroutines are, and boots it again after a while.
func (w *World) restart(n int) {
	inst := w.instances[n]
	if inst.dead {
		return
	}
	w.kill(inst)
	down := between(w.rng, time.Millisecond, 10*time.Second)
	if w.rng.IntN(8) == 0 {
		down = between(w.rng, time.Minute, time.Hour)
	}
	w.spawn(nil, down, func(context.Context) { w.revive(n) })
}

func (w *World) revive(n int) {
	if w.instances[n].dead {
		w.boot(n)
		w.employ(w.instances[n])
	}
}

// employ starts the workers of an instance: what Run does in production, one after another.
func (w *World) employ(inst *instance) {
	for range w.swarm.workers {
		w.spawn(inst, time.Duration(w.rng.Int64N(int64(w.swarm.period))), func(ctx context.Context) {
			worker := procOf(ctx)
			inst.workers = append(inst.workers, worker)
			for w.stopped.IsZero() {
				_, next, err := inst.gw.Tick(ctx, w.swarm.batch)
				worker.paused = false
				w.clients.judgeTick(err)
				w.pause(ctx, atSleep, w.nap(next))
			}
		})
	}
}

// nap is how long a worker sleeps: its period, or longer when nothing is due and there are no faults.
func (w *World) nap(next time.Time) time.Duration {
	nap := w.swarm.period/2 + time.Duration(w.rng.Int64N(int64(w.swarm.period)))
	if !next.IsZero() && next.Sub(w.now()) <= nap {
		return nap
	}
	idle := min(w.swarm.gap, time.Minute)
	if w.swarm.lazy {
		if idle = w.swarm.gap; !next.IsZero() {
			idle = min(idle, next.Sub(w.now()))
		}
	}
	return max(nap, idle)
}

// alive is one of the running instances; nil if there is none.
func (w *World) alive() *instance {
	first := w.rng.IntN(len(w.instances))
	for i := range w.instances {
		if inst := w.instances[(first+i)%len(w.instances)]; !inst.dead {
			return inst
		}
	}
	return nil
}

// shutDown ends all remaining goroutines, so that the bubble can end.
func (w *World) shutDown() {
	for _, inst := range w.instances {
		for _, cancel := range inst.cancels {
			cancel()
		}
		w.kill(inst)
	}
	w.mu.Lock()
	w.over = true
	rest := w.waiting
	w.waiting = nil
	w.mu.Unlock()
	for _, other := range rest {
		other.wake <- false
		settle()
	}
	time.Sleep(time.Hour) // longer than any timer of the kernel
}

// ended reports a world that is over.
func (w *World) ended() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.over
}

// now is the world's own clock: virtual time, moved to where the seed begins.
func (w *World) now() time.Time { return w.swarm.start.Add(time.Since(epoch)) }

// epoch is when every bubble of testing/synctest begins.
var epoch = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// now is the clock of an instance.
func (i *instance) now() time.Time {
	if i.clock != nil {
		return i.clock.now()
	}
	return i.w.now().Add(i.skew)
}

// newID returns increasing ids.
func (w *World) newID() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.ids++; w.defect == idsRepeat && w.ids%5 == 0 {
		return fmt.Sprintf("%08d-5eed-7000-8000-%012d", w.ids-2, w.cfg.Seed%1e12)
	}
	return fmt.Sprintf("%08d-5eed-7000-8000-%012d", w.ids, w.cfg.Seed%1e12)
}

func (w *World) fail(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	w.log("VIOLATION: %s", text)
	if len(w.violation) < 20 {
		w.violation = append(w.violation, text)
	}
}

func (w *World) log(format string, args ...any) {
	if w.verbose {
		w.lines = append(w.lines, fmt.Sprintf("%6d ", w.steps)+fmt.Sprintf(format, args...))
	}
}

func (w *World) report() Report {
	return Report{Seed: w.cfg.Seed, Steps: w.steps, Digest: w.sum, Faults: w.faults, Actions: w.actions,
		Payments: len(w.auditor.payments), Deliveries: w.merchant.deliveries, Virtual: time.Since(epoch),
		Violations: w.violation, Trace: w.lines}
}
