package door

import (
	"cmp"
	"context"
	"encoding/hex"
	"strings"
	"time"

	"github.com/tollgatepay/gateway/callback/signature"
	"github.com/tollgatepay/gateway/internal/merchant"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// errHashUsed means that the hash signs another request, or none.
var errHashUsed = refusal.ErrInvalid.Fields(refusal.Fault{Path: "hash", Text: "already used for another request"})

// recurringWindow is how long the same signed request for a charge without the payer counts as a duplicate.
// Merchants may charge each month under one order number, and a request that is repeated by mistake comes sooner
// (decision cd).
const recurringWindow = 24 * time.Hour

// Signed is an authenticated request that creates a payment or a page: what its signature covers, and where its
// marks are stored. It is nil for a request without a signature.
type Signed struct {
	sent      sentHash
	text      string // what it signs, without the password; empty for a signature that does not distinguish orders
	key       []byte // key of the mark of what it signs; nil for a signature that does not distinguish orders
	of        markDigest
	ref       string // the name of the mark, of a payout
	recurring bool   // charges without the payer
	out       bool   // pays out at once
	credit    bool   // pays out, at once or by a page
}

// Signs returns what a proof signs, for a request that makes a payment like p. It is the one place that defines
// what the signatures of every protocol cover.
func Signs(p *merchant.Profile, proof *Proof, pay *store.Payment, recurring bool) *Signed {
	if proof == nil {
		return nil
	}
	marks := hashMarks{p.Record().ID, p.MarksOf(proof.madeWith(p, cmp.Or(pay.Protocol, store.Checkout)))}
	s := &Signed{sent: marks.sentHash(proof), recurring: recurring, credit: pay.Kind == store.Credit}
	orders := proof.Formula.TellsOrders()
	if !orders && pay.Kind != store.Credit {
		return s // the same hash is valid for every order of this payer and card
	}
	s.key = s.sent.key
	kind, hash := kindOfSigned(pay, recurring), s.sent.digest
	fields := signature.Fields(proof.Formula, proof.Inputs)
	if orders {
		s.text = strings.Join(fields, "")
	} else {
		order := []string{pay.Order.Number, pay.Order.Amount, pay.Order.Currency, pay.Order.Description}
		hash = digestOf(append(order, proof.Hash)...) // so each order is paid once
		s.key = marks.key(hash)
		fields = append(fields, order...)
	}
	if pay.Protocol.S2S() { // an order is paid once, and told apart by its bytes; a hash is of capitals
		fields = append(fields, proof.Inputs.OrderID)
	}
	s.of = digestOf(append([]string{kind, keyName(pay.Test)}, fields...)...)
	if s.credit {
		s.ref = hex.EncodeToString(hash[:]) + "." + marks.password
	}
	return s
}

// AtOnce records that the request pays out at once, and not by a page.
func (s *Signed) AtOnce() {
	if s != nil {
		s.out = s.credit
	}
}

// kindOfSigned returns what a signature makes, by the rows of decision cd. Each S2S action is a kind; so are a
// Checkout transfer, a credit and a later payment of a chain. All charges with the payer present are one kind.
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

// Mark returns the current mark of the signature, in the transaction that stores the payment. It returns
// errHashUsed if the hash signs something else, or nothing because we have sent it.
func (s *Signed) Mark(tx store.Tx) (*HashMark, error) {
	if s == nil {
		return nil, nil
	}
	switch ours, err := s.sent.isOurs(tx); {
	case err != nil:
		return nil, err
	case ours:
		return nil, errHashUsed
	case s.key == nil:
		return nil, nil
	}
	if asks, err := s.sent.marks.followsUp(tx, s.text); err != nil || asks {
		return nil, cmp.Or(err, error(errHashUsed))
	}
	m, err := readHashMark(tx, s.key)
	if err == nil && m != nil && m.of != s.of {
		return nil, errHashUsed
	}
	return m, err
}

// Use marks the signature as used. m is its mark before. It returns ErrDuplicate for a repeated request that must
// not be made again: a payout that was paid, however long ago, and a charge without the payer within a day.
func (s *Signed) Use(tx store.Tx, m *HashMark, now, clock time.Time) error {
	switch {
	case s == nil || s.key == nil:
		return nil
	case m == nil:
	case s.credit && m.paid, s.recurring && isWithin(recurringWindow, m.at, now, clock):
		return refusal.ErrDuplicate
	case !s.recurring && !s.out: // nothing changes
		return nil
	}
	return (&HashMark{of: s.of, at: now, paid: s.out}).put(tx, s.key)
}

// Ref returns the name of a payout's mark, for the records of the payout.
func (s *Signed) Ref() string {
	if s == nil {
		return ""
	}
	return s.ref
}

// payoutMark returns the key of the mark that a record names; ok is false for a payout without a signature.
func payoutMark(merchantID, ref string) (key []byte, ok bool) {
	const length = 2 * len(markDigest{})
	if len(ref) <= length || ref[length] != '.' {
		return nil, false
	}
	raw, err := hex.DecodeString(ref[:length])
	if err != nil {
		return nil, false
	}
	return hashMarks{merchantID, ref[length+1:]}.key(markDigest(raw)), true
}

// PayOut marks the signature of a payout that a page begins as paid; the same signature may have made another page,
// or a card credit. It returns ErrDuplicate if it is paid already.
func PayOut(tx store.Tx, p *records.Payment) error { return markPaid(tx, p, true) }

// TakeBack allows the signature of a declined payout to pay once more.
func TakeBack(tx store.Tx, p *records.Payment) error { return markPaid(tx, p, false) }

func markPaid(tx store.Tx, p *records.Payment, paid bool) error {
	key, ok := payoutMark(p.MerchantID, p.Signature)
	if !ok {
		return nil
	}
	m, err := readHashMark(tx, key)
	switch {
	case err != nil || m == nil:
		return err // deleted long ago, with its password
	case paid && m.paid:
		return refusal.ErrDuplicate
	case m.sentByUs():
		return nil // the hash signs nothing any more
	}
	m.paid = paid
	return m.put(tx, key)
}

// RefuseSent refuses a hash that we have sent in a callback or a return link, because others can read it there.
// Mark does so too, in the transaction that marks.
func (d *Door) RefuseSent(ctx context.Context, p *merchant.Profile, proof *Proof) error {
	sent := marksOf(p).sentHash(proof)
	return d.Store.View(ctx, func(r store.Reader) error {
		ours, err := sent.isOurs(r)
		if ours {
			return errHashUsed
		}
		return err
	})
}
