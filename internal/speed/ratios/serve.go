package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/checkout"
	"github.com/tollgatepay/gateway/internal/speed"
	"github.com/tollgatepay/gateway/s2s"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/bolt"
	"github.com/tollgatepay/gateway/store/memory"
)

// The servers that this command starts of itself.
const (
	bareServer     = "bare"     // reads a body and answers as many bytes as a session's answer has
	sessionServer  = "sessions" // Checkout, on memory
	memoryServer   = "memory"   // S2S, on memory
	boltServer     = "bolt"     // S2S, on a file
	answerOfServer = 140
)

// serve is a server. It prints its address and runs until its input ends, also when the command was killed.
func serve(ctx context.Context, role, path string) error {
	handler, end, err := handlerOf(ctx, role, path)
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return errors.Join(err, end())
	}
	server := &http.Server{Handler: handler}
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		_ = server.Close()
	}()
	fmt.Println(listener.Addr())
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return errors.Join(err, end())
	}
	return end()
}

func handlerOf(ctx context.Context, role, path string) (h http.Handler, end func() error, err error) {
	var s store.Store
	switch role {
	case bareServer:
		return http.HandlerFunc(bare), func() error { return nil }, nil
	case sessionServer, memoryServer:
		s = memory.New()
	case boltServer:
		s, err = bolt.Open(path)
	default:
		err = fmt.Errorf("no server is called %q", role)
	}
	if err != nil {
		return nil, nil, err
	}
	gw, err := speed.Open(ctx, s)
	if err != nil {
		return nil, nil, errors.Join(err, s.Close())
	}
	return protocolOf(role, gw), func() error { return errors.Join(gw.Close(ctx), s.Close()) }, nil
}

func protocolOf(role string, gw *gateway.Gateway) http.Handler {
	if role == sessionServer {
		return checkout.Handler(gw)
	}
	return s2s.Handler(gw)
}

func bare(w http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body)
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(bytes.Repeat([]byte("x"), answerOfServer))
}
