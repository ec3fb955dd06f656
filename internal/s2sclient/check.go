package s2sclient

import (
	"cmp"
	"encoding/json"
	"mime"
	"net/http"
	"strings"
)

// Check compares an answer with the documents and returns what is wrong, nil if nothing is: envelope of an
// error, or result, status and fields of the action, echoes of what was sent, formats, order.
func Check(a *Answer) []string {
	var f findings
	if media, _, _ := mime.ParseMediaType(a.Header.Get("Content-Type")); media != "application/json" {
		f.add("Content-Type is %q", a.Header.Get("Content-Type"))
	}
	switch {
	case a.Body == nil:
		f.add("HTTP %d and no JSON object: %s", a.HTTP, a.Fault)
	case a.Result() == "ERROR":
		f.refusal(a)
	default:
		f.answer(a)
	}
	return f
}

func (f *findings) answer(a *Answer) {
	if a.HTTP != http.StatusOK {
		f.add("result %s with HTTP %d", a.Result(), a.HTTP)
	}
	sent, action := a.Sent["action"], a.Body.Text("action")
	if action != sent && !(sent == "AUTH" && action == "SALE") {
		f.add("action is %q, sent was %q", action, sent)
	}
	s, found := find(answers, a.Payment.Protocol, sent, a.Result())
	if !found {
		f.add("result %q is not documented for %s %s", a.Result(), a.Payment.Protocol, sent)
		return
	}
	f.shape(a.Body, a.waived(s), "action result")
	f.formats(a.Body)
	f.echoes(a.Body, a.Payment)
	f.followed(a)
	f.held(a.Body, a.Payment)
	f.declined(a.Body)
	f.total(a.Body)
	f.texts(a)
	f.order(a)
	f.redirect(a)
	f.details(a)
}

// waived are mandatory fields that one request cannot have: an amount if none was sent, and the target of a
// redirect if a QR code replaces it.
func (a *Answer) waived(s shape) shape {
	if a.Payment.Crypto && a.Payment.Amount == "" {
		s = s.without("amount")
	}
	if params, ok := a.Body.Get("redirect_params"); ok {
		if object, ok := params.(*Object); ok && object.Text("qr_code") != "" {
			s = s.without("redirect_url redirect_method")
		}
	}
	if a.Body.Text("status") == "PENDING" && a.Payment.Crypto && a.Payment.Protocol == APM && a.Sent["action"] == "SALE" {
		s.fields += " crypto_address crypto_network"
	}
	return s
}

// followed checks the echoes of a follow-up: its trans_id, its schedule and its amount.
func (f *findings) followed(a *Answer) {
	for _, name := range []string{"trans_id", "order_id"} {
		want, got := a.Sent[name], a.Body.Text(name)
		known := name == "order_id" && a.Payment.OrderID != "" // echoes has compared it
		another := name == "trans_id" && a.Cascading && a.Body.Text("order_id") == a.Payment.OrderID
		if got != "" && want != "" && got != want && !known && !another {
			f.add("%s is %q, sent was %q", name, got, want)
		}
	}
	want := a.Payment.Amount
	if a.Sent["action"] == "CAPTURE" {
		want = cmp.Or(a.Sent["amount"], want)
	}
	if !strings.HasPrefix(a.Sent["action"], "GET_TRANS_") { // a part may have been captured
		f.amount(a.Body, want)
	}
}

// texts checks that empty values are omitted and that texts are texts. Only SCHEDULE_INFO has numbers and a null.
func (f *findings) texts(a *Answer) {
	for _, m := range a.Body.Members {
		switch v := m.Value.(type) {
		case nil:
			if m.Name != "delays" {
				f.add("%s is null", m.Name)
			}
		case string:
			if v == "" && m.Name != "arn" {
				f.add("%s is empty and not omitted", m.Name)
			}
		case bool:
			f.add("%s is a boolean", m.Name)
		case json.Number:
			if has("action result status order_id trans_id currency trans_date card_token recurring_token", m.Name) {
				f.add("%s is a number", m.Name)
			}
		}
	}
	if paused := a.Body.Text("paused"); a.Sent["action"] == "SCHEDULE_INFO" && paused != "Y" && paused != "N" {
		f.add("paused is %q, not Y or N", paused)
	}
}

// order checks the order of fields as far as samples show it.
func (f *findings) order(a *Answer) {
	names := []string{"action", "result", "status", "order_id", "trans_id"}
	if has("SALE AUTH RECURRING_SALE", a.Sent["action"]) {
		names = append(names, "trans_date", "descriptor", "amount", "currency")
	}
	if !a.Body.InOrder(names...) {
		f.add("order of fields is %s", strings.Join(a.Body.Names(), ", "))
	}
}
