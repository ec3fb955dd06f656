package due

import (
	"context"
	"errors"
	"fmt"

	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/observe"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/keys"
)

// maxReason bounds the reason of an Aside.
const maxReason = 500

// Asides is what one transaction sets aside; it is reported after the commit.
type Asides []store.Aside

// Add sets something aside. The caller takes it out of its queue.
func (list *Asides) Add(tx store.Tx, a store.Aside, reason error) error {
	a.Reason = WhyLost(reason)
	*list = append(*list, a)
	return records.Asides.Put(tx, a, string(a.Work), records.Short(a.ID))
}

// Unlist removes from the list an item that no longer needs Resume, because it has an outcome, is queued again, or
// is deleted. It reports whether the item was listed.
func Unlist(tx store.Tx, work store.Work, id string) (bool, error) {
	_, err := records.Asides.Get(tx, string(work), records.Short(id))
	switch {
	case records.Absent(err):
		return false, nil
	case err != nil && !store.IsUnreadable(err):
		return false, err
	}
	return true, records.Asides.Delete(tx, string(work), records.Short(id))
}

// WhyLost returns a reason without ids, because the id of a chain is its token.
func WhyLost(err error) string {
	text := err.Error()
	var u *store.Unreadable
	if errors.As(err, &u) {
		text = fmt.Sprintf("a record of table %s: %v", u.Table, u.Cause)
	}
	if errors.Is(err, store.ErrNotFound) {
		text = "a record is missing: " + text
	}
	return text[:min(len(text), maxReason)]
}

// ReportAsides tells of what is set aside.
func (q *Queues) ReportAsides(ctx context.Context, list []store.Aside) {
	for i := range list {
		q.Watch.Tell(ctx, observe.RecordSetAside{Aside: list[i], Shown: loggedID(&list[i])})
	}
}

// loggedID returns the id for the log: without the token of a chain, because that charges its card.
func loggedID(a *store.Aside) string {
	if kind, merchant, _, ok := records.SplitDue(a.ID); a.Work == store.WorkSchedule && ok && kind == records.DueChain {
		return kind + merchant
	}
	return a.ID
}

// IsLost reports whether an error is permanent: a record is damaged or missing, or sealed under a key that is gone.
func IsLost(err error) bool { return records.Absent(err) || store.IsUnreadable(err) || IsShut(err) }

// IsShut reports whether a sealed value can never be opened.
func IsShut(err error) bool { return errors.Is(err, keys.ErrBroken) || errors.Is(err, keys.ErrGone) }

// Each calls do for the due entries of a queue, at most limit. An entry whose records cannot be read is taken out
// of the queue and set aside; do writes nothing before it has read all it needs.
func (q *Queues) Each(
	tx store.Tx, queue store.Queue, work store.Work, limit int, list *Asides, do func(id string) error,
) error {
	entries, err := queue.Entries(tx, q.Now(), limit)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		err := do(entry.ID)
		if IsLost(err) {
			err = errors.Join(tx.Delete(entry.Key), list.Add(tx, store.Aside{Work: work, ID: entry.ID, At: q.Now()}, err))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// SetAside sets aside claimed work whose records turned out to be unreadable, and reports it once. leave takes it
// out of its queue, and returns false if it has changed in the meantime.
func (q *Queues) SetAside(ctx context.Context, a store.Aside, reason error, leave func(store.Tx) (bool, error)) error {
	var list Asides
	err := q.update(ctx, func(tx store.Tx) error {
		list = nil
		if left, err := leave(tx); err != nil || !left {
			return err
		}
		if _, err := records.Asides.Get(tx, string(a.Work), records.Short(a.ID)); !records.Absent(err) {
			return err
		}
		return list.Add(tx, a, reason)
	})
	if err != nil {
		return fmt.Errorf("%w, and it could not be set aside: %w", reason, err)
	}
	q.ReportAsides(ctx, list)
	return nil
}

// Counted adds an item of work for each that a claim set aside, because there may be more in the queue.
func Counted(items []func(context.Context), aside int) []func(context.Context) {
	if len(items) == 0 && aside > 0 {
		items = append(items, func(context.Context) {})
	}
	return items
}
