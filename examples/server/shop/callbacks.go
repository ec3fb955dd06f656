package shop

import (
	"context"
	"encoding/json"
	"io"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/tollgatepay/gateway/callback/receive"
)

// receive accepts a callback: it checks the hash, stores the callback and acknowledges it. One with a wrong hash
// is stored for inspection and refused. A callback may come twice and late; a shop acts on the status that it
// looks up.
func (s *Shop) receive(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, receive.MaxBytes))
	if err != nil {
		answer(w, http.StatusBadRequest, "the body could not be read")
		return
	}
	n := note{At: s.cfg.Now().UTC(), Header: r.Header.Clone(), Body: string(body)}
	media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err == nil && media == "application/x-www-form-urlencoded" {
		n.Form, err = url.ParseQuery(n.Body)
		n.Verified = err == nil && s.genuine(r.Context(), n.Body)
	}
	s.inbox.add(n)
	if !n.Verified {
		answer(w, http.StatusBadRequest, "the hash is not valid")
		return
	}
	s.orders.change(n.Field("order_number"), func(o *order) { o.Plan.record(n) })
	answer(w, http.StatusOK, "OK")
}

// genuine reports whether the password of one of our accounts signed a callback.
func (s *Shop) genuine(ctx context.Context, body string) bool {
	return slices.ContainsFunc(s.cfg.Accounts, func(a Account) bool { return a.genuine(ctx, body, s.cfg.Sent) })
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
	HashValid  bool              `json:"hash_valid"`
}

func (s *Shop) export(w http.ResponseWriter, _ *http.Request) {
	list := []exported{}
	for _, n := range s.inbox.all() {
		fields := map[string]string{}
		for name := range n.Form {
			fields[name] = n.Field(name)
		}
		list = append(list, exported{n.At, n.Header, n.Body, fields, n.Verified})
	}
	s.secure(w.Header())
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(list) // a closed connection does not matter
}
