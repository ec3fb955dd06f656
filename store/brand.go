package store

// Brand names a card scheme in lower case, like "visa".
type Brand string

// The brands that a card number tells apart.
const (
	Visa       Brand = "visa"
	Mastercard Brand = "mastercard"
	Amex       Brand = "amex"
	Discover   Brand = "discover"
	Diners     Brand = "diners"
	JCB        Brand = "jcb"
	UnionPay   Brand = "unionpay"
	Maestro    Brand = "maestro"
	Mir        Brand = "mir"
)

// Brands returns every brand.
func Brands() []Brand {
	return []Brand{Visa, Mastercard, Amex, Discover, Diners, JCB, UnionPay, Maestro, Mir}
}

// prefix is a range of first digits of a brand. Both ends have the same length.
type prefix struct {
	from, to string
	brand    Brand
}

// prefixes are the published ranges of the schemes. They do not overlap.
var prefixes = [...]prefix{
	{"4", "4", Visa}, {"51", "55", Mastercard}, {"2221", "2720", Mastercard},
	{"34", "34", Amex}, {"37", "37", Amex},
	{"6011", "6011", Discover}, {"644", "649", Discover}, {"65", "65", Discover},
	{"300", "305", Diners}, {"3095", "3095", Diners}, {"36", "36", Diners}, {"38", "39", Diners},
	{"3528", "3589", JCB}, {"2131", "2131", JCB}, {"1800", "1800", JCB},
	{"62", "62", UnionPay}, {"810", "817", UnionPay},
	{"50", "50", Maestro}, {"56", "58", Maestro}, {"6304", "6304", Maestro}, {"67", "67", Maestro},
	{"2200", "2204", Mir},
}

// Lengths returns the least and the most digits of the brand's numbers; for an unknown brand, of any card number.
func (b Brand) Lengths() (least, most int) {
	switch b {
	case Visa:
		return 13, 19
	case Mastercard:
		return 16, 16
	case Amex:
		return 15, 15
	case Diners, UnionPay:
		return 14, 19
	case Discover, JCB, Mir:
		return 16, 19
	}
	return MinPANDigits, MaxPANDigits
}

// issues reports whether the brand has numbers of this length. Visa has 13, 16 and 19 digits only.
func (b Brand) issues(digits int) bool {
	least, most := b.Lengths()
	return b != "" && digits >= least && digits <= most && (b != Visa || digits%3 == 1)
}

// Gaps returns the numbers of digits after which a card shows a space.
func (b Brand) Gaps() []int {
	if b == Amex || b == Diners {
		return []int{4, 10}
	}
	return []int{4, 8, 12, 16}
}

// CodeSize returns the number of digits of the security code: three or four, 0 for an unknown brand.
func (b Brand) CodeSize() int {
	switch b {
	case Visa, Mastercard, Discover, Diners, JCB, UnionPay, Maestro, Mir:
		return 3
	case Amex:
		return 4
	}
	return 0
}
