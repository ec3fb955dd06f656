package door

import (
	"context"
	"encoding/hex"
	"slices"
	"time"

	"github.com/tollgatepay/gateway/callback/signature"
	"github.com/tollgatepay/gateway/internal/merchant"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// errHashUsed: the hash signs another request, or none.
var errHashUsed = refusal.ErrInvalid.Fields(refusal.Fault{Path: "hash", Text: "already used for another request"})

// recurringWindow is how long the same signed request for a charge without the payer counts as one. Merchants may
// bill each month under one order number, and a request that is sent again by mistake comes sooner (decision cd).
const recurringWindow = 24 * time.Hour

// Signed is a request that makes something, whose signature is good: what the signature is for, and where
// its mark lies. A nil one came without a signature, or by one that tells no orders apart.
type Signed struct {
	marks     hashMarks
	hash      markDigest
	of        markDigest
	recurring bool // it charges without the payer
	out       bool // it pays money out at once
	credit    bool // it pays money out, at once or by a page
}

// Signs is the request that a proof signs, which makes a payment like p: the one place that says what the
// signatures of every protocol make.
func Signs(p *merchant.Profile, proof *Proof, pay *store.Payment, recurring bool) *Signed {
	if proof == nil {
		return nil
	}
	kind := kindOfSigned(pay, recurring)
	s := &Signed{marks: marksOf(p), hash: digestOf(proof.Hash), recurring: recurring, credit: pay.Kind == store.Credit}
	fields := signature.Fields(proof.Formula, proof.Inputs)
	if !proof.Formula.TellsOrders() {
		if pay.Kind != store.Credit {
			return nil // the same hash is right for every order of this payer and card
		}
		order := []string{pay.Order.Number, pay.Order.Amount, pay.Order.Currency, pay.Order.Description}
		s.hash = digestOf(append(order, proof.Hash)...) // it pays this order once
		fields = append(fields, order...)
	}
	s.of = digestOf(slices.Concat([]string{kind, keyName(pay.Test)}, fields)...)
	return s
}

// AtOnce notes that what the request makes is paid out at once, and not by a page.
func (s *Signed) AtOnce() {
	if s != nil {
		s.out = s.credit
	}
}

// kindOfSigned is what a signature makes, by the rows of decision cd: each S2S action is a kind of its own, and so
// are on Checkout a transfer, a credit and a later payment of a chain. Money in with the payer present is one.
func kindOfSigned(p *store.Payment, recurring bool) string {
	switch {
	case p.Protocol.S2S():
		return string(p.Protocol) + " " + p.Action
	case recurring:
		return "recurring"
	case p.Kind == store.Transfer, p.Kind == store.Credit:
		return string(p.Kind)
	}
	return "pay-in"
}

func keyName(test bool) string {
	if test {
		return "test key"
	}
	return "live key"
}

// Mark is the mark of the signature as it stands, in the transaction that stores what the request makes. Error:
// errHashUsed for one that signs something else.
func (s *Signed) Mark(tx store.Tx) (*HashMark, error) {
	if s == nil {
		return nil, nil
	}
	m, err := s.marks.get(tx, s.hash)
	if err == nil && m != nil && m.of != s.of {
		return nil, errHashUsed
	}
	return m, err
}

// Use marks the signature as used at a moment. m is its mark before. Error: ErrDuplicate for a request that is the
// same as one before, and may not be made again: one that was paid out, whatever the time between, and a charge
// without the payer within a day.
func (s *Signed) Use(tx store.Tx, m *HashMark, now, clock time.Time) error {
	switch {
	case s == nil:
		return nil
	case m == nil:
	case s.credit && m.paid, s.recurring && isWithin(recurringWindow, m.at, now, clock):
		return refusal.ErrDuplicate
	case !s.recurring && !s.out: // nothing changes
		return nil
	}
	return s.marks.put(tx, s.hash, HashMark{of: s.of, at: now, paid: s.out})
}

// Ref names the mark of a signature that pays money out, in the records of what it made.
func (s *Signed) Ref() string {
	if s == nil || !s.credit {
		return ""
	}
	return hex.EncodeToString(s.hash[:]) + "." + s.marks.password
}

// payoutMark is the mark that a record names; ok is false for a payout without a signature.
func payoutMark(merchantID, ref string) (marks hashMarks, digest markDigest, ok bool) {
	const length = 2 * len(digest)
	if len(ref) <= length || ref[length] != '.' {
		return marks, digest, false
	}
	raw, err := hex.DecodeString(ref[:length])
	if err != nil {
		return marks, digest, false
	}
	return hashMarks{merchantID, ref[length+1:]}, markDigest(raw), true
}

// PayOut marks the signature of a payout that a page begins as paid; the same signature may have made another page,
// or a card credit. Error: ErrDuplicate.
func PayOut(tx store.Tx, p *store.Payment) error { return markPaid(tx, p, true) }

// TakeBack lets the signature of a payout that was declined pay once more.
func TakeBack(tx store.Tx, p *store.Payment) error { return markPaid(tx, p, false) }

func markPaid(tx store.Tx, p *store.Payment, paid bool) error {
	marks, digest, ok := payoutMark(p.MerchantID, p.Signature)
	if !ok {
		return nil
	}
	m, err := marks.get(tx, digest)
	switch {
	case err != nil || m == nil:
		return err // so old that it is gone, with its password
	case paid && m.paid:
		return refusal.ErrDuplicate
	case m.sentByUs():
		return nil // it makes nothing any more
	}
	m.paid = paid
	return marks.put(tx, digest, *m)
}

// notOurs refuses a hash that we have sent ourselves: in a callback or a payer's return link it is for everybody to
// read.
func (d *Door) notOurs(ctx context.Context, p *merchant.Profile, hash string) error {
	return d.Store.View(ctx, func(r store.Reader) error {
		m, err := marksOf(p).get(r, digestOf(hash))
		if err == nil && m != nil && m.sentByUs() {
			return errHashUsed
		}
		return err
	})
}
