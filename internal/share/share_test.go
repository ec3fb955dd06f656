package share_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/internal/share"
)

// What a party may have, by what it holds and what is busy.
func TestParty(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name      string
		workers   share.Workers
		held, all int
		want      bool
	}{
		{"a newcomer among none", 64, 0, 0, true},
		{"a newcomer takes the last worker", 64, 0, 63, true},
		{"below a quarter", 64, 15, 15, true},
		{"a quarter", 64, 16, 16, false},
		{"up to what is kept", 64, 3, 55, true},
		{"what is kept", 64, 3, 56, false},
		{"as many as are free", 64, 10, 54, false},
		{"a quarter of 32", 32, 8, 8, false},
		{"what is kept of 32", 32, 1, 28, false},
		{"one worker is enough for one", 1, 0, 0, true},
		{"a second one of two", 2, 1, 1, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, c.workers.Party(c.held, c.all))
		})
	}
}

// What is allowed at a place that parties share.
func TestPlace(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name      string
		held, all int
		newcomer  bool
		want      bool
	}{
		{"half", 31, 31, false, true},
		{"more than it leaves free", 32, 32, false, false},
		{"a newcomer beyond that", 32, 32, true, true},
		{"a newcomer up to what is kept", 56, 56, true, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, share.Workers(64).Place(c.held, c.all, c.newcomer))
		})
	}
}
