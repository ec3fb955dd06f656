// Package merchant finds merchants by key or id, with their configuration opened and ready, and saves the
// configuration.
package merchant

import (
	"log/slog"
	"time"

	"github.com/tollgatepay/gateway/internal/due"
	"github.com/tollgatepay/gateway/internal/seal"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// Directory is the merchants of a store. It caches a merchant until something of it is saved.
type Directory struct {
	Store      store.Store
	Now        func() time.Time
	Log        *slog.Logger
	Seals      *seal.Sealer
	Queues     *due.Queues // reports what cannot be read
	Connectors map[string]methods.Connector
	Catalogue  *methods.Catalogue
	Currencies *methods.Currencies
	Roots      Roots
	IsCountry  func(code string) bool
	Sinks      Sinks

	profiles profiles
}

// Sinks are the targets of callbacks that are no URL.
type Sinks interface {
	Takes(target string) bool
	Wanted() string // what a target has to be
}

// Roots are the roots under which wallet tokens are verified; gateway.WalletRoots documents each, and has the same
// fields.
type Roots struct {
	Apple  map[store.WalletEnvironment][]string
	Google map[store.WalletEnvironment]string
}
