package crash

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"time"
)

// done is the result of a round of work.
type done struct {
	Next   time.Time // zero: nothing is left
	Doubts int
}

// work does up to 100 due items, one after the other; every other requested worker does as many at the same time.
func (c *child) work(w http.ResponseWriter, r *http.Request) {
	workers, err := strconv.Atoi(r.FormValue("workers"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	var d done
	if err = c.tick(r.Context(), workers); err == nil {
		d, err = c.left(r.Context())
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	_ = json.NewEncoder(w).Encode(d)
}

func (c *child) tick(ctx context.Context, workers int) error {
	faults := make(chan error, workers)
	for range workers {
		go func() {
			_, _, err := c.gw.Tick(ctx, 100)
			faults <- err
		}()
	}
	var all []error
	for range workers {
		all = append(all, <-faults)
	}
	return errors.Join(all...)
}

// left returns what is still to be done.
func (c *child) left(ctx context.Context) (d done, err error) {
	if _, d.Next, err = c.gw.Tick(ctx, 0); err != nil {
		return d, err
	}
	doubts, err := c.gw.Operator().Doubts(ctx, 10)
	d.Doubts = len(doubts)
	return d, err
}
