package signature

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// reference is every formula written out by hand, as simply as in its documents. APMCallback is tested in
// TestBody.
var reference = map[Formula]func(i Inputs, p string) string{
	CheckoutSession: func(i Inputs, p string) string {
		return up(i.OrderNumber + i.Amount + i.Currency + i.Description + p)
	},
	CheckoutCredit:  func(i Inputs, p string) string { return up(i.OrderID + i.Amount + i.Currency + i.Description + p) },
	CheckoutPayment: func(i Inputs, p string) string { return up(i.PaymentID + p) },
	CheckoutOrder:   func(i Inputs, p string) string { return up(i.OrderID + p) },
	CheckoutAmount:  func(i Inputs, p string) string { return up(i.PaymentID + i.Amount + p) },
	CheckoutRecurring: func(i Inputs, p string) string {
		return up(i.RecurringInitTransID + i.RecurringToken + i.OrderNumber + i.Amount + i.Description + p)
	},
	CheckoutCallback: func(i Inputs, p string) string {
		return up(i.PaymentID + i.OrderNumber + i.Amount + i.Currency + i.Description + p)
	},
	Card1:      func(i Inputs, p string) string { return up(back(i.Email) + p + back(ten(i.Card))) },
	Card1Token: func(i Inputs, p string) string { return up(back(i.Email) + p + back(i.CardToken)) },
	Card2:      func(i Inputs, p string) string { return up(back(i.Email) + p + i.TransID + back(ten(i.Card))) },
	Card3:      func(_ Inputs, p string) string { return up(back(p)) },
	Card4:      func(i Inputs, p string) string { return up(back(i.ScheduleID + p)) },
	Card5:      func(i Inputs, p string) string { return up(p + back(ten(i.Card))) },
	Card5Token: func(i Inputs, p string) string { return up(p + back(i.CardToken)) },
	Card6:      func(i Inputs, p string) string { return up(p + i.TransID + back(ten(i.Card))) },
	Card7:      func(i Inputs, p string) string { return up(back(i.Email) + p + i.OrderID + back(ten(i.Card))) },
	Card8:      func(i Inputs, p string) string { return up(back(i.Email) + p) },
	APMSale: func(i Inputs, p string) string {
		return up(back(i.Identifier + i.OrderID + i.Amount + i.Currency + p))
	},
	APMCreditvoid:     func(i Inputs, p string) string { return up(back(i.TransID + p)) },
	APMTrans:          func(i Inputs, p string) string { return up(back(i.TransID)) + p },
	APMCredit:         func(i Inputs, p string) string { return up(back(i.OrderID+i.Amount+i.Currency)) + p },
	APMCreditCallback: func(i Inputs, p string) string { return up(back(i.TransID+i.OrderID+i.Status)) + p },
	APMCryptoCallback: func(i Inputs, p string) string { return up(back(i.Email) + p + i.TransID) },
}

func up(s string) string {
	for letter := 'a'; letter <= 'z'; letter++ {
		s = strings.ReplaceAll(s, string(letter), string(letter-32))
	}
	return s
}

func back(s string) string {
	out := ""
	for i := len(s); i > 0; i-- {
		out += s[i-1 : i]
	}
	return out
}

func ten(number string) string {
	if len(number) < 10 {
		return string(appendCard(nil, number)) // short numbers have their own test
	}
	return number[:6] + number[len(number)-4:]
}

func slow(f Formula, mode Mode, in Inputs, password string) string {
	text := []byte(reference[f](in, password))
	hash := fmt.Sprintf("%x", md5.Sum(text))
	if mode == SHA256 {
		hash = fmt.Sprintf("%x", sha256.Sum256(text))
	}
	if f <= CheckoutCallback {
		hash = fmt.Sprintf("%x", sha1.Sum([]byte(hash)))
	}
	return hash
}

// distinct has a different value in every input, so that a formula with a wrong input fails.
func distinct() Inputs {
	return Inputs{
		OrderNumber: "number", OrderID: "order", Amount: "12.34", Currency: "eur", Description: "`az{ @AZ[ Two Words",
		PaymentID: "payment", TransID: "trans", Status: "settled", Email: "jane@example.org",
		Card: "5555666677778884", CardToken: "cafe01", Identifier: "ident", RecurringInitTransID: "init",
		RecurringToken: "again", ScheduleID: "plan", Body: url.Values{"k": {"v"}},
	}
}

func TestReference(t *testing.T) {
	t.Parallel()
	for f := CheckoutSession; f < APMCallback; f++ {
		require.Contains(t, reference, f, f.String())
		for _, mode := range []Mode{MD5, SHA256} {
			require.Equal(t, slow(f, mode, distinct(), "pass Word"), Sign(f, mode, distinct(), "pass Word"), f.String())
		}
	}
}

func FuzzSignVerify(f *testing.F) {
	f.Add(uint8(1), "order-1234", "10.00", "Important gift", "doe@example.com", pan, shop, uint16(0))
	f.Add(uint8(20), "straße", "", "é\xff", "ﬁ@é", "", "päß", uint16(77))
	f.Fuzz(func(t *testing.T, number uint8, a, b, c, d, e, secret string, place uint16) {
		if len(a)+len(b)+len(c)+len(d)+len(e)+len(secret) > 2000 {
			t.Skip("too long for the slow reference")
		}
		formula, mode := Formula(number/2%uint8(APMCallback)+1), Mode(number%2)
		in := Inputs{
			OrderNumber: a, OrderID: a, Amount: b, Currency: c, Description: c, PaymentID: d, TransID: b,
			Status: e, Email: d, Card: e, CardToken: a, Identifier: c, RecurringInitTransID: e,
			RecurringToken: d, ScheduleID: a, Body: url.Values{a: {b}, c: {d, e}, d + "[" + a + "]": {c}},
		}
		hash := Sign(formula, mode, in, secret)
		require.Equal(t, secret != "", Verify(formula, mode, in, secret, hash))
		if formula != APMCallback {
			require.Equal(t, slow(formula, mode, in, secret), hash)
		}
		at := int(place) % len(hash)
		flipped := []byte(hash)
		flipped[at] = "123456789abcdef0"[strings.IndexByte("0123456789abcdef", hash[at])]
		require.False(t, Verify(formula, mode, in, secret, string(flipped)))
		require.False(t, Verify(formula, mode, in, secret, hash[:at]))
		require.False(t, Verify(formula, mode, in, secret, hash+hash[:at+1]))
	})
}

func FuzzCompareNames(f *testing.F) {
	f.Add("a[b]", "a[10]", "a[9]")
	f.Add("", "[", "a[")
	f.Fuzz(func(t *testing.T, a, b, c string) {
		require.Equal(t, a == b, compareNames(a, b) == 0)
		require.Equal(t, compareNames(a, b), -compareNames(b, a))
		if compareNames(a, b) < 0 && compareNames(b, c) < 0 {
			require.Negative(t, compareNames(a, c))
		}
	})
}
