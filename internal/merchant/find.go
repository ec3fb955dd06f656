package merchant

import (
	"context"
	"fmt"

	"github.com/tollgatepay/gateway/internal/due"
	"github.com/tollgatepay/gateway/internal/readonce"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/store"
)

// ByKey finds a merchant by its live or test key, in one snapshot. test reports which of the two it was.
func (d *Directory) ByKey(ctx context.Context, key string) (p *Profile, test bool, err error) {
	p, err = d.find(ctx, func(r store.Reader) (string, error) {
		id, err := r.Get(records.KeyOfMerchant(key))
		return string(id), err
	})
	if err != nil {
		return nil, false, err
	}
	return p, key == p.record.TestKey, nil
}

// ByID finds a merchant by its id. Within one request (readonce.Begin) the merchant is read once, and that snapshot
// counts to the end of the request, also after a payment was made: a merchant that is switched off meanwhile, or gets
// another mapping, still answers this request as it began. So a request shows, charges and signs by one configuration
// and not by a mixture of two; the next request sees the change.
func (d *Directory) ByID(ctx context.Context, id string) (*Profile, error) {
	return readonce.Get(ctx, profileKey{d, id}, func() (*Profile, error) {
		return d.find(ctx, func(store.Reader) (string, error) { return id, nil })
	})
}

// profileKey names a profile within a request, which may ask two gateways.
type profileKey struct {
	directory *Directory
	id        string
}

// For finds a merchant that uses a protocol. It also returns the error of a protocol whose mapping cannot be read.
func (d *Directory) For(ctx context.Context, id string, protocol store.Protocol) (*Profile, error) {
	p, err := d.ByID(ctx, id)
	if err != nil {
		return nil, err
	}
	return p, p.Speaks(protocol)
}

// find reads a merchant. It opens sealed values after the snapshot is closed, because the key provider may be
// remote. Unreadable parts of the configuration are left out and named in broken; if the merchant's own record is
// unreadable, find fails.
func (d *Directory) find(ctx context.Context, which func(store.Reader) (string, error)) (p *Profile, err error) {
	var id string
	var c configuration
	err = d.Store.View(ctx, func(r store.Reader) error {
		if id, err = which(r); err != nil {
			return err
		}
		revision, err := r.Get(records.KeyOfRevision(id))
		if err != nil {
			return err
		}
		if p = d.profiles.get(id, string(revision)); p != nil {
			return nil
		}
		c, err = readConfiguration(r, id, string(revision))
		return err
	})
	if err == nil && p == nil {
		if p, err = d.openConfiguration(ctx, &c); err != nil {
			err = fmt.Errorf("merchant %s: %w", id, err)
		} else {
			d.reportBroken(ctx, p)
			d.profiles.put(p)
		}
	}
	if err != nil {
		d.reportMerchant(ctx, id, c.revision, err)
		return nil, err
	}
	return p, nil
}

// reportMerchant reports a merchant that cannot be read.
func (d *Directory) reportMerchant(ctx context.Context, id, revision string, err error) {
	if (store.IsUnreadable(err) || due.IsShut(err)) && d.profiles.first(id, revision) {
		d.Queues.ReportAsides(ctx, []store.Aside{{Work: store.WorkMerchant, ID: id, Reason: due.WhyLost(err), At: d.Now()}})
	}
}
