package postgres_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/postgres"
	"github.com/tollgatepay/gateway/store/storetest"
)

func TestContract(t *testing.T) {
	t.Parallel()
	storetest.Run(t,
		func(t *testing.T) store.Store { s, _ := two(t); return s },
		storetest.Reopen(func(t *testing.T, s store.Store) store.Store {
			require.NoError(t, s.Close())
			return open(t, s.(*postgres.Store).Schema())
		}))
}

// Two instances on one database hold the same contract.
func TestTwoInstances(t *testing.T) {
	t.Parallel()
	storetest.Again(t, func(t *testing.T) (one, other store.Store) { return two(t) })
}
