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

// onWindows: permission bits and the flushing of folders mean nothing on Windows.
const onWindows = runtime.GOOS == "windows"

// read reads and checks a key file. A missing file gives fs.ErrNotExist.
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

// readPrivate reads a file that only its owner may access. It checks the mode of the open file, so that mode and
// content are of the same file.
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
		return nil, fmt.Errorf("keyfile: %s has mode %04o: others than its owner may access the keys; "+
			`run "chmod 600 %s" and rotate if someone could have read them`, path, mode, path)
	}
	text, err := io.ReadAll(io.LimitReader(file, maxFile+1))
	if err != nil {
		return nil, fmt.Errorf("keyfile: %w", err)
	}
	if len(text) > maxFile {
		return nil, fmt.Errorf("keyfile: %s is longer than %d bytes and cannot be a key file", path, maxFile)
	}
	return text, nil
}

// create writes a new file, unless another process has just done so: a link, unlike a rename, never replaces keys
// that are already in use.
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

// replace puts new content in place of the old, completely or not at all.
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

// write writes and flushes a temporary file of mode 0600 beside path, and returns its name.
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

// syncDir makes the new name survive a power failure.
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

// lock locks the lock file beside path, so that two processes never change the keys at once.
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
