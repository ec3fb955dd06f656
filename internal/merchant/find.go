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
	p, err = d.find(ctx, &search{directory: d, key: key})
	if err != nil {
		return nil, false, err
	}
	known, test := p.opensFor(key)
	if !known { // its time has ended
		return nil, false, store.ErrNotFound
	}
	return p, test, nil
}

// ByID finds a merchant by its id. Within one request (readonce.Begin) the merchant is read once, and that snapshot
// counts to the end of the request, also after a payment was made: a merchant that is switched off meanwhile, or gets
// another mapping, still answers this request as it began. So a request shows, charges and signs by one configuration
// and not by a mixture of two; the next request sees the change.
func (d *Directory) ByID(ctx context.Context, id string) (*Profile, error) {
	return readonce.Get(ctx, profileKey{d, id}, func() (*Profile, error) {
		return d.find(ctx, &search{directory: d, id: id})
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

// search looks for a merchant in one snapshot.
type search struct {
	directory *Directory
	key       string // that names the merchant; empty where id does
	id        string
	profile   *Profile       // as it is cached; nil if it has to be opened
	stored    *configuration // to open
}

func (s *search) look(r store.Reader) error {
	if s.key != "" {
		id, err := r.Get(records.KeyOfMerchant(s.key))
		if err != nil {
			return err
		}
		s.id = string(id)
	}
	revision, err := r.Get(records.KeyOfRevision(s.id))
	if err != nil {
		return err
	}
	if s.profile = s.directory.profiles.get(s.id, string(revision)); s.profile != nil {
		return nil
	}
	s.stored, err = readConfiguration(r, s.id, string(revision))
	return err
}

// find reads a merchant. It opens sealed values after the snapshot is closed, because the key provider may be
// remote. Unreadable parts of the configuration are left out and named in broken; if the merchant's own record is
// unreadable, find fails.
func (d *Directory) find(ctx context.Context, s *search) (*Profile, error) {
	err := d.Store.View(ctx, s.look)
	if s.profile == nil { // what is kept or reported outlives the request
		if changed := store.Confirm(ctx, d.Store); changed != nil {
			return nil, changed
		}
	}
	if err == nil && s.profile == nil {
		if s.profile, err = d.openConfiguration(ctx, s.stored); err != nil {
			err = fmt.Errorf("merchant %s: %w", s.id, err)
		} else {
			d.reportBroken(ctx, s.profile)
			d.profiles.put(s.profile)
		}
	}
	if err != nil {
		d.reportMerchant(ctx, s, err)
		return nil, err
	}
	return s.profile.at(d.Now()), nil
}

// reportMerchant reports a merchant that cannot be read.
func (d *Directory) reportMerchant(ctx context.Context, s *search, err error) {
	if !store.IsUnreadable(err) && !due.IsShut(err) {
		return
	}
	revision := ""
	if s.stored != nil {
		revision = s.stored.revision
	}
	if d.profiles.first(s.id, revision) {
		d.Queues.ReportAsides(ctx, []store.Aside{{Work: store.WorkMerchant, ID: s.id, Reason: due.WhyLost(err), At: d.Now()}})
	}
}
