package engine

import (
	"time"

	"github.com/tollgatepay/gateway/internal/due"
	"github.com/tollgatepay/gateway/methods"
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
	if t.KeptUntil.IsZero() {
		return t.CreatedAt.Add(maxKept)
	}
	return t.KeptUntil
}

func keepsLink(t *store.Transaction) bool {
	return len(t.Held) > 0 || len(t.Next) > 0 || t.Returning != nil && len(t.Returning.Kept) > 0
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
		t.Held, t.Next = nil, nil
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

// lastTime hands a claimed transaction what is just erased of its card: where nobody could look for a day, the request
// may be sent again this once.
func lastTime(t, whole *store.Transaction) {
	t.SealedCard, t.SealedMPI, t.SealedWallet, t.ErasedAt = whole.SealedCard, whole.SealedMPI, whole.SealedWallet, whole.ErasedAt
}

// tellable is where a callback of S2S says the payer has to go: to the issuer, to a bank, or to our page, which shows
// or asks and may send them on later. Its body outlives the call, under the data keys, and with it the payer's link.
// So either the link opens no security code, which goes now, or, where the connector cannot do without the code, the
// answer alone tells where to go.
func (s *Settlement) tellable() *store.Next {
	if s.o.next == nil || !s.Payment.Protocol.S2S() {
		return s.o.next
	}
	if len(s.Transaction.Held) > 0 && methods.CapabilitiesOf(s.engine.Connectors[s.Transaction.Connector]).CodeAtReturn {
		return nil
	}
	s.Transaction.Held = nil
	return s.o.next
}

// CodeGone reports a card whose security code came and is not there any more.
func (t *PayerReturn) CodeGone(of *store.Transaction) bool { return of.Coded && t.Code.Digits() == "" }

// needsGone reports that the connector cannot do without a card or a code that is not kept any more.
func (e *Engine) needsGone(t *store.Transaction) bool {
	if !methods.CapabilitiesOf(e.Connectors[t.Connector]).CodeAtReturn {
		return false
	}
	return !t.ErasedAt.IsZero() || t.Coded && len(t.Held) == 0
}

// mayComplete reports whether a connector has all that it needs to finish what the payer comes back from.
func (l *laterCall) mayComplete(t *store.Transaction) bool {
	return !methods.CapabilitiesOf(l.e.Connectors[t.Connector]).CodeAtReturn || t.ErasedAt.IsZero() && !l.trip.CodeGone(t)
}
