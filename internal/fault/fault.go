// Package fault holds what the readers of bodies find wrong: places and texts, never values.
package fault

import (
	"strings"

	"github.com/tollgatepay/gateway/refusal"
)

// Max bounds the faults that one body can produce.
const Max = 50

// Fault is one thing wrong with a body. Its path is spelled as the format spells it: "order.amount" and
// "card_token[2]" in JSON, "a[b]" in forms, "body" for the whole body. Its text never holds a value of the body.
type Fault = refusal.Fault

// Faults lists what is wrong. It is nil for a sound body.
type Faults []Fault

// Error joins all faults with "; ".
func (f Faults) Error() string {
	lines := make([]string, len(f))
	for i := range f {
		lines[i] = f[i].String()
	}
	return strings.Join(lines, "; ")
}

// Err gives the faults as an error that is nil when there are none.
func (f Faults) Err() error {
	if len(f) == 0 {
		return nil
	}
	return f
}

// Has reports whether a fault stands at path or below it, so that later checks need not complain about the same
// field a second time.
func (f Faults) Has(path string) bool {
	for i := range f {
		rest, found := strings.CutPrefix(f[i].Path, path)
		if found && (rest == "" || rest[0] == '.' || rest[0] == '[') {
			return true
		}
	}
	return false
}
