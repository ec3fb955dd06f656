//go:build !linux

package wal

import "os"

// flush waits until the file's bytes are on the disk.
func flush(f *os.File) error { return f.Sync() }
