package faults_test

import (
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/store"
)

type portModes struct {
	port  string
	modes []string
}

// sabotage lists every way that a call of a port may fail. The first of each port is the plain one: an error
// without an effect.
var sabotage = []portModes{
	{"store", []string{"before", "lost", "unknown", "again", "crash before", "crash after"}},
	{"view", []string{"before", "after", "again", "crash before"}},
	{"record", []string{"before"}}, // one read or write within a transaction
	{"connector", []string{"before", "not sent", "after", "garbled", "panic", "panic after", "crash before",
		"crash after"}},
	{"notifier", []string{"refused", "timeout", "after", "refused after", "crash before", "crash after"}},
	{"random", []string{"before", "short", "piecemeal", "crash before"}},
	{"keys", []string{"before", "gone", "after", "crash before"}},
}

// ports are those that fail: all, or those that TOLLGATE_FAULT_PORTS lists.
func ports() []portModes {
	chosen := strings.Fields(os.Getenv("TOLLGATE_FAULT_PORTS"))
	return slices.DeleteFunc(slices.Clone(sabotage), func(p portModes) bool {
		return len(chosen) > 0 && !slices.Contains(chosen, p.port)
	})
}

// number reads a number from the environment; 1 without one.
func number(name string) int {
	if n, err := strconv.Atoi(os.Getenv(name)); err == nil && n > 0 {
		return n
	}
	return 1
}

// strideOf is how many calls lie between two faults: one if every call has to fail, as for the plain kind of each
// port, and for every kind with TOLLGATE_FAULTS=all. Where the store is slow, TOLLGATE_FAULT_STRIDE is that of the
// plain kind, and TOLLGATE_FAULT_SCENARIOS=4 plays every fourth scenario.
func strideOf(port string, kind int) int {
	switch {
	case os.Getenv("TOLLGATE_FAULTS") == "all":
		return 1
	case port == "record":
		return 211
	case kind == 0:
		return number("TOLLGATE_FAULT_STRIDE")
	case port == "view":
		return 41
	default:
		return 19
	}
}

// firstOf returns the first call to fail, and how many lie between two. If a port has fewer calls than that, one of
// them fails.
func firstOf(port string, kind, calls, scenario int) (first, stride int) {
	stride = strideOf(port, kind)
	if kind > 0 && calls > 0 && calls < stride {
		return 1 + (scenario+kind)%calls, stride
	}
	return 1 + (scenario+kind)%stride, stride
}

// L4: after any single fault, of any port, at any call, another gateway continues with what is stored: nothing
// is lost, nothing happens twice, and every outcome is reported to the merchant. The loop ends when no fault
// fires. A plain error is tried at every call of every port; other kinds, and single reads and writes within
// transactions, at some calls, which differ between scenarios. To try all of them at every call:
//
//	TOLLGATE_FAULTS=all go test -run TestEveryFault -timeout 30m -v ./internal/faults
func TestEveryFault(t *testing.T) {
	t.Parallel()
	all := everyScenario(t)
	count := &faultCount{fired: map[string]int{}}
	t.Cleanup(func() { count.judge(t, len(all)) })
	for i, sc := range all {
		if i%number("TOLLGATE_FAULT_SCENARIOS") > 0 {
			count.played()
			continue
		}
		t.Run(sc.name, func(t *testing.T) {
			t.Parallel()
			s := newFaultStage(t, &sc)
			for _, port := range ports() {
				calls := 0 // of this port, as its plain kind counts them
				for kind, mode := range port.modes {
					first, stride := firstOf(port.port, kind, calls, i)
					t.Run(port.port+", "+mode, func(t *testing.T) {
						fired := s.faultEverywhere(t, &sc, port.port, mode, first, stride)
						if count.add(port.port+", "+mode, fired); kind == 0 {
							calls = fired
						}
						always := port.port == "store" || port.port == "view"
						require.False(t, fired == 0 && kind == 0 && always, "no fault ever fired")
					})
				}
			}
			count.played()
		})
	}
}

// faultCount is the result of all scenarios.
type faultCount struct {
	mu        sync.Mutex
	scenarios int
	plays     int
	fired     map[string]int // by port and kind
}

func (c *faultCount) add(kind string, fired int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.fired[kind] += fired
	c.plays += fired + 1
}

func (c *faultCount) played() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.scenarios++
}

// judge prints the figures, and requires that every port failed in every way, unless -run selected some scenarios.
func (c *faultCount) judge(t *testing.T, scenarios int) {
	if t.Failed() || c.scenarios < scenarios {
		return
	}
	require.GreaterOrEqual(t, scenarios, 32)
	kinds, fired := 0, 0
	for _, port := range ports() {
		for _, mode := range port.modes {
			n := c.fired[port.port+", "+mode]
			require.NotZero(t, n, "%s, %s never befell", port.port, mode)
			kinds, fired = kinds+1, fired+n
		}
	}
	t.Logf("faults: scenarios=%d ports=%d kinds=%d plays=%d fired=%d", scenarios, len(ports()), kinds, c.plays, fired)
}

// faultEverywhere makes one call of a port after another fail, from the first one in strides, until there is none
// left. It returns how many there were.
func (s *faultStage) faultEverywhere(t *testing.T, sc *scenario, port, mode string, first, stride int) (fired int) {
	t.Helper()
	for n := first; ; n += stride {
		require.Less(t, n, 5000)
		if !s.faulted(t, sc, &kerneltest.Fault{Port: port, Mode: mode, N: n}) {
			return fired
		}
		fired++
	}
}

// faulted plays a scenario with one fault, recovers, and judges. It reports whether the fault fired.
func (s *faultStage) faulted(t *testing.T, sc *scenario, by *kerneltest.Fault) bool {
	t.Helper()
	during := &fleeting{TB: t}
	defer during.end()
	defer func() {
		if t.Failed() {
			t.Logf("the fault: %s, %s at call %d", by.Port, by.Mode, by.N)
		}
	}()
	kit := s.clear(during)
	broken := kit.Twin(during, func(c *gateway.Config) {
		c.Store = kerneltest.Faulty(s.seen(), by)
		c.Connectors["vcard"] = faultyAcquirer{kit.Vcard, by}
		c.Notifier = kerneltest.FaultyNotifier{Notifier: s.merchant, By: by}
		c.Random = faultyRandom{by}
		c.Keys = faultyKeys{c.Keys, by}
	})
	by.Armed = true
	p := &play{t: t, kit: broken, by: by}
	sc.play(p)
	kit.Advance(t, 3*24*time.Hour)
	resumeAside(t, kit)
	runAgain(t, kit)
	if sc.heal != nil {
		sc.heal(t, kit)
	}
	s.judged(t, sc, p, kit)
	return by.Fired
}

// judged checks the invariants after a play.
func (s *faultStage) judged(t *testing.T, sc *scenario, p *play, kit *gatewaytest.Kit) {
	t.Helper()
	b := kerneltest.Quiet(t, kit)
	b.AuditSchedules(t, sc.off)
	require.Empty(t, s.judge.faults())
	for _, ack := range p.acks {
		tr, ok := b.Transactions[ack.Transaction.ID]
		require.True(t, ok, "D1: an answered transaction is gone")
		if ack.Transaction.Outcome.Final() {
			require.Equal(t, ack.Transaction.Outcome, tr.Outcome, "D1")
		}
	}
	if sc.after != nil {
		sc.after(t, kit, b)
	}
	if !p.by.Fired && sc.ends != nil {
		require.ElementsMatch(t, sc.ends, b.Ends(), "without a fault")
	}
}

// runAgain resumes every paused schedule, and waits.
func runAgain(t *testing.T, kit *gatewaytest.Kit) {
	t.Helper()
	var paused []string
	require.NoError(t, kit.Store.View(t.Context(), func(r store.Reader) error {
		paused = nil
		for s, err := range schedulesTable.Scan(r, kerneltest.Everything) {
			require.NoError(t, err)
			if s.Paused {
				paused = append(paused, s.ID)
			}
		}
		return nil
	}))
	if len(paused) == 0 {
		return
	}
	for _, id := range paused {
		require.NoError(t, kit.Shop().RunSchedule(t.Context(), id))
	}
	kit.Advance(t, 7*24*time.Hour)
}

// resumeAside resumes what was set aside, as a person does once a missing key is back.
func resumeAside(t *testing.T, kit *gatewaytest.Kit) {
	t.Helper()
	list, err := kit.Operator().SetAside(t.Context(), kerneltest.Everything)
	require.NoError(t, err)
	for _, a := range list {
		require.NoError(t, kit.Operator().Resume(t.Context(), a.Work, a.ID))
	}
	if len(list) > 0 {
		kit.Advance(t, 3*24*time.Hour)
	}
}

var schedulesTable = store.Table[store.Schedule]{Prefix: "sc", Version: 1}
