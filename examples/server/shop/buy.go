package shop

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

func (s *Shop) home(w http.ResponseWriter, r *http.Request) {
	s.show(w, r, http.StatusOK, "home.html", page{Title: "Things for slow mornings", Data: products()})
}

// productPage is a product and what a payer filled in.
type productPage struct {
	Product     product
	Quantity    int
	Name, Email string
	Hold        bool
	Cards       []Card
	Refused     *exchange // what the gateway said when it would not take the order
}

func (s *Shop) product(w http.ResponseWriter, r *http.Request) {
	p, ok := findProduct(r.PathValue("id"))
	if !ok {
		s.problem(w, r, http.StatusNotFound, "There is no such product.")
		return
	}
	s.show(w, r, http.StatusOK, "product.html", page{Title: p.Name, Data: productPage{
		Product: p, Quantity: 1, Name: "Ada Example", Email: "ada@example.com", Cards: Cards(),
	}})
}

// buy places the order and asks the gateway for a payment page.
func (s *Shop) buy(w http.ResponseWriter, r *http.Request) {
	p, ok := findProduct(r.PathValue("id"))
	if !ok {
		s.problem(w, r, http.StatusNotFound, "There is no such product.")
		return
	}
	form := productPage{
		Product: p, Quantity: quantity(r.PostForm.Get("quantity")), Cards: Cards(), Hold: r.PostForm.Get("hold") != "",
		Name: strings.TrimSpace(r.PostForm.Get("name")), Email: strings.TrimSpace(r.PostForm.Get("email")),
	}
	o := order{
		Number: newNumber(), Amount: p.Amount(form.Quantity), Currency: p.Currency, Product: p, Quantity: form.Quantity,
		Description: fmt.Sprintf("%d x %s", form.Quantity, p.Name), Hold: form.Hold, PlacedAt: s.cfg.Now().UTC(),
	}
	said := s.api.session(r.Context(), &o, s.cfg.Public+"/orders/"+o.Number, payerOf(form))
	var answer struct {
		RedirectURL string `json:"redirect_url"`
	}
	err := said.decode(&answer)
	if err != nil || !webURL(answer.RedirectURL) {
		form.Refused = &said
		s.show(w, r, http.StatusBadGateway, "product.html", page{Title: p.Name, Data: form})
		return
	}
	o.Link, o.Exchanges = answer.RedirectURL, []exchange{said}
	s.orders.add(o)
	s.redirect(w, r, o.Link)
}

func payerOf(form productPage) *wireCustomer {
	if form.Name == "" && form.Email == "" {
		return nil
	}
	return &wireCustomer{form.Name, form.Email}
}

func webURL(text string) bool {
	u, err := url.Parse(text)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != ""
}

// Card is a documented test card: the number is always TestNumber, and the expiry decides.
type Card struct{ Expiry, Outcome string }

// TestNumber is the card number of every test card; any security code goes with it.
const TestNumber = "4111111111111111"

// Cards are the documented test cards.
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
