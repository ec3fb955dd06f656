package methods

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// MIDOptions are the options of a MID that the rules of parameter sets read. The zero value is every default.
type MIDOptions struct {
	// Needed lists the parameters that the MID requires: patterns of rows ("cart.items[].name"), or names of sets
	// that otherwise apply only when one of their parameters is sent ("card-installment").
	Needed []string `json:"needed,omitempty"`
	// AccountUUID is account_uuid. It replaces the request's value.
	AccountUUID string `json:"account_uuid,omitempty"`
	// FeeCalculationMethod is account_level (the default) or transaction_level.
	FeeCalculationMethod string `json:"fee_calculation_method,omitempty"`
	// FeeBearer is customer (the default) or merchant.
	FeeBearer string `json:"fee_bearer,omitempty"`
	// NoDocumentType lists the alpha-2 codes of the countries whose payers need no document_type. SPEC2 speaks of
	// three countries of Central America without naming them. Nil means CR, GT and PA, our reading of that.
	NoDocumentType []string `json:"no_document_type,omitempty"`
}

// The names of the options, in Row.Option and in the settings of a MID.
const (
	OptionAccountUUID          = "account_uuid"
	OptionFeeCalculationMethod = "fee_calculation_method"
	OptionFeeBearer            = "fee_bearer"
	optionNeeded               = "needed_parameters"
	optionNoDocumentType       = "no_document_type"
)

// The values of the two options about fees; the first of each is the default.
var (
	feeCalculationMethods = []string{"account_level", "transaction_level"}
	feeBearers            = []string{"customer", "merchant"}
	noDocumentType        = []string{"CR", "GT", "PA"}
)

// OptionsOf reads the options from the settings of a MID: account_uuid, fee_calculation_method and fee_bearer, and
// the lists needed_parameters and no_document_type, separated by commas. Other settings belong to the connector.
// The error names every setting whose value is not known.
func OptionsOf(settings map[string]string) (MIDOptions, error) {
	o := MIDOptions{
		Needed:               list(settings[optionNeeded]),
		AccountUUID:          settings[OptionAccountUUID],
		FeeCalculationMethod: settings[OptionFeeCalculationMethod],
		FeeBearer:            settings[OptionFeeBearer],
		NoDocumentType:       list(settings[optionNoDocumentType]),
	}
	return o, o.check()
}

func list(text string) (entries []string) {
	for entry := range strings.SplitSeq(text, ",") {
		if entry = strings.TrimSpace(entry); entry != "" {
			entries = append(entries, entry)
		}
	}
	return entries
}

func (o MIDOptions) check() error {
	var errs []error
	if v := o.FeeCalculationMethod; v != "" && !slices.Contains(feeCalculationMethods, v) {
		errs = append(errs, fmt.Errorf("%s: must be one of %s", OptionFeeCalculationMethod,
			strings.Join(feeCalculationMethods, ", ")))
	}
	if v := o.FeeBearer; v != "" && !slices.Contains(feeBearers, v) {
		errs = append(errs, fmt.Errorf("%s: must be one of %s", OptionFeeBearer, strings.Join(feeBearers, ", ")))
	}
	for _, country := range o.NoDocumentType {
		if len(country) != 2 || !isLetters(country) || strings.ToUpper(country) != country {
			errs = append(errs, fmt.Errorf("%s: %q is not an alpha-2 country code", optionNoDocumentType, country))
		}
	}
	return errors.Join(errs...)
}

// value returns the value of an option; empty when the MID has none.
func (o *MIDOptions) value(option string) string {
	switch option {
	case OptionAccountUUID:
		return o.AccountUUID
	case OptionFeeCalculationMethod:
		return o.FeeCalculationMethod
	case OptionFeeBearer:
		return o.FeeBearer
	}
	return ""
}

func isOption(name string) bool {
	return name == OptionAccountUUID || name == OptionFeeCalculationMethod || name == OptionFeeBearer
}

// exempt reports whether payers of a country need no document_type.
func (o *MIDOptions) exempt(country string) bool {
	countries := o.NoDocumentType
	if countries == nil {
		countries = noDocumentType
	}
	return slices.Contains(countries, country)
}
