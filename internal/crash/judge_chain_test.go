package crash

import (
	"slices"
	"strings"
	"time"

	"github.com/tollgatepay/gateway/methods/vcard"
)

// judgeChains checks that a schedule charges each chain once per date, for the number of its payments, never before
// the date, and never another order; and that no order has more charges than requested.
func (b *bench) judgeChains() {
	for _, o := range b.Orders {
		first, later := b.chargesOf(o)
		b.refuse(len(first) > o.Asks, "order %s: %d charges for %d requests", o.Number, len(first), o.Asks)
		want := 0
		if o.Chain && slices.ContainsFunc(first, approved) {
			want = occurrences
		}
		b.refuse(len(later) != want, "order %s: the schedule charged %d times, not %d", o.Number, len(later), want)
		slices.SortFunc(later, func(a, b vcard.Entry) int { return a.At.Compare(b.At) })
		for i, e := range later {
			date := dateOf(o.First).AddDate(0, 0, i+1)
			b.refuse(e.At.UTC().Before(date), "%s of order %s: scheduled payment %d came before its date", e.Key, o.Number, i+1)
			b.refuse(!approved(e), "%s of order %s: scheduled payment %d was not taken", e.Key, o.Number, i+1)
		}
	}
}

// chargesOf returns the acquirer's charges for an order: those of payers, and those of the schedule. A charge that
// was never reported to the merchant counts as a payer's; judgeLedger complains about it.
func (b *bench) chargesOf(o order) (first, later []vcard.Entry) {
	for _, e := range b.charges[o.Number] {
		if b.scheduled(strings.TrimPrefix(e.Key, "tg-")) {
			later = append(later, e)
		} else {
			first = append(first, e)
		}
	}
	return first, later
}

func approved(e vcard.Entry) bool { return e.State == vcard.StateApproved }

// dateOf returns the date of a moment in the MID's zone, which is UTC.
func dateOf(t time.Time) time.Time { return t.UTC().Truncate(24 * time.Hour) }
