package merchant

import (
	"context"
	"maps"
	"slices"

	"github.com/tollgatepay/gateway/internal/due"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/methods/wallet"
	"github.com/tollgatepay/gateway/store"
)

// broken is what cannot be read of a merchant's configuration, and why. Requests that need it are refused;
// everything else works, and no default replaces it: a merchant without a mapping has the defaults, but one with an
// unreadable mapping has none.
type broken struct {
	mids     map[string]error
	mappings map[store.Protocol]error
	wallets  error
}

// Speaks returns the error of a protocol whose mapping cannot be read: how its requests are signed, what it allows
// and what its callbacks contain is unknown.
func (p *Profile) Speaks(protocol store.Protocol) error { return p.broken.mappings[protocol] }

// Readable returns the error of a payment's configuration: its protocol's mapping, or its MID. The payment is not
// processed until both can be read.
func (p *Profile) Readable(payment *records.Payment) error {
	if err := p.Speaks(payment.Protocol); err != nil {
		return err
	}
	return p.broken.mids[payment.MIDID]
}

// Opens returns the error of a wallet token while the merchant's wallet settings cannot be read: its keys and
// allowed networks are unknown.
func (p *Profile) Opens(method string) error {
	if !ReadsTokens(method) {
		return nil
	}
	return p.broken.wallets
}

// Offers reports whether the page can offer a method.
func (p *Profile) Offers(method string, kind store.Kind) bool {
	return p.Opens(method) == nil && p.Wallets.offer(method, kind)
}

// Unoffered returns the error of a session that could only be paid by a wallet whose settings cannot be read.
func (p *Profile) Unoffered(codes []string) error {
	if slices.Contains(codes, wallet.ApplePay) || slices.Contains(codes, wallet.GooglePay) {
		return p.broken.wallets
	}
	return nil
}

// reportBroken reports what was left out of a profile.
func (d *Directory) reportBroken(ctx context.Context, p *Profile) {
	tell := func(work store.Work, id string, err error) {
		d.Queues.ReportAsides(ctx, []store.Aside{{Work: work, ID: id, Reason: due.WhyLost(err), At: d.Now()}})
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
