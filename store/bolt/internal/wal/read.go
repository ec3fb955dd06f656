package wal

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/tollgatepay/gateway/store"
)

// Contents is what a file has.
type Contents struct {
	ID      ID
	First   uint64 // number of the first batch, also when there is none yet
	Batches [][]store.Pair
	Next    uint64 // number of the batch that follows
	Ended   bool   // it follows in another log
}

// Read returns what the file has, or nil when there is no file, or one in which no log was begun.
//
// The last batch may have been torn, by a process or a machine that stopped while it was written; since no caller
// was told that it is stored, it is left out. A torn batch with another one behind it was changed afterwards:
// ErrDamaged.
func Read(path string) (*Contents, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	c, err := Parse(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return c, nil
}

// Parse is Read of the bytes of a file.
func Parse(text []byte) (*Contents, error) {
	if len(text) < headSize || len(bytes.Trim(text[:headSize], "\x00")) == 0 {
		return nil, nil
	}
	head := text[:headSize]
	if string(head[:16]) != magic || binary.BigEndian.Uint32(head[56:]) != checksum(0, head[:56]) {
		return nil, fmt.Errorf("%w: its head is not that of a log", ErrDamaged)
	}
	c := &Contents{ID: ID(head[16:32]), First: binary.BigEndian.Uint64(head[48:])}
	c.Next = c.First
	r := reader{text: text, salt: checksum(0, head[32:48])}
	at := headSize
	for !c.Ended {
		batch, end := r.batch(at, c.Next)
		if batch == nil {
			break
		}
		number := c.Next
		if err := c.take(batch); err != nil {
			return nil, fmt.Errorf("%w: batch %d: %w", ErrDamaged, number, err)
		}
		at = end
	}
	if later, found := r.behind(at, c.Next); found {
		return nil, fmt.Errorf("%w: batch %d is broken, and batch %d behind it is whole", ErrDamaged, c.Next, later)
	}
	return c, nil
}

// reader reads the batches of one salt.
type reader struct {
	text []byte
	salt uint32
}

// batch returns the whole batch that stands at a place and has a number, and where the next one begins; or nil.
func (r reader) batch(at int, number uint64) (batch []byte, end int) {
	if len(r.text)-at < batchHead {
		return nil, 0
	}
	head := r.text[at : at+batchHead]
	size := binary.BigEndian.Uint64(head[8:])
	if binary.BigEndian.Uint64(head[16:]) != number || size > uint64(len(r.text)-at-batchHead) {
		return nil, 0
	}
	end = at + batchHead + int(size)
	batch = r.text[at:end]
	if binary.BigEndian.Uint32(batch) != checksum(r.salt, batch[4:]) {
		return nil, 0
	}
	return batch, min(end+padding(end-at), len(r.text))
}

// behind looks for a whole batch with a later number, wherever it stands. None follows an end.
func (r reader) behind(at int, number uint64) (later uint64, found bool) {
	for at += alignment; len(r.text)-at >= batchHead; at += alignment {
		has := binary.BigEndian.Uint64(r.text[at+16:])
		if has <= number || has-number > uint64(len(r.text)) {
			continue
		}
		if batch, _ := r.batch(at, has); batch != nil {
			return has, true
		}
	}
	return 0, false
}

// take adds what the next batch has, whose checksum is right. What is wrong with it was written so.
func (c *Contents) take(batch []byte) error {
	writes, next, err := split(batch[batchHead:])
	if err != nil {
		return err
	}
	if count := binary.BigEndian.Uint32(batch[4:]); uint64(len(writes)) != uint64(count) {
		return fmt.Errorf("it has %d writes of %d", len(writes), count)
	}
	if len(writes) > 0 {
		c.Batches = append(c.Batches, writes)
	}
	number := c.Next
	c.Next++
	switch {
	case next != nil:
		c.Next, c.Ended = binary.BigEndian.Uint64(next), true
	case len(writes) == 0:
		c.Ended = true
	}
	if c.Next <= number {
		return fmt.Errorf("batch %d is said to follow it", c.Next)
	}
	return nil
}

// split returns the writes of a batch, and the number behind the mark of an end, if there is one.
func split(text []byte) (writes []store.Pair, next []byte, err error) {
	for len(text) > 0 {
		if len(text) < 4 {
			return nil, nil, errors.New("a length is cut")
		}
		size := uint64(binary.BigEndian.Uint32(text))
		if text = text[4:]; size == endMark {
			if len(text) != 8 {
				return nil, nil, errors.New("its end is cut")
			}
			return writes, text, nil
		}
		if size > uint64(len(text)) {
			return nil, nil, errors.New("a write is cut")
		}
		pair, err := store.ParsePair(text[:size])
		if err != nil {
			return nil, nil, err
		}
		writes, text = append(writes, pair), text[size:]
	}
	return writes, nil, nil
}
