package s2sclient

import (
	"context"
	"fmt"
	"io"
	"mime"
	"net/http"
	"slices"
	"strings"
	"sync"
)

// Callback is a callback as it arrived.
type Callback struct {
	Fields   []Pair  // in the order of the body
	Formula  Formula // that verified its signature, "" for an unknown payment
	Payment  Payment // that it is about, as far as the client knew it
	Problems []string
}

// Names returns the names of the fields in their order, nested ones by their first part, each once.
func (c Callback) Names() (names []string) {
	for _, p := range c.Fields {
		if head := path(p.Name)[0]; !slices.Contains(names, head) {
			names = append(names, head)
		}
	}
	return names
}

// Text returns the value of a field, "" when absent. Nested fields have bracket names.
func (c Callback) Text(name string) string {
	i := slices.IndexFunc(c.Fields, func(p Pair) bool { return p.Name == name })
	if i < 0 {
		return ""
	}
	return c.Fields[i].Value
}

// String returns action, result and status, for comparing sequences: "SALE SUCCESS SETTLED".
func (c Callback) String() string {
	return strings.TrimSpace(c.Text("action") + " " + c.Text("result") + " " + c.Text("status"))
}

// Receiver is a merchant's callback URL. Every callback is kept and acknowledged, correct or not; Problems lists
// what is wrong.
type Receiver struct {
	// Reply, if set before the first callback, answers instead of 200 and OK.
	Reply func(Callback) (status int, body string)

	client *Client
	mu     sync.Mutex
	all    []Callback
	faults []string
	more   chan struct{} // closed when a callback arrives
}

// Receiver returns a new callback URL for the payments of this client.
func (c *Client) Receiver() *Receiver {
	return &Receiver{client: c, more: make(chan struct{})}
}

// ServeHTTP receives a callback.
func (r *Receiver) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	var f findings
	f.transport(request)
	body, err := io.ReadAll(io.LimitReader(request.Body, maxBody))
	if err != nil {
		f.add("read the body: %v", err)
	}
	callback := Callback{}
	if callback.Fields, err = ParseBody(string(body)); err != nil {
		f.add("body: %v", err)
	}
	callback.Problems = append(f, r.client.examine(&callback)...)
	r.note(callback)
	status, answer := http.StatusOK, "OK"
	if r.Reply != nil {
		status, answer = r.Reply(callback)
	}
	w.WriteHeader(status)
	_, _ = io.WriteString(w, answer)
}

// transport checks the method and the headers.
func (f *findings) transport(request *http.Request) {
	if request.Method != http.MethodPost {
		f.add("method is %s", request.Method)
	}
	kind := request.Header.Get("Content-Type")
	media, params, err := mime.ParseMediaType(kind)
	if err != nil || media != "application/x-www-form-urlencoded" {
		f.add("Content-Type is %q", kind)
	}
	if charset, given := params["charset"]; given && !strings.EqualFold(charset, "utf-8") {
		f.add("charset is %q", charset)
	}
}

func (r *Receiver) note(c Callback) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.all = append(r.all, c)
	for _, problem := range c.Problems {
		r.faults = append(r.faults, fmt.Sprintf("callback %d (%s) of %s: %s", len(r.all), c, c.Text("trans_id"), problem))
	}
	close(r.more)
	r.more = make(chan struct{})
}

// All returns the callbacks in the order of their arrival.
func (r *Receiver) All() []Callback {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.all)
}

// Of returns the callbacks of a payment in the order of their arrival.
func (r *Receiver) Of(transID string) []Callback {
	return slices.DeleteFunc(r.All(), func(c Callback) bool { return c.Text("trans_id") != transID })
}

// Problems returns what was wrong with the callbacks so far, each with the callback's number.
func (r *Receiver) Problems() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.faults)
}

// Wait returns the callbacks of a payment as soon as there are n of them, or the context's error.
func (r *Receiver) Wait(ctx context.Context, transID string, n int) ([]Callback, error) {
	for {
		r.mu.Lock()
		more := r.more
		r.mu.Unlock()
		if got := r.Of(transID); len(got) >= n {
			return got, nil
		}
		select {
		case <-more:
		case <-ctx.Done():
			return r.Of(transID), fmt.Errorf("waiting for %d callbacks: %w", n, ctx.Err())
		}
	}
}

// body checks the rules of every callback body: one value a name, none empty but arn.
func (f *findings) body(pairs []Pair) {
	seen := map[string]bool{}
	for _, p := range pairs {
		if seen[p.Name] && !strings.HasSuffix(p.Name, "[]") {
			f.add("%s appears twice", p.Name)
		}
		seen[p.Name] = true
		if p.Value == "" && p.Name != "arn" {
			f.add("%s is empty and not omitted", p.Name)
		}
	}
}
