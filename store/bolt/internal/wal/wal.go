// Package wal is a write-ahead log: a file of batches of writes, each flushed before a caller is told that it is
// stored, which is read back when a process has ended without bringing them elsewhere.
//
// A file is a head of 64 bytes and batches, one behind the other. All numbers are big-endian.
//
//	head   16 bytes  "tollgate log 001"
//	       16        the logs to which it belongs (ID)
//	       16        salt: chosen anew each time a file is begun
//	        8        number of the first batch
//	        4        CRC-32C of what stands before it
//	        4        0
//	batch   4        CRC-32C of the salt and the rest of the batch
//	        4        how many writes it has
//	        8        bytes of what follows its number, without the zeros at the end
//	        8        its number: one more than that of the batch before it in the file
//	        .        the writes, each 4 bytes of length and a store.Pair; a pair without a value removes its key
//	        .        in the last batch of a log 4 zeros and 8 bytes: the number of the next batch, in another file
//	        .        zeros, up to the next multiple of 8
//
// So the end of a log comes with a batch, in one flush. It may come without writes. Earlier versions wrote a batch with
// neither writes nor a number; the next batch then has the number that follows.
//
// A file is written again from its head when its batches are elsewhere. What is left in it of before has another salt,
// so no batch of then is taken for one of now, whatever merchants have written into their records.
package wal

import (
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"os"

	"github.com/tollgatepay/gateway/store"
)

// ErrDamaged: a log was changed after it was written, or is not whole. No batch behind the damage can be trusted to
// follow those before it.
var ErrDamaged = errors.New("wal: damaged log")

// ID names the logs that continue each other.
type ID [16]byte

const (
	magic    = "tollgate log 001"
	headSize = 64
	// batchHead is the size of what stands before the writes of a batch.
	batchHead = 24
	// endMark stands where the length of a write would, before the number of the next batch.
	endMark = 0
	// alignment is that of batches in a file.
	alignment = 8
	// firstRoom is how much of a new file is filled with zeros at first; it doubles until growth, and then grows by
	// that.
	firstRoom = 64 << 10
	growth    = 4 << 20
	// keptRoom is how large a file may be that is written again. A larger one, which had one huge batch, is cut.
	keptRoom = 64 << 20
)

// Disk is how logs reach their files. Tests look at what a loss of power would leave.
type Disk struct {
	Open  func(name string, flag int, mode os.FileMode) (*os.File, error) // os.OpenFile
	Flush func(*os.File) error                                            // Flush

	// Folder makes the names of the files in a folder survive a loss of power. Who creates logs calls it.
	Folder func(path string) error
}

// Log is a file that takes batches. It belongs to one goroutine at a time.
type Log struct {
	file  *os.File
	flush func(*os.File) error
	salt  uint32 // CRC-32C of the salt, with which that of each batch begins
	next  uint64 // number of the next batch
	end   int64  // where it goes
	ended bool   // it goes into another log
	room  int64  // up to here the file has bytes, so that a flush changes nothing but them
}

// Create makes a file with an empty log, whose first batch gets a number, and flushes it. No such file may be there.
func (d Disk) Create(path string, id ID, first uint64) (*Log, error) {
	file, err := d.Open(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	l := &Log{file: file, flush: d.Flush}
	if err := l.Restart(id, first); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return l, nil
}

// Restart gives up all batches and begins the file again.
//
// The head is less than a sector, which a disk writes whole or not at all.
func (l *Log) Restart(id ID, first uint64) error {
	if l.room > keptRoom {
		if err := l.file.Truncate(keptRoom); err != nil {
			return err
		}
		l.room = keptRoom
	}
	head := make([]byte, headSize)
	copy(head, magic)
	copy(head[16:], id[:])
	salt := head[32:48]
	rand.Read(salt) //nolint:errcheck // never returns an error
	binary.BigEndian.PutUint64(head[48:], first)
	binary.BigEndian.PutUint32(head[56:], checksum(0, head[:56]))
	if err := l.makeRoom(headSize); err != nil {
		return err
	}
	if _, err := l.file.WriteAt(head, 0); err != nil {
		return err
	}
	l.salt, l.next, l.end, l.ended = checksum(0, salt), first, headSize, false
	return l.flush(l.file)
}

// Size returns how many bytes the batches have.
func (l *Log) Size() int64 { return l.end - headSize }

// Next returns the number that the next batch gets.
func (l *Log) Next() uint64 { return l.next }

// Append writes a batch and flushes it. After an error nothing is known of the batch, nor of what a flush would do, and
// the log takes no other.
func (l *Log) Append(b *Batch) error {
	if l.ended {
		return errors.New("wal: a log that has ended takes no batch")
	}
	text := b.seal(l.salt, l.next)
	if err := l.makeRoom(l.end + int64(len(text))); err != nil {
		return err
	}
	if _, err := l.file.WriteAt(text, l.end); err != nil {
		return err
	}
	if err := l.flush(l.file); err != nil {
		return err
	}
	l.next++
	l.end += int64(len(text))
	return nil
}

// End is Append of the last batch, which may be empty: the log goes on in another one, whose first batch has a number.
// The other log has to be there already.
func (l *Log) End(b *Batch, next uint64) error {
	if next <= l.next {
		return fmt.Errorf("wal: batch %d cannot be followed by batch %d", l.next, next)
	}
	b.end(next)
	err := l.Append(b)
	l.ended = true
	return err
}

// makeRoom fills the file with zeros up to at least an end. A flush of bytes that are there already need not wait for
// the file system's own records. The zeros are flushed with the batch.
func (l *Log) makeRoom(end int64) error {
	for l.room < end {
		more := min(max(l.room, firstRoom), growth)
		if _, err := l.file.WriteAt(make([]byte, more), l.room); err != nil {
			return err
		}
		l.room += more
	}
	return nil
}

// Close closes the file, which stays.
func (l *Log) Close() error { return l.file.Close() }

// Batch collects writes for a log, in one piece of memory. The zero value is empty.
type Batch struct {
	text   []byte
	writes uint32
}

// Add adds a write; one without a value removes its key.
func (b *Batch) Add(pair store.Pair) {
	b.begin()
	b.writes++
	b.text = binary.BigEndian.AppendUint32(b.text, uint32(len(pair)))
	b.text = append(b.text, pair...)
}

// end adds where the log goes on.
func (b *Batch) end(next uint64) {
	b.begin()
	b.text = binary.BigEndian.AppendUint32(b.text, endMark)
	b.text = binary.BigEndian.AppendUint64(b.text, next)
}

func (b *Batch) begin() {
	if len(b.text) == 0 {
		b.text = append(b.text, make([]byte, batchHead)...)
	}
}

// Size returns how many bytes the batch has.
func (b *Batch) Size() int { return len(b.text) + padding(len(b.text)) }

// Reset empties the batch, and keeps the memory unless that is more than a bound.
func (b *Batch) Reset(bound int) {
	b.text, b.writes = b.text[:0], 0
	if cap(b.text) > bound {
		b.text = nil
	}
}

// seal completes the batch and returns its bytes.
func (b *Batch) seal(salt uint32, number uint64) []byte {
	b.begin()
	head := b.text[:batchHead]
	binary.BigEndian.PutUint32(head[4:], b.writes)
	binary.BigEndian.PutUint64(head[8:], uint64(len(b.text)-batchHead))
	binary.BigEndian.PutUint64(head[16:], number)
	binary.BigEndian.PutUint32(head, checksum(salt, b.text[4:]))
	return append(b.text, make([]byte, padding(len(b.text)))...)
}

// padding returns how many zeros follow a batch of so many bytes.
func padding[N int | uint64](size N) N { return -size & (alignment - 1) }

// checksum continues a CRC-32C.
func checksum(before uint32, text []byte) uint32 {
	return crc32.Update(before, crc32.MakeTable(crc32.Castagnoli), text)
}
