package postgres

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Readers share snapshots: those who begin to read while all snapshots are in use wait for the next one, and what the
// readers of a snapshot ask at the same time is one round trip. So a reader sees all that was committed before it
// began, and a hundred readers need few connections.
const (
	snapshotsAtOnce = 3
	// A snapshot that is as old as this is no longer counted: a slow reader does not keep others waiting.
	countedFor = 3 * time.Millisecond
)

// snapshots opens snapshots for those who read.
type snapshots struct {
	pool     *pgxpool.Pool
	schema   string
	patience time.Duration
	patient  *patient
	recent   *recent
	rounds   atomic.Int64   // trips to the server
	idle     chan *snapshot // to a goroutine that has run others before, and has the stack for it
	stop     chan struct{}

	mu      sync.Mutex
	next    *snapshot // takes readers until its first statement is sent
	counted int       // snapshots that are in use, without those that take long
}

// newSnapshots starts the goroutines that talk to the server.
func newSnapshots(s *Store) *snapshots {
	h := &snapshots{pool: s.reading, schema: s.cfg.Schema, patience: s.cfg.Patience, patient: s.patient,
		recent: s.recent,
		idle:   make(chan *snapshot), stop: make(chan struct{})}
	for range snapshotsAtOnce {
		go func() {
			for {
				select {
				case s := <-h.idle:
					s.run()
				case <-h.stop:
					return
				}
			}
		}()
	}
	return h
}

// close ends the goroutines. No reader comes any more.
func (h *snapshots) close() { close(h.stop) }

// snapshot is one REPEATABLE READ transaction. Its own goroutine talks to the server.
type snapshot struct {
	hub     *snapshots
	started bool          // the goroutine runs
	wake    chan struct{} // something happened: a question, or a reader has left

	mu      sync.Mutex
	readers int
	asked   []*question
	fault   error // why it answers no more
}

// join adds a reader to the next snapshot.
func (h *snapshots) join() *snapshot {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.next == nil {
		h.next = &snapshot{hub: h, wake: make(chan struct{}, 1)}
	}
	s := h.next
	s.mu.Lock()
	s.readers++
	s.mu.Unlock()
	h.startNext()
	return s
}

// startNext starts the next snapshot if there may be one more. The mutex is held.
func (h *snapshots) startNext() {
	if s := h.next; s != nil && !s.started && h.counted < snapshotsAtOnce {
		h.counted++
		s.started = true
		select {
		case h.idle <- s:
		default:
			go s.run()
		}
	}
}

// uncount ends the counting of a snapshot.
func (h *snapshots) uncount() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.counted--
	h.startNext()
}

// seal lets no more readers into a snapshot.
func (h *snapshots) seal(s *snapshot) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.next == s {
		h.next = nil
	}
}

// leave ends a reader's part.
func (s *snapshot) leave() {
	s.mu.Lock()
	s.readers--
	last := s.readers == 0
	s.mu.Unlock()
	if last {
		s.stir()
	}
}

func (s *snapshot) stir() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// ask waits for the answer to a question. The context of the reader ends the wait, and so does the patience.
func (s *snapshot) ask(q *question) error {
	q.answer = make(chan struct{})
	s.mu.Lock()
	if s.fault != nil {
		s.mu.Unlock()
		return s.fault
	}
	s.asked = append(s.asked, q)
	s.mu.Unlock()
	s.stir()
	return s.hub.patient.await(q)
}

// take returns what was asked, or false when all readers have left.
func (s *snapshot) take() ([]*question, bool) {
	for {
		s.mu.Lock()
		asked, over := s.asked, s.readers == 0
		s.asked = nil
		s.mu.Unlock()
		if over || len(asked) > 0 {
			return asked, !over
		}
		<-s.wake
	}
}

// run answers questions until no reader is left.
func (s *snapshot) run() {
	uncount := sync.OnceFunc(s.hub.uncount)
	defer uncount()
	conn, err := s.hub.connect(context.Background())
	if err != nil {
		s.hub.seal(s)
		s.fail(err)
		return
	}
	defer conn.Release()
	timer := time.AfterFunc(countedFor, uncount)
	defer timer.Stop()
	begun := false
	for {
		asked, more := s.take()
		if !more {
			s.hub.seal(s)
			if asked, more = s.take(); !more { // a reader may have come before the seal
				break
			}
		}
		if !begun {
			s.hub.seal(s)
		}
		if err := s.round(conn.Conn(), asked, !begun); err != nil {
			s.fail(err, asked...)
			s.hub.patient.drop(conn.Conn())
			return
		}
		begun = true
	}
	if begun {
		ctx, cancel := context.WithTimeout(context.Background(), s.hub.patience)
		defer cancel()
		_, _ = conn.Exec(ctx, "commit") // a connection on which it fails is not used again
	}
}

// connect waits for a connection as long as the store is patient.
func (h *snapshots) connect(ctx context.Context) (*pgxpool.Conn, error) {
	ctx, cancel := h.patient.within(ctx)
	defer cancel()
	conn, err := h.pool.Acquire(ctx)
	if err != nil {
		return nil, fmt.Errorf("postgres: connect to read: %w", named(ctx, err))
	}
	return conn, nil
}

// fail answers these questions, and all that come, with an error.
func (s *snapshot) fail(err error, asked ...*question) {
	s.mu.Lock()
	s.fault = err
	asked = append(asked, s.asked...)
	s.asked = nil
	s.mu.Unlock()
	for _, q := range asked {
		q.err = err
		close(q.answer)
	}
}

// round sends all questions at once and gives the answers. It is cancelled when each who asks has gone, and when the
// patience is over.
func (s *snapshot) round(conn *pgx.Conn, asked []*question, first bool) error {
	ctx, cancel := s.hub.patient.cancelable()
	defer cancel()
	contexts := make([]context.Context, len(asked))
	for i, q := range asked {
		contexts[i] = q.ctx
	}
	defer allGone(contexts, cancel)()
	s.hub.rounds.Add(1)
	batch := &pgx.Batch{}
	if first {
		batch.Queue("begin isolation level repeatable read, read only")
	}
	queue(batch, s.hub.schema, asked, s.hub.recent.learn)
	if err := s.hub.send(ctx, conn, batch); err != nil {
		return err
	}
	for _, q := range asked {
		close(q.answer)
	}
	return nil
}

// send is one trip to the server. When that is silent no other connection to it is used again.
func (h *snapshots) send(ctx context.Context, conn *pgx.Conn, batch *pgx.Batch) error {
	err := named(ctx, conn.SendBatch(ctx, batch).Close())
	if err == nil {
		return nil
	}
	if isImpatience(err) {
		h.pool.Reset()
	}
	return fmt.Errorf("postgres: read: %w", err)
}

// allGone calls cancel when all contexts have ended, until stop is called. It waits for one after the other.
func allGone(contexts []context.Context, cancel func()) (stop func()) {
	var mu sync.Mutex
	var wait func()
	stopped, leave := false, func() bool { return true }
	wait = func() {
		mu.Lock()
		defer mu.Unlock()
		if stopped {
			return
		}
		for len(contexts) > 0 && contexts[0].Err() != nil {
			contexts = contexts[1:]
		}
		if len(contexts) == 0 {
			cancel()
			return
		}
		leave = context.AfterFunc(contexts[0], wait)
	}
	wait()
	return func() {
		mu.Lock()
		defer mu.Unlock()
		stopped = true
		leave()
	}
}
