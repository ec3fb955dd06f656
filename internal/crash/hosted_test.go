package crash

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
)

// newHosted is a shopper who pays with hosted fields on the merchant's own page.
func (w *world) newHosted(cards ...string) *shopper {
	s := &shopper{w: w, order: w.newOrder(false), cards: cards}
	s.order.Hosted = true
	return s
}

// hostedAnswer is the answer to a payment request.
type hostedAnswer struct {
	Result string `json:"result"`
	ID     string `json:"public_id"`
	URL    string `json:"redirect_url"`
	Params []struct {
		Name  string `json:"name"`
		Value string `json:"value"`
	} `json:"redirect_params"`
}

// runHosted creates the token, collects the card in the fields and pays, until a card is accepted. If an answer is
// lost the request is repeated: the token is good for one payment.
func (s *shopper) runHosted() {
	token := s.createToken()
	if token == "" {
		return
	}
	typed := false
	for range patience {
		if !typed {
			if typed = s.collect(token); !typed {
				continue
			}
		}
		answer, err := s.payHosted(token)
		if err != nil {
			s.w.awaitChild()
			continue
		}
		if answer.ID != "" {
			s.w.journal.named(s.order, answer.ID, answer.Result == "success")
		}
		switch answer.Result {
		case "redirect":
			s.away(s.visitHosted(answer))
			return
		case "decline":
			s.cards, typed = s.cards[1:], false
			if len(s.cards) == 0 {
				return
			}
		default:
			return // paid, unknown, or refused
		}
	}
}

// createToken repeats the request with the same number if the answer was lost.
func (s *shopper) createToken() string {
	for range 2 {
		body := s.sessionBody()
		body["return_url"] = "https://shop.example/return"
		r, err := s.w.client.call("/api/v1/session/token", body, s.sessionSigned()...)
		if err == nil {
			var answer struct{ Token string }
			_ = json.Unmarshal([]byte(r.body), &answer) // a refusal has no token
			return answer.Token
		}
		s.w.awaitChild()
	}
	return ""
}

// collect is the card's frame: it sends the card, and repeats that if no answer came.
func (s *shopper) collect(token string) bool {
	body, err := json.Marshal(map[string]string{"card_number": "4111111111111111", "expiry": s.cards[0], "cvv": "123"})
	if err != nil {
		return false
	}
	r, err := s.w.client.do(context.Background(), http.MethodPost, s.w.client.url+"/sdk/collect", "application/json", body,
		"Token", token, "Origin", s.w.client.url)
	if err != nil {
		s.w.awaitChild()
	}
	return err == nil && r.status == http.StatusOK
}

// payHosted is the merchant's backend. A refusal has no result.
func (s *shopper) payHosted(token string) (answer hostedAnswer, err error) {
	s.w.journal.asked(s.order, s.w.clock.Now())
	r, err := s.w.client.do(context.Background(), http.MethodPost, s.w.client.url+"/api/v1/processing/purchase/card",
		"application/json",
		[]byte(`{"name":"John Doe","with_hosted_fields":true}`), "Token", token)
	if err != nil {
		return answer, err
	}
	_ = json.Unmarshal([]byte(r.body), &answer) // a page is a refusal
	return answer, nil
}

// visitHosted opens the page to which the merchant's page redirects the payer.
func (s *shopper) visitHosted(to hostedAnswer) func(context.Context) (htmlForm, error) {
	return func(ctx context.Context) (htmlForm, error) {
		if len(to.Params) == 0 {
			r, err := s.w.client.get(ctx, to.URL)
			return formOf(r.body), err
		}
		form := url.Values{}
		for _, p := range to.Params {
			form.Add(p.Name, p.Value)
		}
		r, err := s.w.client.post(ctx, to.URL, form)
		return formOf(r.body), err
	}
}
