package attack_test

import (
	"context"
	"iter"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/callback"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/memory"
)

// storeWork is the work of a store: keys read and entries scanned, keys written, write transactions, and the tries
// that tarpits took.
type storeWork struct{ Reads, Writes, Updates, Tries int }

// workStore counts its work. It is for one goroutine.
type workStore struct {
	store.Store
	work *storeWork
}

func (s workStore) View(ctx context.Context, fn func(store.Reader) error) error {
	return s.Store.View(ctx, func(r store.Reader) error { return fn(workReader{r, s.work}) })
}

func (s workStore) Update(ctx context.Context, fn func(store.Tx) error) error {
	s.work.Updates++
	return s.Store.Update(ctx, func(tx store.Tx) error { return fn(workTx{workReader{tx, s.work}, tx}) })
}

type workReader struct {
	store.Reader
	work *storeWork
}

func (r workReader) Get(key []byte) ([]byte, error) {
	r.work.Reads++
	return r.Reader.Get(key)
}

func (r workReader) Scan(over store.Range) iter.Seq[store.Entry] {
	return func(yield func(store.Entry) bool) {
		r.work.Reads++
		for entry := range r.Reader.Scan(over) {
			r.work.Reads++
			if !yield(entry) {
				return
			}
		}
	}
}

type workTx struct {
	workReader
	tx store.Tx
}

func (t workTx) Put(key, value []byte) error {
	t.work.Writes++
	return t.tx.Put(key, value)
}

func (t workTx) Insert(key, value []byte) error {
	t.work.Writes++
	return t.tx.Insert(key, value)
}

func (t workTx) Delete(key []byte) error {
	t.work.Writes++
	return t.tx.Delete(key)
}

// siege is a gateway that does due work on demand, one item after another, and counts the store's work. Endpoints
// of hosts that begin with "tarpit" time out until they are released.
type siege struct {
	*gatewaytest.Kit
	work     *storeWork
	answers  bool           // the tarpits do
	accepted map[string]int // by callback
	until    *storeWork     // the work until the shop's callback was delivered
}

func besiege(t *testing.T) *siege {
	t.Helper()
	s := &siege{work: &storeWork{}, accepted: map[string]int{}}
	s.Kit = gatewaytest.On(t, workStore{memory.New(), s.work}, func(c *gateway.Config) { c.Notifier = s })
	return s
}

func (s *siege) Deliver(_ context.Context, d callback.Delivery) callback.Receipt {
	u, err := url.Parse(d.URL)
	if err != nil {
		panic(err)
	}
	if strings.HasPrefix(u.Host, "tarpit") {
		s.work.Tries++
		if !s.answers {
			return callback.Receipt{Verdict: callback.TimedOut}
		}
	} else if s.until == nil {
		done := *s.work
		s.until = &done
	}
	s.accepted[d.ID]++
	return callback.Receipt{Verdict: callback.Accepted, Status: 200}
}

// tellShop queues a callback of a healthy merchant, and returns the work until it was delivered.
func (s *siege) tellShop(t *testing.T, name string) storeWork {
	t.Helper()
	queueTo(t, s.Kit, s.Clock.Now(), "shop", name, "https://shop.example/callback")
	s.until = nil
	was := *s.work
	s.Work(t)
	require.NotNil(t, s.until, name)
	return storeWork{
		s.until.Reads - was.Reads, s.until.Writes - was.Writes, s.until.Updates - was.Updates, s.until.Tries - was.Tries,
	}
}

// underAttack queues n callbacks of attackers, and returns the work of a shop's callback at each bad moment: at
// first, while the endpoints are blocked, when that ends, and after it.
func underAttack(t *testing.T, merchants, n int, urls func(string, int) []string) (costs [4]storeWork) {
	t.Helper()
	s := besiege(t)
	total := 0
	for i := range merchants {
		name := string(rune('a'+i)) + "-attacker"
		total += len(queueTo(t, s.Kit, s.Clock.Now(), name, "bad", urls(name, n/merchants)...))
	}
	costs[0] = s.tellShop(t, "first")
	s.Clock.Set(s.Clock.Now().Add(time.Minute))
	s.Work(t)
	blocked := s.work.Tries
	require.Less(t, blocked, 64*merchants, "the endpoints are blocked")
	costs[1] = s.tellShop(t, "blocked")
	require.Equal(t, blocked, s.work.Tries, "what is blocked is left alone")
	idle := *s.work
	s.Work(t)
	require.Equal(t, idle.Writes, s.work.Writes, "what is parked is not moved")
	s.Clock.Set(s.Clock.Now().Add(15 * time.Minute))
	costs[2] = s.tellShop(t, "ended")
	costs[3] = s.tellShop(t, "after")
	s.answers = true
	s.Advance(t, 24*time.Hour)
	require.Len(t, s.accepted, total+4, "everything is delivered")
	for id, times := range s.accepted {
		require.Equal(t, 1, times, id)
	}
	return costs
}

// The work to deliver a callback does not grow with the queues of others.
func TestAttackCostsOthersNothing(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name      string
		merchants int
		few, many int
		urls      func(string, int) []string
	}{
		{"one URL", 1, 100, 5000, oneURL},
		{"URLs of one host", 1, 100, 1500, ownURLs},
		{"URLs of many hosts", 1, 100, 1500, ownHosts},
		{"all of it", 1, 300, 1500, everyTarpit},
		{"several merchants, a URL of each", 6, 600, 1800, oneURL},
		{"several merchants, URLs of one host", 6, 600, 1800, ownURLs},
		{"several merchants, URLs of many hosts", 6, 600, 1800, ownHosts},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			few, many := underAttack(t, c.merchants, c.few, c.urls), underAttack(t, c.merchants, c.many, c.urls)
			for i := range few {
				name := []string{"first", "blocked", "ended", "after"}[i]
				require.InDelta(t, few[i].Reads, many[i].Reads, store.Lanes, name) // because lanes are searched for due times
				few[i].Reads, many[i].Reads = 0, 0
				require.Equal(t, few[i], many[i], name)
			}
		})
	}
}
