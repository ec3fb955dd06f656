package ids

import (
	"encoding/binary"
	"io"
	"sync"
	"time"

	"github.com/google/uuid"
)

// Ordered makes UUIDs of version 7 from a clock, so that ids of several instances are ordered as well as their clocks.
type Ordered struct {
	Now    func() time.Time
	Random io.Reader

	mu   sync.Mutex
	last int64 // time of the last id, in parts of a millisecond
}

// parts are how many ids have room in a millisecond: 12 bits of an id follow those of the time.
const parts = 4096

// Next returns an id behind all that it has returned, also when the clock stands still or goes back; or "" without
// random bytes.
func (o *Ordered) Next() string {
	var id uuid.UUID
	if _, err := io.ReadFull(o.Random, id[8:]); err != nil {
		return ""
	}
	at := o.moment()
	binary.BigEndian.PutUint64(id[:8], uint64(at/parts)<<16|0x7000|uint64(at%parts))
	id[8] = 0x80 | id[8]&0x3f
	return id.String()
}

func (o *Ordered) moment() int64 {
	now := o.Now()
	at := now.UnixMilli()*parts + int64(now.Nanosecond())%int64(time.Millisecond)*parts/int64(time.Millisecond)
	o.mu.Lock()
	defer o.mu.Unlock()
	o.last = max(at, o.last+1)
	return o.last
}
