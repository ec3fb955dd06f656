package methodstest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/methods"
)

// TestLeaks: both cards of a transfer are card data.
func TestLeaks(t *testing.T) {
	t.Parallel()
	var op methods.Operation
	with(1)(&op)
	answer := methods.Answer{Cause: "to 4111-1111 1111 1111", Continuation: []byte("4111111111111111")}
	want := []string{"Cause", "Continuation"}
	require.Equal(t, want, leaks(op, answer))
	require.Equal(t, want, leaks(methods.Operation{PayeeCard: op.Card}, answer))
	require.Empty(t, leaks(methods.Operation{}, answer))
	require.Empty(t, leaks(methods.Operation{Card: &methods.Card{}, PayeeCard: &methods.Card{}, MPI: &methods.MPI{}},
		answer))
}
