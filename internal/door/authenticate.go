package door

import (
	"context"

	"github.com/tollgatepay/gateway/callback"
	"github.com/tollgatepay/gateway/callback/signature"
	"github.com/tollgatepay/gateway/internal/fields"
	"github.com/tollgatepay/gateway/internal/merchant"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// The two faults of a request whose sender is not who he says (decision k): equal in shape, status and
// work.
var (
	errUnknownMerchant = refusal.ErrInvalid.Fields(refusal.Fault{Path: "merchant_key", Text: fields.TextInvalid})
	errBadHash         = refusal.ErrInvalid.Fields(refusal.Fault{Path: "hash", Text: "Hash is not valid."})
)

// Enter finds the merchant of a key and checks the proof: that the merchant has made it, and that it is none
// of our own. A Go caller brings none. For an unknown merchant the same digests are computed as for a known one.
// Errors: ErrInvalid naming merchant_key or hash, ErrNoMID for a merchant that is switched off.
func (d *Door) Enter(ctx context.Context, merchantKey string, protocol store.Protocol, proof *Proof) (*merchant.Profile, bool, error) {
	profile, test, err := d.Merchants.ByKey(ctx, merchantKey)
	if err != nil {
		if proof != nil {
			signature.Verify(proof.Formula, signature.MD5, proof.Inputs, "no such merchant", proof.Hash)
		}
		return nil, false, d.Unknown(err)
	}
	if proof != nil {
		if err := profile.Speaks(protocol); err != nil { // it says how requests are signed
			return nil, false, err
		}
		password := profile.Record().Password.Reveal()
		if !signature.Verify(proof.Formula, callback.Mode(profile.Mapping(protocol)), proof.Inputs, password, proof.Hash) {
			return nil, false, errBadHash
		}
		if err := d.notOurs(ctx, profile, proof.Hash); err != nil {
			return nil, false, err
		}
	}
	if profile.Record().Disabled || proof != nil && profile.Off(protocol) {
		return nil, false, refusal.ErrNoMID
	}
	return profile, test, nil
}

func (d *Door) Unknown(err error) error {
	if records.Absent(err) {
		return errUnknownMerchant
	}
	return err
}
