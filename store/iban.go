package store

// An IBAN of digits has sixteen of them in a row, and those often pass as a card number. An IBAN is known by its
// own check digits and is no card number.

// ibanLengths are the lengths of the IBANs that have only digits after the country (ISO 13616).
var ibanLengths = map[string]int{
	"AE": 23, "AT": 20, "BA": 20, "BE": 16, "CH": 21, "CR": 22, "CY": 28, "CZ": 24, "DE": 22, "DK": 18, "EE": 20,
	"EG": 29, "ES": 24, "FI": 18, "FO": 18, "GL": 18, "HR": 21, "HU": 28, "IL": 23, "IS": 26, "LI": 21, "LT": 20,
	"LU": 20, "LY": 25, "ME": 22, "MK": 19, "MR": 27, "NO": 15, "PL": 28, "PT": 25, "RS": 22, "SA": 24, "SE": 24,
	"SI": 19, "SK": 24, "TN": 24, "TR": 26, "XK": 20,
}

// dropIBAN removes the groups of an IBAN from the front of a run that follows a country code.
func (run *digitRun) dropIBAN(text string) {
	country := countryBefore(text[:run.from])
	digits := ibanLengths[country] - len(country)
	if digits <= 0 || len(run.digits) < digits || !checksIBAN(country, run.digits[:digits]) {
		return
	}
	for i, at := range run.groups {
		if at >= digits {
			run.groups = run.groups[i:]
			return
		}
	}
	run.groups = nil
}

// countryBefore returns the two capitals at the end of a text, if no letter or digit stands before them.
func countryBefore(text string) string {
	n := len(text)
	if n < 2 || !isCapital(text[n-1]) || !isCapital(text[n-2]) {
		return ""
	}
	if n > 2 && (isCapital(text[n-3]) || text[n-3] >= 'a' && text[n-3] <= 'z' || text[n-3] >= '0' && text[n-3] <= '9') {
		return ""
	}
	return text[n-2:]
}

func isCapital(c byte) bool { return c >= 'A' && c <= 'Z' }

// checksIBAN reports whether the check digits of an IBAN are right: account, country and check digits, modulo 97,
// are one.
func checksIBAN(country string, digits []byte) bool {
	rest := 0
	for _, c := range digits[2:] {
		rest = (rest*10 + int(c-'0')) % 97
	}
	for _, c := range []byte(country) {
		rest = (rest*100 + int(c-'A') + 10) % 97
	}
	for _, c := range digits[:2] {
		rest = (rest*10 + int(c-'0')) % 97
	}
	return rest == 1
}
