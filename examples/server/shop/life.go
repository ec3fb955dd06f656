package shop

import (
	"net/http"
	"net/url"
	"slices"
)

// listed is how many orders the list shows: each needs a status lookup.
const listed = 25

func (s *Shop) list(w http.ResponseWriter, r *http.Request) {
	found := s.orders.newest(listed)
	rows := make([]row, len(found))
	for i, o := range found {
		rows[i].Order = o
		rows[i].Payment, _, _ = s.api.status(r.Context(), &o)
	}
	s.show(w, r, http.StatusOK, "orders.html", page{Title: "Orders", Live: true, Data: rows})
}

// orderPage is everything about an order.
type orderPage struct {
	row
	Offers    []offer
	Plan      planView
	Asked     []exchange // the request just made
	Callbacks []note
}

func (s *Shop) order(w http.ResponseWriter, r *http.Request) {
	o, ok := s.orders.find(r.PathValue("number"))
	if !ok {
		s.noOrder(w, r)
		return
	}
	data := orderPage{row: row{Order: o}, Callbacks: s.inbox.of(o.Number)}
	var asked exchange
	data.Payment, asked, _ = s.api.status(r.Context(), &o)
	data.Asked = append(data.Asked, asked)
	if o.Plan.ScheduleID != "" {
		data.Plan, asked = s.planView(r.Context(), &o, data.Payment)
		data.Asked = append(data.Asked, asked)
	}
	data.Offers = data.offers()
	slices.Reverse(data.Order.Exchanges)
	s.show(w, r, http.StatusOK, "order.html", page{Title: "Order " + o.Number, Live: true, Data: data})
}

func (s *Shop) noOrder(w http.ResponseWriter, r *http.Request) {
	s.problem(w, r, http.StatusNotFound,
		"There is no such order. The shop forgets its orders when it is restarted; the gateway does not.")
}

// act captures, refunds or voids, or stops and starts a subscription, and shows the exchange on the order's page.
func (s *Shop) act(w http.ResponseWriter, r *http.Request) {
	action := r.PathValue("action")
	o, ok := s.orders.find(r.PathValue("number"))
	_, onPayment := followUps[action]
	_, onPlan := planActions[action]
	onPlan = onPlan && o.Plan.ScheduleID != ""
	if !ok || !onPayment && !onPlan {
		s.noOrder(w, r)
		return
	}
	paid, said, found := s.api.status(r.Context(), &o)
	switch {
	case found && onPlan:
		said = s.actOnPlan(r.Context(), &o, action, paid.RecurringToken)
	case found:
		said = s.api.followUp(r.Context(), action, paid.ID, r.PostForm.Get("amount"))
	}
	s.orders.note(o.Number, said)
	s.redirect(w, r, "/orders/"+o.Number+"#said")
}

// endings are the pages to which a payer returns, by the end of their path.
var endings = map[string]struct{ title, text string }{
	"success": {"Thank you", "Your order is on its way to the packing table."},
	"cancel":  {"Not paid", "The payment was cancelled or declined. Nothing was taken from your card."},
	"expiry":  {"Too late", "The payment page has expired. Please place the order again."},
	"error":   {"We do not know yet", "The outcome of your payment is not known. Please do not pay again; we will tell you."},
}

// endingPage is what a payer sees at the end.
type endingPage struct {
	row
	Heading, Text string
	Hash          string // none, valid or invalid
}

// ending receives the returning payer. It checks the hash of the return and looks up the status: the URL alone
// proves nothing.
func (s *Shop) ending(w http.ResponseWriter, r *http.Request) {
	ending := r.PathValue("ending")
	_, known := endings[ending]
	o, ok := s.orders.find(r.PathValue("number"))
	if !ok || !known {
		s.noOrder(w, r)
		return
	}
	data := endingPage{row: row{Order: o}, Hash: s.returnHash(&o, r.URL.Query())}
	data.Payment, _, _ = s.api.status(r.Context(), &o)
	s.showEnding(w, r, data, ending)
}

// showEnding selects the texts for an ending.
func (s *Shop) showEnding(w http.ResponseWriter, r *http.Request, data endingPage, ending string) {
	data.Heading, data.Text = endings[ending].title, endings[ending].text
	if data.Hash == "invalid" || ending == "success" && !paid(data.Payment.Status) {
		data.Heading, data.Text = "We are checking your payment",
			"The data that your browser brought back does not prove a payment. Only the gateway's status does."
	}
	s.show(w, r, http.StatusOK, "ending.html", page{Title: data.Heading, Data: data})
}

// returnHash checks the hash of a return against the order as it was placed. A payer who never tried to pay, or
// came too late, has none.
func (s *Shop) returnHash(o *order, query url.Values) string {
	hash := query.Get("hash")
	switch {
	case hash == "" && query.Get("payment_id") == "":
		return "none"
	case query.Get("order_id") == o.Number && s.seller.verify(o.signed(query.Get("payment_id")), hash):
		return "valid"
	}
	return "invalid"
}
