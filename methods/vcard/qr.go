package vcard

import (
	"fmt"
	"strings"

	"github.com/tollgatepay/gateway/methods"
)

// ipsMethod is the code whose QR code has the format of the instant payments of the National Bank of Serbia; all
// other codes have a format of our own.
const ipsMethod = "ips"

// How many characters of a free text go into a QR code. Few keep it small enough to be read from a screen.
const (
	maxQRText = 140
	maxQRIPS  = 35
)

// qrText returns the content of the QR code: order number, amount, currency and description.
//
// For ips it is one line of keys and values, with what follows K (kind), V (version) and C (character set)
// being R the account, N the payee, I the amount with a comma, S the description and RO the order number:
//
//	K:PR|V:01|C:1|R:000000000000000000|N:Demo shop|I:EUR10,00|S:Two books|RO:order-1
//
// For every other method it is our own, five lines that a person can read:
//
//	TOLLGATE TEST PAYMENT
//	Order: order-1
//	Amount: 10.00 EUR
//	For: Two books
//	Reference: the acquirer's
func qrText(op methods.Operation, e Entry) string {
	if e.Method == ipsMethod {
		payee := op.MID.Descriptor
		if payee == "" {
			payee = "Test payee"
		}
		return fmt.Sprintf("K:PR|V:01|C:1|R:%s|N:%s|I:%s%s|S:%s|RO:%s", plain(account(op), maxQRIPS), plain(payee, maxQRIPS),
			e.Currency, strings.Replace(e.Amount.String(), ".", ",", 1), plain(op.Order.Description, maxQRIPS),
			plain(e.Order, maxQRText))
	}
	return fmt.Sprintf("TOLLGATE TEST PAYMENT\nOrder: %s\nAmount: %s\nFor: %s\nReference: %s",
		plain(e.Order, maxQRText), e.amountText(), plain(op.Order.Description, maxQRText), e.Reference)
}

// plain is text that cannot break out of its field: without line breaks and bars, at most n characters.
func plain(text string, n int) string {
	text = strings.Map(func(r rune) rune {
		if r < ' ' || r == '|' {
			return ' '
		}
		return r
	}, text)
	if r := []rune(text); len(r) > n {
		text = string(r[:n])
	}
	return text
}
