package deadline_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/internal/deadline"
)

type contextKey struct{}

// A deadline is what context.WithTimeout returns, to all who ask it: before somebody waits for its end, and after.
func TestDeadline(t *testing.T) {
	t.Parallel()
	waits := map[string]func(context.Context){
		"nobody waits": func(context.Context) {},
		"one waits":    func(ctx context.Context) { _ = ctx.Done() },
		"one asks":     func(ctx context.Context) { _ = ctx.Value(contextKey{}) },
		"a derived context waits": func(ctx context.Context) {
			derived, cancel := context.WithCancel(ctx)
			defer cancel()
			_ = derived.Done()
		},
	}
	for _, c := range []struct {
		name string
		do   func(parent context.CancelFunc, end func())
		want error
	}{
		{"just begun", func(context.CancelFunc, func()) {}, nil},
		{"before its time", func(context.CancelFunc, func()) { time.Sleep(time.Minute - 1) }, nil},
		{"at its time", func(context.CancelFunc, func()) { time.Sleep(time.Minute) }, context.DeadlineExceeded},
		{"ended", func(_ context.CancelFunc, end func()) { end() }, context.Canceled},
		{"ended twice", func(_ context.CancelFunc, end func()) { end(); end() }, context.Canceled},
		{"ended, then its time comes", func(_ context.CancelFunc, end func()) { end(); time.Sleep(time.Hour) }, context.Canceled},
		{"its parent ended", func(parent context.CancelFunc, _ func()) { parent() }, context.Canceled},
		{"its parent ended, then its time comes", func(parent context.CancelFunc, _ func()) {
			parent()
			time.Sleep(time.Hour)
		}, context.Canceled},
	} {
		for name, wait := range waits {
			t.Run(c.name+", "+name, func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					parent, cancel := context.WithCancel(context.WithValue(t.Context(), contextKey{}, "v"))
					defer cancel()
					d := deadline.New(parent, time.Minute)
					at, ok := d.Deadline()
					require.True(t, ok)
					require.Equal(t, time.Now().Add(time.Minute), at)
					wait(d)
					c.do(cancel, d.End)
					synctest.Wait()
					require.Equal(t, c.want, d.Err())
					require.Equal(t, c.want, context.Cause(d))
					require.Equal(t, c.want != nil, closed(d.Done()))
					require.Equal(t, c.want, d.Err())
					require.Equal(t, "v", d.Value(contextKey{}))
					d.End()
				})
			})
		}
	}
}

func closed(done <-chan struct{}) bool {
	select {
	case <-done:
		return true
	default:
		return false
	}
}

// A parent that ends earlier sets the deadline.
func TestDeadlineOfAParent(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		parent, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		d := deadline.New(parent, time.Minute)
		at, ok := d.Deadline()
		require.True(t, ok)
		require.Equal(t, time.Now().Add(time.Second), at)
		time.Sleep(time.Second)
		synctest.Wait()
		require.ErrorIs(t, d.Err(), context.DeadlineExceeded)
	})
}

// Who waits is woken at the deadline. So is who waits for a derived context.
func TestDeadlineWakes(t *testing.T) {
	t.Parallel()
	for name, derive := range map[string]func(context.Context) (context.Context, context.CancelFunc){
		"itself":  func(ctx context.Context) (context.Context, context.CancelFunc) { return ctx, func() {} },
		"derived": context.WithCancel,
		"by a later deadline": func(ctx context.Context) (context.Context, context.CancelFunc) {
			return context.WithTimeout(ctx, time.Hour)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				began := time.Now()
				d := deadline.New(t.Context(), time.Minute)
				defer d.End()
				ctx, cancel := derive(d)
				defer cancel()
				<-ctx.Done()
				require.Equal(t, time.Minute, time.Since(began))
				require.True(t, errors.Is(ctx.Err(), context.DeadlineExceeded))
			})
		})
	}
}

// The reason why it has ended does not change any more.
func TestDeadlineEndsOnce(t *testing.T) {
	t.Parallel()
	mine := errors.New("mine")
	events := map[string]func(parent context.CancelCauseFunc, d *deadline.Context){
		"its time":   func(context.CancelCauseFunc, *deadline.Context) { time.Sleep(time.Minute) },
		"end":        func(_ context.CancelCauseFunc, d *deadline.Context) { d.End() },
		"its parent": func(parent context.CancelCauseFunc, _ *deadline.Context) { parent(mine) },
	}
	want := map[string][2]error{
		"its time": {context.DeadlineExceeded, context.DeadlineExceeded}, "end": {context.Canceled, context.Canceled},
		"its parent": {context.Canceled, mine},
	}
	for first, do := range events {
		for later, then := range events {
			for _, waited := range []bool{false, true} {
				t.Run(fmt.Sprintf("%s, %s, waited %t", first, later, waited), func(t *testing.T) {
					t.Parallel()
					synctest.Test(t, func(t *testing.T) {
						parent, cancel := context.WithCancelCause(t.Context())
						defer cancel(nil)
						d := deadline.New(parent, time.Minute)
						if waited {
							_ = d.Done()
						}
						do(cancel, d)
						synctest.Wait()
						require.Equal(t, want[first][0], d.Err())
						then(cancel, d)
						synctest.Wait()
						require.Equal(t, want[first][0], d.Err())
						require.True(t, closed(d.Done()))
						require.Equal(t, want[first][0], d.Err())
						require.Equal(t, want[first][1], context.Cause(d))
						require.NotEmpty(t, fmt.Sprint(d))
						d.End()
						require.Equal(t, want[first][0], d.Err())
					})
				})
			}
		}
	}
}
