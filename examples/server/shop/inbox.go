package shop

import (
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"
)

// The limits of the inbox.
const (
	maxNotes = 1000
	maxInbox = 64 << 20 // bytes of all bodies together
)

// note is one callback as it was received.
type note struct {
	Index    int // how many came before it since the start
	At       time.Time
	Header   http.Header
	Body     string
	Form     url.Values
	Verified bool
}

// Field returns a parameter, the last one of that name.
func (n note) Field(name string) string {
	values := n.Form[name]
	if len(values) == 0 {
		return ""
	}
	return values[len(values)-1]
}

// Fields returns the parameters in the order of their names, for people.
func (n note) Fields() (list [][2]string) {
	for name := range n.Form {
		list = append(list, [2]string{name, n.Field(name)})
	}
	slices.SortFunc(list, func(a, b [2]string) int { return strings.Compare(a[0], b[0]) })
	return list
}

// Try returns the number of the delivery, as the gateway counts them.
func (n note) Try() string { return n.Header.Get("X-Tollgate-Attempt") }

// inbox keeps the newest callbacks in the order of their arrival.
type inbox struct {
	mu    sync.Mutex
	list  []note
	bytes int
	count int
}

func (in *inbox) add(n note) {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.count++
	n.Index = in.count
	in.list, in.bytes = append(in.list, n), in.bytes+len(n.Body)
	for len(in.list) > maxNotes || in.bytes > maxInbox {
		in.bytes -= len(in.list[0].Body)
		in.list = slices.Delete(in.list, 0, 1)
	}
}

// all returns the notes, oldest first.
func (in *inbox) all() []note {
	in.mu.Lock()
	defer in.mu.Unlock()
	return slices.Clone(in.list)
}

// of returns the notes of an order, oldest first.
func (in *inbox) of(number string) []note {
	return slices.DeleteFunc(in.all(), func(n note) bool { return n.Field("order_number") != number })
}

// answer answers a machine with a text.
func answer(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, text)
}
