package keystest

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store/keys"
)

func callChecks() []check {
	return []check{
		{"many calls at once", needs{}, checkMany},
		{"a context that has ended is never final", needs{}, checkEnded},
		{"an outage is never final", needs{outage: true}, checkOutage},
	}
}

// many is how many goroutines call at once, and rounds how often each of them.
const many, rounds = 16, 8

// checkMany wraps and unwraps on many goroutines, during a rotation if the provider has one.
func checkMany(p *probe) {
	lookup := p.lookup()
	faults := make(chan error, many)
	var group sync.WaitGroup
	for range many {
		group.Go(func() { faults <- p.turns(lookup) })
	}
	if p.Rotate != nil {
		p.Rotate(p.tb, p.provider)
	}
	p.call(context.Background(), "one of many calls", func(context.Context) { group.Wait() })
	for range many {
		require.NoError(p.tb, <-faults)
	}
}

// turns does the work of one goroutine. It returns the fault: only the test's own goroutine may fail the test.
func (p *probe) turns(lookup []byte) (fault error) {
	defer func() {
		if v := recover(); v != nil {
			fault = fmt.Errorf("a call panicked: %v", v)
		}
	}()
	ctx := context.Background()
	for range rounds {
		dataKey := make([]byte, keys.Size)
		_, _ = rand.Read(dataKey) // never fails: crypto/rand ends the program instead
		w, err := p.provider.Wrap(ctx, dataKey)
		if err != nil {
			return err
		}
		got, err := p.provider.Unwrap(ctx, w)
		if err != nil {
			return err
		}
		key, err := p.provider.LookupKey(ctx)
		if err != nil {
			return err
		}
		if !bytes.Equal(dataKey, got) || !bytes.Equal(lookup, key) {
			return errors.New("one of many calls returned the data of another")
		}
	}
	return nil
}

// checkEnded: when the context has ended a provider may answer or fail, but not with a final error, and the next
// call is served.
func checkEnded(p *probe) {
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	late, cancelLate := context.WithDeadline(context.Background(), time.Unix(0, 0))
	defer cancelLate()
	m := p.make()
	for _, ctx := range []context.Context{cancelled, late} {
		served := p.servesOrPasses(ctx, m, "the context had ended")
		p.opensAll(append(served, m, p.make()), "after calls whose context had ended")
	}
}

// checkOutage: while the service cannot be reached, no key is reported as gone.
func checkOutage(p *probe) {
	m := p.make()
	over := p.Outage(p.tb, p.provider)
	ctx, cancel := context.WithTimeout(context.Background(), p.Patience/10)
	defer cancel()
	served := p.servesOrPasses(ctx, m, "an outage")
	unknown := keys.Wrapped{KeyID: "keystest-" + rand.Text(), Bytes: m.wrapped.Bytes}
	_, err := p.tryUnwrap(ctx, unknown)
	require.Error(p.tb, err)
	p.passes(err, "an outage, and an id that the provider does not know")
	over()
	p.opensAll(append(served, m, p.make()), "after an outage")
	p.refuses(unknown, keys.ErrGone, "after an outage, an id that names no key")
}

// servesOrPasses makes each call once. Each is served or fails with a temporary error. It returns what Wrap
// wrapped.
func (p *probe) servesOrPasses(ctx context.Context, m made, why string) (served []made) {
	dataKey := p.dataKey(keys.Size)
	w, err := p.tryWrap(ctx, dataKey)
	if p.passes(err, why) {
		served = []made{{dataKey, w}}
	}
	got, err := p.tryUnwrap(ctx, m.wrapped)
	if p.passes(err, why) {
		require.True(p.tb, bytes.Equal(m.dataKey, got), "Unwrap returned another data key: %s", why)
	}
	_, err = p.tryLookup(ctx)
	p.passes(err, why)
	return served
}

// passes requires no error or a temporary one, and reports whether the call was served.
func (p *probe) passes(err error, why string) bool {
	require.NotErrorIs(p.tb, err, keys.ErrGone, "a final fault: %s", why)
	require.NotErrorIs(p.tb, err, keys.ErrBroken, "a final fault: %s", why)
	return err == nil
}
