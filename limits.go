package gateway

import (
	"errors"
	"fmt"
	"time"

	"github.com/tollgatepay/gateway/store"
)

// limitKinds are the limits of a MID with the period each counts: its financial days, weeks that begin on
// Monday and months (SPEC1, MID settings; errors.md, 204007, 204014, 204015).
var limitKinds = []struct {
	name   string
	of     func(store.Limits) string
	err    *Error
	period func(day time.Time) string
}{
	{"d", func(l store.Limits) string { return l.Day }, ErrDayLimit, func(day time.Time) string { return day.Format(time.DateOnly) }},
	{"w", func(l store.Limits) string { return l.Week }, ErrWeekLimit, func(day time.Time) string {
		year, week := day.ISOWeek()
		return fmt.Sprintf("%d-%d", year, week)
	}},
	{"m", func(l store.Limits) string { return l.Month }, ErrMonthLimit, func(day time.Time) string { return day.Format("2006-01") }},
}

// isLimit reports that a MID has taken as much as it may.
func isLimit(err error) bool {
	return errors.Is(err, ErrDayLimit) || errors.Is(err, ErrWeekLimit) || errors.Is(err, ErrMonthLimit)
}

// takeLimits counts a charge against the limits of its MID, before anything is sent. counted says that
// there are limits to give it back to. No two payments share a record but those of a MID with limits.
func takeLimits(tx store.Tx, mid *store.MID, t *store.Transaction) (counted bool, err error) {
	if t.Operation == store.OpCalc { // it takes nothing
		return false, nil
	}
	if err := checkLimits(tx, mid, t); err != nil { // all before any is counted
		return false, err
	}
	return addToLimits(tx, mid, t)
}

// addToLimits adds the amount of a charge to what its MID took, whatever the limits are.
func addToLimits(tx store.Tx, mid *store.MID, t *store.Transaction) (counted bool, err error) {
	err = eachLimit(mid, t, func(key []byte, _ store.Amount, _ *Error) error {
		counted = true
		sum, err := readSum(tx, key)
		if err != nil {
			return err
		}
		return tx.Put(key, []byte(sum.Add(t.Amount).String()))
	})
	return counted, err
}

// checkLimits is the error of the first limit that a charge would exceed. An open amount is refused where a
// limit is reached.
func checkLimits(r store.Reader, mid *store.MID, t *store.Transaction) error {
	return eachLimit(mid, t, func(key []byte, limit store.Amount, refusal *Error) error {
		sum, err := readSum(r, key)
		full := t.Open && sum.Cmp(limit) >= 0
		if err == nil && (full || sum.Add(t.Amount).Cmp(limit) > 0) {
			return refusal
		}
		return err
	})
}

// count adds the amount that the payer of an open transaction chose to what its MID took. The money is taken:
// a limit refuses only what comes after.
func (s *step) count() (err error) {
	s.t.Counted, err = addToLimits(s.tx, s.profile.mid(s.t.MIDID), s.t)
	return err
}

// release gives back what a charge that failed had taken of its MID's limits.
func (s *step) release() error {
	if !s.t.Counted || s.t.Outcome != store.Fail {
		return nil
	}
	s.t.Counted = false
	return eachLimit(s.profile.mid(s.t.MIDID), s.t, func(key []byte, _ store.Amount, _ *Error) error {
		sum, err := readSum(s.tx, key)
		if err != nil {
			return err
		}
		left, ok := sum.Sub(s.t.Amount)
		if !ok {
			return nil // the limit was set while the charge ran: nothing of it was counted
		}
		return s.tx.Put(key, []byte(left.String()))
	})
}

// eachLimit visits the limits a MID has. Each currency is counted by itself, on the day the charge began.
func eachLimit(mid *store.MID, t *store.Transaction, visit func(key []byte, limit store.Amount, refusal *Error) error) error {
	if mid.Limits == (store.Limits{}) {
		return nil
	}
	day, err := dayOf(mid, t.CreatedAt)
	if err != nil {
		return err
	}
	for _, kind := range limitKinds {
		text := kind.of(mid.Limits)
		if text == "" {
			continue
		}
		limit, err := store.ParseAmount(text)
		if err != nil {
			return fmt.Errorf("limit of MID %s: %w", mid.ID, err)
		}
		key := store.Key("lm", mid.MerchantID, mid.ID, t.Currency, kind.name, kind.period(day))
		if err := visit(key, limit, kind.err); err != nil {
			return err
		}
	}
	return nil
}

func readSum(r store.Reader, key []byte) (store.Amount, error) {
	text, err := r.Get(key)
	if errors.Is(err, store.ErrNotFound) {
		return store.Amount{}, nil
	}
	if err != nil {
		return store.Amount{}, err
	}
	return store.ParseAmount(string(text))
}
