package retention

import (
	"errors"
	"fmt"
	"time"

	"github.com/tollgatepay/gateway/internal/due"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/store"
)

// unjudged is a mark whose age cannot be told.
func unjudged(table string, why error) error { return &store.Unreadable{Table: table, Cause: why} }

// ageOfWindow: the value is when the order number was accepted last.
func ageOfWindow(j *judging, _, value []byte) (verdict, error) {
	at, err := time.Parse(time.RFC3339Nano, string(value))
	if err != nil {
		return stays, unjudged(records.Windows, errors.New("a duplicate window without a time"))
	}
	return j.by(at, j.Window+windowMargin), nil
}

// ageOfWalletUse: the value is until when the mark matters.
func ageOfWalletUse(j *judging, _, value []byte) (verdict, error) {
	until, err := time.Parse(time.RFC3339Nano, string(value))
	if err != nil {
		return stays, unjudged(records.WalletUses, errors.New("a used wallet token without a time"))
	}
	return j.by(until, walletUseMargin), nil
}

// ageOfHashMark: those of the password that a merchant has now stay, all of them together, and those of one that was
// replaced go by when that was. The marks of a password lie side by side.
func ageOfHashMark(j *judging, key, _ []byte) (verdict, error) {
	parts, err := store.SplitKey(key)
	if err != nil || len(parts) != 4 {
		return stays, unjudged(records.HashMarks, errors.New("a mark of a used hash without a merchant or a password"))
	}
	m, err := records.Merchants.Get(j.r, parts[1])
	switch {
	case due.IsLost(err): // which password a merchant has whose record is damaged is told once it is mended
		return groupStays, nil
	case err != nil:
		return stays, err
	case m.HashMarks == "", m.HashMarks == parts[2], j.by(m.HashMarksSince, j.Keep.Hashes) == stays:
		return groupStays, nil
	}
	return goes, nil
}

// groupOfHashMark are the marks of one password.
func groupOfHashMark(key []byte) []byte {
	parts, err := store.SplitKey(key)
	if err != nil || len(parts) != 4 {
		return key
	}
	return store.Key(parts[:3]...)
}

// ageOfLimit: the key ends with the kind of period and the period. It ends a day later than in UTC at most,
// since the days of a MID are those of its zone.
func ageOfLimit(j *judging, key, _ []byte) (verdict, error) {
	parts, err := store.SplitKey(key)
	if err != nil || len(parts) < 2 {
		return stays, unjudged(records.LimitSums, errors.Join(err, errors.New("a limit without a period")))
	}
	end, err := endOfPeriod(parts[len(parts)-2], parts[len(parts)-1])
	if err != nil {
		return stays, unjudged(records.LimitSums, err)
	}
	return j.by(end.AddDate(0, 0, 1), limitMargin), nil
}

// endOfPeriod is the end of the period of a limit, in UTC.
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
