package store

import "bytes"

// Kept is a record with the bytes it was written as. Whoever writes a record and reads it again soon
// need not decode it, unless somebody has changed it meanwhile. The record is handed out as it is, so
// nobody may change what it points to.
type Kept[T any] struct {
	record T
	bytes  []byte
}

// GetKept is Get, without decoding if what is stored is what was kept. The zero Kept fits nothing.
func (t Table[T]) GetKept(r Reader, kept Kept[T], id ...string) (T, error) {
	value, err := read(r, t.key(id))
	switch {
	case err != nil:
		var none T
		return none, err
	case kept.bytes != nil && bytes.Equal(value, kept.bytes):
		return kept.record, nil
	default:
		return t.decode(value, id)
	}
}

// PutKept is Put, for GetKept.
func (t Table[T]) PutKept(tx Tx, record T, id ...string) (Kept[T], error) {
	return t.write(tx.Put, record, id)
}

// InsertKept is Insert, for GetKept.
func (t Table[T]) InsertKept(tx Tx, record T, id ...string) (Kept[T], error) {
	return t.write(tx.Insert, record, id)
}
