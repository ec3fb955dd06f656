package badinput_test

import (
	"fmt"
	"strings"
)

// The texts of the documents (errors.md, "Field-validation messages"), and ours in their style.
const (
	blank      = ": This value should not be blank."
	invalid    = ": This value is not valid."
	notURL     = ": This value is not a valid URL."
	notChoice  = ": The value you selected is not a valid choice."
	greater    = ": This value should be greater than 0."
	positive   = "amount: This value should be greater than 0."
	notString  = ": must be a string"
	notFlag    = ": must be true or false"
	notObject  = ": must be an object"
	notList    = ": must be a list"
	oneValue   = ": must be one value"
	badHash    = "hash: Hash is not valid."
	decimals2  = ": must be a decimal number with 2 decimals, like 12.34"
	anyDecimal = ": must be a decimal number of at most 15 digits and 18 decimals, like 12.34"
	zeroAmount = "amount: the payment provider does not accept zero amount"
	notUnicode = ": must be valid Unicode text"
	notNUL     = ": must not contain NUL"
	oneObject  = "body: must be one JSON object"
	tooDeep    = "body: nested too deeply"
	notJSON    = "Content-Type: must be application/json"
	compressed = "Content-Encoding: bodies must not be compressed"
	bigBody    = "body: must be at most 1048576 bytes"
	smallBody  = "body: must be at most 65536 bytes"
	route      = "Route or parameters is not supported"
	noPayment  = "Payment does not exist."
	noTrans    = "Transaction does not exist."
	noSchedule = "Schedule not found"
)

func short(n int) string {
	return fmt.Sprintf(": This value is too short. It should have %d characters or more.", n)
}

func long(n int) string {
	return fmt.Sprintf(": This value is too long. It should have %d characters or less.", n)
}

func times(n int, text string) string { return strings.Repeat(text, n) }

// each makes one row of every value.
func each(n int, path, text string, values ...any) (rows []row) {
	for _, value := range values {
		rows = append(rows, one(n, path, value, text))
	}
	return rows
}

// everywhere makes the rows at several endpoints.
func everywhere(at []string, rows ...row) (all []row) {
	for _, name := range at {
		all = append(all, list(name, append([]row(nil), rows...)...)...)
	}
	return all
}

func fields(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `,"k%d":%d`, i, i)
	}
	return "{" + b.String()[1:] + "}"
}

func nested(n int) string { return times(n, `{"a":`) + "1" + times(n, "}") }
