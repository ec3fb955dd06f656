package methods

import (
	"errors"
	"fmt"
	"regexp"

	"github.com/tollgatepay/gateway/store"
)

// Operator is a mobile-money operator of a country: its range of amounts and its phone numbers (SPEC2, "Limits").
// The slugs and number patterns of the default table are ours (decision y).
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
		errs = append(errs, errors.New("min is not an amount"))
	}
	if c.max, err = store.ParseAmount(o.Max); err != nil {
		errs = append(errs, errors.New("max is not an amount"))
	}
	if c.min.Cmp(c.max) > 0 {
		errs = append(errs, errors.New("min is above max"))
	}
	if c.number, err = regexp.Compile(`\A(?:` + o.Number + `)\z`); err != nil || o.Number == "" {
		errs = append(errs, errors.New("number is not a pattern"))
	}
	if _, ok := isoExponent(o.Currency); !ok {
		errs = append(errs, fmt.Errorf("currency %q is not one of ISO 4217", o.Currency))
	}
	if !isKey(o.Slug) || len(o.Country) != 2 {
		errs = append(errs, errors.New("slug or country is missing"))
	}
	return c, errors.Join(errs...)
}
