// Package recurring owns agreements on later payments, their schedules and due dates.
package recurring

import (
	"context"
	"time"

	"github.com/tollgatepay/gateway/internal/due"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/store"
)

// Agreements are the agreements of a store. An agreement begins with a payment that requests it and is taken. Later
// payments name that payment and the agreement's token; they charge its card at the same MID, without the payer
// (lifecycle.md, "Recurring"). In records and on the wire an agreement is called a chain of payments.
type Agreements struct {
	Ports
	crew *due.Crew // of scheduled payments, by merchant
}

// Ports are what agreements need from outside. All of them are required.
type Ports struct {
	Store   store.Store
	Now     func() time.Time
	NewID   func() (string, error)
	Queues  *due.Queues
	Workers int // how many payments one instance makes at a time
	// Pay charges the next payment of an agreement whose date has come. The charge takes that date.
	Pay func(context.Context, *Due) error
}

// Due is a chain that was claimed because its next payment is due. It does not change.
type Due struct {
	records.Chain
	kept store.Kept[records.Chain] // as the claim has stored it
}

// Workers is how many payments one instance makes at a time, unless its host sets another number. Dates come by the
// thousand in one minute, and each payment waits for its acquirer and for two commits: the more of them wait together,
// the fewer flushes they need.
const Workers = 128

// New returns the agreements over their ports.
func New(p Ports) *Agreements {
	return &Agreements{Ports: p, crew: due.NewCrew(records.DueQueue, store.WorkSchedule, p.Workers)}
}

func (a *Agreements) update(ctx context.Context, fn func(store.Tx) error) error {
	return store.Optimistic(ctx, a.Store, fn)
}

// Offers reports whether Claim would take anything now.
func (a *Agreements) Offers(r store.Reader, now time.Time) (bool, error) {
	return a.crew.Offers(r, now)
}
