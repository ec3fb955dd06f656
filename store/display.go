package store

import (
	"slices"
	"time"
)

// Display is what the payer sees instead of being sent to another page (SPEC2, "Method behaviours").
type Display struct {
	QR      string    `json:"qr,omitempty"` // content of the QR code; empty without one
	Details []Detail  `json:"details,omitempty"`
	Until   time.Time `json:"until,omitzero"` // when it can no longer be paid; zero for never
}

// Detail is one line of shown payment details.
type Detail struct {
	Label string `json:"label"`
	Value string `json:"value"`
}

// Prompt is one field the payer has to fill in.
type Prompt struct {
	Name    string `json:"name"`
	Label   string `json:"label"`
	Pattern string `json:"pattern,omitempty"` // regular expression of the answer; empty: any, up to 255 characters
	// Options are the only possible answers, in the order in which they are offered; empty when any answer may be
	// given.
	Options []string `json:"options,omitempty"`
	Keep    bool     `json:"keep,omitempty"` // the answer is kept, sealed, with the transaction's parameters
}

// Equal reports whether two prompts ask for the same thing.
func (a Prompt) Equal(b Prompt) bool {
	return a.Name == b.Name && a.Label == b.Label && a.Pattern == b.Pattern && a.Keep == b.Keep && slices.Equal(a.Options,
		b.Options)
}
