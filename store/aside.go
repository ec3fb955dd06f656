package store

import "time"

// Work is a kind of due work, or of configuration, that something was set aside of.
type Work string

// The kinds.
const (
	WorkCallback Work = "callback" // the id is the callback's
	WorkRecovery Work = "recovery" // the transaction's
	WorkSchedule Work = "schedule" // of the queue: "c:merchant/token" of a chain, "p:merchant/id" of a schedule
	WorkExpiry   Work = "expiry"   // the session's
	WorkPurge    Work = "purge"    // the record's key; the record stays where it is
	WorkMID      Work = "mid"      // "merchant/id"; only told, never listed
	WorkMapping  Work = "mapping"  // "merchant/protocol"; only told, never listed
	WorkWallets  Work = "wallets"  // the merchant's; only told, never listed
	WorkMerchant Work = "merchant" // the merchant's; only told, never listed
)

// Aside is something that was set aside, when and why.
type Aside struct {
	Work   Work      `json:"work"`
	ID     string    `json:"id"`
	Reason string    `json:"reason"`
	At     time.Time `json:"at"`
}
