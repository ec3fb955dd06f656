package gateway

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"

	"github.com/tollgatepay/gateway/internal/fields"
	"github.com/tollgatepay/gateway/internal/merchant"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// agreement names what a form shows its payer to agree to.
func agreement(order *store.Order, later *Subscription, termsURL string) string {
	shown, _ := json.Marshal(struct { // texts, numbers and dates only
		Amount, Currency, Terms string
		Later                   *Subscription
	}{order.Amount, order.Currency, termsURL, later})
	sum := sha256.Sum256(shown)
	return base64.RawURLEncoding.EncodeToString(sum[:16])
}

// agreed refuses a payment whose payer was shown something else than what holds now. It is asked in the transaction
// that begins the payment. A payment that names nothing was made by no form of this kind.
func (o *offers) agreed(s *store.Session, p *merchant.Profile, shown string) func(store.Reader) error {
	if shown == "" {
		return nil
	}
	var list []MethodChoice
	if s.Extra.RecurringInit {
		list = o.choices(s, p)
	}
	return func(r store.Reader) error {
		set, err := scheduleOf(r, s)
		if err != nil {
			return err
		}
		if agreement(&s.Order, o.subscription(s, set, p, list), p.Mapping(store.Checkout).TermsURL) != shown {
			return refusal.ErrInvalid.Fields(refusal.Fault{Path: "agreement", Text: fields.TextChanged})
		}
		return nil
	}
}
