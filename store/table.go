package store

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
)

// Table is typed access to the records of one kind. Records are JSON documents that begin with the version of
// their schema; a reader takes its own version and the one before. A table is a value without state: declare it
// once, as a package variable.
type Table[T any] struct {
	Prefix  string // first part of every key
	Version int    // of the schema, from 1
	Usual   int    // bytes that a usual document has with its key; only speed depends on it. Zero: 1024
}

// Unreadable is a stored record that cannot be read: its bytes are no document, its schema is not known to this
// program, or it breaks a rule of its own. The store itself works. Compare with errors.As, or with IsUnreadable.
type Unreadable struct {
	Table string
	ID    []string
	Cause error
}

// Error names table, id and cause.
func (u *Unreadable) Error() string { return fmt.Sprintf("store: %s %q: %v", u.Table, u.ID, u.Cause) }

// Unwrap returns the cause.
func (u *Unreadable) Unwrap() error { return u.Cause }

// IsUnreadable reports whether an error is about one record and not about the store.
func IsUnreadable(err error) bool {
	var u *Unreadable
	return errors.As(err, &u)
}

// checked is a record with a check of its own, which runs before every write and after every read.
type checked interface{ Check() error }

// Get returns the record with an id. Errors: ErrNotFound, or Unreadable when the bytes are not a record of this
// table.
func (t Table[T]) Get(r Reader, id ...string) (T, error) {
	value, err := read(r, t.key(id))
	if err != nil {
		var none T
		return none, err
	}
	return t.decode(value, id)
}

// Put stores a record under an id, replacing what was there.
func (t Table[T]) Put(tx Tx, record T, id ...string) error {
	_, err := t.put(tx, &record, id)
	return err
}

// Insert stores a record under an id. Error: ErrExists when the id is taken.
func (t Table[T]) Insert(tx Tx, record T, id ...string) error {
	_, err := t.insert(tx, &record, id)
	return err
}

func (t Table[T]) put(tx Tx, record *T, id []string) (document string, err error) {
	buffer := borrow(tx)
	defer giveBack(tx, buffer)
	_, pair, err := t.pair(buffer, record, id)
	if err != nil {
		return "", err
	}
	return pair.Value(), give(tx, pair)
}

func (t Table[T]) insert(tx Tx, record *T, id []string) (document string, err error) {
	buffer := borrow(tx)
	defer giveBack(tx, buffer)
	key, pair, err := t.pair(buffer, record, id)
	if err != nil {
		return "", err
	}
	return pair.Value(), giveNew(tx, key, pair)
}

// pair returns the key and the document of a record. They are written into a buffer first, to know their size; the
// key is still there.
func (t Table[T]) pair(buffer *[]byte, record *T, id []string) (key []byte, pair Pair, err error) {
	key = t.appendKey(slices.Grow((*buffer)[:0], cmp.Or(t.Usual, 1024)), id)
	both, err := t.encode(key, record, id)
	if err != nil {
		return nil, "", err
	}
	*buffer = both
	document := both[len(key):]
	if err := errors.Join(CheckKey(key), CheckValue(document)); err != nil {
		return nil, "", err
	}
	return key, NewPair(key, document), nil
}

// read is Get without a copy, if the reader lends.
func read(r Reader, key []byte) (string, error) {
	pair, err := lend(r, key)
	switch {
	case err != nil:
		return "", err
	case !pair.HasValue():
		return "", ErrNotFound
	}
	return pair.Value(), nil
}

// Delete removes the record with an id; an absent one is no error.
func (t Table[T]) Delete(tx Tx, id ...string) error { return tx.Delete(t.key(id)) }

// Scan returns up to limit records whose id begins with the given parts, in the order of their ids. For a record
// that cannot be read it yields Unreadable and goes on; any other error ends the scan.
func (t Table[T]) Scan(r Reader, limit int, id ...string) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for entry := range r.Scan(Range{Prefix: t.key(id), Limit: limit}) {
			var record T
			err := entry.Err
			if err == nil {
				record, err = t.Decode(entry)
			}
			if !yield(record, err) || entry.Err != nil {
				return
			}
		}
	}
}

func (t Table[T]) key(id []string) []byte { return t.appendKey(make([]byte, 0, 64), id) }

func (t Table[T]) appendKey(out []byte, id []string) []byte {
	out = appendPart(out, t.Prefix)
	for _, part := range id {
		out = appendPart(out, part)
	}
	return out
}

// encode appends the document of a record, with the version as its first field.
func (t Table[T]) encode(out []byte, record *T, id []string) ([]byte, error) {
	if err := check(record); err != nil {
		return nil, fmt.Errorf("store: %s %q: %w", t.Prefix, id, err)
	}
	out = strconv.AppendInt(append(out, `{"v":`...), int64(t.Version), 10)
	head := len(out)
	out, err := appendRecord(out, record)
	if err != nil {
		return nil, fmt.Errorf("store: %s %q: %w", t.Prefix, id, err)
	}
	if len(out) == head+2 { // a record without fields
		return append(out[:head], '}'), nil
	}
	out[head] = ',' // for the opening brace of the record
	return out, nil
}

// appendRecord appends a record as encoding/json writes it.
func appendRecord[T any](out []byte, record *T) ([]byte, error) {
	w := documentWriter{out: out}
	if writeRecord(&w, record) {
		return w.out, w.err
	}
	other := *record // a copy: encoding/json keeps what it is handed from the stack
	text := bytes.NewBuffer(out)
	encoder := json.NewEncoder(text)
	encoder.SetEscapeHTML(false) // a document is no page
	if err := encoder.Encode(&other); err != nil {
		return out, err
	}
	return bytes.TrimSuffix(text.Bytes(), []byte("\n")), nil
}

// Decode returns the record of an entry of the table. The id comes from its key.
func (t Table[T]) Decode(entry Entry) (T, error) {
	id, err := SplitKey(entry.Key)
	if err != nil || len(id) == 0 {
		var none T
		return none, &Unreadable{t.Prefix, nil, errKeyForm}
	}
	return t.decode(string(entry.Value), id[1:])
}

func (t Table[T]) decode(document string, id []string) (record T, err error) {
	if version := versionOf(document); version != t.Version && version != t.Version-1 || version == 0 {
		return record, &Unreadable{t.Prefix, id, fmt.Errorf("schema version %d, this program reads %d", version, t.Version)}
	}
	if err := decodeRecord(document, &record); err != nil {
		return record, &Unreadable{t.Prefix, id, fmt.Errorf("does not decode: %w", err)}
	}
	return t.sound(record, id)
}

// sound returns a record that is complete and passes its own check.
func (t Table[T]) sound(record T, id []string) (T, error) {
	if len(id) == 1 {
		switch r := any(&record).(type) {
		case *PaymentRecord:
			r.complete(id[0])
		case *CallbackRecord:
			r.complete(id[0])
		case *Session:
			r.ID = id[0]
		}
	}
	if err := check(&record); err != nil {
		return record, &Unreadable{t.Prefix, id, err}
	}
	return record, nil
}

var errForm = errors.New("not in the form in which tables write documents, or with a value that its field cannot have")

// decodeRecord reads a document with generated code, or with encoding/json for a record that has none.
func decodeRecord[T any](document string, record *T) error {
	r := documentReader{text: document}
	if !readRecord(&r, record) {
		return json.Unmarshal([]byte(document), record)
	}
	if r.bad || r.at != len(document) {
		return errForm
	}
	return nil
}

// check calls the record's own check, before it is written and after it is read.
func check[T any](record *T) error {
	if known, err := checkRecord(record); known {
		return err
	}
	other := *record // a copy: an interface keeps what it is handed from the stack
	if c, ok := any(&other).(checked); ok {
		return c.Check()
	}
	return nil
}

// versionOf returns the version, or 0 for a document that encode did not write.
func versionOf(document string) int {
	rest, ok := strings.CutPrefix(document, `{"v":`)
	end := strings.IndexAny(rest, ",}")
	if !ok || end < 1 || end > 6 || rest[0] < '1' || rest[0] > '9' {
		return 0
	}
	version, err := strconv.Atoi(rest[:end])
	if err != nil {
		return 0
	}
	return version
}
