package store

import (
	"errors"
	"time"
)

// The times that a record can have, in microseconds since 1970: those that RFC 3339 can write.
const (
	firstTime = -62_135_596_800_000_000 // the zero time
	lastTime  = 253_402_300_799_999_999
)

var errTime = errors.New("a time outside the years 1 to 9999")

// farthest is the latest time that a record can have.
var farthest = time.UnixMicro(lastTime).UTC()

// Moment returns the first time from t on that a record can have: records and keys have microseconds.
func Moment(t time.Time) time.Time {
	if cut := t.Truncate(time.Microsecond); cut.Before(t) {
		return cut.Add(time.Microsecond)
	}
	return t
}
