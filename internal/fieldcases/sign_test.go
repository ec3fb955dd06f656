package fieldcases_test

import (
	"crypto/md5"
	"crypto/sha1"
	"encoding/hex"
	"fmt"
	"slices"

	"github.com/tollgatepay/gateway/gatewaytest"
)

// The formulas of the requests (checkout.md, s2s_card.md and s2s_apm.md, "Hash formulas").

func upper(text string) string {
	b := []byte(text)
	for i, c := range b {
		if c >= 'a' && c <= 'z' {
			b[i] = c - 'a' + 'A'
		}
	}
	return string(b)
}

func reverse(text string) string {
	b := []byte(text)
	slices.Reverse(b)
	return string(b)
}

func md5Hex(text string) string {
	sum := md5.Sum([]byte(text))
	return hex.EncodeToString(sum[:])
}

// signing signs the named fields, in their order.
func signing(names ...string) func(body) string {
	return func(b body) string {
		text := ""
		for _, name := range names {
			text += b.text(name)
		}
		sum := sha1.Sum([]byte(md5Hex(upper(text + gatewaytest.Password))))
		return hex.EncodeToString(sum[:])
	}
}

var (
	bySession   = signing("order.number", "order.amount", "order.currency", "order.description")
	byPayment   = signing("payment_id", "amount")
	byOrder     = signing("order_id")
	byRecurring = signing("recurring_init_trans_id", "recurring_token", "order.number", "order.amount",
		"order.description")
	byCredit = signing("order_id", "order_amount", "order_currency", "order_description")
)

// ends returns first6.last4 of a card number, as far as it has them.
func ends(number string) string {
	return number[:min(6, len(number))] + number[max(0, len(number)-4):]
}

// instrument is what a request pays with: its card, or its card_token.
func instrument(b body) string {
	for _, name := range []string{"payer_card_number", "card_number"} {
		if b.text(name) != "" {
			return ends(b.text(name))
		}
	}
	return b.text("card_token")
}

func card1(b body) string {
	return md5Hex(upper(reverse(b.text("payer_email")) + gatewaytest.Password + reverse(instrument(b))))
}

func card3(body) string { return md5Hex(upper(reverse(gatewaytest.Password))) }

func card4(b body) string {
	return md5Hex(upper(reverse(b.text("schedule_id") + gatewaytest.Password)))
}

func card5(b body) string {
	return md5Hex(upper(gatewaytest.Password + reverse(instrument(b))))
}

func card8(b body) string {
	return md5Hex(upper(reverse(b.text("payer_email")) + gatewaytest.Password))
}

// ofPayer gives a follow-up the e-mail and the card of its payment (formulas 1, 2 and 7).
func ofPayer(name string) func(body) string {
	return func(b body) string {
		return md5Hex(upper(reverse(email) + gatewaytest.Password + b.text(name) + reverse(ends(pan))))
	}
}

func apmSale(b body) string {
	return md5Hex(upper(reverse(b.text("identifier") + apmOrder(b) + gatewaytest.Password)))
}

func apmCredit(b body) string {
	return md5Hex(upper(reverse(apmOrder(b))) + gatewaytest.Password)
}

func apmOrder(b body) string {
	return b.text("order_id") + b.text("order_amount") + b.text("order_currency")
}

func apmTrans(b body) string {
	return md5Hex(upper(reverse(b.text("trans_id"))) + gatewaytest.Password)
}

func apmCreditvoid(b body) string {
	return md5Hex(upper(reverse(b.text("trans_id") + gatewaytest.Password)))
}

// text is a field as it is hashed.
func (b body) text(name string) string {
	if value, ok := b[name]; ok && value != nil {
		return fmt.Sprint(value)
	}
	return ""
}
