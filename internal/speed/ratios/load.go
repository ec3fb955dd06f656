package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http/httputil"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

// connections is how many clients a server has at a time.
const connections = 32

// load sends requests over kept connections, as fast as they are answered, and returns how long that took. The
// client writes bytes that are ready and reads no more of an answer than where it ends.
func load(address string, requests [][]byte) (time.Duration, error) {
	var list []*client
	defer func() {
		for _, c := range list {
			_ = c.conn.Close()
		}
	}()
	for range connections {
		conn, err := net.Dial("tcp", address)
		if err != nil {
			return 0, err
		}
		list = append(list, &client{conn: conn, answers: bufio.NewReader(conn)})
	}
	var next atomic.Int64
	var running sync.WaitGroup
	began := time.Now()
	for _, c := range list {
		running.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(requests)) && c.fault == nil; i = next.Add(1) - 1 {
				c.fault = c.ask(requests[i])
			}
		})
	}
	running.Wait()
	took := time.Since(began)
	var faults []error
	for _, c := range list {
		faults = append(faults, c.fault)
	}
	return took, errors.Join(faults...)
}

// client is one kept connection.
type client struct {
	conn    net.Conn
	answers *bufio.Reader
	fault   error
}

// ask sends a request and reads its answer, which has to be a 200.
func (c *client) ask(request []byte) error {
	if _, err := c.conn.Write(request); err != nil {
		return err
	}
	status, err := c.answers.ReadString('\n')
	if err != nil {
		return err
	}
	length, err := c.lengthOfBody()
	if err != nil {
		return err
	}
	if !bytes.Contains([]byte(status), []byte(" 200 ")) {
		text, _ := io.ReadAll(io.LimitReader(c.answers, int64(max(length, 0))))
		return fmt.Errorf("answered %s%s", status, text)
	}
	if length >= 0 {
		_, err = c.answers.Discard(length)
		return err
	}
	if _, err = io.Copy(io.Discard, httputil.NewChunkedReader(c.answers)); err != nil {
		return err
	}
	_, err = c.answers.ReadSlice('\n') // the line after the last chunk
	return err
}

// lengthOfBody reads the headers. It is -1 for a body in chunks.
func (c *client) lengthOfBody() (int, error) {
	length := -1
	for {
		line, err := c.answers.ReadSlice('\n')
		if err != nil {
			return 0, err
		}
		name, value, more := bytes.Cut(bytes.TrimSpace(line), []byte(": "))
		switch {
		case !more:
			return length, nil
		case bytes.EqualFold(name, []byte("Content-Length")):
			if length, err = strconv.Atoi(string(value)); err != nil {
				return 0, err
			}
		}
	}
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
