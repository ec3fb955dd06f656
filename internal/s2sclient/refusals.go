package s2sclient

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
)

// messages are the codes with one fixed message. Messages of code 100000 and 101000 are listed below.
var messages = map[int]string{
	204002: "Enabled merchant mappings or MIDs not found.",
	204003: "Payment type not supported.",
	204004: "Payment method not supported.",
	204005: "Payment action not supported.",
	204006: "Payment system/brand not supported.",
	204007: "Day MID limit is not set or exceeded.",
	204008: "Day Merchant mapping limit is not set or exceeded.",
	204009: "Payment type not found.",
	204010: "Payment method not found.",
	204011: "Payment system/brand not found.",
	204012: "Payment currency not found.",
	204013: "Payment action not found.",
	204014: "Month MID limit is exceeded.",
	204015: "Week Merchant mapping limit is exceeded.",
	204025: "", // its text is in no document
	205005: "Card token is invalid or not found.",
	205006: "Card token is expired.",
	205007: "Card token is not accessible.",
	208002: "Not acceptable to request the 3ds for payment not in 3ds status.",
	208003: "Not acceptable to request the capture for payment not in pending status.",
	208004: "Not acceptable to request the capture for amount bigger than auth amount.",
	208006: "Not acceptable to request the refund for amount bigger than payment amount.",
	208008: "Not acceptable to request the reversal for amount bigger than payment amount.",
	208009: "Not acceptable to request the reversal for partial amount.",
	208010: "Not acceptable to request the chargeback for amount bigger than payment's amount.",
	220002: "Use merchant test key.",
	400:    "Duplicate request.",
	0:      "Route or parameters is not supported",
	100000: "",
	101000: "",
}

// absences are the messages of code 101000.
const absences = "Transaction does not exist.|Order does not exist.|Payment does not exist."

// refusal checks the envelope of an error: names, order, types, known code with its message, HTTP status.
func (f *findings) refusal(a *Answer) {
	for _, name := range a.Body.Names() {
		if !has("result error_code error_message errors", name) {
			f.add("%s is not a field of an error", name)
		}
	}
	if !a.Body.InOrder("result", "error_code", "error_message", "errors") {
		f.add("order of fields is %s", strings.Join(a.Body.Names(), ", "))
	}
	code := f.fault(a.Body)
	want := http.StatusBadRequest
	if code == 0 {
		want = http.StatusNotFound
	}
	if a.HTTP != want {
		f.add("error %d with HTTP %d, documented is %d", code, a.HTTP, want)
	}
	value, found := a.Body.Get("errors")
	if !found {
		return
	}
	list, ok := value.([]any)
	if !ok {
		f.add("errors is no array")
	}
	if len(list) > 0 && a.Body.Text("error_message") != "Request data is invalid." {
		f.add("errors below the message %q", a.Body.Text("error_message"))
	}
	for i, entry := range list {
		f.member(i, entry)
	}
}

// fault checks error_code and error_message and returns the code.
func (f *findings) fault(o *Object) int {
	value, _ := o.Get("error_code")
	number, ok := value.(json.Number)
	code, err := strconv.Atoi(number.String())
	message := o.Text("error_message")
	fixed, known := messages[code]
	switch {
	case !ok || err != nil:
		f.add("error_code is no whole number")
	case !known:
		f.add("error_code %d is not documented", code)
	case message == "":
		f.add("error_message is missing from error %d", code)
	case fixed != "" && message != fixed:
		f.add("error %d says %q, documented is %q", code, message, fixed)
	case code == 101000 && !strings.Contains("|"+absences+"|", "|"+message+"|"):
		f.add("error 101000 says %q", message)
	}
	return code
}

// deprecated is the whole message, without the name of its field (decision bi).
const deprecated = "Parameter is deprecated."

// member checks an entry of errors[]: code 100000 and a message that begins with its field.
func (f *findings) member(i int, entry any) {
	object, ok := entry.(*Object)
	if !ok || strings.Join(object.Names(), " ") != "error_code error_message" {
		f.add("errors[%d] is not {error_code, error_message}", i)
		return
	}
	code := f.fault(object)
	message := object.Text("error_message")
	if code == 100000 && !strings.Contains(message, ": ") && message != deprecated {
		f.add("errors[%d] names no field: %q", i, message)
	}
}
