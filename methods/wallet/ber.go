package wallet

import (
	"encoding/asn1"
	"errors"
)

// The wallet writes the outer layers of its signature in BER with indefinite lengths, which encoding/asn1 rightly
// refuses. Only those layers are rewritten. Anything else that is not DER is refused later.

const maxBERDepth = 8 // the wallet's indefinite lengths reach five levels down

var errBER = errors.New("not BER of the one shape")

// definite copies one element of input with lengths in place of end marks, and returns the bytes after it.
func definite(input []byte, depth int) (output, rest []byte, err error) {
	if len(input) < 2 || depth > maxBERDepth {
		return nil, nil, errBER
	}
	if input[1] != 0x80 {
		var whole asn1.RawValue
		if rest, err = asn1.Unmarshal(input, &whole); err != nil {
			return nil, nil, errBER
		}
		return whole.FullBytes, rest, nil
	}
	if input[0]&0x20 == 0 || input[0]&0x1f == 0x1f { // must be constructed, with a tag of one byte
		return nil, nil, errBER
	}
	body, rest, err := untilMark(input[2:], depth)
	if err != nil {
		return nil, nil, err
	}
	tag := asn1.RawValue{Class: int(input[0] >> 6), Tag: int(input[0] & 0x1f), IsCompound: true, Bytes: body}
	output, err = asn1.Marshal(tag)
	return output, rest, err
}

// untilMark copies elements up to the two zero bytes that end an indefinite length.
func untilMark(input []byte, depth int) (body, rest []byte, err error) {
	for len(input) >= 2 && (input[0] != 0 || input[1] != 0) {
		var element []byte
		if element, input, err = definite(input, depth+1); err != nil {
			return nil, nil, err
		}
		body = append(body, element...)
	}
	if len(input) < 2 {
		return nil, nil, errBER
	}
	return body, input[2:], nil
}
