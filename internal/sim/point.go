package sim

// point is where a goroutine can be stopped.
type point uint8

const (
	atStart point = iota
	atView
	atViewed
	atUpdate
	atAborted
	atCommitted
	atSlow
	atPerform
	atPerformed
	atFind
	atFound
	atComplete
	atCompleted
	atNote
	atNoted
	atDeliver
	atDelivered
	atHang
	atSleep
)

func (p point) String() string {
	return [...]string{"start", "view", "viewed", "update", "aborted", "committed", "slow", "perform", "performed",
		"find", "found", "complete", "completed", "note", "noted", "deliver", "delivered", "hang", "sleep"}[p]
}

// fault is a kind of fault; each has a counter.
type fault uint8

const (
	storeError     fault = iota // before any effect
	storeReadError              // a snapshot could not be read
	storeAbort                  // the function ran without effect and runs again
	storeLost                   // the commit did not happen, and its result is unknown
	storeUnsaid                 // the commit happened, and its result is unknown
	storeSlow                   // seconds
	storePause                  // minutes, longer than any lease

	callRefused      // certainly no effect
	callRefusedAgain // a request that was sent before: this one certainly had no effect
	callLost         // no effect, no answer
	callUnheard      // an effect, no answer
	callLate         // an effect after the deadline, no answer
	callHangs        // an effect, and an answer after the gateway has given up
	callError        // 5xx without effect
	callErrorDone    // 5xx with effect
	callPanic        // without effect
	callPanicDone    // with effect
	callWrong        // an answer about another amount, currency or key
	callDuplicate    // the acquirer gets the request twice
	findError        // the question fails
	findPanic        // the question panics
	findSlow         // no answer by the deadline
	findStale        // still pending, although it is final
	findForgets      // an accepted operation is never found again
	completeError    // the payer's return could not be verified in time
	noteForged       // a notification that cannot be verified
	noteStale        // an outdated notification
	noteTwice        // a repeated notification
	noteEarly        // a notification before the answer
	noteNobody       // a notification for an unknown transaction
	noteBreach       // a notification that a final decline is approved
	payerGone        // the payer never comes back
	payerLate        // the payer comes after the acquirer has closed the case
	payerTwice       // the payer comes back twice at once
	payerForged      // a forged return comes first
	merchantRefuse   // an answer that is no acknowledgement
	merchantNoOK     // 200 without OK
	merchantLost     // no answer, not processed
	merchantSilent   // no answer, processed
	merchantSlow     // an answer after a while
	crash
	hangUp    // the client's context ends in the middle
	keysFail  // the key provider does not answer
	noRandom  // the random source fails
	clockSkew // an instance starts with a wrong clock

	// These came later, and draw from a stream of their own (drawReturns).
	payerOther      // the payer comes back with other genuine returns too, from another tab or by another method
	completeRefused // certainly no effect of a return
	completeLost    // a return is lost: no effect, no answer
	completeLate    // a return takes effect after its deadline, no answer
	findLate        // a question is answered after its deadline
	lastFault

	firstOfReturns = payerOther
)

func (f fault) String() string { return faultNames[f] }

var faultNames = [lastFault]string{
	"store-error", "store-read-error", "store-abort", "store-lost", "store-unsaid", "store-slow", "store-pause",
	"call-refused", "call-refused-again", "call-lost", "call-unheard", "call-late", "call-hangs", "call-error",
	"call-error-done",
	"call-panic", "call-panic-done", "call-wrong", "call-duplicate", "find-error", "find-panic", "find-slow",
	"find-stale", "find-forgets", "complete-error", "note-forged", "note-stale", "note-twice", "note-early",
	"note-nobody", "note-breach",
	"payer-gone", "payer-late", "payer-twice", "payer-forged", "merchant-refuse", "merchant-no-ok", "merchant-lost",
	"merchant-silent", "merchant-slow", "crash", "hang-up", "keys-fail", "no-random", "clock-skew",
	"payer-other", "complete-refused", "complete-lost", "complete-late", "find-late",
}
