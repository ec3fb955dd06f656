package s2s

// instrument is what pays a request of S2S CARD.
type instrument int

// The instruments, in the order in which one wins over the next (s2s_card.md, "Precedence").
const (
	byCard instrument = iota
	byToken
	byWallet
)

// instrument chooses among what was sent: a card number wins over card_token, and that over
// payment_token. With nothing sent a card is missing.
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

// moto reports a payment by phone or mail, where the code on the card is not seen (decision t).
func (r *reading) moto() bool {
	kind := r.text("moto_type")
	return r.takes("moto_type") && kind != "" && kind != "ecommerce"
}

// holds reports an authorization: AUTH, or auth when it is exactly Y (decision b).
func (r *reading) holds() bool {
	return r.action == "AUTH" || r.takes("auth") && r.text("auth") == "Y"
}
