package gateway

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/tollgatepay/gateway/callback"
	"github.com/tollgatepay/gateway/internal/state"
	"github.com/tollgatepay/gateway/store"
)

// What ages, and when an entry of it may go (Retention).

// purgeRow is one kind of record that ages.
type purgeRow struct {
	prefix string // of its table
	// judge says whether an entry may go now. An error is an entry that cannot be judged, and stays.
	judge func(j *judging, key, value []byte) (verdict, error)
	// along deletes what belongs to an entry that goes; nil for nothing.
	along func(tx store.Tx, value []byte) error
}

type verdict int

const (
	stays     verdict = iota
	goes              // it is past its time
	restStays         // it stays, and so does everything behind it, which is younger
)

// judging is what an entry is judged by: the records beside it and the time.
type judging struct {
	gw  *Gateway
	r   store.Reader
	now time.Time
}

// by is the verdict for what stays for a while after a moment. At the very end of it, it goes.
func (j *judging) by(moment time.Time, keep time.Duration) verdict {
	if j.now.Before(moment.Add(keep)) {
		return stays
	}
	return goes
}

// purgeRows is every kind of record that ages, in the order they are looked at: a session before its payments,
// which stay as long as it does. Merchants, MIDs, mappings, wallets and schedules stay until somebody
// removes them.
var purgeRows = []purgeRow{
	{prefix: "w", judge: ageOfWindow},
	{prefix: walletUsePrefix, judge: ageOfWalletUse},
	{prefix: "lm", judge: ageOfLimit},
	{prefix: "hs", judge: ageOfSignature},
	{prefix: cardTokens.Prefix, judge: ageOf(cardTokens, ageOfToken)},
	{prefix: chains.Prefix, judge: ageOf(chains, ageOfChain)},
	{prefix: callbackRecords.Prefix, judge: ageOf(callbackRecords, ageOfCallback)},
	{prefix: sessions.Prefix, judge: ageOf(sessions, ageOfSession)},
	{prefix: payments.Prefix, judge: ageOf(payments, ageOfPayment), along: alongPayment},
}

// ageOf judges a record of a table.
func ageOf[T any](table store.Table[T], judge func(*judging, *T) (verdict, error)) func(*judging, []byte, []byte) (verdict, error) {
	return func(j *judging, key, _ []byte) (verdict, error) {
		id, err := store.SplitKey(key)
		if err != nil {
			return stays, err
		}
		record, err := table.Get(j.r, id[1:]...)
		if err != nil {
			return stays, err
		}
		return judge(j, &record)
	}
}

// ageOfWindow: the value is when the order number was accepted last.
func ageOfWindow(j *judging, _, value []byte) (verdict, error) {
	at, err := time.Parse(time.RFC3339Nano, string(value))
	if err != nil {
		return stays, errors.New("a duplicate window without a time")
	}
	return j.by(at, DuplicateWindow+windowMargin), nil
}

// ageOfWalletUse: the value is until when the mark matters.
func ageOfWalletUse(j *judging, _, value []byte) (verdict, error) {
	until, err := time.Parse(time.RFC3339Nano, string(value))
	if err != nil {
		return stays, errors.New("a used wallet token without a time")
	}
	return j.by(until, walletUseMargin), nil
}

// ageOfSignature: the value ends with when the hash signed its order.
func ageOfSignature(j *judging, _, value []byte) (verdict, error) {
	_, at, ok := readSignature(value)
	if !ok {
		return stays, errors.New("a used hash without a time")
	}
	return j.by(at, j.gw.cfg.Retention.Hashes), nil
}

// ageOfCallback: one that is still to be delivered stays. Behind those of a young payment all are young.
func ageOfCallback(j *judging, c *store.Callback) (verdict, error) {
	keep := map[store.CallbackState]time.Duration{
		store.CallbackDelivered: j.gw.cfg.Retention.Callbacks, store.CallbackDead: j.gw.cfg.Retention.Dead,
	}
	p, err := payments.Get(j.r, c.PaymentID)
	if err != nil && !absent(err) {
		return stays, err
	}
	least := min(j.gw.cfg.Retention.Callbacks, j.gw.cfg.Retention.Dead)
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

// ageOfLimit: the key ends with the kind of period and the period. It ends a day later than in UTC at most,
// since the days of a MID are those of its zone.
func ageOfLimit(j *judging, key, _ []byte) (verdict, error) {
	parts, err := store.SplitKey(key)
	if err != nil || len(parts) < 2 {
		return stays, errors.Join(err, errors.New("a limit without a period"))
	}
	end, err := endOfPeriod(parts[len(parts)-2], parts[len(parts)-1])
	if err != nil {
		return stays, err
	}
	return j.by(end.AddDate(0, 0, 1), limitMargin), nil
}

// endOfPeriod is the end of a period of limitKinds, in UTC.
func endOfPeriod(kind, period string) (time.Time, error) {
	switch kind {
	case "d":
		day, err := time.Parse(time.DateOnly, period)
		return day.AddDate(0, 0, 1), err
	case "m":
		month, err := time.Parse("2006-01", period)
		return month.AddDate(0, 1, 0), err
	case "w":
		var year, week int
		if _, err := fmt.Sscanf(period, "%d-%d", &year, &week); err != nil {
			return time.Time{}, err
		}
		fourth := time.Date(year, 1, 4, 0, 0, 0, 0, time.UTC) // is always in the first week, which begins on its Monday
		monday := fourth.AddDate(0, 0, -(int(fourth.Weekday())+6)%7)
		return monday.AddDate(0, 0, 7*week), nil
	}
	return time.Time{}, fmt.Errorf("a limit of unknown kind %q", kind)
}

// ageOfToken: a card without an expiry has no age.
func ageOfToken(j *judging, r *tokenRecord) (verdict, error) {
	return j.byExpiry(&r.Card, j.gw.cfg.Retention.Tokens), nil
}

// ageOfChain: one that a schedule charges, or is about to, stays.
func ageOfChain(j *judging, r *chainRecord) (verdict, error) {
	if r.ScheduleID != "" || r.Joining != nil {
		return stays, nil
	}
	first, err := payments.Get(j.r, r.PaymentID)
	if err != nil || first.Card == nil {
		return stays, err
	}
	closed, err := isClosed(j.r, &first)
	if err != nil || !closed {
		return stays, err
	}
	return j.byExpiry(first.Card, j.gw.cfg.Retention.Chains), nil
}

func (j *judging) byExpiry(card *store.CardFacts, keep time.Duration) verdict {
	if card.Expiry == (store.Expiry{}) {
		return stays
	}
	return j.by(time.Date(card.Expiry.Year, time.Month(card.Expiry.Month)+1, 1, 0, 0, 0, 0, time.UTC), keep)
}

// ageOfSession: a session is over once it has expired and its newest payment, should it have one, can no
// longer come to another end.
func ageOfSession(j *judging, s *store.Session) (verdict, error) {
	keep := j.gw.cfg.Retention.Sessions
	switch {
	case j.by(s.CreatedAt, keep) == stays:
		return restStays, nil
	case s.Running, s.HeldCard != nil, !s.HeldUntil.IsZero(): // the last two are seen to by claimHeld
		return stays, nil
	case s.PaymentID == "":
		return j.by(s.ExpiresAt, keep), nil
	}
	p, err := payments.Get(j.r, s.PaymentID)
	if absent(err) {
		return j.by(s.ExpiresAt, keep), nil
	} else if err != nil {
		return stays, err
	}
	closed, err := isClosed(j.r, &p)
	if err != nil || !closed || mayCharge(&p) {
		return stays, err
	}
	t, err := transactions.Get(j.r, p.ChargeID())
	if err != nil {
		return stays, err
	}
	ended := s.ExpiresAt
	if t.DoneAt.After(ended) {
		ended = t.DoneAt
	}
	return j.by(ended, keep), nil
}

// isClosed reports a payment nothing of which runs, is in doubt or has to be looked at.
func isClosed(r store.Reader, p *store.Payment) (bool, error) {
	if p.Running != "" || !p.Reserved.IsZero() {
		return false, nil
	}
	for _, id := range p.Transactions {
		t, err := transactions.Get(r, id)
		if err != nil || !t.Outcome.Final() || t.Review != "" && t.Seen == nil {
			return false, err
		}
	}
	return true, nil
}

// mayCharge reports a payment that may be charged yet, by CompleteDebit or Retry: that tells its session.
func mayCharge(p *store.Payment) bool {
	_, complete := state.Follow(p.Kind, p.Status, state.Complete)
	_, retry := state.Follow(p.Kind, p.Status, state.Retry)
	return complete || retry && p.RecurringInitID != "" && !begins(p)
}

// ageOfPayment: one that nothing else needs goes, if the host wants that at all.
func ageOfPayment(j *judging, p *store.Payment) (verdict, error) {
	keep := j.gw.cfg.Retention.Payments
	switch {
	case keep == 0, j.by(p.CreatedAt, keep) == stays:
		return restStays, nil
	case j.by(p.UpdatedAt, keep) == stays, !isEnd[p.Status]:
		return stays, nil
	}
	closed, err := isClosed(j.r, p)
	if err != nil || !closed {
		return stays, err
	}
	for _, needed := range []func(store.Reader, *store.Payment) (bool, error){beginsChain, hasSession, followsAnother, toldLater} {
		if yes, err := needed(j.r, p); err != nil || yes {
			return stays, err
		}
	}
	return goes, nil
}

// isEnd are the statuses in which a payment may stay for ever. A held one waits for its capture.
var isEnd = map[store.Status]bool{
	store.Settled: true, store.Declined: true, store.Reversed: true, store.Refunded: true, store.Voided: true, store.Disputed: true,
}

// exists makes an answer of reading a record.
func exists(err error) (bool, error) {
	if absent(err) {
		return false, nil
	}
	return err == nil, err
}

// beginsChain: later payments of a chain name its first one.
func beginsChain(r store.Reader, p *store.Payment) (bool, error) {
	if !begins(p) {
		return false, nil
	}
	_, err := chains.Get(r, p.MerchantID, p.RecurringToken)
	return exists(err)
}

// hasSession: the page of a session shows its payment.
func hasSession(r store.Reader, p *store.Payment) (bool, error) {
	if p.SessionID == "" {
		return false, nil
	}
	_, err := sessions.Get(r, p.SessionID)
	return exists(err)
}

// followsAnother: whoever looks up an attempt of a cascade may be led to the next one, so they go in order.
// The attempt before is among the payments of the order just before this one.
func followsAnother(r store.Reader, p *store.Payment) (bool, error) {
	if p.Cascade == "" {
		return false, nil
	}
	w := whose{p.MerchantID, p.Test}
	before := store.Range{Prefix: keyOfOrder(w, p.Order.Number), From: keyOfOrder(w, p.Order.Number, p.ID), Limit: maxCascade, Reverse: true}
	for entry := range r.Scan(before) {
		if entry.Err != nil {
			return false, entry.Err
		}
		parts, err := store.SplitKey(entry.Key)
		if err != nil {
			return false, err
		}
		one, err := payments.Get(r, parts[len(parts)-1])
		if err != nil || one.Next == p.ID {
			return err == nil, err
		}
	}
	return false, nil
}

// callbackRecords are those of package callback, which has no reason to delete any itself.
var callbackRecords = store.Table[store.Callback]{Prefix: "cb", Version: 1}

// toldLater: a callback is still to be delivered.
func toldLater(r store.Reader, p *store.Payment) (bool, error) {
	for number := 1; number <= p.Callbacks; number++ {
		c, err := callbackRecords.Get(r, callback.ID(p.ID, number))
		if there, err := exists(err); err != nil || there && c.State == store.CallbackDue {
			return there, err
		}
	}
	return false, nil
}

// alongPayment deletes what a payment has made.
func alongPayment(tx store.Tx, value []byte) error {
	var p store.Payment
	if err := json.Unmarshal(value, &p); err != nil {
		return err
	}
	for _, id := range p.Transactions {
		if err := transactions.Delete(tx, id); err != nil {
			return err
		}
	}
	for number := 1; number <= p.Callbacks; number++ {
		if err := callbackRecords.Delete(tx, callback.ID(p.ID, number)); err != nil {
			return err
		}
	}
	return tx.Delete(keyOfOrder(whose{p.MerchantID, p.Test}, p.Order.Number, p.ID))
}
