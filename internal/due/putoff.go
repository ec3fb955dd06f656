package due

import (
	"context"
	"sync"
	"time"

	"github.com/tollgatepay/gateway/observe"
	"github.com/tollgatepay/gateway/store"
)

// putOffInterval is the shortest time between two reports about a kind of work that is put off.
const putOffInterval = 5 * time.Minute

// putOffs counts work that is put off until it is reported.
type putOffs struct {
	mu       sync.Mutex
	counts   map[store.Work]int
	reported map[store.Work]time.Time
}

// add counts one more, and returns how many to report; zero if it is too early.
func (p *putOffs) add(work store.Work, now time.Time) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.counts == nil {
		p.counts, p.reported = map[store.Work]int{}, map[store.Work]time.Time{}
	}
	p.counts[work]++
	last, ok := p.reported[work]
	if ok && now.Sub(last).Abs() < putOffInterval {
		return 0
	}
	count := p.counts[work]
	p.counts[work], p.reported[work] = 0, now
	return count
}

// PutOff tells of work that is put off, at intervals. A stop of this gateway is no
// fault.
func (q *Queues) PutOff(ctx context.Context, work store.Work, id string, reason error) {
	if ctx.Err() != nil {
		return
	}
	now := q.Now()
	count := q.putOffs.add(work, now)
	if count == 0 {
		return
	}
	p := store.PutOff{Work: work, ID: id, Count: count, Reason: reason.Error()}
	p.Reason = p.Reason[:min(len(p.Reason), maxReason)]
	q.Watch.Tell(ctx, observe.WorkPutOff{PutOff: p, At: now})
}
