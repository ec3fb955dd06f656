package sim

// Defect is a fault that a test plants on purpose, to check that the judges find it. All of them are in the ports
// and wrappers around the kernel, which is not changed.
type Defect int

// The planted defects.
const (
	NoDefect Defect = iota

	// In the store.
	weakIsolation     // transactions read a snapshot and write without checks: READ COMMITTED, no locks
	staleReads        // a View shows what was before the last commit
	commitVanishes    // Update returns nil and has written nothing
	commitTorn        // only the first half of the writes is kept
	dropCallback      // the outbox record is not written
	dropRecovery      // nor the recovery entry
	dropDelivery      // nor the entry that makes a callback due
	keepRecovery      // a recovery entry is never removed
	rebuiltBody       // the callback's body is rendered again for each try
	leakedReservation // a reservation is never released
	capturedMore      // captured is more than authorized
	statusBack        // REFUND is written as SETTLED
	versionStuck      // a payment's version does not grow
	windowLost        // the duplicate window is not written
	windowShort       // and ends too early
	declineLost       // a session's declines are not counted
	paidReopens       // a paid session stays open
	attemptLost       // a session loses an attempt
	orderLost         // a payment is not listed under its order
	amountChanges     // a transaction's amount is rewritten with its outcome
	cardStays         // a closed transaction keeps the security code
	runningStays      // a payment keeps its running transaction
	callbackLate      // the counter of callbacks is written one too high
	currencyChanges   // a child transaction is in another currency

	// At the acquirer's side.
	newKeyOnResend   // a resend has a new key
	keyOfInstance    // every instance uses different keys
	unknownDeclines  // no answer counts as a decline
	unknownApproves  // no answer counts as an approval
	unknownNotSent   // no answer counts as not sent
	notFoundDeclines // not found counts as a decline, however late the request may come
	latenessDropped  // the declared lateness is shorter than the real one
	falselyIdem      // idempotency is declared but missing
	pendingApproves  // pending counts as approved
	panicDeclines    // a panic counts as a decline
	partialApproval  // the acquirer takes less and the connector hides it
	noteUnchecked    // forged notifications are believed
	returnUnchecked  // forged returns are believed
	floatAmount      // the amount is converted through a float
	otherCurrency    // the currency is the acquirer's own
	otherOperation   // a refund is sent as a void
	parentLost       // a follow-up does not name its parent
	softenedPayment  // the order's amount is charged, not the transaction's

	// On the way to the merchant.
	otherBytes       // a redelivery contains its number
	beforeCommit     // a callback is sent from inside the transaction
	falselyAccepted  // no answer counts as accepted
	deliveryDropped  // reported as accepted, and never sent
	otherURL         // to another merchant
	okNotRequired    // S2S without its OK
	cardInBody       // the body is stored with the whole number
	signatureChanged // the body is signed again, by another formula

	// In the environment.
	clockLags   // an instance's clock is an hour behind
	idsRepeat   // ids are not unique
	defectCount // how many there are
)

var defectNames = map[Defect]string{
	weakIsolation: "weak-isolation", staleReads: "stale-reads",
	commitVanishes: "commit-vanishes", commitTorn: "commit-torn", dropCallback: "drop-callback",
	dropRecovery: "drop-recovery", dropDelivery: "drop-delivery", keepRecovery: "keep-recovery",
	rebuiltBody:       "rebuilt-body",
	leakedReservation: "leaked-reservation", capturedMore: "captured-more", statusBack: "status-back",
	versionStuck: "version-stuck",
	windowLost:   "window-lost", windowShort: "window-short", declineLost: "decline-lost", paidReopens: "paid-reopens",
	attemptLost: "attempt-lost", orderLost: "order-lost", amountChanges: "amount-changes", cardStays: "card-stays",
	runningStays: "running-stays", callbackLate: "callback-counter", currencyChanges: "currency-changes",
	newKeyOnResend: "new-key-on-resend", keyOfInstance: "key-of-instance", unknownDeclines: "unknown-declines",
	unknownApproves: "unknown-approves", unknownNotSent: "unknown-not-sent", notFoundDeclines: "not-found-declines",
	latenessDropped: "lateness-dropped", falselyIdem: "falsely-idempotent", pendingApproves: "pending-approves",
	panicDeclines: "panic-declines", partialApproval: "partial-approval", noteUnchecked: "note-unchecked",
	returnUnchecked: "return-unchecked", floatAmount: "float-amount", otherCurrency: "other-currency",
	otherOperation: "other-operation", parentLost: "parent-lost", softenedPayment: "order-amount-again",
	otherBytes: "other-bytes", beforeCommit: "before-commit", falselyAccepted: "falsely-accepted",
	deliveryDropped: "delivery-dropped", otherURL: "other-url", okNotRequired: "ok-not-required",
	cardInBody:       "card-in-body",
	signatureChanged: "signature-changed", clockLags: "clock-lags", idsRepeat: "ids-repeat",
}

// String returns the name of the defect.
func (d Defect) String() string { return defectNames[d] }

// Defects lists every defect that can be planted.
func Defects() (list []Defect) {
	for d := NoDefect + 1; d < defectCount; d++ {
		list = append(list, d)
	}
	return list
}
