package store

// PutOff is due work that was claimed and could not begin, for example because the key provider does not answer.
// It does not count as an attempt and is tried again after a pause. It is reported now and then, and not each
// time.
type PutOff struct {
	Work   Work   `json:"work"`
	ID     string `json:"id"`    // of the newest item
	Count  int    `json:"count"` // how often since the last report
	Reason string `json:"reason"`
}
