package turn

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
)

// A turn is not lost when its next owner gives up at the moment it is passed on.
func TestTurnIsNotLost(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var l Line
	come := func() *Caller {
		c := &Caller{Ctx: ctx, done: make(chan struct{})}
		l.line = append(l.line, c)
		return c
	}
	require.NoError(t, l.Wait(&Caller{Ctx: t.Context()}))
	mine := come()
	require.Same(t, mine, l.Next(true))
	mine.Begin()
	require.NoError(t, l.leave(mine), "the turn has come and must be passed on")

	waiting := come()
	require.Equal(t, 1, l.Waiting())
	require.ErrorIs(t, l.leave(waiting), context.Canceled)
	require.Nil(t, l.Next(false))
	require.True(t, l.taken, "the line is empty, and the turn may not become free")
	require.Nil(t, l.Next(true))
	require.False(t, l.taken)
}

// A caller learns how their work ended, also when they gave up while another did it.
func TestServed(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var l Line
	c := &Caller{Ctx: ctx, done: make(chan struct{})}
	served, _ := c.Served()
	require.False(t, served)
	l.line = append(l.line, c)
	require.Same(t, c, l.Next(true))
	fault := errors.New("of the work")
	c.Answer(fault)
	require.NoError(t, l.leave(c))
	served, err := c.Served()
	require.True(t, served)
	require.Equal(t, fault, err)
}
