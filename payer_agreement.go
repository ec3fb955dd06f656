package gateway

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"

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
