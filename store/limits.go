package store

// Limits of keys and values, in bytes.
const (
	MaxKey   = 1024
	MaxValue = 1 << 20
)

// CheckKey returns ErrKey unless key may be stored.
func CheckKey(key []byte) error {
	if len(key) == 0 || len(key) > MaxKey {
		return ErrKey
	}
	return nil
}

// CheckValue returns ErrValue unless value may be stored. An empty value may, nil may not.
func CheckValue(value []byte) error {
	if value == nil || len(value) > MaxValue {
		return ErrValue
	}
	return nil
}
