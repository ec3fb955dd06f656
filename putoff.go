package gateway

import (
	"context"
	"sync"
	"time"

	"github.com/tollgatepay/gateway/store"
)

// PutOff is due work that was claimed and could not be begun: the key provider does not answer, say. No try is
// counted, and it is tried again after a pause. It is told once in a while and not each time.
type PutOff struct {
	Work   store.Work `json:"work"`
	ID     string     `json:"id"`    // of the newest
	Count  int        `json:"count"` // how often since it was last told
	Reason string     `json:"reason"`
}

// tellPutOffEvery is how long nothing more is told of work of a kind that is put off.
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

// tellPutOff logs and tells the Observer, once in a while, that work is put off. Our own end is no fault.
func (gw *Gateway) tellPutOff(ctx context.Context, work store.Work, id string, reason error) {
	if ctx.Err() != nil {
		return
	}
	now := gw.now()
	count := gw.putOffs.add(work, now)
	if count == 0 {
		return
	}
	p := PutOff{Work: work, ID: id, Count: count, Reason: reason.Error()}
	p.Reason = p.Reason[:min(len(p.Reason), maxReason)]
	gw.cfg.Log.ErrorContext(ctx, "put off: it could not be begun", "work", p.Work, "id", p.ID, "count", count, "reason", p.Reason)
	gw.cfg.Observer(Event{PutOff: &p, At: now})
}
