// Package door authenticates requests: the merchant of a key, the signature and the one request it is good for, the
// duplicate window.
package door

import (
	"context"
	"time"

	"github.com/tollgatepay/gateway/callback/signature"
	"github.com/tollgatepay/gateway/internal/merchant"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// Door authenticates merchants. All fields are required.
type Door struct {
	Store      store.Store
	Now        func() time.Time
	Currencies *methods.Currencies
	Merchants  *merchant.Directory
}

// Proof is the signature of a request; gateway.Proof has the same fields.
type Proof struct {
	Formula signature.Formula
	Inputs  signature.Inputs
	Hash    string
}

// Admission is a request whose signature may have been made by one of several formulas; gateway.Admission has the same
// fields. Every formula is computed, so that a check always costs the same. Only a counting one signs.
type Admission struct {
	Protocol store.Protocol
	Inputs   signature.Inputs
	Hash     string
	Formulas []signature.Formula
	Counting []signature.Formula
	Refused  error // the answer to an unknown key and to a wrong hash
	Absent   error // the answer to a request about something unknown; nil if it is known
	Free     bool  // needs no protocol that is switched on
}

func (d *Door) update(ctx context.Context, fn func(store.Tx) error) error {
	return store.Optimistic(ctx, d.Store, fn)
}
