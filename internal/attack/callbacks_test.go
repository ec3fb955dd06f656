package attack_test

import (
	"context"
	"fmt"
	"maps"
	"net/url"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/callback"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/store"
)

// Merchants whose endpoints never answer, and a healthy one beside them. Time is that of a bubble (synctest): it
// passes only while everything waits.

// tarpits are the endpoints of merchants. Hosts that begin with "tarpit" do not answer until they are released.
type tarpits struct {
	open chan struct{}

	mu       sync.Mutex
	busy     map[string]int // deliveries under way, by merchant and by host
	most     map[string]int
	accepted map[string]int // by callback
	tries    int            // that a tarpit took
}

func newTarpits() *tarpits {
	return &tarpits{open: make(chan struct{}), busy: map[string]int{}, most: map[string]int{}, accepted: map[string]int{}}
}

func (p *tarpits) Deliver(ctx context.Context, d callback.Delivery) callback.Receipt {
	u, err := url.Parse(d.URL)
	if err != nil {
		panic(err)
	}
	p.count(1, "merchant "+string(d.Body), "host "+u.Host)
	defer p.count(-1, "merchant "+string(d.Body), "host "+u.Host)
	if strings.HasPrefix(u.Host, "tarpit") {
		p.count(1, "tarpits")
		defer p.count(-1, "tarpits")
		select {
		case <-ctx.Done():
			return callback.Receipt{Verdict: callback.TimedOut}
		case <-p.open:
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.accepted[d.ID]++
	return callback.Receipt{Verdict: callback.Accepted, Status: 200}
}

func (p *tarpits) count(by int, names ...string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, name := range names {
		p.busy[name] += by
		p.most[name] = max(p.most[name], p.busy[name])
		if name == "tarpits" && by > 0 {
			p.tries++
		}
	}
}

// got counts the accepted callbacks of payments.
func (p *tarpits) got(payments ...string) (n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, payment := range payments {
		n += min(1, p.accepted[store.CallbackID(payment, 1)])
	}
	return n
}

// queueTo queues one callback to each URL, each of its own payment.
func queueTo(t testing.TB, kit *gatewaytest.Kit, now time.Time, merchant, name string,
	urls ...string) (payments []string) {
	t.Helper()
	require.NoError(t, kit.Store.Update(t.Context(), func(tx store.Tx) error {
		payments = nil
		for i, to := range urls {
			id := fmt.Sprintf("%s-%s-%05d", merchant, name, i)
			payments = append(payments, id)
			c := store.CallbackRecord{Callback: store.Callback{
				PaymentID: id, TransactionID: id, MerchantID: merchant, Number: 1, Type: "sale", Outcome: "success",
				URL: to, Body: merchant, CreatedAt: now,
			}}
			if err := callback.Queue(tx, c); err != nil {
				return err
			}
		}
		return nil
	}))
	return payments
}

// ownURLs are the URLs of a tarpit's callbacks.
func ownURLs(merchant string, n int) (urls []string) {
	for i := range n {
		urls = append(urls, fmt.Sprintf("https://tarpit.example/%s/%d", merchant, i))
	}
	return urls
}

func ownHosts(merchant string, n int) (urls []string) {
	for i := range n {
		urls = append(urls, fmt.Sprintf("https://tarpit-%s-%d.example/callback", merchant, i))
	}
	return urls
}

func oneURL(merchant string, n int) (urls []string) {
	for range n {
		urls = append(urls, "https://tarpit-"+merchant+".example/dead")
	}
	return urls
}

func everyTarpit(merchant string, n int) (urls []string) {
	return append(append(ownURLs(merchant, n/3), ownHosts(merchant, n/3)...), oneURL(merchant, n/3)...)
}

// besieged runs a gateway in a bubble until fn returns.
func besieged(t *testing.T, fn func(t *testing.T, kit *gatewaytest.Kit, p *tarpits)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		p := newTarpits()
		kit := gatewaytest.New(t, func(c *gateway.Config) { c.Notifier, c.Now = p, time.Now })
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- kit.Run(ctx) }()
		fn(t, kit, p)
		stop()
		require.NoError(t, <-ended)
	})
}

// A merchant whose endpoints never answer delays no other, however many callbacks it has and wherever they go. Once
// its endpoints answer, each callback is accepted once.
func TestAttackOfTarpits(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name      string
		merchants int
		each      int
		urls      func(merchant string, n int) []string
	}{
		{"URLs of one host", 1, 1500, ownURLs},
		{"URLs of many hosts", 1, 1500, ownHosts},
		{"one URL", 1, 2000, oneURL},
		{"all of it", 1, 1500, everyTarpit},
		{"several merchants, URLs of one host", 5, 100, ownURLs},
		{"several merchants, URLs of many hosts", 5, 100, ownHosts},
		{"a crowd at one host", 100, 3, ownURLs},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			besieged(t, func(t *testing.T, kit *gatewaytest.Kit, p *tarpits) {
				var all []string
				for i := range c.merchants {
					m := fmt.Sprintf("attacker-%03d", i)
					all = append(all, queueTo(t, kit, time.Now(), m, "bad", c.urls(m, c.each)...)...)
				}
				time.Sleep(2 * time.Second)
				synctest.Wait()
				require.NotZero(t, p.busy["tarpits"], "the attack is on")
				all = append(all, healthyBeside(t, kit, p)...)
				for m, n := range p.most {
					require.True(t, !strings.HasPrefix(m, "merchant attacker") || n <= 16, "%s holds %d workers of 64", m, n)
					require.True(t, !strings.HasPrefix(m, "host tarpit") || n <= 56, "%s holds %d workers of 64", m, n)
				}
				close(p.open)
				drained(t, p, all)
			})
		})
	}
}

// healthyBeside queues callbacks of healthy merchants at bad moments: when all endpoints are stuck, when the first
// deliveries time out, while blocks last, and when they end.
func healthyBeside(t *testing.T, kit *gatewaytest.Kit, p *tarpits) (all []string) {
	t.Helper()
	start := time.Now()
	for _, at := range []time.Duration{0, 28, 29, 60, 120, 600, 928, 929, 930, 931, 960} {
		time.Sleep(time.Until(start.Add(at * time.Second)))
		var payments []string
		for _, m := range []string{"shop", fmt.Sprintf("new-shop-%d", at)} {
			to := strings.Fields(strings.Repeat("https://"+m+".example/callback ", 20))
			payments = append(payments, queueTo(t, kit, time.Now(), m, fmt.Sprint("good-", at.Nanoseconds()), to...)...)
		}
		time.Sleep(time.Second) // an instance checks again after that time, because nothing here wakes it
		synctest.Wait()
		require.Equal(t, len(payments), p.got(payments...), "after %d s", at)
		all = append(all, payments...)
	}
	return all
}

// drained waits until everything was accepted, and requires that each was accepted once.
func drained(t *testing.T, p *tarpits, all []string) {
	t.Helper()
	for range 400 {
		if p.got(all...) == len(all) {
			break
		}
		time.Sleep(time.Minute)
		synctest.Wait()
	}
	want := map[string]int{}
	for _, payment := range all {
		want[store.CallbackID(payment, 1)] = 1
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	require.True(t, maps.Equal(want, p.accepted), "accepted %d of %d", len(p.accepted), len(want))
}

// The other callbacks of a merchant with tarpits are delivered as well, while the tarpits never answer.
func TestAttackerIsServed(t *testing.T) {
	t.Parallel()
	for name, urls := range map[string]func(string, int) []string{
		"URLs of one host": ownURLs, "URLs of many hosts": ownHosts, "one URL": oneURL, "all of it": everyTarpit,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			besieged(t, func(t *testing.T, kit *gatewaytest.Kit, p *tarpits) {
				queueTo(t, kit, time.Now(), "attacker", "bad", urls("attacker", 60)...)
				time.Sleep(2 * time.Second)
				own := queueTo(t, kit, time.Now(), "attacker", "own",
					strings.Fields(strings.Repeat("https://attacker.example/ ", 20))...)
				beside := queueTo(t, kit, time.Now(), "neighbour", "bad", "https://tarpit.example/neighbour")
				time.Sleep(2 * time.Hour)
				synctest.Wait()
				require.Equal(t, len(own), p.got(own...))
				require.Zero(t, p.got(beside...), "the tarpit holds")
				require.Less(t, p.tries, 400, "what is blocked is left alone")
			})
		})
	}
}
