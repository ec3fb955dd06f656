package work_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand"
	"strings"
	"sync"
	"time"

	"github.com/tollgatepay/gateway/callback"
	"github.com/tollgatepay/gateway/store"
)

// street is the merchants' side of several gateways, with the clock of these. While it is bad, merchants answer by
// chance, and stores and clock may fail. It notes what must not be.
type street struct {
	faulty, back bool // stores fail; the clock is set back
	store        store.Store

	mu       sync.Mutex
	dice     *rand.Rand
	bad      bool
	clock    time.Duration  // how far it is ahead
	under    map[string]int // deliveries under way, by callback
	of       map[string]int // those of a gateway, by merchant
	tried    map[string]bool
	accepted map[string]bool
	wrong    []string
}

func newStreet(seed int64) *street {
	return &street{dice: rand.New(rand.NewSource(seed)), bad: true, under: map[string]int{}, of: map[string]int{},
		tried: map[string]bool{}, accepted: map[string]bool{}}
}

func (s *street) says(text string) { s.wrong = append(s.wrong, text) }

// roll returns a number below n.
func (s *street) roll(n int) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.dice.Intn(n)
}

func (s *street) now() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return time.Now().Add(s.clock)
}

// setBack sets the clock back, or not.
func (s *street) setBack() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.back && s.dice.Intn(10) == 0 {
		s.clock -= time.Duration(s.dice.Intn(3000)) * time.Millisecond
	}
}

// calms ends what is bad.
func (s *street) calms() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.bad = false
}

// blocked returns what of a callback's endpoint is blocked, by a block that began before this moment.
func (s *street) blocked(ctx context.Context, c *callback.Delivery) (held string, err error) {
	host, _, _ := strings.Cut(strings.TrimPrefix(c.URL, "https://"), "/")
	now, endpoints := s.now(), store.Table[callback.Endpoint]{Prefix: "ep", Version: 1}
	err = s.store.View(ctx, func(r store.Reader) error {
		held = ""
		for e, err := range endpoints.Scan(r, 999) {
			if err != nil {
				return err
			}
			until, blocked := e.Blocked(now)
			if blocked && until.Sub(now) < 15*time.Minute &&
				(e.URL == c.URL || e.URL == "host "+host || e.URL == "merchant "+c.MerchantID) {
				held = e.URL
			}
		}
		return nil
	})
	return held, err
}

// door is the street as one gateway sees it.
type door struct {
	*street
	name string
}

func (d door) Deliver(ctx context.Context, c callback.Delivery) callback.Receipt {
	held, err := d.blocked(ctx, &c)
	took, answer := d.begin(&c, held, err)
	time.Sleep(took)
	d.end(&c, answer)
	return callback.Receipt{Verdict: answer}
}

// begin notes what is wrong with a delivery, and chooses how it ends.
func (d door) begin(c *callback.Delivery, held string, err error) (took time.Duration, answer callback.Verdict) {
	d.mu.Lock()
	defer d.mu.Unlock()
	at := d.name + " " + c.MerchantID
	d.under[c.ID]++
	d.of[at]++
	payment, number := store.SplitCallbackID(c.ID)
	switch {
	case err != nil:
		d.says(err.Error())
	case held != "":
		d.says(c.ID + " is delivered though blocked: " + held)
	case d.under[c.ID] > 1:
		d.says(c.ID + " is delivered twice at a time")
	case d.accepted[c.ID] && !d.faulty:
		d.says(c.ID + " is delivered again")
	case number > 1 && !d.tried[store.CallbackID(payment, number-1)]:
		d.says(c.ID + " is delivered before the one before")
	case d.of[at] > 16:
		d.says(at + " has more than its share")
	}
	if !d.bad {
		return 0, callback.Accepted
	}
	took = time.Duration(d.dice.Intn(2000)) * time.Millisecond
	switch n := d.dice.Intn(10); {
	case c.MerchantID == "party-0" || n == 0:
		return 10 * time.Second, callback.TimedOut
	case n < 3:
		return took, callback.Refused
	case n < 6:
		return 0, callback.Accepted
	}
	return took, callback.Accepted
}

func (d door) end(c *callback.Delivery, answer callback.Verdict) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.under[c.ID]--
	d.of[fmt.Sprint(d.name, " ", c.MerchantID)]--
	d.tried[c.ID] = true
	d.accepted[c.ID] = d.accepted[c.ID] || answer == callback.Accepted
}

// shaky is a store whose transactions fail now and then while its street is bad.
type shaky struct {
	store.Store
	*street
}

var errShaky = errors.New("the store is away")

// fails returns below 3 when a transaction is to fail.
func (s shaky) fails() int {
	s.mu.Lock()
	bad := s.bad && s.faulty
	s.mu.Unlock()
	if !bad {
		return 3
	}
	return s.roll(30)
}

func (s shaky) View(ctx context.Context, fn func(store.Reader) error) error {
	if s.fails() == 0 {
		return errShaky
	}
	return s.Store.View(ctx, fn)
}

func (s shaky) Update(ctx context.Context, fn func(store.Tx) error) error {
	switch s.fails() {
	case 0:
		return errShaky
	case 1:
		return errors.Join(errShaky, store.ErrUnknownCommit)
	case 2:
		if err := s.Store.Update(ctx, fn); err != nil {
			return err
		}
		return errors.Join(errShaky, store.ErrUnknownCommit)
	}
	return s.Store.Update(ctx, fn)
}
