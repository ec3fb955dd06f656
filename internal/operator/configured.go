package operator

import (
	"context"
	"errors"

	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/store"
)

// maxScan bounds the records of one list.
const maxScan = 10_000

// Merchants returns merchants by id, at most limit, after the one with an id. Their passwords are left out.
func (d *Desk) Merchants(ctx context.Context, after string, limit int) (list []store.Merchant, err error) {
	err = d.Store.View(ctx, func(r store.Reader) error {
		list, err = scan(r, records.Merchants, nil, after, limit, func(m records.Merchant) store.Merchant {
			return m.Merchant
		})
		return err
	})
	return list, err
}

// Configuration returns what is saved of a merchant. It returns store.ErrNotFound for an unknown id.
func (d *Desk) Configuration(ctx context.Context, id string) (c store.Configuration, err error) {
	err = d.Store.View(ctx, func(r store.Reader) error {
		m, err := records.Merchants.Get(r, id)
		if err != nil {
			return err
		}
		c = store.Configuration{Merchant: m.Merchant}
		for _, protocol := range store.Protocols() {
			mapping, err := records.Mappings.Get(r, id, string(protocol))
			if err == nil {
				c.Mappings = append(c.Mappings, mapping)
			} else if !errors.Is(err, store.ErrNotFound) && !store.IsUnreadable(err) {
				return err
			}
		}
		c.MIDs, err = scan(r, records.MIDs, []string{id}, "", maxScan, func(m records.MID) store.MID { return m.MID })
		return err
	})
	return c, err
}

// Schedules returns the schedules of a merchant by id, at most limit, after the one with an id.
func (d *Desk) Schedules(ctx context.Context, merchantID, after string, limit int) (list []store.Schedule, err error) {
	err = d.Store.View(ctx, func(r store.Reader) error {
		list, err = scan(r, records.Schedules, []string{merchantID}, after, limit,
			func(s records.Schedule) store.Schedule { return s.Schedule })
		return err
	})
	return list, err
}

// Agreements returns the agreements of a merchant, at most limit.
func (d *Desk) Agreements(ctx context.Context, merchantID string, limit int) (list []store.Agreement, err error) {
	err = d.Store.View(ctx, func(r store.Reader) error {
		list, err = scan(r, records.Chains, []string{merchantID}, "", limit, agreement)
		return err
	})
	return list, err
}

func agreement(c records.Chain) store.Agreement {
	a := store.Agreement{MerchantID: c.MerchantID, PaymentID: c.PaymentID, Test: c.Test, ScheduleID: c.ScheduleID,
		CreatedAt: c.CreatedAt}
	if c.Plan != nil {
		a.Paid, a.Due = c.Plan.Paid, c.Plan.Due
	}
	return a
}

// scan returns the records of a table whose id begins with parts, at most limit, after the one whose last part is
// after. Those that cannot be read are left out: they are listed as set aside when they are needed.
func scan[R, T any](r store.Reader, table store.Table[R], parts []string, after string, limit int,
	show func(R) T) (list []T, err error) {
	prefix := append([]string{table.Prefix}, parts...)
	of := store.Range{Prefix: store.Key(prefix...), Limit: limit}
	if after != "" {
		of.From = append(store.Key(append(prefix, after)...), 0)
	}
	for entry := range r.Scan(of) {
		if entry.Err != nil {
			return nil, entry.Err
		}
		record, err := table.Decode(entry)
		if store.IsUnreadable(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		list = append(list, show(record))
	}
	return list, nil
}
