// Package recurring owns agreements on later payments, their schedules and the dates that are due.
package recurring

import (
	"context"
	"time"

	"github.com/tollgatepay/gateway/internal/due"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/store"
)

// Agreements are those of a store. An agreement begins with a payment that asks for it and is taken; later payments
// name that payment and the agreement's token, and are charged to its card where it was charged, with the payer absent
// (lifecycle.md, "Recurring"). In records and on the wire an agreement is a chain of payments.
type Agreements struct {
	Ports
	crew *due.Crew // of scheduled payments, by merchant
}

// Ports is what agreements are handed. All of it is required.
type Ports struct {
	Store  store.Store
	Now    func() time.Time
	NewID  func() (string, error)
	Queues *due.Queues
	// Pay charges the next payment of an agreement whose date has come. Its claim is the Date of the agreement.
	Pay func(context.Context, *records.Chain) error
}

// New is the agreements over what they are handed.
func New(p Ports) *Agreements {
	return &Agreements{Ports: p, crew: due.NewCrew(records.DueQueue, store.WorkSchedule, due.CrewWorkers)}
}

func (a *Agreements) update(ctx context.Context, fn func(store.Tx) error) error {
	return store.Optimistic(ctx, a.Store, fn)
}

// Offers reports whether Claim would take anything now.
func (a *Agreements) Offers(r store.Reader, now time.Time) (bool, error) {
	return a.crew.Offers(r, now)
}
