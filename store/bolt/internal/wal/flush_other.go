//go:build !linux

package wal

import "os"

// Flush waits until the file's bytes are on the disk.
func Flush(f *os.File) error { return f.Sync() }
