package form

import (
	"slices"
	"strings"

	"github.com/tollgatepay/gateway"
)

// KernelFaults returns the fields that the kernel refused, in the order of the page. When it names none that the
// page shows, the fault is a general one.
func (a *Asked) KernelFaults(err *gateway.Error, typed *Entry) []Mistake {
	faults := wholeFaults(err)
	others := append(AskFaults(a.questions, err), payerFaults(a.payer, typed.Fields, a.Next.Country, err)...)
	if a.card && len(others) == 0 {
		wrong := cardFaults(err)
		if typed.Saved != "" && typed.Saved != "0" { // only the code can be corrected
			left := FieldCode
			if ExpiryOnly(a.Next) {
				left = FieldExpiry
			}
			wrong = slices.DeleteFunc(wrong, func(f Mistake) bool { return f.Field != left })
		}
		faults = append(faults, wrong...)
	}
	return General(append(faults, others...), a.card)
}

// General returns the fault for a refusal without a field.
func General(faults []Mistake, card bool) []Mistake {
	switch {
	case len(faults) > 0:
		return faults
	case card:
		return []Mistake{{Rule: refused}}
	}
	return []Mistake{{Rule: refusedMethod}}
}

// wholeFaults returns the faults of fields that do not depend on the method.
func wholeFaults(err *gateway.Error) (faults []Mistake) {
	for _, named := range err.Faults() {
		switch {
		case named.Path == "amount", named.Path == "order.amount":
			faults = append(faults, Mistake{Field: FieldAmount, Rule: badAmount})
		case strings.HasPrefix(named.Path, "payee"):
			faults = append(faults, Mistake{Field: FieldPayee, Rule: BadPayee})
		case named.Path == fieldAgreement:
			faults = append(faults, Mistake{Rule: ChangedTerms})
		case named.Path == "terms":
			faults = append(faults, Mistake{Field: FieldTerms, Rule: badTerms})
		}
	}
	return faults
}

func cardFaults(err *gateway.Error) []Mistake {
	var faults []Mistake
	for _, named := range err.Faults() {
		switch path := named.Path; {
		case strings.HasPrefix(path, "customer."), strings.HasPrefix(path, "billing_address."),
			strings.HasPrefix(path, "payee"):
		case strings.Contains(path, "number"), strings.Contains(path, "pan"):
			faults = append(faults, Mistake{Field: FieldNumber, Rule: badNumber})
		case strings.Contains(path, "exp"):
			faults = append(faults, Mistake{Field: FieldExpiry, Rule: badExpiry})
		case strings.Contains(path, "cvv"), strings.Contains(path, "code"):
			faults = append(faults, Mistake{Field: FieldCode, Rule: badCode})
		case strings.Contains(path, "name"), strings.Contains(path, "holder"):
			faults = append(faults, Mistake{Field: FieldName, Rule: badName})
		}
	}
	return faults
}
