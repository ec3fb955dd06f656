package store

// Limits of what is stored, in bytes.
const (
	MaxKey   = 1024
	MaxValue = 1 << 20
)

// CheckKey is ErrKey unless key may be stored.
func CheckKey(key []byte) error {
	if len(key) == 0 || len(key) > MaxKey {
		return ErrKey
	}
	return nil
}

// CheckValue is ErrValue unless value may be stored. An empty value is one, nil is not.
func CheckValue(value []byte) error {
	if value == nil || len(value) > MaxValue {
		return ErrValue
	}
	return nil
}
