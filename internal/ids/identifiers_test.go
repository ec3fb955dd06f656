package ids_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/internal/ids"
)

// An id has letters, digits and -_.~ and nothing else.
func TestCharactersOfIDs(t *testing.T) {
	t.Parallel()
	const allowed = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_.~"
	for c := range 256 {
		id := "a" + string([]byte{byte(c)})
		_, err := (&ids.Source{Next: func() string { return id }}).NewID()
		require.Equal(t, strings.IndexByte(allowed, byte(c)) >= 0, err == nil, "%q", id)
	}
}
