// Package door finds who asks, and whether they may: the merchant of a key, the signature and what it was used for, the
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

// Door lets merchants in. All of it is required.
type Door struct {
	Store      store.Store
	Now        func() time.Time
	Currencies *methods.Currencies
	Merchants  *merchant.Directory
}

// Proof is the signature that a request came with; gateway.Proof has the same fields.
type Proof struct {
	Formula signature.Formula
	Inputs  signature.Inputs
	Hash    string
}

func (d *Door) update(ctx context.Context, fn func(store.Tx) error) error {
	return store.Optimistic(ctx, d.Store, fn)
}
