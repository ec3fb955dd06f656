package bolt

import (
	"bytes"
	"errors"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.etcd.io/bbolt"

	"github.com/tollgatepay/gateway/store"
)

// number reads a number from the environment.
func number(name string, otherwise int) int {
	if n, err := strconv.Atoi(os.Getenv(name)); err == nil && n > 0 {
		return n
	}
	return otherwise
}

// sector is what a disk writes whole or not at all.
const sector = 512

// power is a disk that may lose its power at any moment. Of a log it keeps what was flushed, and of what was written
// since any sectors.
type power struct {
	t      *testing.T
	s      *Store
	holder *bbolt.Tx // keeps the file from being written

	mu     sync.Mutex        // guards what follows: a log is flushed while another is begun again
	dice   *rand.Rand        // of who has the lock: either main or beside
	main   *rand.Rand        // of the updates
	beside *rand.Rand        // of logs that are begun again
	kept   map[string][]byte // what was flushed of each log
	named  bool              // the folder was flushed
	file   []byte            // as it was before the log that is settled
	may    []map[string]string
	losses int
}

// lock begins what the test, or a goroutine beside it, does with the disk.
func (p *power) lock(dice *rand.Rand) (unlock func()) {
	p.mu.Lock()
	p.dice = dice
	return p.mu.Unlock
}

// flush is that of the logs. The power may be lost before it, and after.
func (p *power) flush(f *os.File) error {
	text, err := os.ReadFile(f.Name())
	require.NoError(p.t, err)
	dice := p.main
	if begunAgain(p.keptOf(f.Name()), text) {
		dice = p.beside
	}
	defer p.lock(dice)()
	for range 2 {
		p.lose()
	}
	p.kept[f.Name()] = text
	p.lose()
	return nil
}

// folder is the flush of the folder. Before it, names may be missing.
func (p *power) folder(path string) error {
	defer p.lock(p.main)()
	p.lose()
	p.named = true
	p.lose()
	return flushFolder(path)
}

func (p *power) keptOf(name string) []byte {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.kept[name]
}

// begunAgain reports whether a log has another head than it had.
func begunAgain(kept, text []byte) bool { return kept != nil && !bytes.Equal(kept[:64], text[:64]) }

// torn mixes what was flushed with what was written since.
func (p *power) torn(kept, written []byte) []byte {
	if !p.named && p.dice.IntN(3) == 0 {
		return nil
	}
	mixed := make([]byte, max(len(kept), p.dice.IntN(len(written)+1)))
	copy(mixed, kept)
	for at := 0; at < len(mixed); at += sector {
		if end := min(at+sector, len(mixed)); p.dice.IntN(2) == 0 {
			copy(mixed[at:end], written[min(at, len(written)):])
		}
	}
	return mixed
}

// now returns the file as it is in the store.
func (p *power) now() []byte {
	var text bytes.Buffer
	require.NoError(p.t, p.s.db.View(func(tx *bbolt.Tx) error {
		_, err := tx.WriteTo(&text)
		return err
	}))
	return text.Bytes()
}

// settling reports whether a full log is on its way into the file.
func (p *power) settling() bool {
	if p.s.other == nil {
		return false
	}
	select {
	case <-p.s.other.done:
		return false
	default:
		return true
	}
}

// logs returns what was written of each log.
//
// A log is begun again when the file has what it had: that of before is gone.
func (p *power) logs() map[string][]byte {
	logs := map[string][]byte{}
	for _, name := range logNames(p.s.path) {
		text, err := os.ReadFile(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		require.NoError(p.t, err)
		logs[name] = text
		if begunAgain(p.kept[name], text) {
			p.file = p.now()
		}
	}
	return logs
}

// files returns what the disk may have of the file: while a log is settled, that of before too.
func (p *power) files() [][]byte {
	settling, now := p.settling(), p.now()
	if settling && !bytes.Equal(p.file, now) {
		return [][]byte{p.file, now}
	}
	p.file = now
	return [][]byte{now}
}

// lose opens what is left when the power is lost now.
func (p *power) lose() {
	logs := p.logs()
	for _, name := range logNames(p.s.path) {
		if written, there := logs[name]; there {
			logs[name] = p.torn(p.kept[name], written)
		}
	}
	for _, file := range p.files() {
		p.reopen(file, logs)
	}
}

// reopen compares what a store has after a loss with what it may have, and once more when recovery loses its power
// before it has removed the logs.
func (p *power) reopen(file []byte, logs map[string][]byte) {
	p.losses++
	path := filepath.Join(p.t.TempDir(), "store.db")
	require.NoError(p.t, os.WriteFile(path, file, 0o600))
	for range 2 {
		for i, name := range logNames(p.s.path) {
			if text, there := logs[name]; there && text != nil {
				require.NoError(p.t, os.WriteFile(logNames(path)[i], text, 0o600))
			}
		}
		s, err := Open(path, small)
		require.NoError(p.t, err)
		got := contents(p.t, s)
		require.True(p.t, slices.ContainsFunc(p.may, func(m map[string]string) bool { return maps.Equal(m, got) }),
			"after %q", p.may[0]["last"])
		require.NoError(p.t, s.Close())
	}
	require.NoError(p.t, os.RemoveAll(filepath.Dir(path)))
}

// A loss of power before, in and after every flush of the logs leaves what was acknowledged, and of what was not, all
// or nothing.
func TestPowerLoss(t *testing.T) {
	t.Parallel()
	seed := uint64(number("TOLLGATE_SEED", rand.IntN(1<<24)))
	t.Logf("TOLLGATE_SEED=%d", seed)
	p := &power{t: t, main: rand.New(rand.NewPCG(seed, 0)), beside: rand.New(rand.NewPCG(seed, 1)),
		kept: map[string][]byte{}}
	path := filepath.Join(t.TempDir(), "store.db")
	for round := range 2 { // the second begins with a file that had logs
		p.round(path, round, number("TOLLGATE_LOSSES", 200)/2)
	}
	t.Logf("%d losses", p.losses)
}

func (p *power) count() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.losses
}

func (p *power) round(path string, round, count int) {
	s, err := Open(path, func(o *Options) { o.LogSize, o.Keep = 1500, int64(round*4000) })
	require.NoError(p.t, err)
	p.s, s.disk.Flush, s.disk.Folder = s, p.flush, p.folder
	p.file = p.now()
	clear(p.kept)
	p.named = false
	for until := p.count() + count; p.count() < until; {
		update := p.begin(contents(p.t, s))
		p.busy()
		require.NoError(p.t, s.Update(p.t.Context(), func(tx store.Tx) error {
			for _, pair := range update {
				if err := put(tx, pair); err != nil {
					return err
				}
			}
			return nil
		}))
		p.acknowledged()
	}
	free(p.t, p.holder)
	p.holder = nil
	require.NoError(p.t, s.Close())
	closed, err := os.ReadFile(path)
	require.NoError(p.t, err)
	p.reopen(closed, nil)
	p.reopen(closed, p.kept) // the names were removed, and the folder not flushed
	for name := range p.kept {
		p.reopen(closed, map[string][]byte{name: p.kept[name]})
	}
}

// begin draws the next update, of which all or nothing may be left from now on.
func (p *power) begin(before map[string]string) []store.Pair {
	defer p.lock(p.main)()
	update := p.update(p.losses)
	p.may = []map[string]string{before, modelOf(before, update)}
	return update
}

// acknowledged lets the power be lost when the update has to be there.
func (p *power) acknowledged() {
	defer p.lock(p.main)()
	p.may = p.may[1:]
	require.Equal(p.t, p.may[0], contents(p.t, p.s))
	p.lose()
}

// busy lets the file take a full log late: when the next one is full too, and the exchange has begun to wait.
func (p *power) busy() {
	switch {
	case p.s.log == nil:
	case p.s.log.Size() >= p.s.logSize && p.settling():
		holder := p.holder
		p.holder = nil
		go func() {
			for range 2000 {
				runtime.Gosched()
			}
			free(p.t, holder)
		}()
	case p.holder == nil && p.sometimes():
		var err error
		p.holder, err = p.s.db.Begin(true)
		require.NoError(p.t, err)
	}
}

func (p *power) sometimes() bool {
	defer p.lock(p.main)()
	return p.dice.IntN(2) == 0
}

func free(t *testing.T, holder *bbolt.Tx) {
	if holder != nil {
		assert.NoError(t, holder.Rollback())
	}
}

// update returns what the n-th update writes: small, or larger than a log.
func (p *power) update(n int) []store.Pair {
	set := []store.Pair{store.NewPair([]byte("last"), strconv.AppendInt(nil, int64(n), 10))}
	for range 1 + p.dice.IntN(6) {
		value := bytes.Repeat([]byte{byte(n)}, []int{0, 1, 100, 700, 3000}[p.dice.IntN(5)])
		if p.dice.IntN(3) == 0 {
			value = nil
		}
		set = append(set, store.NewPair(strconv.AppendInt(nil, p.dice.Int64N(40), 10), value))
	}
	return set
}

// put carries a pair out.
func put(tx store.Tx, pair store.Pair) error {
	if !pair.HasValue() {
		return tx.Delete([]byte(pair.Key()))
	}
	return tx.Put([]byte(pair.Key()), []byte(pair.Value()))
}

// modelOf returns what a store has after an update.
func modelOf(before map[string]string, update []store.Pair) map[string]string {
	after := maps.Clone(before)
	for _, pair := range update {
		if delete(after, pair.Key()); pair.HasValue() {
			after[pair.Key()] = pair.Value()
		}
	}
	return after
}
