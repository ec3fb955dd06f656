package fields

import (
	"github.com/tollgatepay/gateway/store"
)

// StateOf is the state where it counts; elsewhere it is dropped (decision bj).
func StateOf(a store.Address) string { return State(a.Country, a.State) }
