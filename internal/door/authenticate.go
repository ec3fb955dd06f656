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

// The two faults of a request that its sender cannot have made (decision k): equal in shape, status and
// work.
var (
	// ErrUnknownMerchant refuses a merchant key that is none.
	ErrUnknownMerchant = refusal.ErrInvalid.Fields(refusal.Fault{Path: "merchant_key", Text: fields.TextInvalid})
	errBadHash         = refusal.ErrInvalid.Fields(refusal.Fault{Path: "hash", Text: "Hash is not valid."})
)

// Check checks who asks, once the merchant of the key is found, nil for none: that the merchant has made the proof, and
// that it is none of our own. A Go caller brings none. For an unknown merchant the same digests are computed as for a
// known one. Errors: ErrInvalid naming merchant_key or hash, ErrNoMID for a merchant that is switched off.
func (d *Door) Check(ctx context.Context, profile *merchant.Profile, protocol store.Protocol, proof *Proof) error {
	if profile == nil {
		if proof != nil {
			signature.Verify(proof.Formula, signature.MD5, proof.Inputs, "no such merchant", proof.Hash)
		}
		return ErrUnknownMerchant
	}
	if proof != nil {
		if err := d.verify(ctx, profile, protocol, proof); err != nil {
			return err
		}
	}
	if profile.Record().Disabled || proof != nil && profile.Off(protocol) {
		return refusal.ErrNoMID
	}
	return nil
}

func (d *Door) verify(ctx context.Context, profile *merchant.Profile, protocol store.Protocol, proof *Proof) error {
	if err := profile.Speaks(protocol); err != nil { // it says how requests are signed
		return err
	}
	password := profile.Record().Password.Reveal()
	if !signature.Verify(proof.Formula, callback.Mode(profile.Mapping(protocol)), proof.Inputs, password, proof.Hash) {
		return errBadHash
	}
	return d.notOurs(ctx, profile, proof.Hash)
}

// Find finds the merchant of a key, live or test; nil for a key that is none.
func (d *Door) Find(ctx context.Context, key string) (profile *merchant.Profile, test bool, err error) {
	profile, test, err = d.Merchants.ByKey(ctx, key)
	if records.Absent(err) {
		return nil, false, nil
	}
	return profile, test, err
}
