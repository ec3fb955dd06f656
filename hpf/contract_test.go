package hpf

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Every endpoint is described, and nothing else.
func TestEveryEndpointIsDescribed(t *testing.T) {
	t.Parallel()
	require.Len(t, described, len(endpoints))
	for _, e := range endpoints {
		require.Contains(t, described, e.path)
	}
	names := map[string]bool{}
	for _, c := range Contract() {
		require.NotEmpty(t, c.Says, c.Name)
		require.NotEmpty(t, c.Fields, c.Name)
		require.NotEmpty(t, c.Answers, c.Name)
		require.False(t, names[c.Name], c.Name)
		names[c.Name] = true
	}
}
