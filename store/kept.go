package store

// Kept is a record with the document that was written for it. A caller that writes a record and soon reads it again
// need not decode it, unless it was changed meanwhile. All readers share the record, so none may change what it
// points to.
type Kept[T any] struct {
	record   *T
	document string
}

// Size returns the length of the document in bytes.
func (k Kept[T]) Size() int { return len(k.document) }

// GetKept is Get, but does not decode the record when the stored document is that of kept. The zero Kept matches
// nothing.
func (t Table[T]) GetKept(r Reader, kept Kept[T], id ...string) (T, error) {
	value, err := read(r, t.key(id))
	switch {
	case err != nil:
		var none T
		return none, err
	case kept.document != "" && value == kept.document:
		return *kept.record, nil
	default:
		return t.decode(value, id)
	}
}

// PutKept is Put, and returns what GetKept needs. The record must not change as long as that is used.
func (t Table[T]) PutKept(tx Tx, record *T, id ...string) (Kept[T], error) {
	document, err := t.put(tx, record, id)
	return Kept[T]{record, document}, err
}

// InsertKept is Insert, and returns what GetKept needs. The record must not change as long as that is used.
func (t Table[T]) InsertKept(tx Tx, record *T, id ...string) (Kept[T], error) {
	document, err := t.insert(tx, record, id)
	return Kept[T]{record, document}, err
}
