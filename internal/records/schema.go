// Package records owns what is stored: every table, queue and key of the gateway, and the stored form of every
// record that has no struct in package store.
package records

import (
	"github.com/tollgatepay/gateway/callback"
	"github.com/tollgatepay/gateway/store"
)

// The tables, with the room that writes each. Payments and sessions have ids that are sorted by time. A sale writes its
// payment twice: the intent before the acquirer is called, and the outcome. It writes its callback once, since every
// try sends the same bytes.
var (
	Merchants = store.Table[Merchant]{Prefix: "m", Version: 1}         // merchant: a save
	Mappings  = store.Table[store.Mapping]{Prefix: "mp", Version: 1}   // merchant: a save
	MIDs      = store.Table[MID]{Prefix: "md", Version: 1}             // merchant: a save
	Wallets   = store.Table[MerchantWallets]{Prefix: "wl", Version: 1} // merchant: a save
	Schedules = store.Table[Schedule]{Prefix: "sc", Version: 1}        // recurring: a merchant's call

	Sessions   = store.Table[store.Session]{Prefix: "s", Version: 1}        // session
	Payments   = store.Table[Payment]{Prefix: "p", Version: 1, Usual: 1152} // engine: with their transactions
	Chains     = store.Table[Chain]{Prefix: "ch", Version: 1}               // recurring
	CardTokens = store.Table[CardToken]{Prefix: "ct", Version: 1}           // token

	Callbacks = store.Table[Callback]{Prefix: "cb", Version: 1}          // callback, which names it itself
	Endpoints = store.Table[callback.Endpoint]{Prefix: "ep", Version: 1} // callback, which names it itself

	IdempotencyKeys = store.Table[Made]{Prefix: "ik", Version: 1, Usual: 256} // once: deleted within days

	Asides  = store.Table[store.Aside]{Prefix: "as", Version: 1} // work: what cannot be read
	Cursors = store.Table[Cursor]{Prefix: "pg", Version: 1}      // retention: the sweeper's position
)

// The queues of due work. A sale writes its entry of the recovery queue with the intent, because nothing else finds an
// intent without an outcome after a crash, and deletes it with the outcome.
var (
	RecoveryQueue = store.FairQueue{Name: "qr"} // engine: open transactions (EntryOf), by connector
	DueQueue      = store.FairQueue{Name: "qs"} // recurring: chains with a date and schedules to plan again, by merchant
	HeldQueue     = store.Queue{Name: "qh"}     // session: those whose collected card has to be erased when they expire
)

// The prefixes of marks, which are not records. A sale writes the entry of its order: a status by order number reads
// it, and so does the next charge of that number, which may be a duplicate.
const (
	MerchantKeys = "mk" // merchant: a live or test key; the value is the merchant's id
	Revisions    = "mr" // merchant: counts the changes of a configuration
	Windows      = "w"  // door: when an order number was last accepted for a session, RFC 3339; deleted within hours
	Passwords    = "pw" // merchant: the passwords a merchant has or had; never deleted
	HashMarks    = "hs" // door: what a used signature signed, and what those of deleted payments did
	Orders       = "o"  // engine and door: the live payments of an order, sorted by time (Order)
	TestOrders   = "ot" // engine and door: the test payments of an order
	Breaches     = "br" // engine: closed transactions that later evidence contradicts
	LimitSums    = "lm" // engine: what a limit of a MID or mapping has counted in a period
	Members      = "sk" // recurring: the chains on a schedule
	DeadMarks    = "cd" // callback, which names it itself: the callbacks whose last try failed
	WalletUses   = "wr" // token: used wallet tokens; the value is when a token is too old to be accepted, RFC 3339
)

// KeyOfMerchant returns the key from a merchant's live or test key to its id.
func KeyOfMerchant(key string) []byte { return store.Key(MerchantKeys, key) }

// KeyOfRevision returns the key of the counter of a merchant's configuration changes.
func KeyOfRevision(merchantID string) []byte { return store.Key(Revisions, merchantID) }

// KeyOfPassword returns the key of the name of a merchant's password; with a name, the key that records that the
// merchant has or had that password. Neither is deleted, and neither depends on the merchant's record.
func KeyOfPassword(merchantID string, name ...string) []byte {
	return store.Key(append([]string{Passwords, merchantID}, name...)...)
}

// KeyOfWindow returns the key of when an order number was last accepted for a session.
func KeyOfWindow(w Owner, order string) []byte {
	return store.Key(Windows, w.MerchantID, traffic(w), Short(order))
}

func traffic(w Owner) string {
	if w.Test {
		return "test"
	}
	return "live"
}

// KeyOfOrder returns the key from an order to one of its later payments; without an id, that of its first entry, which
// is the prefix of them all.
func KeyOfOrder(w Owner, order string, id ...string) []byte {
	return store.Key(append([]string{ordersOf(w), w.MerchantID, Short(order)}, id...)...)
}

// prefixOfOrders returns the prefix of the entries of an order number; without one, of all of an owner.
func prefixOfOrders(w Owner, number string) []byte {
	if number != "" {
		return KeyOfOrder(w, number)
	}
	return store.Key(ordersOf(w), w.MerchantID)
}

func ordersOf(w Owner) string {
	if w.Test {
		return TestOrders
	}
	return Orders
}

// KeyOfBreach returns the key of a closed transaction that later evidence contradicts: its payment's id and its own.
// Without ids it is the prefix of them all.
func KeyOfBreach(ids ...string) []byte { return store.Key(append([]string{Breaches}, ids...)...) }

// KeyOfMember returns the key of a chain on a schedule; without a token, the prefix of them all.
func KeyOfMember(merchantID, scheduleID string, token ...string) []byte {
	return store.Key(append([]string{Members, merchantID, scheduleID}, token...)...)
}

// IDOfKey returns the id of the record of an idempotency key.
func IDOfKey(w Owner, key string) []string { return []string{w.MerchantID, traffic(w), Short(key)} }
