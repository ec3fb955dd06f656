package vcard

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/tollgatepay/gateway/methods"
)

// What the acquirer asks the payer for, by the names of the parameters.
const (
	askCUIL  = "bank_cuil"
	askCURP  = "bank_curp"
	askPhone = "bankDetails.phoneNumber"
	askCode  = "bankDetails.otp"
)

// WrongCode is the only one-time code that is wrong. The second wrong one declines.
const WrongCode = "000000"

// collects reports whether op is a collection by mobile account: by its code, or by the parameter that every such
// code has.
func collects(op methods.Operation) bool {
	return op.Method == "mobile-collection" || op.MethodKind == methods.KindConfirmation && texts(op)["type"] == "PULL"
}

// asksOf returns the fields that a method requires, in the order in which they are asked for.
func asksOf(op methods.Operation) []string {
	switch {
	case op.Method == "bank-transfer-cuil":
		return []string{askCUIL}
	case op.Method == "bank-transfer-curp":
		return []string{askCURP}
	case collects(op):
		return []string{askPhone, askCode}
	}
	return nil
}

// missing returns the fields that were not sent. A wrong code counts as not sent.
func missing(op methods.Operation) []string {
	var tree map[string]any
	_ = json.Unmarshal(op.Parameters, &tree)
	return slices.DeleteFunc(asksOf(op), func(name string) bool {
		text := textAt(tree, strings.Split(name, "."))
		return text != "" && (name != askCode || text != WrongCode)
	})
}

func askOf(name string) methods.Prompt {
	switch name {
	case askCUIL:
		return methods.Prompt{Name: name, Label: "CUIL", Keep: true}
	case askCURP:
		return methods.Prompt{Name: name, Label: "CURP", Keep: true}
	case askPhone:
		return methods.Prompt{Name: name, Label: "Phone number"}
	}
	return methods.Prompt{Name: name, Label: "One-time code", Pattern: "[0-9]{6}"}
}
