// Package records owns what is stored: every table, queue and key of the gateway, and the stored form of every record
// that package store has no struct for.
package records

import (
	"github.com/tollgatepay/gateway/callback"
	"github.com/tollgatepay/gateway/store"
)

// The tables, with who writes them. Payments, transactions and sessions are named by ids that ascend in time.
var (
	Merchants = store.Table[Merchant]{Prefix: "m", Version: 1}         // merchant: a save
	Mappings  = store.Table[store.Mapping]{Prefix: "mp", Version: 1}   // merchant: a save
	MIDs      = store.Table[MID]{Prefix: "md", Version: 1}             // merchant: a save
	Wallets   = store.Table[MerchantWallets]{Prefix: "wl", Version: 1} // merchant: a save
	Schedules = store.Table[store.Schedule]{Prefix: "sc", Version: 1}  // recurring: a merchant's call

	Sessions     = store.Table[store.Session]{Prefix: "s", Version: 1}     // session
	Payments     = store.Table[store.Payment]{Prefix: "p", Version: 1}     // engine
	Transactions = store.Table[store.Transaction]{Prefix: "t", Version: 1} // engine
	Chains       = store.Table[Chain]{Prefix: "ch", Version: 1}            // recurring
	CardTokens   = store.Table[CardToken]{Prefix: "ct", Version: 1}        // token

	Callbacks = store.Table[store.Callback]{Prefix: "cb", Version: 1}    // callback, which names it itself
	Endpoints = store.Table[callback.Endpoint]{Prefix: "ep", Version: 1} // callback, which names it itself

	Asides  = store.Table[store.Aside]{Prefix: "as", Version: 1} // work: what cannot be read
	Cursors = store.Table[Cursor]{Prefix: "pg", Version: 1}      // retention: where the sweeper stands
)

// The queues of due work.
var (
	RecoveryQueue = store.FairQueue{Name: "qr"} // engine: open transactions, by connector
	DueQueue      = store.FairQueue{Name: "qs"} // recurring: chains with a date and schedules to plan anew, by merchant
	HeldQueue     = store.Queue{Name: "qh"}     // session: those whose collected card has to go when they expire
)

// The prefixes of what is a mark and no record.
const (
	MerchantKeys = "mk" // merchant: a live or test key; the value is the merchant's id
	Revisions    = "mr" // merchant: counts the changes of a configuration
	Windows      = "w"  // door: when an order number was accepted last, RFC 3339
	Passwords    = "pw" // merchant: the passwords a merchant has or had; never deleted
	HashMarks    = "hs" // door: what a used signature signed
	Orders       = "o"  // engine: the live payments of an order, which ascend in time
	TestOrders   = "ot" // engine: the test payments of an order
	Breaches     = "br" // engine: closed transactions that later evidence speaks against
	LimitSums    = "lm" // engine: what a limit of a MID or mapping has counted in a period
	Members      = "sk" // recurring: the chains on a schedule
	WalletUses   = "wr" // token: used wallet tokens; the value is when a token is refused by its age, RFC 3339
)

// KeyOfMerchant leads from a merchant's live or test key to its id.
func KeyOfMerchant(key string) []byte { return store.Key(MerchantKeys, key) }

// KeyOfRevision counts the changes of a merchant's configuration.
func KeyOfRevision(merchantID string) []byte { return store.Key(Revisions, merchantID) }

// KeyOfPassword is where the name of a merchant's password lies, and with a name where it is noted that the
// merchant has or had that one. Neither is deleted, and neither depends on the merchant's record.
func KeyOfPassword(merchantID string, name ...string) []byte {
	return store.Key(append([]string{Passwords, merchantID}, name...)...)
}

// KeyOfWindow holds when an order number was last accepted.
func KeyOfWindow(w Owner, order string) []byte {
	traffic := "live"
	if w.Test {
		traffic = "test"
	}
	return store.Key(Windows, w.MerchantID, traffic, Short(order))
}

// KeyOfOrder leads from an order to its payments; without an id it is the prefix of them all.
func KeyOfOrder(w Owner, order string, id ...string) []byte {
	table := Orders
	if w.Test {
		table = TestOrders
	}
	return store.Key(append([]string{table, w.MerchantID, Short(order)}, id...)...)
}

// KeyOfBreach names a closed transaction that later evidence speaks against; without an id it is the prefix of them all.
func KeyOfBreach(id ...string) []byte { return store.Key(append([]string{Breaches}, id...)...) }

// KeyOfMember names a chain among those on a schedule; without a token it is the prefix of them all.
func KeyOfMember(merchantID, scheduleID string, token ...string) []byte {
	return store.Key(append([]string{Members, merchantID, scheduleID}, token...)...)
}
