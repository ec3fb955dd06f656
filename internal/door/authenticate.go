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

// The two faults of a request with a wrong key or hash (decision k): equal in shape, status and work.
var (
	// ErrUnknownMerchant refuses an unknown merchant key.
	ErrUnknownMerchant = refusal.ErrInvalid.Fields(refusal.Fault{Path: "merchant_key", Text: fields.TextInvalid})
	errBadHash         = refusal.ErrInvalid.Fields(refusal.Fault{Path: "hash", Text: "Hash is not valid."})
)

// Check checks the sender of a request, once the merchant of the key is looked up (nil if unknown): the merchant
// must have signed the proof, and the hash must not be one that we have sent. A Go caller has no proof. For an
// unknown merchant the same digests are computed as for a known one. It returns ErrInvalid naming merchant_key or
// hash, and ErrNoMID for a merchant that is switched off.
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
	if err := profile.Speaks(protocol); err != nil { // the mapping says how requests are signed
		return err
	}
	password := profile.Record().Password.Reveal()
	if !signature.Verify(proof.Formula, callback.Mode(profile.Mapping(protocol)), proof.Inputs, password, proof.Hash) {
		return errBadHash
	}
	return d.refuseSent(ctx, profile, proof.Hash)
}

// Find finds the merchant of a live or test key; nil for an unknown key.
func (d *Door) Find(ctx context.Context, key string) (profile *merchant.Profile, test bool, err error) {
	profile, test, err = d.Merchants.ByKey(ctx, key)
	if records.Absent(err) {
		return nil, false, nil
	}
	return profile, test, err
}
