package store

// The reasons that the platform itself gives for a decline. Answers, callbacks and Transaction.Reason have these words
// (errors.md, "Decline texts"); every other reason is an acquirer's.
const (
	ReasonProcessing = "Declined by processing"
	ReasonUnreached  = "The acquirer could not be reached"
	ReasonUnpaid     = "Not paid in time"
)
