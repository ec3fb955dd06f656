package retention

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/tollgatepay/gateway/internal/due"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/store"
)

// unreadableMark returns the error of a mark whose age cannot be read.
func unreadableMark(table string, why error) error {
	return &store.Unreadable{Table: table, Cause: why}
}

// ageOfWindow judges a duplicate window; the value is when the order number was last accepted.
func ageOfWindow(j *judging, _, value []byte) (verdict, error) {
	at, err := time.Parse(time.RFC3339Nano, string(value))
	if err != nil {
		return stays, unreadableMark(records.Windows, errors.New("a duplicate window without a time"))
	}
	return j.by(at, j.Window+windowMargin), nil
}

// ageOfWalletUse judges a used wallet token; the value is until when the mark matters.
func ageOfWalletUse(j *judging, _, value []byte) (verdict, error) {
	until, err := time.Parse(time.RFC3339Nano, string(value))
	if err != nil {
		return stays, unreadableMark(records.WalletUses, errors.New("a used wallet token without a time"))
	}
	return j.by(until, walletUseMargin), nil
}

// ageOfHashMark judges the mark of a used hash. Marks of the merchant's current password and of its next one stay, all
// together; those of a replaced password are deleted after the replacement. The marks of a password are adjacent.
func ageOfHashMark(j *judging, key, _ []byte) (verdict, error) {
	parts, err := store.SplitKey(key)
	if err != nil || len(parts) != 4 {
		return stays, unreadableMark(records.HashMarks, errors.New("a mark of a used hash without a merchant or a password"))
	}
	m, err := records.Merchants.Get(j.r, parts[1])
	switch {
	case due.IsLost(err): // the merchant's record is damaged; its password is known once it is repaired
		return groupStays, nil
	case err != nil:
		return stays, err
	}
	stay, since := m.Marks(j.now)
	if m.HashMarks == "" || slices.Contains(stay, parts[2]) || j.by(since, j.Keep.Hashes) == stays {
		return groupStays, nil
	}
	return goes, nil
}

// groupOfHashMark returns the key prefix of one password's marks.
func groupOfHashMark(key []byte) []byte {
	parts, err := store.SplitKey(key)
	if err != nil || len(parts) != 4 {
		return key
	}
	return store.Key(parts[:3]...)
}

// ageOfLimit judges the counter of a limit; the key ends with the kind of period and the period. The period ends at
// most a day later than in UTC, because the days of a MID are in its zone.
func ageOfLimit(j *judging, key, _ []byte) (verdict, error) {
	parts, err := store.SplitKey(key)
	if err != nil || len(parts) < 2 {
		return stays, unreadableMark(records.LimitSums, errors.Join(err, errors.New("a limit without a period")))
	}
	end, err := endOfPeriod(parts[len(parts)-2], parts[len(parts)-1])
	if err != nil {
		return stays, unreadableMark(records.LimitSums, err)
	}
	return j.by(end.AddDate(0, 0, 1), limitMargin), nil
}

// endOfPeriod returns the end of a limit's period, in UTC.
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
		fourth := time.Date(year, 1, 4, 0, 0, 0, 0, time.UTC) // always in the first week, which begins on Monday
		monday := fourth.AddDate(0, 0, -(int(fourth.Weekday())+6)%7)
		return monday.AddDate(0, 0, 7*week), nil
	}
	return time.Time{}, fmt.Errorf("a limit of unknown kind %q", kind)
}
