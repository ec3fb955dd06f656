package store

import (
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
)

// constError is an error as a constant. It names the rule that is broken and never the value.
type constError string

// Error returns the text. For a rule of cards it is the text that the payer sees.
func (e constError) Error() string { return string(e) }

// ErrSecret: a secret type was marshalled, or card data was unmarshalled. Records and messages hold secrets only
// sealed.
const ErrSecret constError = "store: secrets and card data cannot be marshalled or unmarshalled"

const hidden = "******"

// guarded keeps text behind a pointer. What fmt prints by reflection (for %p, for a wrong verb, or for an
// unexported field) is then an address. The methods below close every other way out.
type guarded struct{ text *string }

func guard(text string) guarded {
	if text == "" {
		return guarded{} // the zero value, which omitzero leaves out
	}
	return guarded{&text}
}

func (g guarded) reveal() string {
	if g.text == nil {
		return ""
	}
	return *g.text
}

// IsZero reports whether there is no text to hide.
func (g guarded) IsZero() bool { return g.text == nil }

// String returns a mask that shows nothing of the text, not even its length.
func (g guarded) String() string { return hidden }

// Format writes the mask, whatever the verb.
func (g guarded) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, hidden) }

// LogValue returns the mask.
func (g guarded) LogValue() slog.Value { return slog.StringValue(hidden) }

// MarshalJSON returns ErrSecret, like the other marshallers.
func (g guarded) MarshalJSON() ([]byte, error) { return nil, ErrSecret }

// MarshalText returns ErrSecret.
func (g guarded) MarshalText() ([]byte, error) { return nil, ErrSecret }

// MarshalBinary returns ErrSecret.
func (g guarded) MarshalBinary() ([]byte, error) { return nil, ErrSecret }

// GobEncode returns ErrSecret.
func (g guarded) GobEncode() ([]byte, error) { return nil, ErrSecret }

// UnmarshalJSON returns ErrSecret: a card is read by ParsePAN and ParseSecurityCode.
func (g *guarded) UnmarshalJSON([]byte) error { return ErrSecret }

// Secret is a password, key or credential. It prints and logs as a mask and refuses to be marshalled. Only Reveal
// returns the text, and a record keeps it sealed. A configuration may hold it as a JSON string. The zero value is
// no secret. Do not compare secrets with ==, which compares pointers.
type Secret struct{ guarded }

// NewSecret keeps text as a secret.
func NewSecret(text string) Secret { return Secret{guard(text)} }

// Reveal returns the text, empty for no secret. Use it only to seal, send or compare it in constant time.
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
