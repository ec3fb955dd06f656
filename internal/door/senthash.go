package door

import (
	"context"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/tollgatepay/gateway/internal/merchant"
	"github.com/tollgatepay/gateway/store"
)

// sent marks a hash that we send. From then on it signs no request, even if it did before.
func (h hashMarks) sent(tx store.Tx, hash string, now time.Time) error {
	key := h.key(digestOf(hash))
	m, err := readHashMark(tx, key)
	if err != nil || m != nil && m.sentByUs() {
		return err
	}
	return (&HashMark{at: now}).put(tx, key)
}

// MarkCallback marks the hash in the body of a callback, if it may sign a request that does not lead to the payment.
func (d *Door) MarkCallback(tx store.Tx, m *merchant.Profile, p *store.Payment, body string, now time.Time) error {
	if foundByText(p) || p.Protocol.S2S() && !d.maySignRequest(p, body) {
		return nil
	}
	return marksOf(m).sent(tx, hashIn(body), now)
}

// hashIn returns the parameter hash of a body. Names and values are escaped in it, so no other text looks like
// that.
func hashIn(body string) string {
	rest, first := strings.CutPrefix(body, "hash=")
	if !first {
		_, rest, _ = strings.Cut(body, "&hash=")
	}
	hash, _, _ := strings.Cut(rest, "&")
	return hash
}

// maySignRequest reports whether the hash of an S2S callback could also sign a request:
//   - The formulas with the password in the middle sign an e-mail before it, and after it the payment's id with
//     the card. Those of requests have ten digits of a card there. So the id must consist of digits.
//   - The formulas with the password at the end sign the body's values from last to first, or id, order and
//     status. That of a payout ends with an amount and a currency. So there must be such a currency code.
//   - A later payment, and one by a wallet's token, may be signed over an e-mail and nothing else.
//
// A follow-up on a card payment is signed by the same formula as its callbacks (Formula 2), so no mark could
// tell them apart.
func (d *Door) maySignRequest(p *store.Payment, body string) bool {
	if !strings.ContainsFunc(p.ID, func(c rune) bool { return c < '0' || c > '9' }) {
		return true
	}
	if p.Protocol == store.S2SCard {
		return false
	}
	form, err := url.ParseQuery(body)
	if err != nil {
		return true // our bodies always parse
	}
	whole, short := reversedValues(form), form.Get("trans_id")+form.Get("order_id")+form.Get("status")
	return d.endsAsPayout(whole) || d.endsAsPayout(short) || strings.Contains(whole, "@")
}

// reversedValues returns the values of a body from the last name to the first.
func reversedValues(form url.Values) string {
	names := make([]string, 0, len(form))
	for name := range form {
		if name != "hash" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	slices.Reverse(names)
	text := strings.Builder{}
	for _, name := range names {
		text.WriteString(strings.Join(form[name], ""))
	}
	return text.String()
}

// endsAsPayout reports whether a text ends with a digit and a currency code, in any case.
func (d *Door) endsAsPayout(text string) bool {
	for size := 3; size <= 6 && size < len(text); size++ { // of codes (methods.Currency)
		digit, code := text[len(text)-size-1], text[len(text)-size:]
		if _, known := d.Currencies.Lookup(strings.ToUpper(code)); known && digit >= '0' && digit <= '9' {
			return true
		}
	}
	return false
}

// MarkLink marks the hash of a payment's return link, if a request with that hash does not lead to the payment. Usually
// the callback's hash, which is the same, is already marked.
func (d *Door) MarkLink(ctx context.Context, m *merchant.Profile, p *store.Payment, hash string) error {
	if foundByText(p) {
		return nil
	}
	marks := marksOf(m)
	marked := false
	err := d.Store.View(ctx, func(r store.Reader) error {
		m, err := readHashMark(r, marks.key(digestOf(hash)))
		marked = m != nil && m.sentByUs()
		return err
	})
	if err != nil || marked {
		return err
	}
	return d.update(ctx, func(tx store.Tx) error { return marks.sent(tx, hash, d.Now()) })
}
