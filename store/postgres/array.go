package postgres

import (
	"encoding/binary"

	"github.com/jackc/pgx/v5/pgtype"
)

// array returns the head of an array with room for what follows; nil, which is null, without elements.
func array(oid uint32, elements, bytes int) []byte {
	if elements == 0 {
		return nil
	}
	head := make([]byte, 0, 5*4+elements*4+bytes)
	for _, field := range [...]uint32{1, 1, oid, uint32(elements), 1} { // dimensions, nulls, type, length, first index
		head = binary.BigEndian.AppendUint32(head, field)
	}
	return head
}

// numbers encodes an int[].
func numbers[R any](rows []R, of func(R) int32) []byte {
	text := array(pgtype.Int4OID, len(rows), 4*len(rows))
	for _, r := range rows {
		text = binary.BigEndian.AppendUint32(text, 4)
		text = binary.BigEndian.AppendUint32(text, uint32(of(r)))
	}
	return text
}

// texts encodes a bytea[]; an element may be null.
func texts[R any](rows []R, of func(R) (text string, known bool)) []byte {
	size := 0
	for _, r := range rows {
		element, _ := of(r)
		size += len(element)
	}
	text := array(pgtype.ByteaOID, len(rows), size)
	for _, r := range rows {
		element, known := of(r)
		if !known {
			text = binary.BigEndian.AppendUint32(text, 0xFFFFFFFF)
			continue
		}
		text = binary.BigEndian.AppendUint32(text, uint32(len(element)))
		text = append(text, element...)
	}
	return text
}
