package shop

import "slices"

// Country is a country that the shop delivers to.
type Country struct {
	Code, Name string
	VAT        int // standard rate in percent; 0 for none
}

// Countries returns the countries that the shop delivers to; the first one is preset.
func Countries() []Country {
	return []Country{
		{"DE", "Germany", 19}, {"AT", "Austria", 20}, {"ES", "Spain", 21}, {"FR", "France", 20}, {"IT", "Italy", 22},
		{"JP", "Japan", 10}, {"PL", "Poland", 23}, {"SE", "Sweden", 25}, {"AE", "United Arab Emirates", 5},
		{"US", "United States", 0},
	}
}

// VATRate returns the standard rate of a country in percent; ok is false for a country that the demo does not
// know.
func VATRate(code string) (percent int, ok bool) {
	all := Countries()
	i := slices.IndexFunc(all, func(c Country) bool { return c.Code == code })
	if i < 0 || all[i].VAT == 0 {
		return 0, false
	}
	return all[i].VAT, true
}
