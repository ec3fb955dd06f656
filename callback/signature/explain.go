package signature

import (
	"strings"
)

// names are the inputs as notations and explanations have them.
var names = [...]string{
	password: "password", orderNumber: "OrderNumber", orderID: "OrderID", amount: "Amount", currency: "Currency",
	description: "Description", paymentID: "PaymentID", transID: "TransID", status: "Status", email: "Email",
	card: "card", cardToken: "CardToken", identifier: "Identifier", recurringInitTransID: "RecurringInitTransID",
	recurringToken: "RecurringToken", scheduleID: "ScheduleID", body: "values",
}

// Notation returns the formula in the notation of the package comment, "" for an unknown one.
func (f Formula) Notation() string {
	r := f.row()
	if r == nil {
		return ""
	}
	text := "upper(" + r.notation() + ")"
	if r.after {
		text += " . password"
	}
	text = "H(" + text + ")"
	if r.outer {
		text = "sha1(" + text + ")"
	}
	return text
}

func (r *row) notation() string {
	parts := make([]string, len(r.parts))
	for i, p := range r.parts {
		inputs := make([]string, len(p.inputs))
		for j, name := range p.inputs {
			inputs[j] = names[name]
		}
		parts[i] = strings.Join(inputs, " . ")
		if p.reversed {
			parts[i] = "rev(" + parts[i] + ")"
		}
	}
	return strings.Join(parts, " . ")
}

// Step is one step of a formula: what is done, in the notation, and what it gives.
type Step struct{ Notation, Value string }

// Explain returns the steps by which Sign computes a hash, the last of which is the hash; nil for an unknown formula or
// mode. The values contain the password: show them to its owner only.
func Explain(formula Formula, mode Mode, inputs Inputs, secret string) (steps []Step) {
	r := formula.row()
	if r == nil || mode > SHA256 {
		return nil
	}
	text := r.text(nil, &inputs, secret)
	steps = append(steps, Step{r.notation(), string(text)})
	capitalASCII(text)
	steps = append(steps, Step{"upper", string(text)})
	if r.after {
		text = append(text, secret...)
		steps = append(steps, Step{"followed by the password", string(text)})
	}
	inner := sum(mode, false, text)
	steps = append(steps, Step{map[Mode]string{MD5: "MD5", SHA256: "SHA-256"}[mode], string(inner.hex[:inner.size])})
	if r.outer {
		outer := sum(mode, true, text)
		steps = append(steps, Step{"SHA-1 of that text", string(outer.hex[:outer.size])})
	}
	return steps
}
