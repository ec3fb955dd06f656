package engine

import (
	"time"

	"github.com/tollgatepay/gateway/internal/due"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/store"
)

// How long an attempt keeps card data. The security code, the redirect and the payer's return are erased when
// the payer's link ends, and so is the card of an attempt that waits for the payer. The card of an attempt in
// doubt stays while recovery may have to resend it. A day after the attempt began everything is erased,
// whatever its state; the only exception is a later payment of a chain, whose card is on file. A continuation
// stays: connectors put no card data into it (methods.Answer).

const (
	maxKept   = 24 * time.Hour
	leastKept = time.Hour // a payer who began in time may finish at the issuer or the bank
)

// KeptUntil returns when the link of an attempt ends. A zero linkEnd means that the link ends with the day.
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

// linkEnds returns when the payer's link of a transaction ends.
func linkEnds(t *records.Transaction) time.Time {
	if t.LinkEndsAt.IsZero() {
		return t.CreatedAt.Add(maxKept)
	}
	return t.LinkEndsAt
}

func keepsLink(t *records.Transaction) bool {
	return len(t.SealedCode) > 0 || len(t.SealedRedirect) > 0 || t.Returning != nil && len(t.Returning.Kept) > 0
}

// keepsCard reports whether a transaction has card data that must be erased.
func keepsCard(t *records.Transaction) bool {
	return !t.OnFile && (t.SealedCard != nil || t.SealedMPI != nil || t.SealedWallet != nil || t.SealedSent != nil)
}

// cardEnds returns when the card of an open transaction has to be erased.
func cardEnds(t *records.Transaction) time.Time {
	if t.Outcome == store.Waiting {
		return linkEnds(t)
	}
	return t.CreatedAt.Add(maxKept)
}

// erasesAt returns when the next piece of card data has to be erased; the zero time means none.
func erasesAt(t *records.Transaction) (at time.Time) {
	if keepsCard(t) {
		at = cardEnds(t)
	}
	if keepsLink(t) {
		at = due.Earlier(at, linkEnds(t))
	}
	return at
}

// erase removes from an open transaction the data whose time has ended. The caller stores the record.
func erase(t *records.Transaction, now time.Time) {
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

// returnErased copies the card data that is just being erased into a claimed transaction. If recovery could not
// run for a day, it may send the request again this one time.
func returnErased(t, whole *records.Transaction) {
	t.SealedCard, t.SealedMPI, t.SealedWallet, t.ErasedAt = whole.SealedCard, whole.SealedMPI, whole.SealedWallet,
		whole.ErasedAt
	t.DeadlineAt = whole.DeadlineAt
}
