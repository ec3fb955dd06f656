package retention

import (
	"errors"
	"time"

	"github.com/tollgatepay/gateway/callback"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/internal/state"
	"github.com/tollgatepay/gateway/store"
)

// purgeRow is one kind of record that ages.
type purgeRow struct {
	prefix string // of its table
	// judge decides whether an entry may be deleted now. It returns an error for an entry that cannot be judged, which
	// stays.
	judge func(j *judging, key, value []byte) (verdict, error)
	// group returns the key prefix of an entry's group; nil if there are no groups.
	group func(key []byte) []byte
	// along deletes the records that belong to a deleted entry; nil for none.
	along func(j *judging, tx store.Tx, entry store.Entry) error
}

type verdict int

const (
	stays      verdict = iota
	goes               // it is deleted
	restStays          // it stays, and so do all entries after it, which are younger
	groupStays         // it stays, and so does its whole group
)

// judging is what an entry is judged with: the other records and the time.
type judging struct {
	*Sweeper
	r   store.Reader
	now time.Time
}

// by returns the verdict for a record that is kept for some time after a moment. Exactly at the end it is deleted.
func (j *judging) by(moment time.Time, keep time.Duration) verdict {
	if j.now.Before(moment.Add(keep)) {
		return stays
	}
	return goes
}

// purgeRows are all kinds of records that age, in the order of a lap: sessions before their payments, which stay as
// long as the session. Merchants, MIDs, mappings, wallets and schedules stay until they are removed.
var purgeRows = []purgeRow{
	{prefix: records.Windows, judge: ageOfWindow},
	{prefix: records.WalletUses, judge: ageOfWalletUse},
	{prefix: records.IdempotencyKeys.Prefix, judge: ageOf(records.IdempotencyKeys, ageOfKey)},
	{prefix: records.LimitSums, judge: ageOfLimit},
	{prefix: records.HashMarks, judge: ageOfHashMark, group: groupOfHashMark},
	{prefix: records.CardTokens.Prefix, judge: ageOf(records.CardTokens, ageOfToken)},
	{prefix: records.Chains.Prefix, judge: ageOf(records.Chains, ageOfChain)},
	{prefix: records.Callbacks.Prefix, judge: ageOf(records.Callbacks, ageOfCallback), along: alongCallback},
	{prefix: records.Endpoints.Prefix, judge: ageOf(records.Endpoints, ageOfEndpoint)},
	{prefix: records.Sessions.Prefix, judge: ageOf(records.Sessions, ageOfSession)},
	{prefix: records.Payments.Prefix, judge: ageOf(records.Payments, ageOfPayment), along: alongPayment},
}

// ageOf judges a record of a table.
func ageOf[T any](table store.Table[T], judge func(*judging, *T) (verdict, error)) func(*judging, []byte,
	[]byte) (verdict, error) {
	return func(j *judging, key, _ []byte) (verdict, error) {
		id, err := store.SplitKey(key)
		if err != nil || len(id) == 0 {
			return stays, unreadableMark(table.Prefix, errors.Join(err, errors.New("a key that is none")))
		}
		record, err := table.Get(j.r, id[1:]...)
		if err != nil {
			return stays, err
		}
		return judge(j, &record)
	}
}

// ageOfKey judges an idempotency key: it is of no use once it is free again.
func ageOfKey(j *judging, m *records.Made) (verdict, error) { return j.by(m.Until, 0), nil }

// ageOfCallback judges a callback: it stays until it is delivered or given up. Those after the callbacks of a young
// payment are all young.
func ageOfCallback(j *judging, c *records.Callback) (verdict, error) {
	keep := map[store.CallbackState]time.Duration{
		store.CallbackDelivered: j.Keep.Callbacks, store.CallbackDead: j.Keep.Dead,
	}
	p, err := records.Payments.Get(j.r, c.PaymentID)
	if err != nil && !records.Absent(err) {
		return stays, err
	}
	least := min(j.Keep.Callbacks, j.Keep.Dead)
	switch ended := c.CreatedAt; {
	case err == nil && j.by(p.CreatedAt, least) == stays:
		return restStays, nil
	case c.State == store.CallbackDue:
		return stays, nil
	case len(c.Attempts) > 0:
		ended = c.Attempts[len(c.Attempts)-1].At
		fallthrough
	default:
		return j.by(ended, keep[c.State]), nil
	}
}

// ageOfEndpoint judges an endpoint: its timeouts and blocks matter for minutes only.
func ageOfEndpoint(j *judging, e *callback.Endpoint) (verdict, error) {
	last := e.BlockedUntil
	for _, at := range e.Timeouts {
		if at.After(last) {
			last = at
		}
	}
	return j.by(last.Add(callback.EndpointTime), endpointMargin), nil
}

// ageOfToken judges a card token: a card without an expiry date stays.
func ageOfToken(j *judging, r *records.CardToken) (verdict, error) {
	return j.byExpiry(&r.Card, j.Keep.Tokens), nil
}

// ageOfChain judges a chain: one that a schedule charges, or is about to charge, stays.
func ageOfChain(j *judging, r *records.Chain) (verdict, error) {
	if counts, err := r.Counts(j.r); err != nil || counts {
		return stays, err
	}
	first, err := records.Payments.Get(j.r, r.PaymentID)
	if err != nil || first.Card == nil || !records.IsClosed(&first) {
		return stays, err
	}
	return j.byExpiry(first.Card, j.Keep.Chains), nil
}

func (j *judging) byExpiry(card *store.CardFacts, keep time.Duration) verdict {
	if card.Expiry == (store.Expiry{}) {
		return stays
	}
	return j.by(time.Date(card.Expiry.Year, time.Month(card.Expiry.Month)+1, 1, 0, 0, 0, 0, time.UTC), keep)
}

// ageOfSession judges a session: it is over once it has expired and the outcome of its newest payment, if any, can
// no longer change.
func ageOfSession(j *judging, s *store.Session) (verdict, error) {
	keep := j.Keep.Sessions
	switch {
	case j.by(s.CreatedAt, keep) == stays:
		return restStays, nil
	case s.Running, s.HeldCard != nil, !s.HeldUntil.IsZero(): // the last two are deleted by ClaimHeld
		return stays, nil
	case s.PaymentID == "":
		return j.by(s.ExpiresAt, keep), nil
	}
	p, err := records.Payments.Get(j.r, s.PaymentID)
	if records.Absent(err) {
		return j.by(s.ExpiresAt, keep), nil
	} else if err != nil {
		return stays, err
	}
	if !records.IsClosed(&p) || mayCharge(&p) {
		return stays, nil
	}
	ended := s.ExpiresAt
	if done := p.ChargeTransaction().DoneAt; done.After(ended) {
		ended = done
	}
	return j.by(ended, keep), nil
}

// mayCharge reports whether a payment may still be charged, by CompleteDebit or Retry, which updates its session.
func mayCharge(p *records.Payment) bool {
	_, complete := state.Follow(p.Kind, p.Status, state.Complete)
	_, retry := state.Follow(p.Kind, p.Status, state.Retry)
	return complete || retry && p.RecurringInitID != "" && !records.BeginsChain(p)
}
