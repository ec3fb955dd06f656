package refusal_test

import (
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/refusal"
)

// An error is itself and what it was copied from, and not what else was copied from that.
func TestIdentity(t *testing.T) {
	t.Parallel()
	name := refusal.ErrInvalid.Fields(refusal.Fault{Path: "payer_name", Text: "is required"})
	for _, c := range []struct {
		name        string
		err, target error
		is          bool
	}{
		{"itself", refusal.ErrNoMID, refusal.ErrNoMID, true},
		{"another of the same code", refusal.ErrNoPayment, refusal.ErrNoOrder, false},
		{"another of the same text", refusal.ErrWallet, refusal.ErrMethodRoute, false},
		{"with a cause", refusal.ErrNoMID.With(io.EOF), refusal.ErrNoMID, true},
		{"its cause", refusal.ErrNoMID.With(io.EOF), io.EOF, true},
		{"a field is an invalid request", name, refusal.ErrInvalid, true},
		{"a field is no other field", name, refusal.ErrChannelRoute, false},
		{"an invalid request is no certain field", refusal.ErrInvalid, refusal.ErrChannelRoute, false},
		{"a certain field", refusal.ErrChannelRoute, refusal.ErrChannelRoute, true},
		{"a certain field is an invalid request", refusal.ErrChannelRoute, refusal.ErrInvalid, true},
		{"a certain field with a cause", refusal.ErrChannelRoute.With(io.EOF), refusal.ErrChannelRoute, true},
		{"a certain field is no other", refusal.ErrChannelRoute, refusal.ErrZeroRoute, false},
		{"wrapped", fmt.Errorf("charge: %w", refusal.ErrZeroRoute.With(io.EOF)), refusal.ErrZeroRoute, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.is, errors.Is(c.err, c.target))
		})
	}
}

// What a caller gets cannot change the catalogue, nor another caller's error.
func TestNothingChangesAnError(t *testing.T) {
	t.Parallel()
	given := []refusal.Fault{{Path: "a", Text: "is required"}}
	err := refusal.ErrInvalid.Fields(given...)
	given[0].Path = "b"
	err.Faults()[0].Path = "c"
	refusal.ErrChannelRoute.Faults()[0].Text = "changed"
	require.Equal(t, []refusal.Fault{{Path: "a", Text: "is required"}}, err.Faults())
	require.Equal(t, "This value is not valid.", refusal.ErrChannelRoute.Faults()[0].Text)
	require.Empty(t, refusal.ErrInvalid.Faults())
}

// A copy has the kind, the code, the status and the message of its original.
func TestCopies(t *testing.T) {
	t.Parallel()
	for _, err := range []*refusal.Error{refusal.ErrNoMID.With(io.EOF), refusal.ErrNoMID.Fields()} {
		require.Equal(t, refusal.Refused, err.Kind())
		require.Equal(t, 204002, err.Code())
		require.Equal(t, 400, err.Status())
		require.Equal(t, "Enabled merchant mappings or MIDs not found.", err.Message())
	}
	known := refusal.AsError(io.EOF)
	require.Equal(t, refusal.Internal, known.Kind())
	require.ErrorIs(t, known, io.EOF)
}
