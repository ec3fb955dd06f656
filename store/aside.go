package store

import "time"

// Work is a kind of due work or of configuration. Items of each kind may be set aside.
type Work string

// The kinds of work. Each comment says what the id of an item is.
const (
	WorkCallback Work = "callback" // the id is the callback's
	WorkRecovery Work = "recovery" // "payment/number" of the transaction
	WorkSchedule Work = "schedule" // the id is the queue's: "c:merchant/token" of a chain, "p:merchant/id" of a schedule
	WorkExpiry   Work = "expiry"   // the id is the session's
	WorkPurge    Work = "purge"    // the id is the record's key; the record stays where it is
	WorkMID      Work = "mid"      // "merchant/id"; only reported, never listed
	WorkMapping  Work = "mapping"  // "merchant/protocol"; only reported, never listed
	WorkWallets  Work = "wallets"  // the id is the merchant's; only reported, never listed
	WorkMerchant Work = "merchant" // the id is the merchant's; only reported, never listed
)

// Aside is an item that was set aside, with the time and the reason.
type Aside struct {
	Work   Work      `json:"work"`
	ID     string    `json:"id"`
	Reason string    `json:"reason"`
	At     time.Time `json:"at"`
}
