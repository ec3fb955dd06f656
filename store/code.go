package store

// SecurityCode is the code on a card: three or four digits, known only while an attempt is open. It
// prints and logs as a mask and refuses to be marshalled.
type SecurityCode struct{ guarded }

// ParseSecurityCode reads three or four ASCII digits. Error: ErrSecurityCode.
func ParseSecurityCode(text string) (SecurityCode, error) {
	if len(text) < 3 || len(text) > 4 || !digits(text) {
		return SecurityCode{}, ErrSecurityCode
	}
	return SecurityCode{guard(text)}, nil
}

// Digits returns the code, empty for none.
func (c SecurityCode) Digits() string { return c.reveal() }
