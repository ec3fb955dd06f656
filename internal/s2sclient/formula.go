package s2sclient

import (
	"crypto/md5"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/language"
)

// Formula names one of the documented signature formulas.
type Formula string

// The formulas of S2S CARD, by their numbers in the guide, and those of S2S APM.
const (
	Formula1       Formula = "CARD 1" // e-mail, password, card or card token
	Formula2       Formula = "CARD 2" // e-mail, password, trans_id, card
	Formula3       Formula = "CARD 3" // password
	Formula4       Formula = "CARD 4" // schedule_id, password
	Formula5       Formula = "CARD 5" // password, card or card token
	Formula6       Formula = "CARD 6" // password, trans_id, card
	Formula7       Formula = "CARD 7" // e-mail, password, order_id, card
	Formula8       Formula = "CARD 8" // e-mail, password
	APMSale        Formula = "APM SALE"
	APMCreditVoid  Formula = "APM CREDITVOID"
	TransID        Formula = "APM VOID" // trans_id reversed, then the password, as the specification words it
	Payout         Formula = "APM CREDIT2VIRTUAL"
	PayoutBack     Formula = "APM CREDIT2VIRTUAL callback"
	CryptoSaleBack Formula = "APM crypto SALE callback"
	WholeBody      Formula = "APM callback"
)

// Inputs are what the formulas are made of. An input that was not sent stays empty and falls out.
type Inputs struct {
	Email, Card, CardToken        string
	TransID, OrderID, ScheduleID  string
	Identifier, Amount, Currency  string
	Status                        string
	Body                          []Pair // of a callback, for WholeBody; a pair named hash is left out
	Password                      string
	SHA256, Unicode, UpperAPMPass bool
}

// Digest returns the signature, in lower-case hexadecimal. It returns "" for an unknown formula.
func (f Formula) Digest(in Inputs) string {
	text, ok := f.text(in)
	switch {
	case !ok:
		return ""
	case in.SHA256:
		sum := sha256.Sum256([]byte(text))
		return hex.EncodeToString(sum[:])
	}
	sum := md5.Sum([]byte(text))
	return hex.EncodeToString(sum[:])
}

// text returns what is digested.
func (f Formula) text(in Inputs) (string, bool) {
	email, pass, card := reverse(in.Email), in.Password, reverse(ends(in.Card))
	switch f {
	case Formula1:
		return in.upper(email + pass + in.instrument()), true
	case Formula2:
		return in.upper(email + pass + in.TransID + card), true
	case Formula3:
		return in.upper(reverse(pass)), true
	case Formula4:
		return in.upper(reverse(in.ScheduleID + pass)), true
	case Formula5:
		return in.upper(pass + in.instrument()), true
	case Formula6:
		return in.upper(pass + in.TransID + card), true
	case Formula7:
		return in.upper(email + pass + in.OrderID + card), true
	case Formula8:
		return in.upper(email + pass), true
	case APMSale:
		return in.upper(reverse(in.Identifier + in.OrderID + in.Amount + in.Currency + pass)), true
	case APMCreditVoid:
		return in.upper(reverse(in.TransID + pass)), true
	case TransID:
		return in.upper(reverse(in.TransID)) + in.appended(), true
	case Payout:
		return in.upper(reverse(in.OrderID+in.Amount+in.Currency)) + in.appended(), true
	case PayoutBack:
		return in.upper(reverse(in.TransID+in.OrderID+in.Status)) + in.appended(), true
	case CryptoSaleBack:
		return in.upper(email + pass + in.TransID), true
	case WholeBody:
		return in.upper(wholeBody(in.Body) + pass), true
	}
	return "", false
}

// instrument returns what pays, reversed. Card data wins over a token in the same request.
func (in Inputs) instrument() string {
	if in.Card != "" {
		return reverse(ends(in.Card))
	}
	return reverse(in.CardToken)
}

// appended returns the password of the APM formulas that keep it outside of the upper-casing. Documents disagree;
// requests are accepted in both readings (decision a).
func (in Inputs) appended() string {
	if in.UpperAPMPass {
		return in.upper(in.Password)
	}
	return in.Password
}

// upper is strtoupper: ASCII letters only, or with Unicode every letter (decision l).
func (in Inputs) upper(s string) string {
	if !in.Unicode {
		return asciiUpper(s)
	}
	return unicodeUpper(s)
}

func asciiUpper(s string) string {
	b := []byte(s)
	for i, c := range b {
		if 'a' <= c && c <= 'z' {
			b[i] = c - 'a' + 'A'
		}
	}
	return string(b)
}

// unicodeUpper is the full case mapping. Reversing by bytes splits letters; the pieces stay as they are, because no
// document defines another result.
func unicodeUpper(s string) string {
	var b strings.Builder
	upper := cases.Upper(language.Und)
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		if r == utf8.RuneError && n == 1 {
			b.WriteByte(s[0])
		} else {
			b.WriteString(upper.String(s[:n]))
		}
		s = s[n:]
	}
	return b.String()
}

// reverse is strrev, which reverses bytes and not letters.
func reverse(s string) string {
	b := []byte(s)
	slices.Reverse(b)
	return string(b)
}

// ends returns first6.last4 of a card number.
func ends(card string) string {
	return card[:min(6, len(card))] + card[max(0, len(card)-4):]
}
