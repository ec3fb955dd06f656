package work_test

import (
	"context"
	"log/slog"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/internal/work"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/memory"
)

// counter is a kind with items of its own. It notes how it is asked.
type counter struct {
	mu        sync.Mutex
	own, rest []func(context.Context)
	asked     []string
	until     []time.Time
	takes     time.Duration // how long a claim of own items takes
	ended     bool          // items queue no more
}

func (c *counter) from(what string, items *[]func(context.Context), limit int) ([]func(context.Context), error) {
	if what == "own" {
		var takes time.Duration
		c.set(func() { takes = c.takes })
		time.Sleep(takes) // not under the lock, for which no clock waits
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	n := min(limit, len(*items), 1)
	taken := (*items)[:n]
	*items = (*items)[n:]
	if n > 0 || what == "rest" {
		c.asked = append(c.asked, what)
	}
	return taken, nil
}

func (c *counter) kind() work.Kind {
	rest := func(what string) func(context.Context, int, time.Time) ([]func(context.Context), error) {
		return func(_ context.Context, limit int, until time.Time) ([]func(context.Context), error) {
			if what == "rest" {
				c.set(func() { c.until = append(c.until, until) })
			}
			return c.from(what, &c.rest, limit)
		}
	}
	own := func(_ context.Context, limit int) ([]func(context.Context), error) {
		return c.from("own", &c.own, limit)
	}
	return work.Kind{Work: store.WorkCallback, Batch: 1, Workers: 8, Next: at(time.Unix(0, 0)), More: rest("more"),
		Own: &work.Own{Claim: own, Rest: rest("rest")}}
}

// set changes a counter that is in use.
func (c *counter) set(change func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	change()
}

// since returns how the kind was asked since the last call.
func (c *counter) since() (asked []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	asked, c.asked = c.asked, nil
	return asked
}

// runs runs a counter until the test ends.
func runs(t *testing.T) (*work.Runner, *counter) {
	t.Helper()
	c := &counter{}
	r := &work.Runner{Store: memory.New(), Now: time.Now, Log: slog.New(slog.DiscardHandler), Gate: openGate{}}
	r.Add(c.kind())
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- r.Run(ctx) }()
	t.Cleanup(func() {
		stop()
		require.NoError(t, <-ended)
	})
	synctest.Wait()
	require.Equal(t, []string{"rest"}, c.since(), "the first look takes what an earlier run has left")
	return r, c
}

// ends is an item that ends at once.
func ends(context.Context) {}

// A runner runs until the last Run has ended.
func TestRunning(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r := &work.Runner{Store: memory.New(), Now: time.Now, Log: slog.New(slog.DiscardHandler), Gate: openGate{}}
		r.Add((&counter{}).kind())
		require.False(t, r.Running())
		for range 2 {
			ctx, stop := context.WithCancel(t.Context())
			also, end := context.WithCancel(t.Context())
			ended := make(chan error)
			go func() { ended <- r.Run(ctx) }()
			go func() { ended <- r.Run(also) }()
			synctest.Wait()
			require.True(t, r.Running())
			stop()
			require.NoError(t, <-ended)
			require.True(t, r.Running(), "the other one does")
			end()
			require.NoError(t, <-ended)
			require.False(t, r.Running())
		}
	})
}

// What a gateway has queued itself is taken by its key, and the queue is left alone.
func TestOwnItemsAreTakenByKey(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r, c := runs(t)
		for range 3 {
			c.set(func() { c.own = append(c.own, ends) })
			r.Queued(store.WorkCallback)
			synctest.Wait()
			require.Equal(t, []string{"own"}, c.since())
		}
	})
}

// The queue is looked at twice a second. A look takes what was due already at the one before.
func TestLooksNowAndThen(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		_, c := runs(t)
		began := time.Now()
		time.Sleep(time.Second)
		synctest.Wait()
		require.Equal(t, []string{"rest", "rest"}, c.since())
		require.Equal(t, []time.Time{{}, began, began.Add(time.Second / 2)}, c.until)
	})
}

// After a nudge the whole queue is looked at, at once.
func TestNudgeLooks(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r, c := runs(t)
		time.Sleep(3 * time.Second / 4)
		c.since()
		c.set(func() { c.rest, c.until = append(c.rest, ends), nil })
		r.Nudge(store.WorkCallback)
		synctest.Wait()
		require.Equal(t, "rest", c.since()[0])
		require.Zero(t, c.until[0])
		require.Empty(t, c.rest)
	})
}

// A nudge counts until the queue was looked at, also when the time of another look comes in between.
func TestNudgeOutlivesATick(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r, c := runs(t)
		for round := range 6 { // own items have their turn first, or not
			for range round {
				c.set(func() { c.own = []func(context.Context){ends} })
				r.Queued(store.WorkCallback)
				synctest.Wait()
			}
			c.set(func() { c.own, c.until, c.takes = []func(context.Context){ends}, nil, 2*time.Second })
			r.Nudge(store.WorkCallback)
			time.Sleep(9 * time.Second)
			synctest.Wait()
			c.set(func() { require.Zero(t, c.until[0], round) })
			c.set(func() { c.takes = 0 })
			time.Sleep(9 * time.Second)
			synctest.Wait()
		}
	})
}

// A look goes on until it finds nothing, in turn with own items: neither waits for the other.
func TestLooksGoOn(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r, c := runs(t)
		c.set(func() {
			c.rest, c.own = []func(context.Context){ends, ends, ends}, []func(context.Context){ends, ends, ends}
		})
		r.Nudge(store.WorkCallback)
		synctest.Wait()
		asked := c.since()
		require.Len(t, c.rest, 0)
		require.Len(t, c.own, 0)
		for i := range 5 {
			require.NotEqual(t, asked[i] == "own", asked[i+1] == "own", asked)
		}
		require.Contains(t, asked, "more")
		require.Equal(t, "rest", asked[len(asked)-1], "the end is looked for in the whole queue")
	})
}

// An item of a look that ends has the look go on: its party may have had its share of the workers.
func TestLookGoesOnAfterItsItems(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r, c := runs(t)
		end := make(chan struct{})
		c.set(func() { c.rest = append(c.rest, func(context.Context) { <-end }) })
		r.Nudge(store.WorkCallback)
		synctest.Wait()
		c.since()
		c.set(func() { c.rest = append(c.rest, ends) })
		close(end)
		synctest.Wait()
		require.Empty(t, c.rest, "no time has passed")
		require.Equal(t, "more", c.since()[0])
	})
}

// An own item that ends has own items claimed, and the queue left alone.
func TestOwnItemThatEndsLooksNowhere(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		r, c := runs(t)
		end := make(chan struct{})
		c.set(func() { c.own = append(c.own, func(context.Context) { <-end }) })
		r.Queued(store.WorkCallback)
		synctest.Wait()
		c.set(func() { c.own, c.rest = append(c.own, ends), append(c.rest, ends) })
		close(end)
		synctest.Wait()
		require.Equal(t, []string{"own", "own"}, c.since())
		require.Len(t, c.rest, 1)
	})
}

// A gateway that always has own items, or always finds something, begins to look into the whole queue as often as
// another one.
func TestLooksWhileThereIsMore(t *testing.T) {
	t.Parallel()
	for name, items := range map[string]func(c *counter) *[]func(context.Context){
		"own items": func(c *counter) *[]func(context.Context) { return &c.own },
		"a queue":   func(c *counter) *[]func(context.Context) { return &c.rest },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				r, c := runs(t)
				for range 8 {
					*items(c) = append(*items(c), c.goesOn(items(c)))
				}
				r.Nudge(store.WorkCallback)
				synctest.Wait()
				time.Sleep(2*time.Second + 20*time.Millisecond)
				synctest.Wait()
				seen := map[time.Time]bool{}
				c.mu.Lock()
				defer c.mu.Unlock()
				for _, until := range c.until {
					seen[until] = true
				}
				delete(seen, time.Time{})
				require.Len(t, seen, 4)
				*items(c), c.ended = nil, true
			})
		})
	}
}

// goesOn is an item that takes a while and is followed by another.
func (c *counter) goesOn(items *[]func(context.Context)) func(context.Context) {
	n := 0
	return func(context.Context) {
		n++
		time.Sleep(7*time.Millisecond + time.Duration(n)*time.Microsecond)
		c.mu.Lock()
		defer c.mu.Unlock()
		if !c.ended {
			*items = append(*items, c.goesOn(items))
		}
	}
}
