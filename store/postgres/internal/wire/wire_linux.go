// Package wire makes connections that read and write without telling the scheduler.
//
// A socket of package net does not block, so no call for it takes long. Told of one after a moment in which the program
// was idle, the scheduler wakes the thread that watches for calls that do, and this one then looks every 20 us. Where a
// program makes few other calls of the system, that is a good part of what a trip to the server costs it.
package wire

import (
	"io"
	"net"
	"os"
	"syscall"
	"unsafe"
)

// Of returns a connection that reads and writes a socket of TCP or of the file system. Any other one, which may do more
// than that, is returned as it is.
func Of(c net.Conn) net.Conn {
	switch socket := c.(type) {
	case *net.TCPConn:
		return over(c, socket, "tcp")
	case *net.UnixConn:
		return over(c, socket, "unix")
	}
	return c
}

func over(c net.Conn, socket syscall.Conn, network string) net.Conn {
	raw, err := socket.SyscallConn()
	if err != nil {
		return c // which says so itself
	}
	return &conn{c, raw, network}
}

type conn struct {
	net.Conn
	raw     syscall.RawConn
	network string
}

// Read implements net.Conn.
func (c *conn) Read(b []byte) (n int, err error) {
	if len(b) == 0 {
		return c.Conn.Read(b)
	}
	var fault syscall.Errno
	err = c.raw.Read(func(socket uintptr) (done bool) {
		n, fault = call(syscall.SYS_READ, socket, b)
		return fault != syscall.EAGAIN
	})
	switch {
	case err != nil: // the deadline has passed, or the connection was closed
		return 0, err
	case fault != 0:
		return 0, c.failed("read", fault)
	case n == 0:
		return 0, io.EOF
	}
	return n, nil
}

// Write implements net.Conn.
func (c *conn) Write(b []byte) (n int, err error) {
	var fault syscall.Errno
	err = c.raw.Write(func(socket uintptr) (done bool) {
		for n < len(b) {
			var sent int
			if sent, fault = call(syscall.SYS_WRITE, socket, b[n:]); fault != 0 {
				return fault != syscall.EAGAIN
			}
			n += sent
		}
		return true
	})
	if err == nil && fault != 0 {
		err = c.failed("write", fault)
	}
	return n, err
}

// call reads or writes at least one byte, unless it reads the end. The bytes are some.
func call(number, socket uintptr, b []byte) (int, syscall.Errno) {
	for {
		n, _, fault := syscall.RawSyscall(number, socket, uintptr(unsafe.Pointer(&b[0])), uintptr(len(b)))
		switch fault {
		case 0:
			return int(n), 0
		case syscall.EINTR:
		default:
			return 0, fault
		}
	}
}

// failed returns the error that package net has for a call that has failed.
func (c *conn) failed(call string, fault syscall.Errno) error {
	return &net.OpError{
		Op: call, Net: c.network, Source: c.LocalAddr(), Addr: c.RemoteAddr(), Err: os.NewSyscallError(call, fault),
	}
}
