package page

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Every brand and result has its picture.
func TestPictures(t *testing.T) {
	t.Parallel()
	set, err := loadAssets(nil)
	require.NoError(t, err)
	named := set.Named
	for _, brand := range brands {
		require.Contains(t, named, "brand-"+brand.ID+".svg")
	}
	for status := range english.Results {
		require.Contains(t, named, "sign-"+string(status)+".svg")
	}
}
