package shop

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

func (s *Shop) home(w http.ResponseWriter, r *http.Request) {
	s.show(w, r, http.StatusOK, "home.html", page{Title: "Things for slow mornings", Data: products()})
}

// productPage is a product and the payer's input.
type productPage struct {
	Product     product
	Quantity    int
	Name, Email string
	Country     string // where it is delivered
	Countries   []Country
	Hold        bool
	Cards       []Card
	Own         string    // the shop's own origin, on the pages of the gateway's origin; empty without one
	Fields      bool      // the page is on the shop's own origin and may take cards itself
	Refused     *exchange // the answer of the gateway when it refused the order
}

// product shows a product, on the shop's own origin or on the gateway's.
func (s *Shop) product(own bool) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		p, ok := findProduct(r.PathValue("id"))
		if !ok {
			s.problem(w, r, http.StatusNotFound, "There is no such product.")
			return
		}
		data := productPage{Product: p, Quantity: 1, Name: "Ada Example", Email: "ada@example.com", Cards: Cards(),
			Fields:  own,
			Country: s.countryOf(""), Countries: s.countries()}
		if !own {
			data.Own = s.cfg.Own
		}
		s.show(w, r, http.StatusOK, "product.html", page{Title: p.Name, Data: data})
	}
}

// way is how an order is paid: it sends the gateway a request and sets the fields of the order. The error says why
// it cannot be paid.
type way func(r *http.Request, o *order, payer *wireCustomer) (exchange, error)

// buy places an order that is paid on the gateway's payment page.
func (s *Shop) buy(w http.ResponseWriter, r *http.Request) { s.sell(w, r, s.byPage) }

// sell places the order of a form and sends the payer to the page where they pay.
func (s *Shop) sell(w http.ResponseWriter, r *http.Request, by way) {
	p, ok := findProduct(r.PathValue("id"))
	if !ok {
		s.problem(w, r, http.StatusNotFound, "There is no such product.")
		return
	}
	form := productPage{
		Product: p, Quantity: quantity(r.PostForm.Get("quantity")), Cards: Cards(),
		Hold: r.PostForm.Get("hold") != "" && p.Plan == nil,
		Name: strings.TrimSpace(r.PostForm.Get("name")), Email: strings.TrimSpace(r.PostForm.Get("email")),
		Fields: r.PostForm.Has("own"), Country: s.countryOf(r.PostForm.Get("country")), Countries: s.countries(),
	}
	o := order{
		Number: newNumber(), Amount: p.Amount(form.Quantity), Currency: p.Currency, Product: p, Quantity: form.Quantity,
		Description: fmt.Sprintf("%d x %s", form.Quantity, p.Name), Hold: form.Hold, PlacedAt: s.cfg.Now().UTC(),
		Name:    form.Name,
		Country: form.Country,
	}
	said, err := s.plan(r.Context(), &o)
	if err == nil {
		said, err = by(r, &o, payerOf(form))
		o.Exchanges = append(o.Exchanges, said)
	}
	if err != nil {
		form.Refused = &said
		s.show(w, r, http.StatusBadGateway, "product.html", page{Title: p.Name, Data: form})
		return
	}
	s.orders.add(o)
	s.redirect(w, r, o.Link)
}

// byPage requests a payment page.
func (s *Shop) byPage(r *http.Request, o *order, payer *wireCustomer) (exchange, error) {
	said := s.api.session(r.Context(), o, s.cfg.Public+"/orders/"+o.Number, payer)
	var answer struct {
		RedirectURL string `json:"redirect_url"`
	}
	err := said.decode(&answer)
	if err == nil && !webURL(answer.RedirectURL) {
		err = errors.New("the payment page has no address")
	}
	o.Link = answer.RedirectURL
	return said, err
}

func payerOf(form productPage) *wireCustomer {
	if form.Name == "" && form.Email == "" {
		return nil
	}
	return &wireCustomer{Name: form.Name, Email: form.Email}
}

func webURL(text string) bool {
	u, err := url.Parse(text)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != ""
}

// Card is a documented test card: the number is always TestNumber, and the expiry decides the outcome.
type Card struct{ Expiry, Outcome string }

// TestNumber is the number of every test card; any security code is valid.
const TestNumber = "4111111111111111"

// Cards returns the documented test cards.
func Cards() []Card {
	return []Card{
		{"01/2038", "settled"},
		{"02/2038", "declined"},
		{"03/2038", "authorized, its capture fails"},
		{"05/2038", "3-D Secure, then settled"},
		{"06/2038", "3-D Secure, then declined"},
		{"12/2038", "bank page, then settled"},
		{"12/2039", "bank page, then declined"},
	}
}

// countries returns those that a buyer chooses from; none when the gateway computes no tax.
func (s *Shop) countries() []Country {
	if !s.cfg.VAT {
		return nil
	}
	return Countries()
}

// countryOf returns the chosen country, or the preset one; empty when there are none to choose from.
func (s *Shop) countryOf(code string) string {
	all := s.countries()
	switch {
	case len(all) == 0:
		return ""
	case slices.ContainsFunc(all, func(c Country) bool { return c.Code == code }):
		return code
	}
	return all[0].Code
}
