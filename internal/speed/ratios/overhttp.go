package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"

	"github.com/tollgatepay/gateway/internal/speed"
)

// side is a server and what it is asked. Its figures grow by one with every turn.
type side struct {
	*process
	path, contentType, more string
	body                    func(n int64) []byte
	sent                    int64
	perSecond, cpuMicros    speed.Spread
}

const asForm = "application/x-www-form-urlencoded"

// turn sends a turn's requests and notes the rate and the server's CPU time for each.
func (s *side) turn(n int) error {
	requests := requestsOf(s.path, s.contentType, s.more, n, s.body, s.sent)
	s.sent += int64(n)
	runtime.GC()
	before, err := s.cpu()
	if err != nil {
		return err
	}
	took, err := load(s.address, requests)
	if err != nil {
		return fmt.Errorf("%s: %w", s.path, err)
	}
	after, err := s.cpu()
	s.perSecond = append(s.perSecond, float64(n)/took.Seconds())
	s.cpuMicros = append(s.cpuMicros, speed.Micros(after-before)/float64(n))
	return err
}

// overHTTP measures sessions and sales beside a bare handler and stripe-mock, all in turns.
func (b *bench) overHTTP(ctx context.Context) (err error) {
	bare := &side{path: "/api/v1/session", contentType: "application/json", body: speed.SessionJSON}
	sessions := &side{path: "/api/v1/session", contentType: "application/json", body: speed.SessionJSON}
	stripe := &side{path: "/v1/payment_intents", contentType: asForm, more: "Authorization: Bearer sk_test_123\r\n",
		body: func(int64) []byte { return []byte("amount=1000&currency=usd&description=Important+gift") }}
	memory := &side{path: "/post", contentType: asForm, body: speed.SaleForm}
	bolt := &side{path: "/post", contentType: asForm, body: speed.SaleForm}
	all := []*side{bare, sessions, stripe, memory, bolt}
	for i, role := range []string{bareServer, sessionServer, "", memoryServer, boltServer} {
		if all[i].process, err = b.started(ctx, role); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, all[i].stop()) }()
	}
	if err := b.turns(all); err != nil {
		return err
	}
	speed.PrintRatio(b.out, "session over HTTP, of a bare handler", sessions.perSecond, bare.perSecond)
	speed.PrintRatio(b.out, "S2S sale over HTTP on memory, of a PaymentIntent of stripe-mock",
		memory.perSecond, stripe.perSecond)
	speed.PrintRatio(b.out, "durable S2S sale over HTTP on bolt, of a PaymentIntent of stripe-mock",
		bolt.perSecond, stripe.perSecond)
	plain := bare.cpuMicros
	for _, row := range []struct {
		name, unit string
		values     speed.Spread
	}{
		{"server CPU of the bare handler", "us", plain},
		{"server CPU of a PaymentIntent of stripe-mock", "us", stripe.cpuMicros},
		{"server CPU of a session, less the bare handler's", "us", sessions.cpuMicros.Less(plain)},
		{"server CPU of an S2S sale on memory, less the bare handler's", "us", memory.cpuMicros.Less(plain)},
		{"server CPU of an S2S sale on bolt, less the bare handler's", "us", bolt.cpuMicros.Less(plain)},
		{"server CPU of a session, of the bare handler's", "times", sessions.cpuMicros.Over(plain)},
		{"server CPU of an S2S sale on memory, of the bare handler's", "times", memory.cpuMicros.Over(plain)},
		{"server CPU of an S2S sale on memory, of a PaymentIntent of stripe-mock", "times",
			memory.cpuMicros.Over(stripe.cpuMicros)},
	} {
		speed.PrintMeasure(b.out, row.name, row.unit, row.values)
	}
	return nil
}

// started starts the server of a role; stripe-mock has none.
func (b *bench) started(ctx context.Context, role string) (*process, error) {
	if role == "" {
		return startStripe(ctx, b.folder)
	}
	return start(ctx, role, filepath.Join(b.folder, "http.db"))
}

// turns warms every side up with a tenth of a turn, and then gives each a turn per repetition.
func (b *bench) turns(all []*side) error {
	for _, s := range all {
		if err := s.turn(max(b.requests/10, connections)); err != nil {
			return err
		}
		s.perSecond, s.cpuMicros = nil, nil
	}
	for range b.repeat {
		for _, s := range all {
			if err := s.turn(b.requests); err != nil {
				return err
			}
		}
	}
	return nil
}
