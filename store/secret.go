package store

import (
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
)

// constError is an error that nobody can change. It says which rule is broken, never by what.
type constError string

// Error is the text itself; of a card rule, the one a payer is shown.
func (e constError) Error() string { return string(e) }

// ErrSecret answers every attempt to marshal a secret type, or to unmarshal card data: records and
// messages hold secrets sealed, never as they are.
const ErrSecret constError = "store: a secret is neither marshalled nor read by an encoder"

const hidden = "******"

// guarded keeps text behind a pointer: what fmt prints by reflection, for %p, for a wrong verb or for
// an unexported field of somebody's struct, is then an address. Every other way out is closed here.
type guarded struct{ text *string }

func guard(text string) guarded {
	if text == "" {
		return guarded{} // the zero value, so that omitzero leaves it out
	}
	return guarded{&text}
}

func (g guarded) reveal() string {
	if g.text == nil {
		return ""
	}
	return *g.text
}

// IsZero reports whether there is nothing to hide.
func (g guarded) IsZero() bool { return g.text == nil }

// String is a mask that tells nothing, not even a length.
func (g guarded) String() string { return hidden }

// Format writes the mask, whatever the verb.
func (g guarded) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, hidden) }

// LogValue is the mask.
func (g guarded) LogValue() slog.Value { return slog.StringValue(hidden) }

// MarshalJSON answers ErrSecret, and so do its siblings.
func (g guarded) MarshalJSON() ([]byte, error) { return nil, ErrSecret }

// MarshalText answers ErrSecret.
func (g guarded) MarshalText() ([]byte, error) { return nil, ErrSecret }

// MarshalBinary answers ErrSecret.
func (g guarded) MarshalBinary() ([]byte, error) { return nil, ErrSecret }

// GobEncode answers ErrSecret.
func (g guarded) GobEncode() ([]byte, error) { return nil, ErrSecret }

// UnmarshalJSON answers ErrSecret: a card is read by ParsePAN and ParseSecurityCode.
func (g *guarded) UnmarshalJSON([]byte) error { return ErrSecret }

// Secret is a password, key or credential. It prints and logs as a mask and refuses to be marshalled;
// Reveal is the only way to the text, and a record keeps it sealed. Configuration may hold it as a JSON
// string. The zero value is no secret. Secrets are not compared with ==, which compares identities.
type Secret struct{ guarded }

// NewSecret keeps text as a secret.
func NewSecret(text string) Secret { return Secret{guard(text)} }

// Reveal is the secret itself, empty for none. It is to be sealed, sent or compared in constant time.
func (s Secret) Reveal() string { return s.reveal() }

// UnmarshalJSON reads a JSON string of a configuration. Its error never holds the text.
func (s *Secret) UnmarshalJSON(data []byte) error {
	if string(data) == "null" {
		return nil
	}
	var text string
	if len(data) == 0 || data[0] != '"' || json.Unmarshal(data, &text) != nil {
		return constError("store: a secret must be a JSON string")
	}
	*s = NewSecret(text)
	return nil
}
