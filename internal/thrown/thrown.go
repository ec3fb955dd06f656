// Package thrown says of a panic what may be logged.
package thrown

import (
	"fmt"
	"runtime"
)

// Kind returns the text of a fault of the runtime, and the type of every other value: code that panics may put into the
// value what it was called with, and that may be secret.
func Kind(value any) string {
	if fault, ok := value.(runtime.Error); ok {
		return fault.Error()
	}
	return fmt.Sprintf("a panic with a %T", value)
}
