package bracketform

import (
	"iter"
	"mime"
	"strings"

	"github.com/tollgatepay/gateway/internal/fault"
)

const (
	urlencoded = "application/x-www-form-urlencoded"
	multiparts = "multipart/form-data"
)

// ParseBody reads a body of either encoding by its Content-Type (decision m). With faults the form still has the
// valid fields: use them only to collect further faults in the same answer.
func ParseBody(contentType string, body []byte, limits Limits) (Form, Faults) {
	if contentType == urlencoded {
		return Parse(body, limits)
	}
	b := builder{}
	media, params, err := mime.ParseMediaType(contentType)
	charset := params["charset"]
	switch {
	case err != nil:
	case charset != "" && !strings.EqualFold(charset, "utf-8") && !strings.EqualFold(charset, "utf8"):
	case media == urlencoded:
		return Parse(body, limits)
	case media == multiparts:
		return ParseMultipart(body, params["boundary"], limits)
	}
	b.stop(textMediaType)
	return b.result()
}

// Parse reads a body of type application/x-www-form-urlencoded. Empty pieces between two & are skipped, and a field
// without = has an empty value.
func Parse(body []byte, limits Limits) (Form, Faults) {
	limits = limits.checked()
	pairs, many := count(body, limits.MaxPairs)
	b := newBuilder(limits, pairs)
	switch {
	case many:
		b.stop(textMany)
	case len(body) > limits.MaxBytes:
		b.stop(fault.Size(limits.MaxBytes))
	default:
		b.parse(string(body))
	}
	return b.result()
}

func (b *builder) parse(text string) {
	d := decoder{sound: textFault(text) == ""}
	for rest := text; rest != ""; {
		var field string
		field, rest, _ = strings.Cut(rest, "&")
		if field == "" {
			rest = strings.TrimLeft(rest, "&")
			continue
		}
		rawName, rawValue, _ := strings.Cut(field, "=")
		name, nameWrong := d.text(rawName)
		value, wrong := d.text(rawValue)
		if !b.pair(name, nameWrong, value, wrong) {
			return
		}
	}
}

// FromPairs makes a form of names in brackets and values that were decoded elsewhere, in any order, under the
// rules of [Parse]. Limits.MaxBytes counts names and values, each with one byte for = or &.
func FromPairs(pairs iter.Seq2[string, string], limits Limits) (Form, Faults) {
	b := newBuilder(limits.checked(), 0)
	size := 0
	for name, value := range pairs {
		size += len(name) + len(value) + 2
		if size > b.limits.MaxBytes+1 { // nothing follows the last
			b.stop(fault.Size(b.limits.MaxBytes))
		}
		if b.whole != "" || !b.pair(name, textFault(name), value, textFault(value)) {
			break
		}
	}
	return b.result()
}
