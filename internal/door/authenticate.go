package door

import (
	"context"
	"slices"

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

// Verify checks the sender of a request, once the merchant of the key is looked up (nil if unknown): the merchant
// must have signed the proof. A Go caller has no proof. For an unknown merchant the same digests are computed as for a
// known one. It returns ErrInvalid naming merchant_key or hash.
func Verify(profile *merchant.Profile, protocol store.Protocol, proof *Proof) error {
	if profile == nil {
		if proof != nil {
			proof.fits(nil, protocol)
		}
		return ErrUnknownMerchant
	}
	if proof == nil {
		return nil
	}
	return verify(profile, protocol, proof)
}

// Check follows Verify or Admit: the hash must not be one that we have sent, and the merchant must not be switched off.
// It returns ErrInvalid naming hash, and ErrNoMID.
func (d *Door) Check(ctx context.Context, profile *merchant.Profile, protocol store.Protocol, proof *Proof) error {
	if proof != nil {
		if err := d.RefuseSent(ctx, profile, proof); err != nil {
			return err
		}
	}
	return Open(profile, protocol, proof != nil)
}

// Open returns ErrNoMID for a merchant that is switched off, and for a signed request also when its protocol is.
func Open(profile *merchant.Profile, protocol store.Protocol, signed bool) error {
	if profile.Record().Disabled || signed && profile.Off(protocol) {
		return refusal.ErrNoMID
	}
	return nil
}

func verify(profile *merchant.Profile, protocol store.Protocol, proof *Proof) error {
	if err := profile.Speaks(protocol); err != nil { // the mapping says how requests are signed
		return err
	}
	if !proof.fits(profile, protocol) {
		return errBadHash
	}
	return nil
}

// fits reports whether the merchant has signed. For an unknown merchant it computes as much and returns false.
func (proof *Proof) fits(profile *merchant.Profile, protocol store.Protocol) bool {
	if profile == nil {
		signature.Verify(proof.Formula, signature.MD5, proof.Inputs, "no such merchant", proof.Hash)
		return false
	}
	return profile.Verifies(proof.madeWith(profile, protocol))
}

// madeWith checks a signature with a password of the merchant.
func (proof *Proof) madeWith(profile *merchant.Profile, protocol store.Protocol) func(password string) bool {
	mode := callback.Mode(profile.Mapping(protocol))
	return func(password string) bool {
		return signature.Verify(proof.Formula, mode, proof.Inputs, password, proof.Hash)
	}
}

// Admit checks the sender of a request whose formula its subject decides, as on S2S. The order of its refusals is that
// of decision o: an unknown merchant, something unknown, a wrong hash, a merchant or protocol that is switched off.
func (d *Door) Admit(profile *merchant.Profile, a *Admission) (*Proof, error) {
	var proof *Proof
	for _, formula := range a.Formulas {
		tried := &Proof{Formula: formula, Inputs: a.Inputs, Hash: a.Hash}
		if tried.fits(profile, a.Protocol) && slices.Contains(a.Counting, formula) {
			proof = tried
		}
	}
	switch {
	case profile == nil:
		return nil, a.Refused
	case a.Absent != nil:
		return nil, a.Absent
	case proof == nil:
		return nil, a.Refused
	case profile.Record().Disabled, !a.Free && profile.Off(a.Protocol):
		return nil, refusal.ErrNoMID
	}
	return proof, nil
}

// Find finds the merchant of a live or test key; nil for an unknown key.
func (d *Door) Find(ctx context.Context, key string) (profile *merchant.Profile, test bool, err error) {
	profile, test, err = d.Merchants.ByKey(ctx, key)
	if records.Absent(err) {
		return nil, false, nil
	}
	return profile, test, err
}
