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

// flood is callbacks of other merchants than the healthy one.
type flood struct {
	name      string
	callbacks int
	merchant  func(n int) string
	url       func(n int) string
	claims    int // after at most this many claims the healthy merchant's callback is under way
}

func one(text string) func(int) string { return func(int) string { return text } }

func each(format string, many int) func(int) string {
	return func(n int) string { return fmt.Sprintf(format, n%many) }
}

var floods = []flood{
	{"1,500 URLs of one tarpit", 1500, one("evil"), each("https://tar.example/%d", 1500), 2},
	{"10,000 URLs on as many hosts", 10_000, one("evil"), each("https://h%d.tar.example/", 10_000), 2},
	{"2,000 to one dead URL", 2000, one("evil"), one("https://dead.example/"), 2},
	{"100,000 to one dead URL", 100_000, one("evil"), one("https://dead.example/"), 2},
	{"500 merchants on one dead host", 500, each("m%d", 500), each("https://dead.example/%d", 500), 60},
	{"100 merchants on one dead URL", 10_000, each("m%d", 100), one("https://dead.example/"), 60},
	{"40 merchants on hosts of their own", 4000, each("m%d", 40), each("https://h%d.tar.example/", 40), 60},
}

// queueAll queues a flood, several callbacks per transaction.
func (o outbox) queueAll(f *flood, at time.Time) {
	o.Helper()
	for n := 0; n < f.callbacks; {
		o.update(func(tx store.Tx) error {
			for end := min(n+5000, f.callbacks); n < end; n++ {
				err := callback.Queue(tx, store.CallbackRecord{Callback: store.Callback{PaymentID: fmt.Sprintf("p%06d", n),
					MerchantID: f.merchant(n), Number: 1, URL: f.url(n), Body: "a=b", CreatedAt: at}})
				if err != nil {
					return err
				}
			}
			return nil
		})
	}
}

// Whatever waits for other merchants, and however slow they are, a healthy merchant's callback is under way within
// a few claims. None of the flood's deliveries ends meanwhile.
func TestHealthyMerchantIsServed(t *testing.T) {
	t.Parallel()
	for _, f := range floods {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			o := newOutbox(t)
			o.queueAll(&f, morning)
			for range 100 { // the flood takes what it is allowed
				if len(o.once(morning, 32).Callbacks) == 0 {
					break
				}
			}
			for n := range 5 {
				at := morning.Add(time.Duration(n+1) * time.Second)
				o.queueOf("shop", fmt.Sprint("healthy", n), "https://shop.example/", at)
				require.LessOrEqual(t, o.claimsUntil("shop", at, 32), f.claims)
			}
		})
	}
}

func (o outbox) queueOf(merchant, payment, url string, at time.Time) {
	o.Helper()
	o.update(func(tx store.Tx) error {
		return callback.Queue(tx, store.CallbackRecord{Callback: store.Callback{PaymentID: payment, MerchantID: merchant,
			Number: 1, URL: url, Body: "a=b", CreatedAt: at}})
	})
}

// claimsUntil returns how many claims it takes until a merchant's callback is claimed. It is delivered at once;
// the others stay under way.
func (o outbox) claimsUntil(merchant string, at time.Time, limit int) int {
	o.Helper()
	for n := 1; n < 200; n++ {
		claimed := o.once(at, limit)
		for i := range claimed.Callbacks {
			if c := &claimed.Callbacks[i]; c.MerchantID == merchant {
				o.finish(c.ID, c.Tries, callback.Receipt{Verdict: callback.Accepted}, nil, at)
				o.desk.Done(c)
				return n
			}
		}
	}
	return 200
}

// The same while the flood's deliveries time out, its endpoints are blocked, and come back: a claim parks or
// brings back a bounded number of lanes, and never touches the entries in them.
func TestHealthyMerchantIsServedAmongBlocks(t *testing.T) {
	t.Parallel()
	for _, f := range floods {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			o := newOutbox(t)
			f.callbacks = min(f.callbacks, 10_000)
			o.queueAll(&f, morning)
			at := morning
			for round := range 8 {
				for range 3 {
					claimed := o.once(at, 32)
					at = at.Add(10 * time.Second)
					for i := range claimed.Callbacks {
						c := &claimed.Callbacks[i]
						o.finish(c.ID, c.Tries, callback.Receipt{Verdict: callback.TimedOut}, nil, at)
						o.desk.Done(c)
					}
				}
				o.queueOf("shop", fmt.Sprint("healthy", round), "https://shop.example/", at)
				require.LessOrEqual(t, o.claimsUntil("shop", at, 32), f.claims)
				if round%2 == 1 {
					at = at.Add(15 * time.Minute)
				}
			}
		})
	}
}

// While a whole flood is blocked nothing is read, and nothing is written.
func TestBlockedIsNotRead(t *testing.T) {
	t.Parallel()
	for _, f := range floods[:4] {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			o := newOutbox(t)
			f.callbacks = min(f.callbacks, 10_000)
			o.queueAll(&f, morning)
			at := morning
			for range 100 {
				claimed := o.once(at, 32)
				at = at.Add(time.Second)
				for i := range claimed.Callbacks {
					c := &claimed.Callbacks[i]
					o.finish(c.ID, c.Tries, callback.Receipt{Verdict: callback.TimedOut}, callback.Schedule{time.Hour}, at)
					o.desk.Done(c)
				}
				if !claimed.Moved && len(claimed.Callbacks) == 0 {
					break
				}
			}
			require.False(t, o.offers(at))
			require.False(t, o.offers(morning.Add(15*time.Minute)))
			require.True(t, o.offers(at.Add(15*time.Minute)), "the block ends")
		})
	}
}

func (o outbox) offers(at time.Time) (some bool) {
	o.Helper()
	require.NoError(o, o.store.View(context.Background(), func(r store.Reader) (err error) {
		some, err = o.desk.Offers(r, at)
		return err
	}))
	return some
}

// No merchant and no host has more workers than it leaves free, no merchant more than a quarter; the last eighth
// is for merchants with nothing under way.
func TestShares(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		flood flood
		want  int // under way
	}{
		{"one merchant", flood{callbacks: 200, merchant: one("a"), url: each("https://h%d.example/", 200)}, 16},
		{"two merchants", flood{callbacks: 200, merchant: each("m%d", 2), url: each("https://h%d.example/", 200)}, 32},
		{"seven merchants", flood{callbacks: 200, merchant: each("m%d", 7), url: each("https://h%d.example/", 200)}, 56},
		{"as many merchants as workers", flood{callbacks: 200, merchant: each("m%d", 200), url: each("https://h%d.example/", 200)}, 64},
		{"many merchants on one host", flood{callbacks: 200, merchant: each("m%d", 200), url: each("https://one.example:%d/", 200)}, 56},
		{"one host in many spellings", flood{callbacks: 200, merchant: each("m%d", 200),
			url: func(n int) string {
				return []string{"https://one.example/", "http://ONE.example/", "https://One.Example./"}[n%3]
			}}, 56},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			o := newOutbox(t)
			o.queueAll(&c.flood, morning)
			var away []store.CallbackRecord
			for range 100 {
				away = append(away, o.once(morning, min(32, 64-len(away))).Callbacks...)
			}
			require.Equal(t, c.want, len(away))
			for i := range away {
				o.desk.Done(&away[i])
			}
			require.NotEmpty(t, o.once(morning, 1).Callbacks, "a finished delivery frees its worker")
		})
	}
}

// A merchant with nothing under way gets a worker at once, however many other merchants have.
func TestNewMerchantIsServed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		url    string // of the new merchant
		before []flood
	}{
		{"host shared with a flood", "https://hooks.example/good", []flood{{callbacks: 300, merchant: one("evil"), url: each("https://hooks.example/%d", 300)}}},
		{"host shared with three", "https://hooks.example/good", oneByOne(3, "https://hooks.example/%d")},
		{"one flood after another", "https://shop.example/good", oneByOne(7, "https://h%d.example/")},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			o := newOutbox(t)
			for n, f := range c.before {
				for i := range f.callbacks {
					o.queueOf(f.merchant(i), fmt.Sprintf("p%d-%d", n, i), f.url(i), morning)
				}
				for len(o.once(morning, 32).Callbacks) > 0 {
				}
			}
			at := morning.Add(time.Second)
			o.queueOf("shop", "healthy", c.url, at)
			require.LessOrEqual(t, o.claimsUntil("shop", at, 32), 2)
		})
	}
}

// oneByOne returns one flood for each of n merchants.
func oneByOne(n int, url string) (list []flood) {
	for i := range n {
		list = append(list, flood{callbacks: 100, merchant: one(fmt.Sprint("evil", i)), url: each(url, 100)})
	}
	return list
}

// Two instances on one store share the due callbacks: each callback is claimed once, and again when its lease
// ends.
func TestTwoDesks(t *testing.T) {
	t.Parallel()
	o := newOutbox(t)
	o.queueAll(&flood{callbacks: 300, merchant: each("m%d", 3), url: each("https://h%d.example/", 10)}, morning)
	two := o
	two.desk = callback.NewDesk(64)
	for _, at := range []time.Time{morning, morning.Add(callback.Lease)} {
		seen := map[string]bool{}
		for len(seen) < 300 {
			ids := len(seen)
			for _, desk := range []outbox{o, two} {
				claimed := desk.once(at, 7)
				for i := range claimed.Callbacks {
					c := &claimed.Callbacks[i]
					require.False(t, seen[c.ID])
					seen[c.ID] = true
					desk.desk.Done(c)
				}
			}
			if len(seen) == ids {
				require.True(t, o.offers(at))
			}
		}
		require.Empty(t, o.claim(at))
		require.Empty(t, o.claim(at.Add(callback.Lease-1)))
	}
}

// Four dead URLs block every URL of a merchant, and dead URLs of four merchants block a host. An accepted delivery
// resets the count, and many time-outs of one URL or one merchant do not suffice.
func TestWideBlocks(t *testing.T) {
	t.Parallel()
	type outcome struct {
		merchant, url string
		verdict       callback.Verdict
	}
	timeouts := func(n int, merchant, url string) (list []outcome) {
		for range n {
			list = append(list, outcome{merchant, url, callback.TimedOut})
		}
		return list
	}
	var urls, hosts, own []outcome
	for i := range 4 {
		urls = append(urls, timeouts(5, "a", fmt.Sprintf("https://h%d.example/", i))...)
		hosts = append(hosts, timeouts(5, fmt.Sprintf("m%d", i), fmt.Sprintf("https://host.example/%d", i))...)
		own = append(own, timeouts(5, "a", fmt.Sprintf("https://host.example/%d", i))...)
	}
	accepted := func(merchant, url string) outcome { return outcome{merchant, url, callback.Accepted} }
	for _, c := range []struct {
		name          string
		outcomes      []outcome
		merchant, url string
		blocked       bool
	}{
		{"merchant, four of its URLs", urls, "a", "https://new.example/", true},
		{"another merchant, on a host of the first", urls, "b", "https://h1.example/new", false},
		{"merchant, three of its URLs", urls[:15], "a", "https://new.example/", false},
		{"merchant, one short", urls[:19], "a", "https://new.example/", false},
		{"merchant, one URL again and again", timeouts(40, "a", "https://h.example/"), "a", "https://new.example/", false},
		{"merchant, one accepted between", append(append(append([]outcome{}, urls[:10]...), accepted("a", "https://well.example/")), urls[10:]...), "a", "https://new.example/", false},
		{"host, four merchants", hosts, "z", "https://host.example/new", true},
		{"host, four merchants, another host", hosts, "z", "https://other.example/", false},
		{"host, four merchants, in another spelling", hosts, "z", "http://HOST.example:8080/new", true},
		{"host, one merchant", own, "z", "https://host.example/new", false},
		{"host, one accepted between", append(append(append([]outcome{}, hosts[:10]...), accepted("z", "https://host.example/well")), hosts[10:]...), "z", "https://host.example/new", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			o := newOutbox(t)
			for i, end := range c.outcomes {
				payment := fmt.Sprintf("p%02d", i)
				o.queueOf(end.merchant, payment, end.url, morning)
				o.finish(store.CallbackID(payment, 1), 0, callback.Receipt{Verdict: end.verdict}, callback.Schedule{}, morning)
			}
			o.drain(morning)
			o.queueOf(c.merchant, "new", c.url, morning.Add(time.Second))
			id := store.CallbackID("new", 1)
			require.Equal(t, c.blocked, len(o.claim(morning.Add(time.Second))) == 0)
			if c.blocked {
				require.NotContains(t, o.claim(morning.Add(15*time.Minute-1)), id)
				require.Contains(t, o.claim(morning.Add(15*time.Minute)), id)
			}
		})
	}
}

// drain delivers everything that is due and not blocked, with time-outs.
func (o outbox) drain(at time.Time) {
	o.Helper()
	for _, id := range o.claim(at) {
		o.update(func(tx store.Tx) error {
			_, err := callback.Leave(tx, id, 1, at)
			return err
		})
	}
}

// A block that is lifted by hand releases what waits for its end at once.
func TestUnblockBringsBack(t *testing.T) {
	t.Parallel()
	for name, lift := range map[string]func(tx store.Tx, at time.Time) error{
		"URL":      func(tx store.Tx, at time.Time) error { return callback.Unblock(tx, "https://h0.example/", at) },
		"host":     func(tx store.Tx, at time.Time) error { return callback.UnblockHost(tx, "h0.example", at) },
		"merchant": func(tx store.Tx, at time.Time) error { return callback.UnblockMerchant(tx, "m", at) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := newOutbox(t)
			for i := range 20 {
				merchant, url := "m", "https://h0.example/"
				switch name {
				case "host":
					merchant, url = fmt.Sprint("m", i/5), fmt.Sprint("https://h0.example/", i/5)
				case "merchant":
					url = fmt.Sprintf("https://h%d.example/", i/5)
				}
				payment := fmt.Sprintf("p%02d", i)
				o.queueOf(merchant, payment, url, morning)
				o.finish(store.CallbackID(payment, 1), 0, callback.Receipt{Verdict: callback.TimedOut}, callback.Schedule{},
					morning)
			}
			url := "https://h0.example/"
			if name != "URL" {
				url += "new"
			}
			o.queueOf("m", "waits1", url, morning.Add(time.Second))
			o.queueOf("m", "waits2", url, morning.Add(2*time.Second))
			at := morning.Add(time.Minute)
			require.NotContains(t, o.claim(at), store.CallbackID("waits1", 1))
			o.update(func(tx store.Tx) error { return lift(tx, at) })
			ids := o.claim(at)
			if name == "merchant" { // its first URL is blocked too
				require.Contains(t, ids, store.CallbackID("waits1", 1))
				return
			}
			require.Subset(t, ids, []string{store.CallbackID("waits1", 1), store.CallbackID("waits2", 1)})
		})
	}
}

// Callbacks that wait for a block keep their order: the oldest first, and a payment's callbacks one after the
// other.
func TestOrderAfterABlock(t *testing.T) {
	t.Parallel()
	const url = "https://dead.example/"
	o := newOutbox(t)
	for i := range 5 {
		payment := fmt.Sprint("dead", i)
		o.queue(payment, 1, url, morning)
		o.finish(store.CallbackID(payment, 1), 0, callback.Receipt{Verdict: callback.TimedOut}, callback.Schedule{}, morning)
	}
	var want []string
	for i := range 50 {
		payment := fmt.Sprintf("p%02d", i)
		o.queue(payment, 1, url, morning.Add(time.Duration(i+1)*time.Second))
		o.queue(payment, 2, url, morning.Add(time.Duration(i+1)*time.Second))
		want = append(want, store.CallbackID(payment, 1))
	}
	at := morning.Add(15 * time.Minute)
	require.Empty(t, o.claim(at.Add(-1)))
	require.Equal(t, want, o.claim(at))
	require.Empty(t, o.claim(at), "a later one waits for the first try of the previous one")
	o.finish(want[7], 1, callback.Receipt{Verdict: callback.Refused}, nil, at)
	require.Equal(t, []string{store.CallbackID("p07", 2)}, o.claim(at))
}

// The callbacks of a later payment of a chain wait until the first callback of the payment that began it was
// tried. They do not wait for one that can never be tried (decision bb).
func TestChainOrder(t *testing.T) {
	t.Parallel()
	const url, other = "https://a.example/", "https://b.example/"
	first, later, next := store.CallbackID("first", 1), store.CallbackID("later", 1), store.CallbackID("later", 2)
	queueChain := func(o outbox) {
		o.update(func(tx store.Tx) error {
			for n := 1; n <= 2; n++ {
				c := store.CallbackRecord{Callback: store.Callback{PaymentID: "later", Number: n, URL: other, Body: "a=b",
					CreatedAt: morning}}
				if n == 1 {
					c.Follows = first
				}
				if err := callback.Queue(tx, c); err != nil {
					return err
				}
			}
			return nil
		})
	}
	queueFirst := func(o outbox) {
		o.update(func(tx store.Tx) error {
			return callback.Queue(tx, store.CallbackRecord{Callback: store.Callback{PaymentID: "first", Number: 1, URL: url,
				Body: "a=b", CreatedAt: morning}, Leads: true})
		})
	}
	end := func(o outbox, v callback.Verdict, s callback.Schedule) {
		o.finish(first, 1, callback.Receipt{Verdict: v}, s, morning)
	}
	for _, c := range []struct {
		name string
		make func(o outbox)
		want []string // claimed at once
		then func(o outbox)
	}{
		{"untried", func(o outbox) { queueFirst(o) }, []string{first}, func(o outbox) { end(o, callback.Accepted, nil) }},
		{"refused", func(o outbox) { queueFirst(o) }, []string{first}, func(o outbox) { end(o, callback.Refused, nil) }},
		{"dead at once", func(o outbox) { queueFirst(o) }, []string{first}, func(o outbox) { end(o, callback.TimedOut, callback.Schedule{}) }},
		{"does not open", func(o outbox) { queueFirst(o) }, []string{first}, func(o outbox) {
			o.update(func(tx store.Tx) error { _, err := callback.Leave(tx, first, 1, morning); return err })
		}},
		{"tried before", func(o outbox) { queueFirst(o); o.claim(morning); end(o, callback.Accepted, nil) }, []string{later}, nil},
		{"dead before", func(o outbox) { queueFirst(o); o.claim(morning); end(o, callback.Refused, callback.Schedule{}) }, []string{later}, nil},
		{"never existed, or was purged", func(outbox) {}, []string{later}, nil},
		{"unreadable", func(o outbox) {
			o.update(func(tx store.Tx) error { return tx.Put(store.Key("cb", first), []byte("damaged")) })
		}, []string{later}, nil},
		{"becomes unreadable", func(o outbox) { queueFirst(o) }, nil, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			o := newOutbox(t)
			c.make(o)
			queueChain(o)
			if c.want == nil {
				o.update(func(tx store.Tx) error { return tx.Put(store.Key("cb", first), []byte("damaged")) })
				require.Equal(t, []string{later}, o.claim(morning))
				return
			}
			require.Equal(t, c.want, o.claim(morning))
			if c.then != nil {
				c.then(o)
				require.Equal(t, []string{later}, o.claim(morning))
			}
			o.finish(later, 1, callback.Receipt{Verdict: callback.Refused}, nil, morning)
			require.Equal(t, []string{next}, o.claim(morning))
		})
	}
}

// However many later payments wait, all of them are released, in bounded steps.
func TestLongChain(t *testing.T) {
	t.Parallel()
	o, first := newOutbox(t), store.CallbackID("first", 1)
	o.update(func(tx store.Tx) error {
		return callback.Queue(tx, store.CallbackRecord{Callback: store.Callback{PaymentID: "first", Number: 1,
			URL: "https://a.example/", Body: "a=b", CreatedAt: morning}, Leads: true})
	})
	for i := range 350 {
		o.update(func(tx store.Tx) error {
			return callback.Queue(tx, store.CallbackRecord{Callback: store.Callback{PaymentID: fmt.Sprintf("p%03d", i),
				Number: 1, URL: "https://a.example/", Body: "a=b", CreatedAt: morning}, Follows: first})
		})
	}
	tried := map[string]bool{}
	for ids := o.claim(morning); len(ids) > 0; ids = o.claim(morning) {
		for _, id := range ids {
			tried[id] = true
			o.finish(id, 1, callback.Receipt{Verdict: callback.Accepted}, nil, morning)
		}
	}
	require.Len(t, tried, 351)
}

// A callback that is sent again by hand keeps its place in the order.
func TestResendOfAWaitingCallback(t *testing.T) {
	t.Parallel()
	o := newOutbox(t)
	o.queue("p", 1, "https://a.example/", morning)
	o.queue("p", 2, "https://a.example/", morning)
	o.update(func(tx store.Tx) error {
		return callback.Resend(tx, store.CallbackID("p", 2), morning.Add(time.Second))
	})
	at := morning.Add(time.Minute)
	require.Equal(t, []string{store.CallbackID("p", 1)}, o.claim(at))
	o.finish(store.CallbackID("p", 1), 1, callback.Receipt{Verdict: callback.Refused}, nil, at)
	require.Equal(t, []string{store.CallbackID("p", 2)}, o.claim(at))
}
