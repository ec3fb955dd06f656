package s2s

// instrument is what pays a request of S2S CARD.
type instrument int

// The instruments, in their order of precedence (s2s_card.md, "Precedence").
const (
	byCard instrument = iota
	byToken
	byWallet
)

// instrument returns what pays: a card number takes precedence over card_token, and that over payment_token. With
// none of them the card is missing.
func (r *reading) instrument() instrument {
	switch {
	case r.first(r.cards.number) != "":
		return byCard
	case r.takes("card_token") && r.text("card_token") != "":
		return byToken
	case r.takes("digital_wallet") && (r.text("payment_token") != "" || r.text("digital_wallet") != ""):
		return byWallet
	}
	return byCard
}

// moto reports whether the payment is by phone or mail, where the security code is not required (decision t).
func (r *reading) moto() bool {
	kind := r.text("moto_type")
	return r.takes("moto_type") && kind != "" && kind != "ecommerce"
}

// holds reports whether the payment is only authorized: by AUTH, or when auth is exactly Y (decision b).
func (r *reading) holds() bool {
	return r.action == "AUTH" || r.takes("auth") && r.text("auth") == "Y"
}
