package badinput_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// What bad input of a chain is made of is taken as it stands: else it could be refused for something else.
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
