package hpf

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/internal/jsonbody"
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

// Every member of the answer to a payment belongs to a result, and every result is told what to do with.
func TestEveryMemberIsDescribed(t *testing.T) {
	t.Parallel()
	told := map[string]bool{}
	for _, a := range paidAnswers() {
		require.NotEmpty(t, a.Means, a.Result)
		for _, f := range a.Fields {
			told[f.Path] = true
		}
	}
	for _, f := range jsonbody.Told[payAnswer]() {
		require.True(t, told[f.Path], f.Path)
	}
}
