package methods

import (
	"errors"
	"fmt"
	"regexp"

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
