package gatewaytest

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	"github.com/tollgatepay/gateway/callback"
)

// To makes the merchant's own handler get every callback from now on, in process. What it answers counts: 2xx, and on
// S2S the body OK. The handler must not call the inbox, which waits for it.
func (in *Inbox) To(endpoint http.Handler) {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.endpoint = endpoint
}

// Duplicate makes the endpoint get each callback some more times, as it may when an answer is lost.
func (in *Inbox) Duplicate(times int) {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.duplicate = times
}

// Delay makes the merchant answer nothing until the clock has gone on by d. What is sent meanwhile is sent again by the
// schedule of redeliveries.
func (in *Inbox) Delay(d time.Duration) {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.away = in.now().Add(d)
}

// Hold accepts callbacks and keeps them from the endpoint until Release.
func (in *Inbox) Hold() {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.holds = true
}

// Release passes on what was held, in the order to which arrange brings it, like slices.Reverse; nil keeps the order of
// arrival. It returns what the endpoint answered.
func (in *Inbox) Release(arrange func([]callback.Delivery)) (answers []callback.Receipt) {
	in.mu.Lock()
	defer in.mu.Unlock()
	held := in.held
	in.held, in.holds = nil, false
	if arrange != nil {
		arrange(held)
	}
	for _, d := range held {
		answers = append(answers, in.post(d))
	}
	return answers
}

// post calls the endpoint, and once more for each duplicate. The first answer counts.
func (in *Inbox) post(d callback.Delivery) (first callback.Receipt) {
	for n := range in.duplicate + 1 {
		r := httptest.NewRequest(http.MethodPost, d.URL, bytes.NewReader(d.Body))
		r.Header.Set("Content-Type", d.ContentType)
		w := httptest.NewRecorder()
		in.endpoint.ServeHTTP(w, r)
		if n == 0 {
			first = receiptOf(w, d.RequireOK)
		}
	}
	return first
}

// receiptOf judges an answer as callback.HTTPNotifier does.
func receiptOf(w *httptest.ResponseRecorder, requireOK bool) callback.Receipt {
	r := callback.Receipt{Verdict: callback.Refused, Status: w.Code, Detail: http.StatusText(w.Code)}
	if w.Code/100 == 2 && (!requireOK || strings.EqualFold(strings.TrimSpace(w.Body.String()), "OK")) {
		r.Verdict, r.Detail = callback.Accepted, ""
	}
	return r
}
