package badinput_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// The valid requests of chains are accepted, so that a bad one is refused only for its fault.
func TestChainsAreCharged(t *testing.T) {
	t.Parallel()
	for name := range beginsChain {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			got := w.send(w.at[name].request(w))
			require.Equal(t, 200, got.status, got.body)
			require.Contains(t, got.body, `"result":"SUCCESS"`)
		})
	}
}
