package postgres

import (
	"context"
	"errors"
	"sync"

	"github.com/tollgatepay/gateway/store"
)

// presumed is what one request has read from memory and was not compared yet. The first transaction of the request
// compares it, and until then the request has done nothing that counts.
type presumed struct {
	store *Store

	mu     sync.Mutex
	pairs  seen
	closed bool // views are compared from now on
	stored bool // something was committed, or may be: the request cannot run again
	torn   bool // something was not the present one
}

// presumedKey finds what was presumed on a store in the context of a request.
type presumedKey struct{ *Store }

// presumed returns what the request of a context has presumed; nil without a request.
func (s *Store) presumed(ctx context.Context) *presumed {
	p, _ := ctx.Value(presumedKey{s}).(*presumed)
	return p
}

// Presume implements store.Presumer.
func (s *Store) Presume(ctx context.Context, fn func(context.Context) error) error {
	if s.presumed(ctx) != nil {
		return fn(ctx)
	}
	err, held, fault := s.presume(ctx, fn)
	switch {
	case fault != nil:
		return fault
	case held:
		return err
	}
	return fn(ctx)
}

// presume runs a request for the first time. It reports whether that counts, or why this is unknown.
func (s *Store) presume(ctx context.Context, fn func(context.Context) error) (err error, held bool, fault error) {
	p, ended := &presumed{store: s}, false
	defer func() {
		p.close()
		if held, fault = p.holds(ctx); !ended && !held && fault == nil { // it has panicked, maybe at what is not there
			_ = recover()
		}
	}()
	err = fn(context.WithValue(ctx, presumedKey{s}, p))
	ended = true
	return err, held, fault
}

// Confirm implements store.Presumer.
func (s *Store) Confirm(ctx context.Context) error {
	p := s.presumed(ctx)
	if p == nil {
		return nil
	}
	p.close()
	return p.confirm(ctx)
}

// confirm compares what was presumed. It returns ErrPresumed if something has changed.
func (p *presumed) confirm(ctx context.Context) error {
	switch held, fault := p.holds(ctx); {
	case fault != nil:
		return fault
	case !held:
		return store.ErrPresumed
	}
	return nil
}

// holds reports whether the request counts. It asks if that is not known yet.
func (p *presumed) holds(ctx context.Context) (held bool, fault error) {
	p.mu.Lock()
	pairs, torn := p.pairs, p.torn && !p.stored
	p.mu.Unlock()
	if torn || len(pairs.list) == 0 {
		return !torn, nil
	}
	err := p.store.view(ctx, nil, func(r store.Reader) error {
		for _, pair := range pairs.list {
			if is, err := r.(store.Lender).Lend([]byte(pair.Key())); err != nil || is != pair {
				return errors.Join(err, errTorn)
			}
		}
		return nil
	})
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case err == nil:
		p.pairs = seen{}
	case errors.Is(err, errTorn):
		p.torn = true
		return p.stored, nil
	}
	return err == nil, err
}

// takes keeps what a reader has found in memory, and only there. It is false if that has to be compared now.
func (p *presumed) takes(r *reader) bool {
	if p == nil || r.from != nil || r.ctx.Err() != nil {
		return false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return false
	}
	assumed := r.pairs.list[:r.assumed]
	for _, pair := range assumed {
		if before, known := pairIn(&p.pairs, pair.Key()); known && before != pair {
			return false
		}
	}
	for _, pair := range assumed {
		p.pairs.put(pair)
	}
	return true
}

// close ends the presuming.
func (p *presumed) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
}

// carry gives a transaction what was presumed, to be compared with what it reads itself. When that has failed once, it
// is compared here, so that the transaction can go on without or is told to end.
func (p *presumed) carry(ctx context.Context, r *reader, attempt int) error {
	if p == nil {
		return nil
	}
	p.close()
	p.mu.Lock()
	pairs := p.pairs
	p.mu.Unlock()
	if attempt > 0 {
		return p.confirm(ctx)
	}
	for _, pair := range pairs.list {
		r.assume(pair)
	}
	return nil
}

// compared drops what was presumed: a transaction has compared it. stores says that it has stored something, or may
// have.
func (p *presumed) compared(stores bool) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.pairs, p.stored = seen{}, p.stored || stores
}
