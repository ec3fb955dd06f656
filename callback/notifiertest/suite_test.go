package notifiertest

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/netip"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/callback"
)

// timeout is long enough for a busy machine.
const timeout = 3 * time.Second

// local is the gateway's own notifier, which may call this machine.
func local(tb testing.TB) *callback.HTTPNotifier {
	n := &callback.HTTPNotifier{Timeout: timeout,
		Dial: callback.Dial{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}}
	tb.Cleanup(n.Close)
	return n
}

// queue is a host's notifier that keeps what another program delivers.
type queue struct {
	mu   sync.Mutex
	kept []Message
}

func (q *queue) Deliver(_ context.Context, d callback.Delivery) callback.Receipt {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.kept = append(q.kept, Message{d.URL, d.ContentType, bytes.Clone(d.Body)})
	return callback.Receipt{Verdict: callback.Accepted}
}

func (q *queue) Arrived() []Message {
	q.mu.Lock()
	defer q.mu.Unlock()
	return slices.Clone(q.kept)
}

func arrivedIn(_ testing.TB, n callback.Notifier) []Message {
	return n.(interface{ Arrived() []Message }).Arrived()
}

func TestHTTPNotifier(t *testing.T) {
	t.Parallel()
	Run(t, Subject{New: func(tb testing.TB) callback.Notifier { return local(tb) }, Posts: true,
		Timeout: timeout})
}

func TestQueue(t *testing.T) {
	t.Parallel()
	Run(t, Subject{New: func(testing.TB) callback.Notifier { return &queue{} }, Arrived: arrivedIn})
}

// around is a notifier with a defect around a sound one.
type around struct {
	callback.Notifier
	defect defect
}

func (n around) Deliver(ctx context.Context, d callback.Delivery) callback.Receipt {
	return n.defect(&attempt{ctx, d, n.Notifier})
}

func (n around) Arrived() []Message { return arrivedIn(nil, n.Notifier) }

// attempt is one call of a notifier with a defect.
type attempt struct {
	ctx  context.Context
	d    callback.Delivery
	next callback.Notifier
}

// pass is what the sound notifier does.
func (a *attempt) pass() callback.Receipt { return a.next.Deliver(a.ctx, a.d) }

type defect func(a *attempt) callback.Receipt

// naive posts as a first attempt at a notifier does: with the default client, and every answer read to its end.
func naive(a *attempt) callback.Receipt {
	r, err := http.NewRequestWithContext(a.ctx, http.MethodPost, a.d.URL, bytes.NewReader(a.d.Body))
	if err != nil {
		return callback.Receipt{Verdict: callback.Refused, Detail: err.Error()}
	}
	r.Header.Set("Content-Type", a.d.ContentType)
	transport := &http.Transport{}
	defer transport.CloseIdleConnections()
	answer, err := (&http.Client{Transport: transport}).Do(r)
	if err != nil {
		return callback.Receipt{Verdict: callback.Refused, Detail: err.Error()}
	}
	defer answer.Body.Close()
	body, _ := io.ReadAll(answer.Body)
	if answer.StatusCode/100 != 2 || a.d.RequireOK && !strings.EqualFold(strings.TrimSpace(string(body)), "OK") {
		return callback.Receipt{Verdict: callback.Refused, Status: answer.StatusCode, Detail: string(body)}
	}
	return callback.Receipt{Verdict: callback.Accepted, Status: answer.StatusCode}
}

// Each planted defect fails the suite, at the check that is meant for it; without one the suite passes.
func TestPlantedDefects(t *testing.T) {
	t.Parallel()
	first := sync.Map{}
	for _, row := range []struct {
		name, want string // the beginning of a check's name
		posts      bool
		times      bool // the defect is one of time
		defect     defect
	}{
		{"none, a queue", "", false, false, func(a *attempt) callback.Receipt {
			return a.pass()
		}},
		{"none, a notifier that posts", "", true, true, func(a *attempt) callback.Receipt {
			return a.pass()
		}},
		{"trims the body", "an accepted", false, false, func(a *attempt) callback.Receipt {
			a.d.Body = a.d.Body[:min(len(a.d.Body), 4096)]
			return a.pass()
		}},
		{"decodes the body", "an accepted", true, false, func(a *attempt) callback.Receipt {
			a.d.Body = bytes.ReplaceAll(a.d.Body, []byte("%2A"), []byte("*"))
			return a.pass()
		}},
		{"changes the body", "an accepted", false, false, func(a *attempt) callback.Receipt {
			r := a.pass()
			clear(a.d.Body)
			return r
		}},
		{"cuts the query off", "an accepted", false, false, func(a *attempt) callback.Receipt {
			a.d.URL, _, _ = strings.Cut(a.d.URL, "?")
			return a.pass()
		}},
		{"accepts and forgets", "an accepted", false, false, func(a *attempt) callback.Receipt {
			return callback.Receipt{Verdict: callback.Accepted}
		}},
		{"drops redeliveries", "a redelivery", false, false, func(a *attempt) callback.Receipt {
			if _, again := first.LoadOrStore(a.next, a.d.ID); again && a.d.Attempt > 1 {
				return callback.Receipt{Verdict: callback.Accepted}
			}
			return a.pass()
		}},
		{"panics without a body", "no content", false, false, func(a *attempt) callback.Receipt {
			_ = a.d.Body[0]
			return a.pass()
		}},
		{"answers nothing", "an accepted", false, false, func(a *attempt) callback.Receipt {
			a.pass()
			return callback.Receipt{}
		}},
		{"ignores its context", "it returns", true, false, func(a *attempt) callback.Receipt {
			return naive(&attempt{context.Background(), a.d, a.next})
		}},
		{"blames the merchant for a stop", "it returns", true, false, func(a *attempt) callback.Receipt {
			r := a.pass()
			if errors.Is(a.ctx.Err(), context.Canceled) {
				r.Verdict = callback.TimedOut
			}
			return r
		}},
		{"accepts every answer", "an answer is judged", true, false, func(a *attempt) callback.Receipt {
			r := a.pass()
			if r.Status != 0 {
				r.Verdict = callback.Accepted
			}
			return r
		}},
		{"needs no OK", "on S2S", true, false, func(a *attempt) callback.Receipt {
			a.d.RequireOK = false
			return a.pass()
		}},
		{"needs an OK always", "an answer is judged", true, false, func(a *attempt) callback.Receipt {
			a.d.RequireOK = true
			return a.pass()
		}},
		{"waits for ever", "Retry-After", true, false, func(a *attempt) callback.Receipt {
			r := a.pass()
			if r.RetryAfter > 0 {
				r.RetryAfter = 24 * 365 * time.Hour
			}
			return r
		}},
		{"refuses what has timed out", "a merchant who does not answer", true, true, func(a *attempt) callback.Receipt {
			r := a.pass()
			if r.Verdict == callback.TimedOut {
				r.Verdict = callback.Refused
			}
			return r
		}},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			s := Subject{Arrived: arrivedIn, Patience: 2 * timeout}
			sound := func(testing.TB) callback.Notifier { return &queue{} }
			if row.posts {
				s.Arrived, s.Posts = nil, true
				if row.times {
					s.Timeout = timeout // that check has to wait for it
				}
				sound = func(tb testing.TB) callback.Notifier { return local(tb) }
			}
			s.New = func(tb testing.TB) callback.Notifier { return around{sound(tb), row.defect} }
			failed := failing(t, s)
			if row.want == "" {
				require.Empty(t, failed)
				return
			}
			require.True(t, slices.ContainsFunc(failed, func(name string) bool { return strings.HasPrefix(name, row.want) }),
				"found by %q", failed)
		})
	}
}

// A first attempt at a notifier fails each check that is meant for one of its defects.
func TestNaiveNotifier(t *testing.T) {
	t.Parallel()
	failed := failing(t, Subject{Posts: true, Patience: 2 * timeout,
		New: func(tb testing.TB) callback.Notifier { return around{local(tb), naive} }})
	for defect, want := range map[string]string{
		"follows redirects":      "redirects are not followed",
		"reads without end":      "a long answer is not read to its end",
		"shows the whole answer": "an answer's text stays out of the receipt where it may be a card number",
		"shows the URL":          "a closed port is refused",
	} {
		require.Contains(t, failed, want, "the notifier %s", defect)
	}
}

// recorder is a testing.TB that only remembers whether it failed.
type recorder struct {
	testing.TB
	failed bool
}

func (r *recorder) Helper()               {}
func (r *recorder) Errorf(string, ...any) { r.failed = true }
func (r *recorder) FailNow()              { r.failed = true; runtime.Goexit() }

// failing runs the whole suite and returns the checks that failed.
func failing(tb testing.TB, s Subject) (failed []string) {
	for _, c := range checks() {
		if c.missing(s) != "" {
			continue
		}
		r, done := &recorder{TB: tb}, make(chan struct{})
		go func() {
			defer close(done)
			c.run(newProbe(r, s))
		}()
		<-done
		if r.failed {
			failed = append(failed, c.name)
		}
	}
	return failed
}
