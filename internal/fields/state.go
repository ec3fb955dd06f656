package fields

import "strings"

// states are the codes of the states that count (decision bj): those of ISO 3166-2 without the country, and
// those that the postal service of the country knows besides.
var states = map[string]map[string]bool{
	"AU": set("ACT NSW NT QLD SA TAS VIC WA"),
	"CA": set("AB BC MB NB NL NS NT NU ON PE QC SK YT"),
	// India's codes changed in 2011, 2020 and 2023; its post and its banks go on with the old ones.
	"IN": set("AN AP AR AS BR CH DH DL GA GJ HP HR JH JK KA KL LA LD MH ML MN MP MZ NL PB PY RJ SK TN TR UP WB",
		"CG OD TS UK", "CT OR TG UT", "DD DN UL"),
	"JP": set("01 02 03 04 05 06 07 08 09 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24",
		"25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47"),
	"US": set("AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND",
		"OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY",
		"DC AS GU MP PR UM VI", // of ISO 3166-2 besides
		"FM MH PW",             // states in free association, which the post serves
		"AA AE AP"),            // the armed forces
}

func set(lines ...string) map[string]bool {
	codes := map[string]bool{}
	for code := range strings.FieldsSeq(strings.Join(lines, " ")) {
		codes[code] = true
	}
	return codes
}

// HasStates reports a country, by its code of two letters, whose states count (SPEC1, billing_address.state).
// Everywhere else the state is dropped.
func HasStates(country string) bool { return states[country] != nil }

// State is the state where it counts, and "" elsewhere.
func State(country, state string) string {
	if !HasStates(country) {
		return ""
	}
	return state
}

// IsState reports a state of a country whose states count.
func IsState(country, state string) bool { return states[country][state] }
