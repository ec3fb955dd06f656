package postgres_test

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/storetest"
)

func TestContract(t *testing.T) {
	t.Parallel()
	var schemas sync.Map // of each store, to reopen it
	open := func(t *testing.T, schema string) store.Store {
		s := open(t, schema)
		schemas.Store(s, schema)
		return s
	}
	storetest.Run(t,
		func(t *testing.T) store.Store { return open(t, newSchema(t)) },
		storetest.Reopen(func(t *testing.T, s store.Store) store.Store {
			require.NoError(t, s.Close())
			schema, _ := schemas.Load(s)
			return open(t, schema.(string))
		}))
}

// Two instances on one database hold the same contract.
func TestTwoInstances(t *testing.T) {
	t.Parallel()
	storetest.Again(t, func(t *testing.T) (one, other store.Store) {
		schema := newSchema(t)
		return open(t, schema), open(t, schema)
	})
}
