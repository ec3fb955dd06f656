package store

// PutOff is due work that was claimed and could not be begun: the key provider does not answer, say. No try is
// counted, and it is tried again after a pause. It is told once in a while and not each time.
type PutOff struct {
	Work   Work   `json:"work"`
	ID     string `json:"id"`    // of the newest
	Count  int    `json:"count"` // how often since it was last told
	Reason string `json:"reason"`
}
