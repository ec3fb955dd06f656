package store

// Brand names a card scheme in lower case, like "visa".
type Brand string

// The brands we tell by the number.
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

// Brands are all of them.
func Brands() []Brand {
	return []Brand{Visa, Mastercard, Amex, Discover, Diners, JCB, UnionPay, Maestro, Mir}
}

// prefix is a range of first digits, both ends of one length, that belongs to a brand.
type prefix struct {
	from, to string
	brand    Brand
}

// prefixes do not overlap; they are the schemes' published ranges.
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

// Lengths are the least and the most digits of the brand's numbers; of any card for an unknown brand.
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

// issues reports a length that numbers of the brand have: Visa's are of 13, 16 or 19 digits and of none between.
func (b Brand) issues(digits int) bool {
	least, most := b.Lengths()
	return b != "" && digits >= least && digits <= most && (b != Visa || digits%3 == 1)
}

// Gaps are the numbers of digits after which the number is printed with a space.
func (b Brand) Gaps() []int {
	if b == Amex || b == Diners {
		return []int{4, 10}
	}
	return []int{4, 8, 12, 16}
}

// CodeSize is the number of digits of the security code, 0 when the brand is unknown: three or four.
func (b Brand) CodeSize() int {
	switch b {
	case Visa, Mastercard, Discover, Diners, JCB, UnionPay, Maestro, Mir:
		return 3
	case Amex:
		return 4
	}
	return 0
}
