package bolt

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"go.etcd.io/bbolt"
	berrors "go.etcd.io/bbolt/errors"

	"github.com/tollgatepay/gateway/store/bolt/internal/wal"
	"github.com/tollgatepay/gateway/store/internal/tree"
)

// bucketName is the one bucket that holds every key. A form of the records that no reader of the earlier one can read
// gets a bucket of another name.
var bucketName = []byte("tollgate-2")

// formerBucket is that of a file whose payments and transactions are records of their own.
var formerBucket = []byte("tollgate")

const (
	// lockTimeout is how long Open waits for another process to release the file, as it does at a restart.
	lockTimeout = time.Second
	// mapSize is how much address space the file gets at first. A file that outgrows it is mapped again, which has to
	// wait for every View.
	mapSize = 1 << 30
)

// Options are what Open may be told. Those of bbolt are, for instance, Mlock, MaxSize and InitialMmapSize.
type Options struct {
	bbolt.Options
	// LogSize is how many bytes a log takes before it is settled; 768 KiB by default. There are two logs, and what they
	// have is in memory too. With larger ones Open takes longer after a crash.
	LogSize int64
	// Keep is how many bytes of the latest writes stay in memory when the file has them; 4 MiB by default. At times it is
	// twice as much. A payment is mostly asked for soon after it was made.
	Keep int64
}

// Option changes how the file is opened. Open refuses a change of the options on which the promises of this package
// depend.
type Option func(*Options)

// Open opens the store in the file at path, and brings into it what a process that was killed has left in its logs. If
// there is no file it creates one that only its owner may read. The folder has to exist. The error names cause and cure
// when another process holds the file, when others may read it, when it is not a store, or when a log is missing or
// damaged.
func Open(path string, opts ...Option) (*Store, error) {
	options, err := decide(opts)
	if err != nil {
		return nil, err
	}
	switch err := inspect(path); {
	case errors.Is(err, fs.ErrNotExist):
		if err := create(path, options.Options); err != nil {
			return nil, fmt.Errorf("bolt: create %s: %w", path, err)
		}
	case err != nil:
		return nil, err
	}
	db, err := bbolt.Open(path, 0o600, &options.Options)
	if err != nil {
		return nil, explain(path, err)
	}
	s := &Store{db: db, path: path, disk: wal.Disk{Open: options.OpenFile, Flush: wal.Flush, Folder: flushFolder},
		logSize: options.LogSize, keep: options.Keep, logged: written{}}
	s.over.Store(&layers{recent: tree.New(), earlier: tree.New()})
	if err := recognise(db, path); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	if err := s.recoverLogs(); err != nil {
		return nil, errors.Join(explainLog(path, err), db.Close())
	}
	return s, nil
}

const maxLogSize = 1 << 30

// defaultLogSize has the writes of about three hundred payments. While a log is settled, commits wait for the disk and
// the processor: with a small one for less time.
const defaultLogSize = 768 << 10

// defaultKeep has the writes of some fifteen hundred payments. With more, garbage collection takes longer, and commits
// wait for it; with less it comes more often.
const defaultKeep = 4 << 20

// decide applies the options and refuses those that would break a promise.
func decide(opts []Option) (Options, error) {
	o := Options{
		Options: bbolt.Options{Timeout: lockTimeout, FreelistType: bbolt.FreelistMapType, OpenFile: os.OpenFile},
		LogSize: defaultLogSize,
		Keep:    defaultKeep,
	}
	if runtime.GOOS != "windows" { // where the file would grow to the size of the map at once
		o.InitialMmapSize = mapSize
	}
	for _, opt := range opts {
		opt(&o)
	}
	switch {
	case o.NoSync:
		return o, errors.New("bolt: NoSync loses committed payments in a power failure; leave it off, or use store/memory")
	case o.NoGrowSync:
		return o, errors.New("bolt: NoGrowSync can damage the file in a power failure; leave it off")
	case o.NoFreelistSync:
		return o, errors.New("bolt: NoFreelistSync lets Open read the whole file, for seconds; leave it off")
	case o.ReadOnly:
		return o, errors.New("bolt: a store cannot be ReadOnly; to read a file, copy it and open the copy with bbolt")
	case o.LogSize <= 0 || o.LogSize > maxLogSize:
		return o, errors.New("bolt: LogSize is 1 byte to 1 GiB")
	case o.Keep < 0:
		return o, errors.New("bolt: Keep is not below 0; 0 keeps in memory what is in the logs, and no more")
	case o.OpenFile == nil:
		return o, errors.New("bolt: OpenFile is nil; leave the default, os.OpenFile")
	}
	return o, nil
}

// inspect checks the file before bbolt opens it. A missing file gives fs.ErrNotExist.
func inspect(path string) error {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return fmt.Errorf("bolt: %w", err)
	case !info.Mode().IsRegular():
		return fmt.Errorf("bolt: %s is not a file; name the file, not its folder", path)
	case readable(info):
		return tooOpen(path, info)
	case info.Size() == 0:
		return fmt.Errorf("bolt: %s is empty; remove it, and Open makes a new one", path)
	}
	return nil
}

// readable reports whether others than the owner may read a file.
func readable(info fs.FileInfo) bool {
	return info.Mode().Perm()&0o077 != 0 && runtime.GOOS != "windows"
}

func tooOpen(path string, info fs.FileInfo) error {
	return fmt.Errorf("bolt: others than the owner may read %s (mode %04o); run: chmod 600 %s",
		path, info.Mode().Perm(), path)
}

// create makes the file under another name, complete and flushed, and then renames it: a crash leaves no half-made
// store. Another process may do the same at the same time without harm.
func create(path string, options bbolt.Options) (err error) {
	folder := filepath.Dir(path)
	draft, err := os.CreateTemp(folder, filepath.Base(path)+".new-*") // mode 0600
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, remove(draft.Name())) }()
	if err := initialise(draft.Name(), options); err != nil {
		return errors.Join(err, draft.Close())
	}
	if err := errors.Join(draft.Sync(), draft.Close()); err != nil {
		return err
	}
	if err := publish(draft.Name(), path); err != nil {
		return err
	}
	return flushFolder(folder)
}

func initialise(name string, options bbolt.Options) error {
	options.OpenFile = nil
	db, err := bbolt.Open(name, 0o600, &options)
	if err != nil {
		return err
	}
	err = db.Update(func(tx *bbolt.Tx) error {
		_, err := tx.CreateBucket(bucketName)
		return err
	})
	return errors.Join(err, db.Close())
}

// publish gives the draft its name. A link never replaces a file that another process has published in the
// meantime. Only file systems without links use a rename, which could.
func publish(draft, path string) error {
	err := os.Link(draft, path)
	if err == nil || errors.Is(err, fs.ErrExist) {
		return nil
	}
	return os.Rename(draft, path)
}

func remove(name string) error {
	if err := os.Remove(name); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// flushFolder makes the new name survive a power failure.
func flushFolder(folder string) error {
	if runtime.GOOS == "windows" { // Windows cannot flush a folder
		return nil
	}
	f, err := os.Open(folder)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// recognise checks that the file holds our bucket, which create makes in every file.
func recognise(db *bbolt.DB, path string) error {
	return db.View(func(tx *bbolt.Tx) error {
		switch {
		case tx.Bucket(bucketName) != nil:
			return nil
		case tx.Bucket(formerBucket) != nil:
			return fmt.Errorf("bolt: %s was written by an earlier version of this library, whose records this one cannot read; "+
				"keep it, and give the store a new file", path)
		default:
			return fmt.Errorf("bolt: %s is a bbolt file of another program; give the store a file of its own", path)
		}
	})
}

// explainLog is the error of logs that cannot be brought into the file, with the cure.
func explainLog(path string, err error) error {
	const orAbandon = "; or, if there is no copy, give up the payments since the last log was settled: bolt.AbandonLog"
	cure := ""
	switch {
	case errors.Is(err, errMissing):
		cure = "; put the files " + filepath.Base(path) + ".log1 and .log2 back beside it" + orAbandon
	case errors.Is(err, errForeign):
		cure = "; move " + filepath.Base(path) + ".log1 and .log2 away, to the copy with which they were written"
	case errors.Is(err, errGap), errors.Is(err, wal.ErrDamaged):
		cure = "; put file and logs of one copy back together" + orAbandon
	}
	return fmt.Errorf("bolt: %s cannot be read up to its last payment: %w%s", path, err, cure)
}

func explain(path string, err error) error {
	if errors.Is(err, berrors.ErrTimeout) {
		return fmt.Errorf("bolt: %s is open in another process, or in this one; "+
			"stop that process or close that store, or give each its own file: %w", path, err)
	}
	return fmt.Errorf("bolt: open %s: %w", path, err)
}
