package keyfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
)

const maxFile = 64 << 10

// onWindows: permission bits and the syncing of directories mean nothing there.
const onWindows = runtime.GOOS == "windows"

// read reads and checks a key file. A missing file is fs.ErrNotExist.
func read(path string) (*ring, error) {
	text, err := readPrivate(path)
	if err != nil {
		return nil, err
	}
	defer clear(text)
	found, err := decode(text)
	if err != nil {
		return nil, fmt.Errorf("keyfile: %s: %w", path, err)
	}
	return found, nil
}

// readPrivate reads a file that only its owner may touch. The mode is asked of the open file, so
// that it is that of what is read.
func readPrivate(path string) ([]byte, error) {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("keyfile: %s is no regular file", path) // opening a pipe would hang
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("keyfile: %w", err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, fmt.Errorf("keyfile: %w", err)
	}
	if mode := info.Mode().Perm(); mode&0o077 != 0 && !onWindows {
		return nil, fmt.Errorf("keyfile: %s has mode %04o: others than its owner may touch the keys; "+
			`run "chmod 600 %s" and rotate if someone could have read them`, path, mode, path)
	}
	text, err := io.ReadAll(io.LimitReader(file, maxFile+1))
	if err != nil {
		return nil, fmt.Errorf("keyfile: %w", err)
	}
	if len(text) > maxFile {
		return nil, fmt.Errorf("keyfile: %s is longer than %d bytes; it is no key file", path, maxFile)
	}
	return text, nil
}

// create writes a new file, unless another process has just done so: a link, other than a rename,
// never replaces keys that are already in use.
func create(path string, fresh *ring) error {
	temp, err := write(path, fresh)
	if err != nil {
		return err
	}
	defer os.Remove(temp)
	if err := os.Link(temp, path); err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("keyfile: %w", err)
	}
	return syncDir(path)
}

// replace puts a new content in the place of the old one, whole or not at all.
func replace(path string, next *ring) error {
	temp, err := write(path, next)
	if err != nil {
		return err
	}
	if err := os.Rename(temp, path); err != nil {
		_ = os.Remove(temp)
		return fmt.Errorf("keyfile: %w", err)
	}
	return syncDir(path)
}

// write writes a temporary file of mode 0600 beside path, down to the disk, and returns its name.
func write(path string, content *ring) (name string, err error) {
	text, err := content.encode()
	if err != nil {
		return "", err
	}
	defer clear(text)
	file, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*.tmp") // mode 0600
	if err != nil {
		return "", fmt.Errorf("keyfile: %w", err)
	}
	_, err = file.Write(text)
	if err == nil {
		err = file.Sync()
	}
	if err = errors.Join(err, file.Close()); err != nil {
		_ = os.Remove(file.Name())
		return "", fmt.Errorf("keyfile: %w", err)
	}
	return file.Name(), nil
}

// syncDir makes the new name last through a power failure.
func syncDir(path string) error {
	if onWindows {
		return nil
	}
	dir, err := os.Open(filepath.Dir(path))
	if err != nil {
		return fmt.Errorf("keyfile: %w", err)
	}
	defer dir.Close()
	if err := dir.Sync(); err != nil {
		return fmt.Errorf("keyfile: %w", err)
	}
	return nil
}

// lock takes the lock file beside path, so that two processes never change the keys at once.
func lock(path string) (unlock func(), err error) {
	name := path + ".lock"
	file, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil, fmt.Errorf("keyfile: another process is changing %s; if none is, remove %s", path, name)
	}
	if err != nil {
		return nil, fmt.Errorf("keyfile: %w", err)
	}
	_ = file.Close()
	return func() { _ = os.Remove(name) }, nil
}
