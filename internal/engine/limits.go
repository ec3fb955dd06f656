package engine

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// limitKind is one limit: the amount and the period.
type limitKind struct {
	name    string
	limit   string // empty: none
	refusal *refusal.Error
	period  func(day time.Time) string
}

// midLimits are the limits of a MID, per financial day and month (SPEC1, MID settings; errors.md, 204007,
// 204014).
func midLimits(l store.Limits) []limitKind {
	return []limitKind{{"d", l.Day, refusal.ErrDayLimit, dayPeriod}, {"m", l.Month, refusal.ErrMonthLimit, monthPeriod}}
}

// mappingLimits are the limits of a Protocol Mapping, per day and week in UTC (errors.md, 204008, 204015;
// decision bx).
func mappingLimits(l store.MappingLimits) []limitKind {
	return []limitKind{{"d", l.Day, refusal.ErrMappingDayLimit, dayPeriod},
		{"w", l.Week, refusal.ErrWeekLimit, weekPeriod}}
}

func dayPeriod(day time.Time) string { return day.Format(time.DateOnly) }

func monthPeriod(day time.Time) string { return day.Format("2006-01") }

// weekPeriod returns the week of a day. Weeks begin on Monday.
func weekPeriod(day time.Time) string {
	year, week := day.ISOWeek()
	return fmt.Sprintf("%d-%d", year, week)
}

// bounds are the limits of a charge: those of its MID and those of its mapping. Payments under the test key
// are counted separately.
type bounds struct {
	mid     *store.MID
	mapping *store.Mapping
	test    bool
	// before is the previous attempt of a cascade, at beforeMID. It gives back its amount before this attempt
	// takes its own.
	before    *records.Transaction
	beforeMID *store.MID
}

// boundsOf returns the limits of an attempt at a MID.
func boundsOf(profile Merchant, p *records.Payment, mid *store.MID) bounds {
	return bounds{mid: mid, mapping: profile.Mapping(p.Protocol), test: p.Test}
}

// IsFull reports whether an error means that the limit of a MID or a mapping is reached.
func IsFull(err error) bool {
	return slices.ContainsFunc([]error{refusal.ErrDayLimit, refusal.ErrMonthLimit, refusal.ErrMappingDayLimit,
		refusal.ErrWeekLimit}, func(limit error) bool {
		return errors.Is(err, limit)
	})
}

// takeLimits counts a charge against its limits, before anything is sent. counted reports whether there are
// limits to give it back to. These counters are the only records that two payments share.
func takeLimits(tx store.Tx, b bounds, t *records.Transaction) (counted bool, err error) {
	if t.Operation == store.OpCalc { // it takes no money
		return false, nil
	}
	if err := checkLimits(tx, b, t); err != nil { // all of them before any is counted
		return false, err
	}
	return addToLimits(tx, b, t)
}

// addToLimits adds the amount of a charge to the counters of its MID and its mapping, without checking the
// limits.
func addToLimits(tx store.Tx, b bounds, t *records.Transaction) (counted bool, err error) {
	err = b.each(t, func(key []byte, _ store.Amount, _ *refusal.Error) error {
		counted = true
		sum, err := readSum(tx, key)
		if err != nil {
			return err
		}
		return tx.Put(key, []byte(sum.Add(t.Amount).String()))
	})
	return counted, err
}

// CheckLimits returns the error of the first limit that an operation would exceed. declined is the previous
// attempt of the cascade, at another MID, which gives back its amount.
func CheckLimits(r store.Reader, op *Operation, declined *records.Transaction, at *store.MID) error {
	b := boundsOf(op.Merchant, &op.Payment, op.MID)
	b.before, b.beforeMID = declined, at
	return checkLimits(r, b, &op.Transaction)
}

// checkLimits returns the error of the first limit that a charge would exceed. An open amount is refused if a
// limit is already reached.
func checkLimits(r store.Reader, b bounds, t *records.Transaction) error {
	back, err := b.back()
	if err != nil {
		return err
	}
	return b.each(t, func(key []byte, limit store.Amount, refusal *refusal.Error) error {
		sum, err := readSum(r, key)
		if left, ok := sum.Sub(back[string(key)]); ok {
			sum = left
		}
		full := t.AmountOpen && sum.Cmp(limit) >= 0
		if err == nil && (full || sum.Add(t.Amount).Cmp(limit) > 0) {
			return refusal
		}
		return err
	})
}

// back returns the amounts that the previous attempt gives back, by the key of the limit.
func (b bounds) back() (map[string]store.Amount, error) {
	if b.before == nil || !b.before.CountedInLimits {
		return nil, nil
	}
	amounts := map[string]store.Amount{}
	err := bounds{mid: b.beforeMID, mapping: b.mapping, test: b.test}.each(b.before,
		func(key []byte, _ store.Amount, _ *refusal.Error) error {
			amounts[string(key)] = b.before.Amount
			return nil
		})
	return amounts, err
}

// each visits all limits. Each currency is counted separately, on the day the charge began.
func (b bounds) each(t *records.Transaction,
	visit func(key []byte, limit store.Amount, refusal *refusal.Error) error) error {
	if b.mid.Limits != (store.Limits{}) {
		day, err := b.mid.Day(t.CreatedAt)
		if err != nil {
			return err
		}
		of := []string{records.LimitSums, b.mid.MerchantID, b.mid.ID, t.Currency}
		if err := visitLimits(midLimits(b.mid.Limits), of, day, visit); err != nil {
			return err
		}
	}
	mode := "live"
	if b.test {
		mode = "test"
	}
	// no MID has an empty id
	of := []string{records.LimitSums, b.mapping.MerchantID, "", string(b.mapping.Protocol), mode, t.Currency}
	return visitLimits(mappingLimits(b.mapping.Limits), of, t.CreatedAt.UTC(), visit)
}

func visitLimits(kinds []limitKind, of []string, day time.Time,
	visit func([]byte, store.Amount, *refusal.Error) error) error {
	for _, kind := range kinds {
		if kind.limit == "" {
			continue
		}
		most, err := store.ParseAmount(kind.limit)
		if err != nil {
			return fmt.Errorf("limit of %s: %w", strings.Join(of, " "), err)
		}
		key := store.Key(append(slices.Clone(of), kind.name, kind.period(day))...)
		if err := visit(key, most, kind.refusal); err != nil {
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
