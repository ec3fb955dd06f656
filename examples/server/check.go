package main

import (
	"context"
	"fmt"
	"net/http"
	"time"
)

// checkTimeout is how long a server that works may take to say so.
const checkTimeout = 2 * time.Second

// check asks the operators' address of a running server whether it works. The flags before it may be those of the
// server, as an image has them.
func check(ctx context.Context, address string) error {
	ctx, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+address+"/healthz", http.NoBody)
	if err != nil {
		return fmt.Errorf("-check %s: %w", address, err)
	}
	answer, err := (&http.Client{}).Do(r)
	if err != nil {
		return fmt.Errorf("-check: %w", err)
	}
	_ = answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("-check %s: %s", address, answer.Status)
	}
	return nil
}
