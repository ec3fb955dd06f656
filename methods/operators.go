package methods

// The phone numbers of a country, international or as dialled within it.
const (
	numberGH = `(\+?233|0)[25][0-9]{8}`
	numberKE = `(\+?254|0)[17][0-9]{8}`
	numberCI = `(\+?225)?0[157][0-9]{8}`
	numberCM = `(\+?237)?6[0-9]{8}`
	numberTZ = `(\+?255|0)[67][0-9]{8}`
	numberEG = `(\+?20|0)1[0125][0-9]{8}`
)

// mobileMoneyOperators is SPEC2's table of ranges, with slugs and numbers of ours (decision y).
func mobileMoneyOperators() []Operator {
	return []Operator{
		{"mtn-gh", "GH", "GHS", "1", "50000", numberGH},
		{"telecel-gh", "GH", "GHS", "1", "50000", numberGH},
		{"airteltigo-gh", "GH", "GHS", "1", "50000", numberGH},
		{"gmoney-gh", "GH", "GHS", "1", "50000", numberGH},
		{"mpesa-ke", "KE", "KES", "10", "150000", numberKE},
		{"airtel-ke", "KE", "KES", "10", "150000", numberKE},
		{"tkash-ke", "KE", "KES", "10", "100000", numberKE},
		{"equitel-ke", "KE", "KES", "50", "200000", numberKE},
		{"coopcash-ke", "KE", "KES", "50", "200000", numberKE},
		{"orange-ci", "CI", "XOF", "2", "2000000", numberCI},
		{"mtn-ci", "CI", "XOF", "2", "2000000", numberCI},
		{"moov-ci", "CI", "XOF", "2", "2000000", numberCI},
		{"wave-ci", "CI", "XOF", "2", "2000000", numberCI},
		{"mtn-cm", "CM", "XAF", "2", "1000000", numberCM},
		{"orange-cm", "CM", "XAF", "2", "500000", numberCM},
		{"mpesa-tz", "TZ", "TZS", "1000", "30000", numberTZ},
		{"tigo-tz", "TZ", "TZS", "1000", "30000", numberTZ},
		{"airtel-tz", "TZ", "TZS", "1000", "30000", numberTZ},
		{"halopesa-tz", "TZ", "TZS", "1000", "30000", numberTZ},
		{"vodafone-eg", "EG", "EGP", "1", "30000", numberEG},
		{"orange-eg", "EG", "EGP", "1", "30000", numberEG},
		{"etisalat-eg", "EG", "EGP", "1", "30000", numberEG},
		{"we-eg", "EG", "EGP", "1", "30000", numberEG},
	}
}
