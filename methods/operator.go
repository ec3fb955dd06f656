package methods

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/tollgatepay/gateway/store"
)

// Operator is a mobile-money operator of a country: the amounts it moves and the numbers it serves
// (SPEC2, "Limits"). The slugs and number patterns of the default table are ours (decision y).
type Operator struct {
	Slug     string `json:"slug"`     // like "mtn-gh"
	Country  string `json:"country"`  // alpha-2
	Currency string `json:"currency"` // ISO 4217
	Min      string `json:"min"`      // least and greatest amount, inclusive, in major units
	Max      string `json:"max"`
	Number   string `json:"number"` // RE2 pattern of the whole number
}

type compiledOperator struct {
	Operator
	min, max store.Amount
	number   *regexp.Regexp
}

func (o Operator) compile() (c compiledOperator, err error) {
	var errs []error
	c.Operator = o
	if c.min, err = store.ParseAmount(o.Min); err != nil {
		errs = append(errs, errors.New("min is no amount"))
	}
	if c.max, err = store.ParseAmount(o.Max); err != nil {
		errs = append(errs, errors.New("max is no amount"))
	}
	if c.min.Cmp(c.max) > 0 {
		errs = append(errs, errors.New("min is above max"))
	}
	if c.number, err = regexp.Compile(`\A(?:` + o.Number + `)\z`); err != nil || o.Number == "" {
		errs = append(errs, errors.New("number is no pattern"))
	}
	if _, ok := isoExponent(o.Currency); !ok {
		errs = append(errs, fmt.Errorf("currency %q is not one of ISO 4217", o.Currency))
	}
	if !isKey(o.Slug) || len(o.Country) != 2 {
		errs = append(errs, errors.New("slug or country is missing"))
	}
	return c, errors.Join(errs...)
}

// operator finds an operator by its slug; nil for none.
func (v *visit) operator(slug string) *compiledOperator {
	operators := v.set.operators
	i := slices.IndexFunc(operators, func(o compiledOperator) bool { return o.Slug == slug })
	if i < 0 {
		return nil
	}
	return &operators[i]
}

// operatorChecks: the slug is known, and it is one of the country whose currency the order has.
func operatorChecks(Rule, *tags) ([]check, error) {
	known := check{"known", func(value string, v *visit) string {
		if v.operator(value) != nil {
			return ""
		}
		return "must be an operator: " + strings.Join(v.slugs(), ", ")
	}}
	country := check{"currency", func(value string, v *visit) string {
		o, currency := v.operator(value), v.ctx.Request["order_currency"]
		if o == nil || currency == o.Currency || !slices.Contains(v.operatorCurrencies(), currency) {
			return ""
		}
		return "must be an operator for " + currency
	}}
	return []check{known, country}, nil
}

// operatorNumberChecks says nothing when the operator itself is wrong: that is its own fault.
func operatorNumberChecks(r Rule, _ *tags) ([]check, error) {
	return []check{{"number", func(value string, v *visit) string {
		o := v.operator(v.other(r.With))
		if o == nil || o.number.MatchString(value) {
			return ""
		}
		return "must be a mobile number of the operator's country, " + o.Country
	}}}, nil
}

func operatorCurrencyChecks(Rule, *tags) ([]check, error) {
	return []check{{"currency", func(value string, v *visit) string {
		currencies := v.operatorCurrencies()
		if slices.Contains(currencies, value) {
			return ""
		}
		return "must be one of " + strings.Join(currencies, ", ")
	}}}, nil
}

// operatorAmountChecks: the format of the order's currency, and the range of the operator, which has
// nothing to say about another currency.
func operatorAmountChecks(r Rule, _ *tags) ([]check, error) {
	format := check{"format", func(value string, v *visit) string {
		currency, known := v.ctx.Currencies.Lookup(v.ctx.Request["order_currency"])
		if !known {
			return ""
		}
		if _, err := ParseAmount(Payout.Short(v.ctx.ShortAmounts), currency, value); err != nil {
			return err.Error()
		}
		return ""
	}}
	within := check{"range", func(value string, v *visit) string {
		o := v.operator(v.other(r.With))
		amount, err := store.ParseAmount(value)
		if err != nil || o == nil || v.ctx.Request["order_currency"] != o.Currency ||
			amount.Cmp(o.min) >= 0 && amount.Cmp(o.max) <= 0 {
			return ""
		}
		return fmt.Sprintf("must be within %s..%s %s", o.Min, o.Max, o.Currency)
	}}
	return []check{format, within}, nil
}

func (v *visit) slugs() (slugs []string) {
	for _, o := range v.set.operators {
		slugs = append(slugs, o.Slug)
	}
	return slugs
}

// operatorCurrencies is in the order of the table.
func (v *visit) operatorCurrencies() (currencies []string) {
	for _, o := range v.set.operators {
		if !slices.Contains(currencies, o.Currency) {
			currencies = append(currencies, o.Currency)
		}
	}
	return currencies
}

// The numbers of a country, international or as dialled within it.
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
