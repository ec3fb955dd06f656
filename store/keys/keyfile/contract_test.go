package keyfile_test

import (
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store/keys"
	"github.com/tollgatepay/gateway/store/keys/keyfile"
	"github.com/tollgatepay/gateway/store/keys/keystest"
)

func TestContract(t *testing.T) {
	t.Parallel()
	var paths sync.Map // of each provider, to open its file again
	at := func(tb testing.TB, path string) keys.Provider {
		file, err := keyfile.Open(path)
		require.NoError(tb, err)
		paths.Store(file, path)
		return file
	}
	path := func(p keys.Provider) string {
		name, _ := paths.Load(p)
		return name.(string)
	}
	keystest.Run(t, keystest.Subject{
		New: func(tb testing.TB) keys.Provider { return at(tb, filepath.Join(tb.TempDir(), "keys.json")) },
		Reopen: func(tb testing.TB, p keys.Provider) keys.Provider {
			return at(tb, path(p))
		},
		Rotate: func(tb testing.TB, p keys.Provider) {
			_, err := p.(*keyfile.Keys).Rotate()
			require.NoError(tb, err)
		},
		Destroy: func(tb testing.TB, p keys.Provider, id string) {
			require.NoError(tb, p.(*keyfile.Keys).Destroy(id))
		},
		Outage: func(tb testing.TB, p keys.Provider) func() { // the disk with the file is missing
			name := path(p)
			require.NoError(tb, os.Rename(name, name+".away"))
			return func() { require.NoError(tb, os.Rename(name+".away", name)) }
		},
	})
}
