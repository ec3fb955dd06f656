package wal

import (
	"os"
	"syscall"
)

// Flush waits until the file's bytes are on the disk. Of what the file system keeps of it, fdatasync waits for no more
// than is needed to read them back.
func Flush(f *os.File) error {
	for {
		if err := syscall.Fdatasync(int(f.Fd())); err != syscall.EINTR {
			return os.NewSyscallError("fdatasync", err)
		}
	}
}
