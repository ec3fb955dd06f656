package postgres

import (
	"encoding/binary"
	"slices"
	"sync"

	"github.com/jackc/pgx/v5/pgproto3"
	"github.com/jackc/pgx/v5/pgtype"

	"github.com/tollgatepay/gateway/store"
)

// arguments are those of a call in the binary format, one after the other in one piece of memory, which other calls
// have used and will use. The zero value is empty.
type arguments struct {
	text []byte
	ends []int // of each; one that begins where it ends is null
	list [][]byte
	room []byte // for the message
}

// rooms are arguments of calls that have been answered.
var rooms = sync.Pool{New: func() any { return new(arguments) }}

// keptRoom is the most bytes of arguments and message that are kept for another call.
const keptRoom = 1 << 20

// newArguments returns empty arguments.
func newArguments() *arguments {
	a := rooms.Get().(*arguments)
	a.text, a.ends = a.text[:0], a.ends[:0]
	return a
}

// room is no message: it gives a connection memory for one. The connection would grow a small piece to twice as much
// each time, since it keeps none that has held more than smallRoom.
type room []byte

const smallRoom = 1 << 10

// lendRoom gives a connection memory for the message of the call, until that has been sent.
func (a *arguments) lendRoom(to *pgproto3.Frontend) {
	if len(a.text) <= smallRoom {
		return
	}
	a.room = slices.Grow(a.room[:0], len(a.text)+4*len(a.ends)+256)
	to.Send(room(a.room))
}

// Frontend implements pgproto3.FrontendMessage.
func (room) Frontend() {}

// Decode implements pgproto3.FrontendMessage. No server gets a room.
func (room) Decode([]byte) error { return nil }

// Encode implements pgproto3.FrontendMessage.
func (r room) Encode(waiting []byte) ([]byte, error) { return append(r, waiting...), nil }

// takeBack has a connection let go of the memory, after the message was sent. It mostly has.
func (a *arguments) takeBack(from *pgproto3.Frontend) { from.Send(returned{a.room}) }

// returned is a room that a connection is to have no more.
type returned struct{ room }

// Encode implements pgproto3.FrontendMessage.
func (r returned) Encode(waiting []byte) ([]byte, error) {
	if cap(waiting) > 0 && cap(r.room) > 0 && &waiting[:1][0] == &r.room[:1][0] {
		return append([]byte(nil), waiting...), nil
	}
	return waiting, nil
}

// recycle lets another call have the memory. No connection may have it any more.
func (a *arguments) recycle() {
	clear(a.list) // it would keep memory that text has outgrown
	if a.kept() {
		rooms.Put(a)
	}
}

// kept reports whether the memory is small enough to be kept.
func (a *arguments) kept() bool { return cap(a.text)+cap(a.room) <= keptRoom }

// all returns the arguments. They are valid until recycle.
func (a *arguments) all() [][]byte {
	a.list = a.list[:0]
	begin := 0
	for _, end := range a.ends {
		var one []byte // null
		if end > begin {
			one = a.text[begin:end:end]
		}
		a.list, begin = append(a.list, one), end
	}
	return a.list
}

// end ends an argument.
func (a *arguments) end() { a.ends = append(a.ends, len(a.text)) }

// null adds so many arguments that are null.
func (a *arguments) null(n int) {
	for range n {
		a.end()
	}
}

// id adds a uuid.
func (a *arguments) id(id [16]byte) {
	a.text = append(a.text, id[:]...)
	a.end()
}

// number adds an int.
func (a *arguments) number(n int32) {
	a.text = binary.BigEndian.AppendUint32(a.text, uint32(n))
	a.end()
}

// long adds a bigint.
func (a *arguments) long(n int64) {
	a.text = binary.BigEndian.AppendUint64(a.text, uint64(n))
	a.end()
}

// array begins an array, for which there is room then; without elements it is null.
func (a *arguments) array(oid uint32, elements, bytes int) {
	if elements == 0 {
		return
	}
	a.text = slices.Grow(a.text, 5*4+elements*4+bytes)
	for _, field := range [...]uint32{1, 1, oid, uint32(elements), 1} { // dimensions, nulls, type, length, first index
		a.text = binary.BigEndian.AppendUint32(a.text, field)
	}
}

// numbers adds an int[].
func numbers[R any](a *arguments, rows []R, of func(R) int32) {
	a.array(pgtype.Int4OID, len(rows), 4*len(rows))
	for _, r := range rows {
		a.text = binary.BigEndian.AppendUint32(a.text, 4)
		a.text = binary.BigEndian.AppendUint32(a.text, uint32(of(r)))
	}
	a.end()
}

// texts adds a bytea[]; an element may be null.
func texts[R any](a *arguments, rows []R, of func(R) (text string, known bool)) {
	size := 0
	for _, r := range rows {
		element, _ := of(r)
		size += len(element)
	}
	a.array(pgtype.ByteaOID, len(rows), size)
	for _, r := range rows {
		element, known := of(r)
		if !known {
			a.text = binary.BigEndian.AppendUint32(a.text, 0xFFFFFFFF)
			continue
		}
		a.text = binary.BigEndian.AppendUint32(a.text, uint32(len(element)))
		a.text = append(a.text, element...)
	}
	a.end()
}

// keys adds a bytea[] of the keys of pairs.
func keys[R any](a *arguments, list []R, of func(R) store.Pair) {
	texts(a, list, func(r R) (string, bool) { return of(r).Key(), true })
}

// values adds a bytea[] of their values; one that a pair does not have is null.
func values[R any](a *arguments, list []R, of func(R) store.Pair) {
	texts(a, list, func(r R) (string, bool) { return of(r).Value(), of(r).HasValue() })
}
