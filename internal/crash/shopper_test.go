package crash

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// The test cards by their expiry (package vcard).
const (
	settles   = "01/38"
	declines  = "02/38"
	funds     = "04/38"
	threeDS   = "05/38"
	threeDSNo = "06/38"
	pending   = "07/38"
	pendingNo = "08/38"
	unarrived = "09/38"
	unheard   = "10/38"
	late      = "11/38"
	bank      = "12/38"
	bankNo    = "12/39"
)

// shopper is a payer with the merchant's backend: one order from the session to the end. When an answer is lost,
// the payer waits until the site is back and reloads.
type shopper struct {
	w     *world
	order *order
	cards []string // one per attempt

	twice  bool          // presses the button twice
	hangUp time.Duration // closes the browser this long after paying; 0 stays
	tarry  bool          // stays at the issuer's page until the next child has started
	there  chan struct{} // closed when the payer is at that page; may be nil
}

// patience is how many pages a shopper opens before giving up.
const patience = 8

func (s *shopper) run() {
	if s.order.Hosted {
		s.runHosted()
		return
	}
	if !s.createSession() {
		return
	}
	for range patience {
		page, err := s.w.client.get(context.Background(), s.order.Link)
		if err != nil {
			s.w.awaitChild()
			continue
		}
		if !s.turn(page) {
			return
		}
	}
}

// createSession repeats the request with the same number if the answer was lost.
func (s *shopper) createSession() bool {
	for range 2 {
		r, err := s.w.client.call("/api/v1/session", s.sessionBody(), s.sessionSigned()...)
		var answer struct {
			RedirectURL string `json:"redirect_url"`
		}
		if err == nil {
			_ = json.Unmarshal([]byte(r.body), &answer) // a refusal has no link
			s.w.journal.opened(s.order, answer.RedirectURL)
			return answer.RedirectURL != ""
		}
		s.w.awaitChild()
	}
	return false
}

// sessionBody is the request of both kinds of session.
func (s *shopper) sessionBody() map[string]any {
	o := s.order
	body := map[string]any{
		"operation": "purchase", "success_url": "https://shop.example/success", "cancel_url": "https://shop.example/cancel",
		"order": map[string]string{"number": o.Number, "amount": o.Amount, "currency": "USD",
			"description": "Important gift"},
		"customer": map[string]string{"name": "John Doe", "email": "doe@example.com"}, "session_expiry": 720,
	}
	if o.Hold {
		body["auth"] = "Y"
	}
	if o.Chain {
		body["recurring_init"], body["schedule_id"] = true, s.w.schedule
	}
	return body
}

func (s *shopper) sessionSigned() []string {
	return []string{s.order.Number, s.order.Amount, "USD", "Important gift"}
}

// turn does what a page asks for, and reports whether there is more to come.
func (s *shopper) turn(page reply) bool {
	switch {
	case page.status == http.StatusSeeOther:
		s.w.journal.left(s.order, page.location)
		return false
	case strings.Contains(page.body, `id="pay"`):
		return s.pay(field(page.body, "attempt"))
	case strings.Contains(page.body, `id="forward"`):
		return s.away(s.visit(page.body))
	}
	return false // the outcome is not known yet: the merchant will get a callback
}

func (s *shopper) pay(attempt string) bool {
	if len(s.cards) == 0 {
		return false
	}
	form := url.Values{"attempt": {attempt}, "card_number": {"4111111111111111"}, "expiry": {s.cards[0]}, "cvv": {"123"}}
	s.cards = s.cards[1:]
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	if s.hangUp > 0 {
		defer time.AfterFunc(s.hangUp, cancel).Stop()
	}
	if s.twice {
		second := make(chan struct{})
		go func() {
			defer close(second)
			s.w.journal.asked(s.order, s.w.clock.Now())
			_, _ = s.w.client.post(ctx, s.order.Link, form) // the other answer is the page for both
		}()
		defer func() { <-second }()
	}
	s.w.journal.asked(s.order, s.w.clock.Now())
	_, err := s.w.client.post(ctx, s.order.Link, form)
	if ctx.Err() != nil {
		return false // the payer has left
	}
	if err != nil {
		s.w.awaitChild()
	}
	return true
}

// away is the visit at the issuer or the bank, and the way back.
func (s *shopper) away(open func(context.Context) (htmlForm, error)) bool {
	ctx := context.Background()
	visit, err := open(ctx)
	if err != nil {
		return false
	}
	if s.tarry {
		next := s.w.nextChild()
		if s.there != nil {
			close(s.there)
		}
		<-next
		s.w.journal.tarried.Add(1)
	}
	visit.fields.Set("decision", "confirm")
	confirmed, err := s.w.client.post(ctx, visit.target, visit.fields)
	if err != nil {
		return false
	}
	if confirmed.location != "" { // a bank redirects the payer with GET
		_, err = s.w.client.get(ctx, confirmed.location)
	} else {
		back := formOf(confirmed.body)
		_, err = s.w.client.post(ctx, back.target, back.fields)
	}
	if err != nil {
		s.w.awaitChild()
	}
	return true
}

// visit opens the page to which the gateway redirects the payer.
func (s *shopper) visit(page string) func(context.Context) (htmlForm, error) {
	return func(ctx context.Context) (htmlForm, error) {
		if link := linkOf(page); link != "" {
			r, err := s.w.client.get(ctx, link)
			return formOf(r.body), err
		}
		to := formOf(page)
		r, err := s.w.client.post(ctx, to.target, to.fields)
		return formOf(r.body), err
	}
}
