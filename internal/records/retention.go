package records

import (
	"time"
)

// Cursor is the position of the retention sweeper.
type Cursor struct {
	Prefix string    `json:"prefix,omitempty"` // of the row; empty at the beginning of a lap
	From   []byte    `json:"from,omitempty"`   // first key of it to read; empty for its beginning
	Due    time.Time `json:"due"`              // of the next step; while one is under way, when its lease ends
	Step   int       `json:"step"`             // how many were claimed; identifies the newest claim
}
