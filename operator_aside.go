package gateway

import "github.com/tollgatepay/gateway/store"

// What cannot be read is set aside, and everything else goes on: due work whose record is damaged, missing, of an
// unknown schema or sealed under a key that is gone; a MID, a mapping or the wallets of a merchant. When a store or a
// key provider does not answer, nothing is set aside, and the work is tried again.

// Work is a kind of due work or of configuration. Items of each kind may be set aside.
type Work = store.Work

// The kinds.
const (
	WorkCallback = store.WorkCallback // the id is the callback's
	WorkRecovery = store.WorkRecovery // "payment/number" of the transaction
	WorkSchedule = store.WorkSchedule // of the queue: "c:merchant/token" of a chain, "p:merchant/id" of a schedule
	WorkExpiry   = store.WorkExpiry   // the session's
	WorkPurge    = store.WorkPurge    // the record's key; the record stays where it is
	WorkMID      = store.WorkMID      // "merchant/id"; only reported, never listed
	WorkMapping  = store.WorkMapping  // "merchant/protocol"; only reported, never listed
	WorkWallets  = store.WorkWallets  // the merchant's; only reported, never listed
	WorkMerchant = store.WorkMerchant // the merchant's; only reported, never listed
)

// Aside is an item that was set aside, with the time and the reason.
type Aside = store.Aside
