package gateway

import (
	"context"
	"errors"
	"fmt"

	"github.com/tollgatepay/gateway/callback"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/keys"
)

// What cannot be read is set aside, and everything else goes on. That is so of due work, one record of which is
// damaged, missing or of a schema that this program does not know, or is sealed under a key that is gone; and of
// a MID, a mapping or the wallets of a merchant. A store or a key provider that does not answer is no such thing: it is
// asked again.

// Work is a kind of due work, or of configuration, that something was set aside of.
type Work = store.Work

// The kinds.
const (
	WorkCallback = store.WorkCallback // the id is the callback's
	WorkRecovery = store.WorkRecovery // the transaction's
	WorkSchedule = store.WorkSchedule // of the queue: "c:merchant/token" of a chain, "p:merchant/id" of a schedule
	WorkExpiry   = store.WorkExpiry   // the session's
	WorkPurge    = store.WorkPurge    // the record's key; the record stays where it is
	WorkMID      = store.WorkMID      // "merchant/id"; only told, never listed
	WorkMapping  = store.WorkMapping  // "merchant/protocol"; only told, never listed
	WorkWallets  = store.WorkWallets  // the merchant's; only told, never listed
	WorkMerchant = store.WorkMerchant // the merchant's; only told, never listed
)

// Aside is something that was set aside, when and why.
type Aside = store.Aside

// maxReason bounds the reason of an Aside.
const maxReason = 500

// SetAside answers what was set aside, by kind and id, at most limit. Resume puts one of them back into its queue. What
// settles otherwise, by a notification, a decision or a request of the merchant, leaves the list by itself.
func (gw *Gateway) SetAside(ctx context.Context, limit int) (list []store.Aside, err error) {
	err = gw.cfg.Store.View(ctx, func(r store.Reader) error {
		list = nil
		for a, err := range records.Asides.Scan(r, limit) {
			if err != nil {
				return err
			}
			list = append(list, a)
		}
		return nil
	})
	return list, err
}

// Resume puts what was set aside back into its queue, due now, once its record was mended. A callback's schedule
// of redeliveries starts over. What still cannot be read is set aside again. Error: ErrNoAside when there is no
// such thing.
func (gw *Gateway) Resume(ctx context.Context, work store.Work, id string) error {
	err := gw.update(ctx, func(tx store.Tx) error {
		key := records.Short(id)
		if _, err := records.Asides.Get(tx, string(work), key); records.Absent(err) {
			return refusal.ErrNoAside
		}
		again, ok := map[store.Work]func(store.Tx, string) error{
			store.WorkCallback: func(tx store.Tx, id string) error { return callback.Resend(tx, id, gw.now()) },
			store.WorkRecovery: gw.requeueDoubt, store.WorkSchedule: gw.requeueDue, store.WorkExpiry: gw.requeueHeld,
		}[work]
		if ok {
			if err := again(tx, id); err != nil {
				return err
			}
		}
		return records.Asides.Delete(tx, string(work), key)
	})
	gw.nudge()
	return err
}

// requeueDoubt gives a transaction its place in the recovery queue again.
func (gw *Gateway) requeueDoubt(tx store.Tx, id string) error {
	t, err := records.Transactions.Get(tx, id)
	if err != nil || t.Outcome.Final() {
		return err
	}
	was := t.Due
	t.Due = gw.now()
	t.Version++
	return errors.Join(records.MoveEntry(tx, records.RecoveryQueue, t.Connector, id, was, t.Due), records.Transactions.Put(tx, t, id))
}

// requeueDue gives a chain or a schedule its place in the queue again.
func (gw *Gateway) requeueDue(tx store.Tx, entry string) error {
	kind, merchant, id, ok := splitDue(entry)
	switch {
	case !ok:
		return refusal.ErrNoAside
	case kind == dueSchedule:
		return leaseSchedule(tx, merchant, id, gw.now())
	}
	chain, err := records.Chains.Get(tx, merchant, id)
	if err != nil || chain.Plan == nil {
		return err
	}
	return errors.Join(requeueChain(&chain, tx, gw.now()), records.Chains.Put(tx, chain, merchant, id))
}

// requeueHeld makes the card that a session holds due to be erased.
func (gw *Gateway) requeueHeld(tx store.Tx, id string) error {
	s, err := records.Sessions.Get(tx, id)
	if err != nil || s.HeldUntil.IsZero() {
		return err
	}
	was := s.HeldUntil
	s.HeldUntil = gw.now()
	s.Version++
	return errors.Join(records.HeldQueue.Move(tx, s.ID, s.ID, was, s.HeldUntil), records.Sessions.Put(tx, s, id))
}

// asides is what one transaction sets aside; it is told once that is committed.
type asides []store.Aside

// add sets something aside. The caller takes it out of its queue.
func (list *asides) add(tx store.Tx, a store.Aside, reason error) error {
	a.Reason = whyLost(reason)
	*list = append(*list, a)
	return records.Asides.Put(tx, a, string(a.Work), records.Short(a.ID))
}

// unlist takes something from the list that needs no Resume any more, and reports whether it was there: its outcome
// came otherwise, it has its place in its queue again, or it is gone.
func unlist(tx store.Tx, work store.Work, id string) (bool, error) {
	_, err := records.Asides.Get(tx, string(work), records.Short(id))
	switch {
	case records.Absent(err):
		return false, nil
	case err != nil && !store.IsUnreadable(err):
		return false, err
	}
	return true, records.Asides.Delete(tx, string(work), records.Short(id))
}

// whyLost is a reason without ids: that of a chain is its token.
func whyLost(err error) string {
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

// tellAside logs and tells what is set aside.
func (gw *Gateway) tellAside(ctx context.Context, list []store.Aside) {
	for i := range list {
		a := list[i]
		gw.cfg.Log.ErrorContext(ctx, "set aside: it cannot be read", "work", a.Work, "id", shownAside(&a), "reason", a.Reason)
		gw.cfg.Observer(Event{Aside: &a, At: a.At})
	}
}

// shownAside is the id as the log may have it: without the token of a chain, which charges its card.
func shownAside(a *store.Aside) string {
	if kind, merchant, _, ok := splitDue(a.ID); a.Work == store.WorkSchedule && ok && kind == dueChain {
		return kind + merchant
	}
	return a.ID
}

// isLost reports an error that will be the same however often it is tried: a record that is damaged or missing,
// or sealed under a key that is gone.
func isLost(err error) bool { return records.Absent(err) || store.IsUnreadable(err) || isShut(err) }

// isShut reports a sealed value that will never open.
func isShut(err error) bool { return errors.Is(err, keys.ErrBroken) || errors.Is(err, keys.ErrGone) }

// eachDue hands the entries of a queue that are due to do, at most limit. One whose records cannot be read is
// taken out of the queue and set aside; do writes nothing before it has read all it needs.
func (gw *Gateway) eachDue(
	tx store.Tx, queue store.Queue, work store.Work, limit int, list *asides, do func(id string) error,
) error {
	entries, err := queue.Entries(tx, gw.now(), limit)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		err := do(entry.ID)
		if isLost(err) {
			err = errors.Join(tx.Delete(entry.Key), list.add(tx, store.Aside{Work: work, ID: entry.ID, At: gw.now()}, err))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// setAside sets claimed work aside whose records turned out to be unreadable, and tells it once. leave takes it out
// of its queue, and reports false when it went on meanwhile.
func (gw *Gateway) setAside(ctx context.Context, a store.Aside, reason error, leave func(store.Tx) (bool, error)) error {
	var list asides
	err := gw.update(ctx, func(tx store.Tx) error {
		list = nil
		if left, err := leave(tx); err != nil || !left {
			return err
		}
		if _, err := records.Asides.Get(tx, string(a.Work), records.Short(a.ID)); !records.Absent(err) {
			return err
		}
		return list.add(tx, a, reason)
	})
	if err != nil {
		return fmt.Errorf("%w, and it could not be set aside: %w", reason, err)
	}
	gw.tellAside(ctx, list)
	return nil
}

// counted makes work of what a claim set aside: behind it there may be more.
func counted(items []func(context.Context), aside int) []func(context.Context) {
	if len(items) == 0 && aside > 0 {
		items = append(items, func(context.Context) {})
	}
	return items
}
