package store_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store"
)

// A full name has single spaces between its words, and none around them.
func TestFullName(t *testing.T) {
	t.Parallel()
	parts := []string{"", " ", "John", " John", "John ", "John  Paul", "Doe\u00a0", "van\tDoe", "Zoë"}
	for _, first := range parts {
		for _, last := range parts {
			want := strings.Join(strings.Fields(first+" "+last), " ")
			require.Equal(t, want, store.Payer{FirstName: first, LastName: last}.FullName())
		}
	}
	require.Equal(t, "J.  D.", store.Payer{Name: "J.  D.", FirstName: "John"}.FullName(), "a name in one piece")
}
