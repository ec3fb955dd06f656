package page

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/checkout/page/internal/static"
)

// Every brand and result has its picture.
func TestPictures(t *testing.T) {
	t.Parallel()
	set, err := static.Load(nil)
	require.NoError(t, err)
	named := set.Named
	for _, brand := range brands {
		require.Contains(t, named, "brand-"+brand.ID+".svg")
	}
	for status := range in("en").Results {
		require.Contains(t, named, "sign-"+string(status)+".svg")
	}
}
