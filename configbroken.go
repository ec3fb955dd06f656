package gateway

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
func (p *profile) Speaks(protocol store.Protocol) error { return p.broken.mappings[protocol] }

// Readable is the error of a payment's configuration: its protocol's mapping, or its MID. Nothing is done with
// the payment until both can be read.
func (p *profile) Readable(payment *store.Payment) error {
	if err := p.Speaks(payment.Protocol); err != nil {
		return err
	}
	return p.broken.mids[payment.MIDID]
}

// opens is the error of a wallet's token while the merchant's settings of wallets cannot be read: whether there are
// keys for it, and which networks it may be of, is not known.
func (p *profile) opens(method string) error {
	if !readsTokens(method) {
		return nil
	}
	return p.broken.wallets
}

// offers reports a method that the page can offer.
func (p *profile) offers(method string, kind store.Kind) bool {
	return p.opens(method) == nil && p.wallets.offer(method, kind)
}

// unoffered is the error of a session that could only be paid by a wallet whose settings cannot be read.
func (p *profile) unoffered(codes []string) error {
	if slices.Contains(codes, wallet.ApplePay) || slices.Contains(codes, wallet.GooglePay) {
		return p.broken.wallets
	}
	return nil
}

// profileFor is the profile of a merchant who uses a protocol.
func (gw *Gateway) profileFor(ctx context.Context, id string, protocol store.Protocol) (*profile, error) {
	p, err := gw.profileByID(ctx, id)
	if err != nil {
		return nil, err
	}
	return p, p.Speaks(protocol)
}

// tellBroken tells of what was left out of a profile.
func (gw *Gateway) tellBroken(ctx context.Context, p *profile) {
	tell := func(work store.Work, id string, err error) {
		gw.queues.Tell(ctx, []store.Aside{{Work: work, ID: id, Reason: due.WhyLost(err), At: gw.now()}})
	}
	for _, protocol := range slices.Sorted(maps.Keys(p.broken.mappings)) {
		tell(WorkMapping, p.merchant.ID+"/"+string(protocol), p.broken.mappings[protocol])
	}
	for _, id := range slices.Sorted(maps.Keys(p.broken.mids)) {
		tell(store.WorkMID, p.merchant.ID+"/"+id, p.broken.mids[id])
	}
	if p.broken.wallets != nil {
		tell(WorkWallets, p.merchant.ID, p.broken.wallets)
	}
}
