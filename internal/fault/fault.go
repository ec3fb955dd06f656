// Package fault holds the faults that readers find in bodies: places and texts, never values.
package fault

import (
	"strings"

	"github.com/tollgatepay/gateway/refusal"
)

// Max bounds the faults of one body.
const Max = 50

// Fault is one fault in a body. Its path is in the spelling of the format: "order.amount" and
// "card_token[2]" in JSON, "a[b]" in forms, "body" for the whole body. Its text never contains a value of the body.
type Fault = refusal.Fault

// Faults lists the faults of a body. It is nil for a valid one.
type Faults []Fault

// Error joins all faults with "; ".
func (f Faults) Error() string {
	lines := make([]string, len(f))
	for i := range f {
		lines[i] = f[i].String()
	}
	return strings.Join(lines, "; ")
}

// Err returns the faults as an error, which is nil when there are none.
func (f Faults) Err() error {
	if len(f) == 0 {
		return nil
	}
	return f
}

// Has reports whether there is a fault at path or below it, so that later checks do not report the same field
// twice.
func (f Faults) Has(path string) bool {
	for i := range f {
		rest, found := strings.CutPrefix(f[i].Path, path)
		if found && (rest == "" || rest[0] == '.' || rest[0] == '[') {
			return true
		}
	}
	return false
}
