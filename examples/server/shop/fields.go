package shop

import (
	"context"
	"net"
	"net/http"
	"net/url"
	"strings"
)

// begin places an order that is paid on the shop's own page.
func (s *Shop) begin(w http.ResponseWriter, r *http.Request) { s.sell(w, r, s.byFields) }

// byFields requests a session token. It sends the payer's address, because otherwise the gateway would use the
// shop's. Behind a proxy it is in a header of the proxy.
func (s *Shop) byFields(r *http.Request, o *order, payer *wireCustomer) (exchange, error) {
	if payer == nil {
		payer = &wireCustomer{}
	}
	payer.IP, _, _ = net.SplitHostPort(r.RemoteAddr)
	pages := s.cfg.Own + "/orders/" + o.Number
	said := s.api.token(r.Context(), o, pages+"/return", payer)
	var answer struct {
		Token string `json:"token"`
	}
	err := said.decode(&answer)
	o.Token, o.Link = answer.Token, pages+"/pay"
	return said, err
}

// payPage is the page that takes the card.
type payPage struct {
	Order   order
	Gift    string // the price with wrapping
	Name    string
	Library Library
	Cards   []Card
	Refused *exchange // the answer of the gateway when it refused the payment
}

// MayWrap reports whether the order can still be wrapped.
func (p payPage) MayWrap() bool { return p.Order.mayWrap() }

func (s *Shop) payPage(w http.ResponseWriter, r *http.Request) {
	o, ok := s.payable(w, r)
	if !ok {
		return
	}
	s.showPay(w, r, http.StatusOK, payPage{Order: o, Name: o.Name})
}

// payable returns the order of a request, if the shop's own page takes its card.
func (s *Shop) payable(w http.ResponseWriter, r *http.Request) (order, bool) {
	o, ok := s.orders.find(r.PathValue("number"))
	if !ok || o.Token == "" {
		s.noOrder(w, r)
		return o, false
	}
	return o, true
}

// showPay shows the page. Its policy allows the gateway's library and frames, and no other script.
func (s *Shop) showPay(w http.ResponseWriter, r *http.Request, status int, data payPage) {
	data.Gift, data.Library, data.Cards = data.Order.Product.Gift(data.Order.Quantity), s.cfg.Library, Cards()
	policy := "default-src 'none'; script-src 'self' " + s.cfg.Public + "; frame-src " + s.cfg.Public +
		"; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
	s.show(w, r, status, "pay.html", page{Title: "Payment", Data: data, policy: policy})
}

// pay charges the card that the fields have collected. For a wrapped order the session is updated first, because
// it costs more.
func (s *Shop) pay(w http.ResponseWriter, r *http.Request) {
	o, ok := s.payable(w, r)
	if !ok {
		return
	}
	name := strings.TrimSpace(r.PostForm.Get("name"))
	refuse := func(said exchange) {
		s.showPay(w, r, http.StatusBadGateway, payPage{Order: o, Name: name, Refused: &said})
	}
	if r.PostForm.Get("wrap") != "" && o.mayWrap() {
		said := s.wrap(r.Context(), &o)
		if !said.OK() {
			refuse(said)
			return
		}
	}
	said := s.api.pay(r.Context(), &o, name, browserOf(r))
	s.orders.note(o.Number, said)
	var answer payAnswer
	if said.decode(&answer) != nil {
		refuse(said)
		return
	}
	s.orders.change(o.Number, func(o *order) { o.Tried = true })
	s.goOn(w, r, &o, answer)
}

// wrap changes the amount of the session, and of the order if the gateway agrees.
func (s *Shop) wrap(ctx context.Context, o *order) exchange {
	wrapped := *o
	wrapped.wrap()
	said := s.api.update(ctx, &wrapped)
	s.orders.note(o.Number, said)
	if said.OK() {
		s.orders.change(o.Number, (*order).wrap)
		*o = wrapped
	}
	return said
}

// onwardPage sends the payer to their bank.
type onwardPage struct {
	URL    string
	Params []wireParam // sent by POST; without any the URL is opened by GET
}

// goOn sends the payer to their bank, or to the end with the parameters of the return. A page in between redirects
// the browser, because a bank may send a form on to any site, which the policy of the page with the card must not
// allow.
func (s *Shop) goOn(w http.ResponseWriter, r *http.Request, o *order, answer payAnswer) {
	if answer.Result == "redirect" && webURL(answer.RedirectURL) {
		s.show(w, r, http.StatusOK, "onward.html", page{
			Title: "To your bank", Data: onwardPage{answer.RedirectURL, answer.RedirectParams},
			policy: "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; " +
				"form-action https: http:; base-uri 'none'; frame-ancestors 'none'",
		})
		return
	}
	query := url.Values{}
	for name, value := range answer.ReturnParams {
		query.Set(name, value)
	}
	s.redirect(w, r, "/orders/"+o.Number+"/return?"+query.Encode())
}

// returned receives the payer from the shop's own page, or from their bank. The page that they see depends on the
// status, as always.
func (s *Shop) returned(w http.ResponseWriter, r *http.Request) {
	o, ok := s.payable(w, r)
	if !ok {
		return
	}
	data := endingPage{row: row{Order: o}, Hash: s.returnHash(&o, r.URL.Query())}
	data.Payment, _, _ = s.api.status(r.Context(), &o)
	s.showEnding(w, r, data, endingOf(data.Payment.Status))
}
