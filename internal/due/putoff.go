package due

import (
	"context"
	"sync"
	"time"

	"github.com/tollgatepay/gateway/store"
)

// tellPutOffEvery is how long no more is reported of work of a kind that is put off.
const tellPutOffEvery = 5 * time.Minute

// putOffs counts what is put off until it is told.
type putOffs struct {
	mu     sync.Mutex
	counts map[store.Work]int
	told   map[store.Work]time.Time
}

// add counts one more, and answers how many are to be told; zero when it is too early.
func (p *putOffs) add(work store.Work, now time.Time) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.counts == nil {
		p.counts, p.told = map[store.Work]int{}, map[store.Work]time.Time{}
	}
	p.counts[work]++
	last, ok := p.told[work]
	if ok && now.Sub(last).Abs() < tellPutOffEvery {
		return 0
	}
	count := p.counts[work]
	p.counts[work], p.told[work] = 0, now
	return count
}

// PutOff logs and tells the Observer, once in a while, that work is put off. Our own end is no fault.
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
	q.Log.ErrorContext(ctx, "put off: it could not be begun", "work", p.Work, "id", p.ID, "count", count,
		"reason", p.Reason)
	q.Told(nil, &p, now)
}
