package main

import (
	"bytes"
	"errors"
	"fmt"
	"net"
	"strconv"
	"syscall"
	"time"
)

// connections is how many clients a server has at a time.
const connections = 32

// patience is how long the load waits for any answer, in milliseconds.
const patience = 30_000

// load sends requests over kept connections, as fast as they are answered, and returns how long that took. One loop
// over epoll serves all connections: a client that takes much of the processor would hide how fast a server is.
func load(address string, requests [][]byte) (took time.Duration, err error) {
	l := loader{requests: requests, clients: map[int32]*client{}}
	if l.poll, err = syscall.EpollCreate1(0); err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, l.close()) }()
	for range connections {
		if err := l.connect(address); err != nil {
			return 0, fmt.Errorf("connect to %s: %w", address, err)
		}
	}
	began := time.Now()
	for _, c := range l.clients {
		if err := l.send(c); err != nil {
			return 0, err
		}
	}
	for l.answered < len(requests) {
		if err := l.wait(); err != nil {
			return 0, err
		}
	}
	return time.Since(began), nil
}

// loader is a run of requests.
type loader struct {
	poll           int
	clients        map[int32]*client
	requests       [][]byte
	sent, answered int
	ready          [connections]syscall.EpollEvent
}

// client is one kept connection and what was received of its answer.
type client struct {
	socket int
	answer []byte
	room   [16 << 10]byte
}

func (l *loader) close() error {
	errs := []error{syscall.Close(l.poll)}
	for _, c := range l.clients {
		errs = append(errs, syscall.Close(c.socket))
	}
	return errors.Join(errs...)
}

// connect opens a connection that never blocks.
func (l *loader) connect(address string) error {
	at, err := net.ResolveTCPAddr("tcp4", address)
	if err != nil {
		return err
	}
	socket, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	l.clients[int32(socket)] = &client{socket: socket}
	return errors.Join(
		syscall.Connect(socket, &syscall.SockaddrInet4{Port: at.Port, Addr: [4]byte(at.IP.To4())}),
		syscall.SetsockoptInt(socket, syscall.IPPROTO_TCP, syscall.TCP_NODELAY, 1),
		syscall.SetNonblock(socket, true),
		syscall.EpollCtl(l.poll, syscall.EPOLL_CTL_ADD, socket,
			&syscall.EpollEvent{Events: syscall.EPOLLIN, Fd: int32(socket)}))
}

// send sends the next request, if there is one.
func (l *loader) send(c *client) error {
	if l.sent == len(l.requests) {
		return nil
	}
	request := l.requests[l.sent]
	l.sent++
	c.answer = c.room[:0]
	switch n, err := syscall.Write(c.socket, request); {
	case err != nil:
		return err
	case n < len(request): // a request is far smaller than the buffers of a socket
		return fmt.Errorf("%d bytes of a request of %d were sent", n, len(request))
	}
	return nil
}

// wait receives what has arrived.
func (l *loader) wait() error {
	n, err := syscall.EpollWait(l.poll, l.ready[:], patience)
	switch {
	case errors.Is(err, syscall.EINTR):
		return nil
	case err != nil:
		return err
	case n == 0:
		return fmt.Errorf("%d of %d requests were answered, and then none", l.answered, len(l.requests))
	}
	for _, event := range l.ready[:n] {
		if err := l.receive(l.clients[event.Fd]); err != nil {
			return err
		}
	}
	return nil
}

// receive reads a part of an answer. An answer that is complete has to be a 200, and the next request follows it.
func (l *loader) receive(c *client) error {
	n, err := syscall.Read(c.socket, c.room[len(c.answer):])
	switch {
	case errors.Is(err, syscall.EAGAIN):
		return nil
	case err != nil:
		return err
	case n == 0:
		return fmt.Errorf("the connection or the room of %d bytes ended in an answer: %.300q", len(c.room), c.answer)
	}
	c.answer = c.room[:len(c.answer)+n]
	switch complete, err := whole(c.answer); {
	case err != nil || !complete:
		return err
	case !bytes.HasPrefix(c.answer, []byte("HTTP/1.1 200 ")):
		return fmt.Errorf("answered %s", c.answer)
	}
	l.answered++
	return l.send(c)
}

// whole reports whether an answer is complete: by its length, or by its last chunk.
func whole(answer []byte) (bool, error) {
	head, body, ended := bytes.Cut(answer, []byte("\r\n\r\n"))
	if !ended {
		return false, nil
	}
	_, after, stated := bytes.Cut(head, []byte("\r\nContent-Length: "))
	if !stated {
		return bytes.HasSuffix(body, []byte("\r\n0\r\n\r\n")), nil
	}
	digits, _, _ := bytes.Cut(after, []byte("\r\n"))
	length, err := strconv.Atoi(string(digits))
	return len(body) >= length, err
}

// requestsOf builds requests: the bytes on the wire.
func requestsOf(path, contentType, more string, n int, body func(i int64) []byte, from int64) (list [][]byte) {
	for i := range int64(n) {
		text := body(from + i)
		list = append(list, fmt.Appendf(nil, "POST %s HTTP/1.1\r\nHost: pay.example\r\nContent-Type: %s\r\n"+
			"Content-Length: %d\r\n%s\r\n%s", path, contentType, len(text), more, text))
	}
	return list
}
