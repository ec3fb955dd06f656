package shop

import (
	"encoding/json"
	"io"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/tollgatepay/gateway/callback/signature"
)

// The limits of the inbox.
const (
	maxNotes    = 1000
	maxNoteBody = 2 << 20  // bytes; custom data may fill most of a session request
	maxInbox    = 64 << 20 // bytes of all bodies together
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

// receive accepts a callback: it checks the hash, stores the callback and acknowledges it. One with a wrong hash
// is stored for inspection and refused. A callback may come twice and late; a shop acts on the status that it
// looks up.
func (s *Shop) receive(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxNoteBody))
	if err != nil {
		answer(w, http.StatusBadRequest, "the body could not be read")
		return
	}
	n := note{At: s.cfg.Now().UTC(), Header: r.Header.Clone(), Body: string(body)}
	media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err == nil && media == "application/x-www-form-urlencoded" {
		n.Form, err = url.ParseQuery(n.Body)
		n.Verified = err == nil && s.genuine(n)
	}
	s.inbox.add(n)
	if !n.Verified {
		answer(w, http.StatusBadRequest, "the hash is not valid")
		return
	}
	s.orders.change(n.Field("order_number"), func(o *order) { o.record(n) })
	answer(w, http.StatusOK, "OK")
}

// genuine reports whether the password of one of our accounts signed a callback.
func (s *Shop) genuine(n note) bool {
	in := signature.Inputs{
		PaymentID: n.Field("id"), OrderNumber: n.Field("order_number"), Amount: n.Field("order_amount"),
		Currency: n.Field("order_currency"), Description: n.Field("order_description"),
	}
	return slices.ContainsFunc(s.cfg.Accounts, func(a Account) bool { return a.verify(in, n.Field("hash")) })
}

// received shows the callbacks, newest first.
func (s *Shop) received(w http.ResponseWriter, r *http.Request) {
	list := s.inbox.all()
	slices.Reverse(list)
	s.show(w, r, http.StatusOK, "callbacks.html", page{Title: "Callbacks", Live: true, Data: list[:min(len(list), 100)]})
}

// exported is a callback in the answer of GET /demo/callbacks.
type exported struct {
	ReceivedAt time.Time         `json:"received_at"`
	Headers    http.Header       `json:"headers"`
	Body       string            `json:"body"`
	Fields     map[string]string `json:"fields"`
}

func (s *Shop) export(w http.ResponseWriter, _ *http.Request) {
	list := []exported{}
	for _, n := range s.inbox.all() {
		fields := map[string]string{}
		for name := range n.Form {
			fields[name] = n.Field(name)
		}
		list = append(list, exported{n.At, n.Header, n.Body, fields})
	}
	s.secure(w.Header())
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(list) // a closed connection does not matter
}

// answer answers a machine with a text.
func answer(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, text)
}
