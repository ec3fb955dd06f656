package bolt

import (
	"maps"
	"runtime"
	"slices"
	"strings"

	"go.etcd.io/bbolt"

	"github.com/tollgatepay/gateway/store"
)

// written is what a log has: the last write of each key. A pair without a value removes its key.
type written map[string]store.Pair

// inOrder returns the writes by their keys.
func (w written) inOrder() []store.Pair {
	list := slices.AppendSeq(make([]store.Pair, 0, len(w)), maps.Values(w))
	slices.SortFunc(list, func(a, b store.Pair) int { return strings.Compare(a.Key(), b.Key()) })
	return list
}

// fill is how full a page is left when it is split. Most keys ascend with the time, and no page before the last one of
// them gets another key.
const fill = 0.9

// putInto brings the writes into a bucket, and lets others run meanwhile: there are thousands, and those who wait for a
// commit have few to write. The bucket refers to room, to which the writes are added, until its transaction is over.
func (w written) putInto(bucket *bbolt.Bucket, room []byte) (_ []byte, err error) {
	bucket.FillPercent = fill
	for i, pair := range w.inOrder() {
		if i%32 == 0 {
			runtime.Gosched()
		}
		start, key := len(room), len(pair.Key())
		room = append(append(room, pair.Key()...), pair.Value()...)
		if bytes := room[start:]; pair.HasValue() {
			err = bucket.Put(bytes[:key], bytes[key:])
		} else {
			err = bucket.Delete(bytes)
		}
		if err != nil {
			return room, err
		}
	}
	return room, nil
}
