package operator

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"time"

	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// filter is a choice of payments.
type filter store.PaymentFilter

// faults returns what is wrong with a filter.
func (f *filter) faults() (faults []refusal.Fault) {
	if f.Order != "" && f.MerchantID == "" {
		faults = append(faults, refusal.Fault{Path: "order", Text: "An order number needs a merchant."})
	}
	if !f.From.IsZero() && !f.To.IsZero() && !f.From.Before(f.To) {
		faults = append(faults, refusal.Fault{Path: "to", Text: "This time must be later than from."})
	}
	return faults
}

// takes reports whether a payment is chosen.
func (f *filter) takes(p *records.Payment) bool {
	switch {
	case f.MerchantID != "" && p.MerchantID != f.MerchantID,
		f.Order != "" && p.Order.Number != f.Order,
		len(f.Statuses) > 0 && !slices.Contains(f.Statuses, p.Status),
		!f.From.IsZero() && p.CreatedAt.Before(f.From),
		!f.To.IsZero() && !p.CreatedAt.Before(f.To),
		f.Currency != "" && p.Order.Currency != f.Currency,
		p.Amount.Cmp(f.Least) < 0,
		!f.Most.IsZero() && p.Amount.Cmp(f.Most) > 0:
		return false
	}
	return !f.Review || slices.ContainsFunc(p.Transactions, func(t *records.Transaction) bool {
		return t.Review != "" && t.ReviewedBy == nil
	})
}

// ends reports whether all payments before this one are too old.
func (f *filter) ends(p *records.Payment) bool {
	return !f.From.IsZero() && p.CreatedAt.Before(f.From.Add(-disorder))
}

// disorder is how far the order of payments may be from that of their times: instances make ids by clocks of their own.
const disorder = time.Minute

// Payments returns the payments that a filter chooses, the newest first. It reads them in pages: one that is made or
// moves meanwhile may be seen as it was or as it is. A payment that cannot be read is left out.
func (d *Desk) Payments(ctx context.Context, chosen store.PaymentFilter) iter.Seq2[store.Payment, error] {
	return func(yield func(store.Payment, error) bool) {
		f := filter(chosen)
		if faults := f.faults(); len(faults) > 0 {
			yield(store.Payment{}, refusal.ErrInvalid.Fields(faults...))
			return
		}
		for size := firstPage; ; size = min(2*size, lastPage) {
			found, next, err := d.page(ctx, &f, size)
			if err != nil {
				yield(store.Payment{}, err)
				return
			}
			for i := range found {
				if !yield(found[i].Payment, nil) {
					return
				}
			}
			if next == "" {
				return
			}
			f.Before = next
		}
	}
}

const (
	firstPage, lastPage = 50, 800
	chunk               = 250    // entries that a walk reads before the other one goes on
	budget              = 20_000 // entries that one transaction reads
)

// page returns up to size payments, and the id before which the next page begins; empty at the end.
func (d *Desk) page(ctx context.Context, f *filter, size int) (found []records.Payment, next string, err error) {
	err = d.Store.View(ctx, func(r store.Reader) error {
		found, next, err = walkAll(r, f, size)
		return err
	})
	return found, next, err
}

// walkAll races two walks for the payments of one merchant: over all payments, which is short when the merchant has
// many of them, and over the merchant's orders, which is short when it has few. So no payment needs an entry of its own
// for this list.
func walkAll(r store.Reader, f *filter, size int) ([]records.Payment, string, error) {
	all := &overAll{found: found{r: r, f: f, size: size}, before: startOf(r, f)}
	walks := []walk{all}
	if f.MerchantID != "" {
		walks = append(walks, &overOrders{found: found{r: r, f: f, size: size}, before: f.Before})
	}
	if f.Order != "" {
		walks = walks[1:]
	}
	for read := 0; ; read += chunk {
		for _, w := range walks {
			done, err := w.step()
			if err != nil {
				return nil, "", err
			}
			if done {
				payments, next := w.result()
				return payments, next, nil
			}
		}
		if f.Order == "" && read >= budget {
			return all.list, all.before, nil
		}
	}
}

// walk is one way to find payments. result holds once step has reported that it is done.
type walk interface {
	step() (done bool, err error)
	result() (list []records.Payment, next string)
}

// found is what a walk has found.
type found struct {
	r    store.Reader
	f    *filter
	size int
	list []records.Payment
	over bool // there are no more
}

func (w *found) result() (list []records.Payment, next string) {
	if w.over || len(w.list) == 0 {
		return w.list, ""
	}
	return w.list, w.list[len(w.list)-1].ID
}

// add takes a payment if the filter does, and reports whether the walk ends here.
func (w *found) add(p *records.Payment) (done bool) {
	if w.f.ends(p) {
		w.over = true
		return true
	}
	if w.f.takes(p) {
		w.list = append(w.list, *p)
	}
	return len(w.list) == w.size
}

// overAll walks over all payments, from the newest.
type overAll struct {
	found
	before string // the payment before which it goes on; empty for the newest
}

func (w *overAll) step() (bool, error) {
	of := store.Range{Prefix: store.Key(records.Payments.Prefix), Limit: chunk, Reverse: true}
	if w.before != "" {
		of.From, of.Limit = store.Key(records.Payments.Prefix, w.before), chunk+1
	}
	began, entries := w.before, 0
	for entry := range w.r.Scan(of) {
		if entry.Err != nil {
			return false, entry.Err
		}
		parts, err := store.SplitKey(entry.Key)
		if err != nil || len(parts) < 2 {
			continue
		}
		entries++
		if parts[1] == began {
			continue
		}
		w.before = parts[1]
		if w.others(entry) {
			continue
		}
		p, err := records.Payments.Decode(entry)
		if store.IsUnreadable(err) {
			continue
		}
		if err != nil {
			return false, err
		}
		if w.add(&p) {
			return true, nil
		}
	}
	w.over = entries < of.Limit
	return w.over, nil
}

// others reports whether an entry is of a merchant that is not asked for. Where the walk may end at a payment that is
// too old, every payment is read.
func (w *overAll) others(entry store.Entry) bool {
	return w.f.MerchantID != "" && w.f.From.IsZero() && !records.MayBeOf(entry, w.f.MerchantID)
}

// overOrders walks over the orders of a merchant, which are sorted by their numbers: it collects the ids of their
// payments first, and then reads those from the newest.
type overOrders struct {
	found
	before string
	tables int    // that were walked over
	from   []byte // where the walk goes on in this table
	ids    []string
	sorted bool
}

func (w *overOrders) step() (bool, error) {
	if w.tables < 2 {
		owner := records.Owner{MerchantID: w.f.MerchantID, Test: w.tables == 1}
		ids, next, err := records.PaymentsOfMerchant(w.r, owner, w.f.Order, w.from, chunk)
		if err != nil {
			return false, err
		}
		for _, id := range ids {
			if w.before == "" || id < w.before {
				w.ids = append(w.ids, id)
			}
		}
		if w.from = next; next == nil {
			w.tables++
		}
		return false, nil
	}
	if !w.sorted {
		slices.Sort(w.ids)
		w.sorted = true
	}
	for range chunk {
		if len(w.ids) == 0 {
			w.over = true
			return true, nil
		}
		id := w.ids[len(w.ids)-1]
		w.ids = w.ids[:len(w.ids)-1]
		p, err := records.Payments.Get(w.r, id)
		if records.Absent(err) || store.IsUnreadable(err) {
			continue
		}
		if err != nil {
			return false, err
		}
		if w.add(&p) {
			return true, nil
		}
	}
	return false, nil
}

// startOf returns where the walk over all payments begins: at Before, or at To if the ids tell the time.
func startOf(r store.Reader, f *filter) string {
	if f.To.IsZero() || !datedIDs(r) {
		return f.Before
	}
	ms := uint64(f.To.Add(disorder).UnixMilli())
	at := fmt.Sprintf("%08x-%04x-7000-8000-000000000000", ms>>16, ms&0xFFFF)
	if f.Before == "" || at < f.Before {
		return at
	}
	return f.Before
}

// datedIDs reports whether the newest payment has a UUID of version 7 that tells when it was made. A host that makes
// ids of its own may have others.
func datedIDs(r store.Reader) bool {
	for entry := range r.Scan(store.Range{Prefix: store.Key(records.Payments.Prefix), Limit: 1, Reverse: true}) {
		p, err := records.Payments.Decode(entry)
		if err != nil {
			return false
		}
		return isDated(&p)
	}
	return false
}

func isDated(p *records.Payment) bool {
	const size, version = 36, 14 // of the text, and where in it
	if len(p.ID) != size || p.ID[version] != '7' {
		return false
	}
	ms, err := strconv.ParseInt(p.ID[:8]+p.ID[9:13], 16, 64)
	return err == nil && time.UnixMilli(ms).Sub(p.CreatedAt).Abs() < disorder
}
