package engine

import (
	"time"

	"github.com/tollgatepay/gateway/internal/due"
	"github.com/tollgatepay/gateway/store"
)

// What an attempt keeps of a card, and until when. The security code, where the payer has to go and what they came
// back with go when the payer's link ends, and so does the card of an attempt that waits for the payer. The card of
// one in doubt stays while recovery may have to send it again. A day after the attempt began nothing is left,
// whatever its state, set aside or not, but of a later payment of a chain, whose card is on file. A continuation stays:
// a connector puts no card data into it (methods.Answer).

const (
	maxKept   = 24 * time.Hour
	leastKept = time.Hour // a payer who began in time may finish at the issuer or the bank
)

// KeptUntil is when the link of an attempt ends that began at a moment; linkEnd is zero for a link that ends only
// with the day.
func KeptUntil(begun, linkEnd time.Time) time.Time {
	end := begun.Add(maxKept)
	if linkEnd.IsZero() || !linkEnd.Before(end) {
		return time.Time{}
	}
	if least := begun.Add(leastKept); linkEnd.Before(least) {
		return least
	}
	return linkEnd
}

// linkEnds is when the payer's link of a transaction ends.
func linkEnds(t *store.Transaction) time.Time {
	if t.LinkEndsAt.IsZero() {
		return t.CreatedAt.Add(maxKept)
	}
	return t.LinkEndsAt
}

func keepsLink(t *store.Transaction) bool {
	return len(t.SealedCode) > 0 || len(t.SealedRedirect) > 0 || t.Returning != nil && len(t.Returning.Kept) > 0
}

// keepsCard reports card data that must not stay.
func keepsCard(t *store.Transaction) bool {
	return !t.OnFile && (t.SealedCard != nil || t.SealedMPI != nil || t.SealedWallet != nil || t.SealedSent != nil)
}

// cardEnds is when the card of an open transaction goes.
func cardEnds(t *store.Transaction) time.Time {
	if t.Outcome == store.Waiting {
		return linkEnds(t)
	}
	return t.CreatedAt.Add(maxKept)
}

// erasesAt is when something of a transaction has to go next; the zero time for nothing.
func erasesAt(t *store.Transaction) (at time.Time) {
	if keepsCard(t) {
		at = cardEnds(t)
	}
	if keepsLink(t) {
		at = due.Earlier(at, linkEnds(t))
	}
	return at
}

// erase takes off an open transaction what has to go by now. The caller stores the record.
func erase(t *store.Transaction, now time.Time) {
	if keepsLink(t) && !now.Before(linkEnds(t)) {
		t.SealedCode, t.SealedRedirect = nil, nil
		if t.Returning != nil {
			left := *t.Returning
			left.Kept = nil
			t.Returning = &left
		}
	}
	if keepsCard(t) && !now.Before(cardEnds(t)) {
		t.SealedCard, t.SealedMPI, t.SealedWallet, t.SealedSent = nil, nil, nil, nil
		t.ErasedAt = now
	}
}

// lastTime hands a claimed transaction what is just erased of its card: where recovery could not look for a day, the request
// may be sent again this once.
func lastTime(t, whole *store.Transaction) {
	t.SealedCard, t.SealedMPI, t.SealedWallet, t.ErasedAt = whole.SealedCard, whole.SealedMPI, whole.SealedWallet,
		whole.ErasedAt
}
