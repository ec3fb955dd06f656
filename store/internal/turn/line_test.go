package turn

import (
	"context"
	"errors"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store"
)

// ending is how a Wait ended.
type ending struct {
	mine bool
	err  error
}

// come lets a caller join the line behind the one who has the turn.
func come(t *testing.T, l *Line, ctx context.Context) <-chan ending {
	t.Helper()
	ended, waiting := make(chan ending, 1), l.Waiting()
	go func() {
		mine, err := l.Wait(ctx, func(store.Tx) error { return nil })
		ended <- ending{mine, err}
	}()
	for l.Waiting() == waiting {
		runtime.Gosched()
	}
	return ended
}

func TestLine(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	var l Line
	mine, err := l.Wait(t.Context(), nil)
	require.NoError(t, err)
	require.True(t, mine)
	gets, served, gone := come(t, &l, t.Context()), come(t, &l, t.Context()), come(t, &l, ctx)
	fault := errors.New("of the work")

	l.Next(true).Begin()
	require.Equal(t, ending{mine: true}, <-gets)
	l.Next(true).Answer(fault)
	require.Equal(t, ending{err: fault}, <-served)
	cancel()
	require.Equal(t, ending{err: context.Canceled}, <-gone)
	require.Nil(t, l.Next(false))
	require.True(t, l.taken, "the line is empty, and the turn may not become free")
	require.Nil(t, l.Next(true))
	require.False(t, l.taken)
}

// What comes to a caller who gave up at the same moment is not lost.
func TestTurnIsNotLost(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		comes func(*Caller)
		want  ending
	}{
		{"the turn", (*Caller).Begin, ending{mine: true}},
		{"an answer", func(c *Caller) { c.Answer(nil) }, ending{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithCancel(t.Context())
			l := Line{taken: true}
			ended := come(t, &l, ctx)
			first := l.Next(true)
			cancel()
			for range 1000 {
				runtime.Gosched() // for the caller to find that they left the line already
			}
			c.comes(first)
			require.Equal(t, c.want, <-ended)
		})
	}
}
