package sim

import "strings"

// openDefects are defects of the kernel that the simulator has found and nobody has corrected yet: what
// the auditor says of them is counted and does not fail a seed. At best the list is empty.
var openDefects = []struct {
	violation string // how the auditor's words begin
	why       string
}{
	{"S8: cascade", "seen once in some two thousand worlds, when the acquirer answers softly after the session's end: the next attempt of a cascade begins though the session has expired meanwhile: " +
		"afterDecline and step.cascade do not look at ExpiresAt"},
}

// isOpen reports a violation of the list.
func isOpen(violation string) bool {
	for _, open := range openDefects {
		if strings.HasPrefix(violation, open.violation) {
			return true
		}
	}
	return false
}
