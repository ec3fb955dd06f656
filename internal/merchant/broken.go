package merchant

import (
	"context"
	"maps"
	"slices"

	"github.com/tollgatepay/gateway/internal/due"
	"github.com/tollgatepay/gateway/methods/wallet"
	"github.com/tollgatepay/gateway/store"
)

// broken is what of a merchant's configuration cannot be read, and why. What needs it is refused, everything else
// goes on, and nothing stands in for it: a merchant who has no mapping has the defaults, one whose mapping cannot be
// read has none.
type broken struct {
	mids     map[string]error
	mappings map[store.Protocol]error
	wallets  error
}

// Speaks is the error of a protocol whose mapping cannot be read: how its requests are signed, what it allows and
// what its callbacks hold is not known.
func (p *Profile) Speaks(protocol store.Protocol) error { return p.broken.mappings[protocol] }

// Readable is the error of a payment's configuration: its protocol's mapping, or its MID. Nothing is done with
// the payment until both can be read.
func (p *Profile) Readable(payment *store.Payment) error {
	if err := p.Speaks(payment.Protocol); err != nil {
		return err
	}
	return p.broken.mids[payment.MIDID]
}

// Opens is the error of a wallet's token while the merchant's settings of wallets cannot be read: whether there are
// keys for it, and which networks it may be of, is not known.
func (p *Profile) Opens(method string) error {
	if !ReadsTokens(method) {
		return nil
	}
	return p.broken.wallets
}

// Offers reports a method that the page can offer.
func (p *Profile) Offers(method string, kind store.Kind) bool {
	return p.Opens(method) == nil && p.Wallets.offer(method, kind)
}

// Unoffered is the error of a session that could only be paid by a wallet whose settings cannot be read.
func (p *Profile) Unoffered(codes []string) error {
	if slices.Contains(codes, wallet.ApplePay) || slices.Contains(codes, wallet.GooglePay) {
		return p.broken.wallets
	}
	return nil
}

// reportBroken tells of what was left out of a profile.
func (d *Directory) reportBroken(ctx context.Context, p *Profile) {
	tell := func(work store.Work, id string, err error) {
		d.Queues.Tell(ctx, []store.Aside{{Work: work, ID: id, Reason: due.WhyLost(err), At: d.Now()}})
	}
	for _, protocol := range slices.Sorted(maps.Keys(p.broken.mappings)) {
		tell(store.WorkMapping, p.record.ID+"/"+string(protocol), p.broken.mappings[protocol])
	}
	for _, id := range slices.Sorted(maps.Keys(p.broken.mids)) {
		tell(store.WorkMID, p.record.ID+"/"+id, p.broken.mids[id])
	}
	if p.broken.wallets != nil {
		tell(store.WorkWallets, p.record.ID, p.broken.wallets)
	}
}
