// Package token owns saved cards: their tokens, and the marks of used wallet tokens.
package token

import (
	"io"
	"time"

	"github.com/tollgatepay/gateway/internal/seal"
	"github.com/tollgatepay/gateway/store"
)

// Cards are the saved cards of a store.
type Cards struct {
	Store  store.Store
	Now    func() time.Time
	Random io.Reader
	Seals  *seal.Sealer
}
