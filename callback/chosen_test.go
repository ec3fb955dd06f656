package callback_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/callback"
	"github.com/tollgatepay/gateway/store"
)

// choose chooses from the queue, as a desk does beside others.
func (o outbox) choose(at, until time.Time, limit int) (chosen *callback.Chosen) {
	o.Helper()
	require.NoError(o, o.store.View(context.Background(), func(r store.Reader) (err error) {
		chosen, err = o.desk.Choose(r, at, until, limit)
		return err
	}))
	return chosen
}

// queue2 queues a second callback of the shop's payment.
func (o outbox) queue2(url string) {
	o.Helper()
	o.update(func(tx store.Tx) error {
		return callback.Queue(tx, store.CallbackRecord{Callback: store.Callback{PaymentID: "p", MerchantID: "shop", Number: 2,
			URL: url, Body: "a=b", CreatedAt: morning}})
	})
}

// claimChosen returns the ids that it claims, whose deliveries are under way until Done.
func (o outbox) claimChosen(chosen *callback.Chosen, at time.Time) (ids []string) {
	o.Helper()
	var claimed *callback.Claimed
	require.NoError(o, store.Optimistic(context.Background(), o.store, func(tx store.Tx) (err error) {
		claimed, err = o.desk.ClaimChosen(tx, at, chosen)
		return err
	}))
	o.desk.Took(claimed)
	for i := range claimed.Callbacks {
		ids = append(ids, claimed.Callbacks[i].ID)
	}
	return ids
}

// A callback that was queued here is claimed by its key while it is due in the queue.
func TestNotedCallback(t *testing.T) {
	t.Parallel()
	const url = "https://shop.example/"
	timeouts := func(o outbox, merchant, url string, n int) {
		for i := range n {
			id := fmt.Sprint("t", url, i)
			o.queueOf(merchant, id, url, morning)
			o.finish(store.CallbackID(id, 1), 0, callback.Receipt{Verdict: callback.TimedOut}, nil, morning)
		}
	}
	for _, c := range []struct {
		name  string
		begin func(o outbox)
		id    string
		after time.Duration
		want  bool
	}{
		{"as it was queued", func(outbox) {}, "p.0001", 0, true},
		{"some time later", func(outbox) {}, "p.0001", time.Hour, true},
		{"before its time, by another clock", func(outbox) {}, "p.0001", -time.Second, false},
		{"one that never was", func(outbox) {}, "q.0001", 0, false},
		{"one that waits for the one before", func(o outbox) { o.queue2(url) }, "p.0002", 0, false},
		{"one whose one before was tried", func(o outbox) {
			o.queue2(url)
			require.Equal(o, []string{"p.0001"}, o.claim(morning))
			o.finish("p.0001", 1, callback.Receipt{Verdict: callback.Accepted}, nil, morning)
		}, "p.0002", 0, true},
		{"claimed meanwhile", func(o outbox) { require.Len(o, o.claim(morning), 1) }, "p.0001", 0, false},
		{"claimed meanwhile, and its lease is over", func(o outbox) { require.Len(o, o.claim(morning), 1) }, "p.0001",
			2 * callback.Lease, false},
		{"delivered meanwhile", func(o outbox) {
			require.Len(o, o.claim(morning), 1)
			o.finish("p.0001", 1, callback.Receipt{Verdict: callback.Accepted}, nil, morning)
		}, "p.0001", 0, false},
		{"its URL is blocked", func(o outbox) { timeouts(o, "other", url, 5) }, "p.0001", 0, false},
		{"its merchant is blocked", func(o outbox) {
			for i := range 4 {
				timeouts(o, "shop", fmt.Sprintf("https://h%d.example/", i), 5)
			}
		}, "p.0001", 0, false},
		{"the block is over", func(o outbox) { timeouts(o, "other", url, 5) }, "p.0001", time.Hour, true},
		{"damaged", func(o outbox) {
			o.update(func(tx store.Tx) error { return tx.Put(store.Key("cb", "p.0001"), []byte("{")) })
		}, "p.0001", 0, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			o := newOutbox(t)
			o.queueOf("shop", "p", url, morning)
			c.begin(o)
			o.desk.Note(callback.Noted{At: morning, ID: c.id, MerchantID: "shop", URL: url})
			noted, at := o.desk.Noted(morning, 9), morning.Add(c.after)
			require.False(t, noted.Empty())
			require.True(t, o.desk.Noted(morning, 9).Empty(), "it is forgotten")
			var want []string
			if c.want {
				want = []string{c.id}
			}
			require.Equal(t, want, o.claimChosen(noted, at))
			if c.want {
				list := o.of("p", 2)
				of := list[len(list)-1]
				require.Equal(t, 1, of.Tries)
				require.Equal(t, at.Add(callback.Lease), of.Due)
				require.NotContains(t, o.claim(at), c.id)
				require.Contains(t, o.claim(at.Add(callback.Lease)), c.id, "the lease ends as that of any claim")
			}
		})
	}
}

// noteAll notes n callbacks of a merchant that are in the queue.
func (o outbox) noteAll(merchant, url string, n int) {
	o.Helper()
	id := func(n int) string { return fmt.Sprintf("%s-%06d", merchant, n) }
	o.update(func(tx store.Tx) error {
		for i := range n {
			err := callback.Queue(tx, store.CallbackRecord{Callback: store.Callback{PaymentID: id(i), MerchantID: merchant,
				Number: 1, URL: url, Body: "a=b", CreatedAt: morning}})
			if err != nil {
				return err
			}
			o.desk.Note(callback.Noted{At: morning, ID: store.CallbackID(id(i), 1), MerchantID: merchant, URL: url})
		}
		return nil
	})
}

// remembered returns how many callbacks a desk gives out by their keys, when each delivery ends at once.
func (o outbox) remembered() (n int) {
	o.Helper()
	for chosen := o.desk.Noted(morning, 64); !chosen.Empty(); chosen = o.desk.Noted(morning, 64) {
		for _, id := range o.claimChosen(chosen, morning) {
			n++
			payment, _ := store.SplitCallbackID(id)
			o.desk.Done(&o.of(payment, 1)[0])
		}
	}
	return n
}

// A desk remembers so many callbacks of one merchant, and so many in all, and has room again when it has given them
// out. The others stay in the queue.
func TestNotedIsBounded(t *testing.T) {
	t.Parallel()
	o := newOutbox(t)
	for _, merchant := range []string{"a", "b"} {
		o.noteAll(merchant, "https://shop.example/", 1100)
		require.Equal(t, 1024, o.remembered())
		require.Len(t, o.claim(morning), 76)
	}
	others := func(merchants, each int) { // which are not in the queue
		for i := range merchants {
			for n := range each {
				merchant := fmt.Sprint(each, "-", i)
				o.desk.Note(callback.Noted{At: morning, ID: fmt.Sprint(n), MerchantID: merchant, URL: "https://shop.example/"})
			}
		}
	}
	others(16, 1024)
	o.noteAll("late", "https://shop.example/", 2)
	require.Equal(t, 1, o.remembered(), "a merchant of whom nothing is remembered may bring one")
	require.Len(t, o.claim(morning), 1)
	others(16, 1024)
	others(16*1024, 1)
	o.noteAll("last", "https://shop.example/", 1)
	require.Zero(t, o.remembered(), "the desk was full")
	o.noteAll("again", "https://shop.example/", 1)
	require.Equal(t, 1, o.remembered())
}

// Noted callbacks of one merchant go in the order in which they were noted, in turn with those of others, and as many
// at a time as are asked for.
func TestNotedTurns(t *testing.T) {
	t.Parallel()
	o := newOutbox(t)
	o.noteAll("a", "https://a.example/", 4)
	o.noteAll("b", "https://b.example/", 2)
	o.noteAll("c", "https://c.example/", 1)
	var got [][]string
	for _, limit := range []int{4, 0, 2, 9, 9} {
		got = append(got, o.claimChosen(o.desk.Noted(morning, limit), morning))
	}
	require.Equal(t, [][]string{
		{"a-000000.0001", "b-000000.0001", "c-000000.0001", "a-000001.0001"}, nil, {"b-000001.0001", "a-000002.0001"},
		{"a-000003.0001"}, nil,
	}, got)
}

// A merchant or host with its share of the workers waits, whatever was noted of it. Others do not wait for it.
func TestNotedShares(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		flood
		share int
	}{
		{flood{"one merchant", 60, one("evil"), each("https://h%d.example/", 60), 0}, 16},
		{flood{"one host", 60, each("m%d", 60), one("https://dead.example/"), 0}, 56},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			o := newOutbox(t)
			o.queueAll(&c.flood, morning)
			for n := range c.callbacks {
				o.desk.Note(callback.Noted{At: morning, ID: fmt.Sprintf("p%06d.0001", n), MerchantID: c.merchant(n), URL: c.url(n)})
			}
			under := 0
			for chosen := o.desk.Noted(morning, 7); !chosen.Empty(); chosen = o.desk.Noted(morning, 7) {
				under += len(o.claimChosen(chosen, morning))
			}
			require.Equal(t, c.share, under)
			o.queueOf("shop", "healthy", "https://shop.example/", morning)
			o.desk.Note(callback.Noted{At: morning, ID: "healthy.0001", MerchantID: "shop", URL: "https://shop.example/"})
			require.Equal(t, []string{"healthy.0001"}, o.claimChosen(o.desk.Noted(morning, 64), morning))
		})
	}
}

// A merchant's callbacks to a host that has its share are passed over for one to another host, if they are not many.
func TestNotedArePassedOver(t *testing.T) {
	t.Parallel()
	for before, want := range map[int][]string{0: {"free.0001"}, 63: {"free.0001"}, 64: nil} {
		t.Run(fmt.Sprint(before), func(t *testing.T) {
			t.Parallel()
			o := newOutbox(t)
			o.queueAll(&flood{callbacks: 56, merchant: each("m%d", 56), url: one("https://dead.example/")}, morning)
			for n := range 56 {
				o.desk.Note(callback.Noted{At: morning, ID: fmt.Sprintf("p%06d.0001", n), MerchantID: fmt.Sprint("m", n),
					URL: "https://dead.example/"})
			}
			require.Len(t, o.claimChosen(o.desk.Noted(morning, 64), morning), 56)
			o.noteAll("shop", "https://dead.example/", before)
			o.queueOf("shop", "free", "https://free.example/", morning)
			o.desk.Note(callback.Noted{At: morning, ID: "free.0001", MerchantID: "shop", URL: "https://free.example/"})
			require.Equal(t, want, o.claimChosen(o.desk.Noted(morning, 64), morning))
		})
	}
}

// Two desks that choose the same callbacks share them: each is claimed once. The one that came late chooses others the
// next time, and the oldest again after a while.
func TestDesksChooseApart(t *testing.T) {
	t.Parallel()
	o := newOutbox(t)
	o.queueAll(&flood{callbacks: 1000, merchant: each("m%d", 4), url: each("https://h%d.example/", 4)}, morning)
	two := o
	two.desk = callback.NewDesk(64)
	mine, yours := o.choose(morning, time.Time{}, 8), two.choose(morning, time.Time{}, 8)
	first := o.claimChosen(mine, morning)
	require.Len(t, first, 8)
	require.Empty(t, two.claimChosen(yours, morning), "each of them is taken")
	mine, yours = o.choose(morning, time.Time{}, 8), two.choose(morning, time.Time{}, 8)
	second := o.claimChosen(mine, morning)
	require.Len(t, second, 8)
	third := two.claimChosen(yours, morning)
	require.Len(t, third, 8, "they have chosen apart")
	seen := map[string]bool{}
	for _, id := range append(append(first, second...), third...) {
		require.False(t, seen[id], id)
		seen[id] = true
	}
}

// What came due after a moment is left to the one that queued it.
func TestClaimUntil(t *testing.T) {
	t.Parallel()
	o := newOutbox(t)
	o.queueOf("shop", "old", "https://shop.example/", morning)
	o.queueOf("shop", "new", "https://shop.example/", morning.Add(time.Second))
	at := morning.Add(time.Minute)
	require.Equal(t, []string{"old.0001"}, o.claimChosen(o.choose(at, morning, 9), at))
	o.update(func(tx store.Tx) error {
		claimed, err := o.desk.ClaimUntil(tx, at, morning, 9, nil)
		require.NoError(t, err)
		require.Empty(t, claimed.Callbacks)
		return nil
	})
	require.Equal(t, []string{"new.0001"}, o.claim(at))
}

// Callbacks whose time has come, or whose block has ended, do not wait for those that lie in lanes already: nothing is
// chosen of these before all of the others are moved.
func TestNothingIsChosenBeforeAllArrived(t *testing.T) {
	t.Parallel()
	const url, later = "https://late.example/", 2 * time.Second
	for _, c := range []struct {
		name  string
		begin func(o outbox)
		at    time.Time
		moves int // claims that find more to move than they may, or may have found
	}{
		{"nothing to move", func(outbox) {}, morning, 0},
		{"a part of a batch", func(o outbox) { o.refuseAll(url, 99) }, morning.Add(later), 0},
		{"many", func(o outbox) { o.refuseAll(url, 250) }, morning.Add(later), 2},
		{"two blocks", func(o outbox) {
			for n := range 2 {
				blocked := fmt.Sprintf("https://b%d.example/", n)
				o.queueOf("late", fmt.Sprint("blocked", n), blocked, morning)
				for i := range 5 {
					id := fmt.Sprint("t", n, i)
					o.queueOf("other", id, blocked, morning)
					o.finish(store.CallbackID(id, 1), 0, callback.Receipt{Verdict: callback.TimedOut}, nil, morning)
				}
			}
			require.Len(o, o.claim(morning), 1, "the others are parked")
		}, morning.Add(time.Hour), 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			o := newOutbox(t)
			o.queueOf("shop", "early", "https://shop.example/", morning)
			c.begin(o)
			for n := range 9 {
				o.queueOf("shop", fmt.Sprint("p", n), "https://shop.example/", morning)
			}
			for n := range c.moves + 1 {
				o.update(func(tx store.Tx) error {
					claimed, err := o.desk.ClaimUntil(tx, c.at, time.Time{}, 1, nil)
					if err == nil {
						o.desk.Took(claimed)
					}
					return err
				})
				o.desk.Note(callback.Noted{At: morning, ID: "p0.0001", MerchantID: "shop", URL: "https://shop.example/"})
				o.claimChosen(o.desk.Noted(morning, 1), c.at) // which changes nothing about it
				require.Equal(t, n < c.moves, o.choose(c.at, time.Time{}, 1).Empty(), n)
			}
		})
	}
}

// refuseAll queues callbacks that are refused at once, and due again in a second.
func (o outbox) refuseAll(url string, n int) {
	o.Helper()
	for i := range n {
		id := fmt.Sprint("late", i)
		o.queueOf("late", id, url, morning)
		o.finish(store.CallbackID(id, 1), 0, callback.Receipt{Verdict: callback.Refused}, callback.Schedule{time.Second},
			morning)
	}
}

// marked returns how many lanes of the outbox are marked.
func (o outbox) marked() (n int) {
	o.Helper()
	require.NoError(o, o.store.View(context.Background(), func(r store.Reader) error {
		for entry := range r.Scan(store.Range{Prefix: store.Key(callback.Outbox.Name + "r"), Limit: 999}) {
			require.NoError(o, entry.Err)
			n++
		}
		return nil
	}))
	return n
}

// A lane that is empty at a look now and then keeps its mark for some looks, so that the callbacks that come next do
// not all write it. Claim keeps none, and no desk keeps many.
func TestEmptyLanesAreKeptForAWhile(t *testing.T) {
	t.Parallel()
	const lanes = 100
	for _, c := range []struct {
		name  string
		until time.Time
		want  []int // after so many claims
	}{
		{"Claim", time.Time{}, []int{0, 0}},
		{"looks", morning, []int{64, 64, 64, 64, 64, 64, 64, 64, 64, 0}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			o := newOutbox(t)
			o.queueAll(&flood{callbacks: lanes, merchant: each("m%d", lanes), url: each("https://h%d.example/", lanes)},
				morning)
			for n := range lanes {
				o.desk.Note(callback.Noted{At: morning, ID: fmt.Sprintf("p%06d.0001", n), MerchantID: fmt.Sprintf("m%d", n),
					URL: fmt.Sprintf("https://h%d.example/", n)})
			}
			require.Equal(t, lanes, o.remembered(), "claimed by their keys, which leaves the marks")
			require.Equal(t, lanes, o.marked())
			for claims, want := range c.want {
				o.update(func(tx store.Tx) error {
					_, err := o.desk.ClaimUntil(tx, morning, c.until, 64, nil)
					return err
				})
				require.Equal(t, want, o.marked(), claims)
			}
		})
	}
}

// A desk forgets a noted callback that has waited for long, and has room for another.
func TestNotedForAWhile(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		waited time.Duration
		want   []string
	}{
		{"at once", 0, []string{"old.0001", "new.0001"}},
		{"at last", callback.NotedFor, []string{"old.0001", "new.0001"}},
		{"too late", callback.NotedFor + 1, []string{"new.0001"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			o := newOutbox(t)
			at := morning.Add(c.waited)
			for payment, noted := range map[string]time.Time{"old": morning, "new": at} {
				o.queueOf("shop", payment, "https://shop.example/"+payment, morning)
				o.desk.Note(callback.Noted{ID: payment + ".0001", MerchantID: payment, URL: "https://shop.example/", At: noted})
			}
			require.ElementsMatch(t, c.want, o.claimChosen(o.desk.Noted(at, 9), at))
			require.True(t, o.desk.Noted(at, 9).Empty())
			for n := range 1024 { // the merchant's room is free again
				o.desk.Note(callback.Noted{ID: fmt.Sprint(n), MerchantID: "old", URL: "https://shop.example/", At: at})
			}
			require.False(t, o.desk.Noted(at, 9).Empty())
		})
	}
}

// What is blocked between its choice and its claim was taken by nobody: the desk goes on choosing at the head.
func TestBlockedIsNotLost(t *testing.T) {
	t.Parallel()
	o := newOutbox(t)
	o.queueAll(&flood{callbacks: 9, merchant: one("shop"), url: one("https://shop.example/")}, morning)
	chosen := o.choose(morning, time.Time{}, 2)
	for n := range 5 {
		id := fmt.Sprint("t", n)
		o.queueOf("other", id, "https://shop.example/", morning)
		o.finish(store.CallbackID(id, 1), 0, callback.Receipt{Verdict: callback.TimedOut}, nil, morning)
	}
	require.Empty(t, o.claimChosen(chosen, morning))
	o.update(func(tx store.Tx) error { return callback.Unblock(tx, "https://shop.example/", morning) })
	require.Equal(t, []string{"p000000.0001", "p000001.0001"},
		o.claimChosen(o.choose(morning, time.Time{}, 2), morning))
}
