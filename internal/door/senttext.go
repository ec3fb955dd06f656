package door

import (
	"strings"
	"time"

	"github.com/tollgatepay/gateway/callback"
	"github.com/tollgatepay/gateway/callback/signature"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/store"
)

// What a Checkout callback or a return link signs begins with the id of its payment. A request with the same hash has
// the same text, however it is cut into fields. So it leads to the payment, whose record says the rest, and no mark is
// needed before the payment is deleted (MarkPurged).

// idSize is the length of an id that is found in a text: a UUID, as the gateway makes it.
const idSize = 36

// foundByText reports whether a request that is signed by the hash of a payment's callbacks and return links leads to
// the payment. It does not if the host makes ids of another form, or while the payer has yet to choose the amount,
// which is signed as none.
func foundByText(p *store.Payment) bool {
	return p.Protocol == store.Checkout && isFindable(p.ID) && p.Order.Amount != ""
}

// isFindable reports whether an id has one length and one letter case, so that a text in capitals shows it.
func isFindable(id string) bool {
	for i, c := range []byte(id) {
		hyphen := i == 8 || i == 13 || i == 18 || i == 23
		if hyphen != (c == '-') || !hyphen && (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return len(id) == idSize
}

// sentHash is the hash of a request that may be one which we have sent.
type sentHash struct {
	marks  hashMarks
	digest markDigest // of the hash
	key    []byte     // of its mark, if we have sent it and it was marked then
	texts  []string   // what it signs, by each reading; none on S2S, where its mark alone tells
}

func (h hashMarks) sentHash(proof *Proof) sentHash {
	digest := digestOf(proof.Hash)
	return sentHash{h, digest, h.key(digest), signature.Texts(proof.Formula, proof.Inputs)}
}

// isOurs reports whether we have sent the hash, in a callback or a return link.
func (s *sentHash) isOurs(r store.Reader) (bool, error) {
	m, err := readHashMark(r, s.key)
	if err != nil || m != nil && m.sentByUs() {
		return err == nil, err
	}
	for _, text := range s.texts {
		if ours, err := s.marks.signed(r, text); err != nil || ours {
			return ours, err
		}
	}
	return false, nil
}

// signed reports whether a text is that of a payment of the merchant, or of one that was deleted. For the payment of
// another merchant it reads as much as for one that is not there.
func (h hashMarks) signed(r store.Reader, text string) (bool, error) {
	if len(text) <= idSize {
		return false, nil
	}
	id := strings.ToLower(text[:idSize])
	if !isFindable(id) {
		return false, nil
	}
	p, err := records.Payments.Get(r, id)
	switch {
	case err == nil && p.MerchantID == h.merchantID:
		return foundByText(&p.Payment) && callback.CheckoutText(&p.Payment) == text, nil
	case err != nil && !records.Absent(err):
		return false, err
	}
	m, err := readHashMark(r, h.keyOfText(text))
	return m != nil, err
}

// followsUp reports whether a text that makes something is also that of a lookup or a follow-up: the id of a payment of
// the merchant, and after it nothing or an amount. The fields of an order can spell that where amounts have no point.
func (h hashMarks) followsUp(r store.Reader, text string) (bool, error) {
	if len(text) < idSize || !isFindable(strings.ToLower(text[:idSize])) {
		return false, nil
	}
	if _, err := store.ParseAmount(text[idSize:]); err != nil && len(text) > idSize {
		return false, nil
	}
	p, err := records.Payments.Get(r, strings.ToLower(text[:idSize]))
	if records.Absent(err) {
		return false, nil
	}
	return err == nil && p.MerchantID == h.merchantID, err
}

// keyOfText returns the key of the mark of a text, which a deleted payment leaves.
func (h hashMarks) keyOfText(text string) []byte { return h.key(digestOf("text", text)) }

// MarkPurged marks what the callbacks and return links of a payment have signed, in the transaction that deletes the
// payment. passwords are the fingerprints of the merchant's passwords whose marks stay.
func MarkPurged(tx store.Tx, p *records.Payment, passwords []string, now time.Time) error {
	if !foundByText(&p.Payment) {
		return nil // marked when they were sent
	}
	text := callback.CheckoutText(&p.Payment)
	for _, password := range passwords {
		if err := (&HashMark{at: now}).put(tx, hashMarks{p.MerchantID, password}.keyOfText(text)); err != nil {
			return err
		}
	}
	return nil
}
