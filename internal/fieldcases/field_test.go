package fieldcases_test

import (
	"fmt"
	"strings"
)

// try is one value of a field, and the expected result.
type try struct {
	value any
	ok    bool
	with  []any  // other fields beside it
	says  string // the refusal's text about the field, or its beginning
}

// field is a field of a request with its rule, as values.
type field struct {
	name  string
	under string // its name in the refusal, if it differs
	tries []try
	with  []any // fields without which the field has no meaning
	need  bool
	page  bool // the hosted page asks for it
	own   bool // it defines the result of an empty value itself
	typed bool // it does not accept a boolean
}

// f is an optional field, unless required is called.
func f(name string) field { return field{name: name} }

func (x field) takes(values ...any) field {
	for _, value := range values {
		x.tries = append(x.tries[:len(x.tries):len(x.tries)], try{value: value, ok: true})
	}
	return x
}

func (x field) refuses(values ...any) field { return x.refusing("", values...) }

func (x field) refusing(says string, values ...any) field {
	for _, value := range values {
		x.tries = append(x.tries[:len(x.tries):len(x.tries)], try{value: value, says: says})
	}
	return x
}

// beside is for values that depend on other fields: these are sent with the last n values.
func (x field) beside(n int, pairs ...any) field {
	x.tries = append([]try(nil), x.tries...)
	for i := len(x.tries) - n; i < len(x.tries); i++ {
		x.tries[i].with = append(x.tries[i].with[:len(x.tries[i].with):len(x.tries[i].with)], pairs...)
	}
	return x
}

// given sends fields with every value of the field.
func (x field) given(pairs ...any) field {
	x.with = append(x.with[:len(x.with):len(x.with)], pairs...)
	return x
}

// as sets the name under which the field is refused.
func (x field) as(name string) field { x.under = name; return x }

const (
	blank  = "This value should not be blank."
	choice = "The value you selected is not a valid choice."
	noURL  = "This value is not a valid URL."
	zero   = "This value should be greater than 0."
	wrong  = "This value is not valid."
)

// bare begins a text that the specification gives whole, without the name of the field before it.
const bare = "bare "

const plainZero = bare + "amount: This value should be greater than 0."

func (x field) required() field { x.need = true; return x }

// itself is a field whose table defines the empty value.
func (x field) itself() field { x.own = true; return x }

// named are fields of the same rule.
func named(rule func(field) field, names ...string) (list []field) {
	for _, name := range names {
		list = append(list, rule(f(name)))
	}
	return list
}

func long(n int) string { return strings.Repeat("x", n) }

// text is printable text by its number of characters (decisions x and ca).
func text(least, most int) func(field) field {
	return func(x field) field {
		x = x.takes(strings.Repeat("é", most), long(least)).refuses(long(most+1), strings.Repeat("é", most+1))
		if least > 1 {
			x = x.refuses(long(least - 1))
		}
		if most > 3 {
			x = x.refuses("a\x07b", "a\u202eb", "a\u2066b", "a\nb")
		}
		return x.structured()
	}
}

// structured are values of other types for a text field.
func (x field) structured() field {
	x.typed = true
	return x.refuses(map[string]any{"a": "b"}, []any{"x", "y"})
}

// short is one character less than the shortest, if that is not empty.
func short(least int) []any {
	if least < 2 {
		return nil
	}
	return []any{strings.Repeat("z", least-1)}
}

// others are values with one other ASCII character in the middle.
func others(alphabet string) (values []any) {
	middle := alphabet[:1]
	for c := rune(0x20); c < 0x7f; c++ {
		if !strings.ContainsRune(alphabet, c) {
			values = append(values, middle+string(c)+middle)
		}
	}
	return values
}

// latin is a name in Latin basic letters (decision x).
func latin(least, most int) func(field) field {
	return func(x field) field {
		return x.takes(long(most), strings.Repeat("z", least), "Mary-Ann O'Neil Jr.").
			refuses(others("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz -'.")...).refuses(long(most+1), "Jörg Doe",
			"Иван", "John 2", "John_Doe", "a\tb").refuses(short(least)...).structured()
	}
}

func oneOf(values ...any) func(field) field {
	return func(x field) field {
		return x.takes(values...).refuses("other", values[0].(string)+" ", "x"+values[0].(string)).structured()
	}
}

// mail is an e-mail address of up to so many characters.
func mail(most int) func(field) field {
	return func(x field) field {
		local, label := strings.Repeat("a", 64)+"@", strings.Repeat("b", 60)+"."
		host := label + label + label + label
		longest := local + host[:most-64-1-3] + ".co"
		return x.takes(longest, "a@b.co", "a.b+c@sub.example.com").
			refuses("plain", "a@", "@b.co", "a b@c.co", "a@b@c.co", "a@b..co", longest+"m").structured()
	}
}

// link is a URL of up to so many characters (decision bg).
func link(most int) func(field) field {
	return func(x field) field {
		const start = "https://shop.example/?a="
		return x.takes(start+long(most-len(start)), "http://client.site.com/return.php", "https://bücher.example/a?b=c#d").
			refuses(start+long(most+1-len(start))).
			refusing(noURL, "no url", "shop.example/back", "ftp://shop.example/", "javascript:alert(1)", "https://",
				"https:///x", "https://a:b@shop.example/").
			structured()
	}
}

// date is a day of the calendar as yyyy-mm-dd.
func date(x field) field {
	return x.takes("1990-02-28", "2000-02-29", "1999-12-31").
		refuses("1990-02-29", "1900-02-29", "1990-04-31", "1990-00-10", "1990-13-01", "1990-01-00", "90-01-01", "1990/01/01",
			"01-01-1990", "1990-1-1", "1990-01-01T00:00:00Z", "1990-01-01 ", "tomorrow").structured()
}

// country is a code of ISO 3166-1 alpha-2.
func country(x field) field {
	return x.takes("DE", "GB", "US").refuses("USA", "U", "ZZ", "1A", "276").structured()
}

// ip is an address of version 4 or 6.
func ip(x field) field {
	return x.takes("203.0.113.7", "2001:db8::1").
		refuses("999.1.1.1", "203.0.113", "example.com", "203.0.113.7:80", "203.0.113.7/24", "fe80::1%eth0").structured()
}

// flag is a boolean of a session (errors.md: the spellings of auth).
func flag(x field) field {
	return x.takes(true, false, "true", "false", "Y", "N").refuses("maybe", "yes", "1", 1, 0).
		refuses(map[string]any{"a": "b"}, []any{"x", "y"})
}

// strict is a JSON boolean only.
func strict(x field) field {
	return x.takes(true, false).refuses("Y", "N", "true", "false", 1, map[string]any{"a": "b"}, []any{"x", "y"})
}

// yesNo is Y or N.
func yesNo(x field) field { return x.takes("Y", "N").refuses("maybe", "1").structured() }

// money is an amount in the currency of the request: two decimals in dollars.
func money(x field) field {
	return x.takes("0.01", "10.00", "1234567.89").
		refuses("10", "10.0", "10.000", "1,00", "1e2", "+10.00", " 10.00", "10.00 ", "ten", "10.", ".50", "0x10", "５.00").
		refusing(zero, "-1.00").structured()
}

// nothing is a zero amount, which is refused in the words of the specification (decision ac).
func nothing(x field) field { return x.refusing(plainZero, "0.00") }

// moneyIn is money in other currencies (decision h), with the other fields that depend on the currency.
func moneyIn(currency string, other ...string) func(field) field {
	return func(x field) field {
		in := func(code, amount string) []any {
			pairs := []any{currency, code}
			for _, name := range other {
				pairs = append(pairs, name, amount)
			}
			return pairs
		}
		return money(x).
			takes("100", "100.00").beside(2, in("JPY", "100")...).refuses("100.50", "100.000", "100.01").beside(3, in("JPY",
			"100")...).
			takes("1.000").beside(1, in("KWD", "1.000")...).refuses("1.00", "1.0000", "1").beside(3, in("KWD", "1.000")...).
			takes("1.0000").beside(1, in("CLF", "1.0000")...).refuses("1.000", "1.00").beside(2, in("CLF", "1.0000")...)
	}
}

// afterwards is an amount that is charged later; all its faults have one text.
func afterwards(x field) field {
	for i := range x.tries {
		x.tries[i].says = ""
	}
	return x.refuses("0.00")
}

// currency is a code of ISO 4217. The amounts beside it have its form.
func currency(x field) field {
	return x.takes("USD", "EUR").refusing(wrong, "ZZZ", "US", "USDD", "U$D", "840", "usdusdusd").structured()
}

// number is a whole number between two bounds, as digits.
func number(least, most int) func(field) field {
	return func(x field) field {
		return x.takes(fmt.Sprint(least), fmt.Sprint(most)).
			refuses(fmt.Sprint(least-1), fmt.Sprint(most+1), "-1", "1.5", "abc", "1e1", "99999999999999999999").structured()
	}
}

// uuid is a UUID.
func uuid(x field) field {
	return x.takes("9d0f5cc4-f07b-11ec-abf4-0242ac120006").refuses("9d0f5cc4", "9d0f5cc4-f07b-11ec-abf4-0242ac12000g").
		structured()
}

// phoneCode is made of digits with a hyphen, ten characters at most.
func phoneCode(x field) field {
	return x.takes("1", "1234567890", "1-684").refuses(others("0123456789-")...).refuses("12345678901", "abc", "1.2").
		structured()
}

// phone is made of digits and +()-.
func phone(x field) field {
	return x.takes(strings.Repeat("1", 32), "1", "+(49)-30", "0123456789").refuses(others("0123456789+()-")...).
		refuses(strings.Repeat("1", 33), "１２", "٣").structured()
}
