package s2sclient

import (
	"fmt"
	"math/big"
	"net/url"
	"regexp"
	"strings"
)

// record is an answer or a callback, read by its top-level names.
type record interface {
	Names() []string
	Text(name string) string
}

// findings collects what is wrong.
type findings []string

func (f *findings) add(format string, args ...any) { *f = append(*f, fmt.Sprintf(format, args...)) }

// shape checks the status and the fields against a row. Always names what every such record also has.
func (f *findings) shape(r record, s shape, always string) {
	status := r.Text("status")
	if s.statuses == "" && has(strings.Join(r.Names(), " "), "status") {
		f.add("%s/%s has no status, got %q", r.Text("action"), s.result, status)
	}
	if s.statuses != "" && !has(s.statuses, status) {
		f.add("%s/%s has status %q, the documents allow: %s", r.Text("action"), r.Text("result"), status, s.statuses)
	}
	listed := map[string]bool{}
	for word := range strings.FieldsSeq(always + " " + s.fields) {
		name, absent := strings.CutSuffix(word, "?")
		listed[name] = listed[name] || !absent
	}
	listed["status"] = s.statuses != ""
	present := map[string]bool{}
	for _, name := range r.Names() {
		present[name] = true
		if _, ok := listed[name]; !ok {
			f.add("%s is not a field of %s/%s", name, r.Text("action"), r.Text("result"))
		}
	}
	for word := range strings.FieldsSeq(always + " status " + s.fields) {
		if name := strings.TrimSuffix(word, "?"); listed[name] && !present[name] {
			f.add("%s is missing from %s/%s", name, r.Text("action"), r.Text("result"))
			present[name] = true // once is enough
		}
	}
}

// without removes names from a row's mandatory fields.
func (s shape) without(names string) shape {
	var b strings.Builder
	for word := range strings.FieldsSeq(s.fields) {
		if has(names, word) {
			word += "?"
		}
		b.WriteString(word + " ")
	}
	s.fields = b.String()
	return s
}

// form is a row of the table of formats.
type form struct {
	names   string
	pattern *regexp.Regexp
	what    string
}

var forms = []form{
	{"trans_date creditvoid_date chargeback_date bank_date",
		regexp.MustCompile(`^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$`), "YYYY-MM-DD HH:MM:SS"},
	{"amount commission total_amount", regexp.MustCompile(`^\d+(\.\d+)?$`), "a decimal number"},
	{"currency", regexp.MustCompile(`^[A-Za-z]{3,6}$`), "a currency code"},
	{"card", regexp.MustCompile(`^\d{6}\*{6}\d{4}$`), "six digits, six asterisks, four digits"},
	{"card_expiration_date", regexp.MustCompile(`^(0[1-9]|1[0-2])/\d{4}$`), "MM/YYYY"},
	{"redirect_method", regexp.MustCompile(`^(GET|POST)$`), "GET or POST"},
	{"hash", regexp.MustCompile(`^([0-9a-f]{32}|[0-9a-f]{64})$`), "a lower-case digest"},
}

// formats checks how values are written.
func (f *findings) formats(r record) {
	for _, name := range r.Names() {
		value := r.Text(name)
		for _, row := range forms {
			if has(row.names, name) && !row.pattern.MatchString(value) {
				f.add("%s is %q, not %s", name, value, row.what)
			}
		}
		if name == "redirect_url" {
			if u, err := url.Parse(value); err != nil || u.Host == "" {
				f.add("redirect_url is no absolute URL")
			}
		}
	}
}

// echoes checks that a record repeats what was sent for its payment.
func (f *findings) echoes(r record, p Payment) {
	wants := []struct{ name, want string }{
		{"order_id", p.OrderID}, {"currency", p.Currency}, {"digital_wallet", p.Wallet},
		{"card_expiration_date", p.Expiry}, {"schedule_id", p.Sent["schedule_id"]},
	}
	for _, w := range wants {
		if got := r.Text(w.name); got != "" && w.want != "" && got != w.want {
			f.add("%s is %q, sent was %q", w.name, got, w.want)
		}
	}
	if card := r.Text("card"); p.Card != "" && card != "" && ends(card) != ends(p.Card) {
		f.add("card %s is not the card that paid", card)
	}
	if r.Text("digital_wallet") != "" && p.Sent != nil && p.Wallet == "" {
		f.add("digital_wallet where none was sent")
	}
	f.tokens(r, p)
}

// tokens checks that tokens come only if they were requested.
func (f *findings) tokens(r record, p Payment) {
	if p.Sent == nil || p.Protocol == APM {
		return
	}
	if r.Text("recurring_token") != "" && p.Sent["recurring_init"] != "Y" && !strings.HasPrefix(p.Action, "RECURRING_") {
		f.add("recurring_token without recurring_init=Y")
	}
	if r.Text("card_token") != "" && p.Sent["req_token"] != "Y" && p.Sent["card_token"] == "" {
		f.add("card_token without req_token=Y")
	}
}

// amount checks that a record repeats an amount; the number counts, not how it is written.
func (f *findings) amount(r record, want string) {
	got := r.Text("amount")
	if got == "" || want == "" || sameNumber(got, want) {
		return
	}
	f.add("amount is %s, sent was %s", got, want)
}

func sameNumber(a, b string) bool {
	x, okX := new(big.Rat).SetString(a)
	y, okY := new(big.Rat).SetString(b)
	return okX && okY && x.Cmp(y) == 0
}

// total checks total_amount = amount + commission.
func (f *findings) total(r record) {
	amount, okA := new(big.Rat).SetString(r.Text("amount"))
	commission, okC := new(big.Rat).SetString(r.Text("commission"))
	if okA && okC && !sameNumber(r.Text("total_amount"), amount.Add(amount, commission).RatString()) {
		f.add("total_amount %s is not amount and commission", r.Text("total_amount"))
	}
}

// held checks the statuses that depend on auth: a hold succeeds as PENDING, and only a hold is undefined as
// PENDING; on S2S CARD it is never undefined as PREPARE.
func (f *findings) held(r record, p Payment) {
	if p.Sent == nil || !has("SALE AUTH RECURRING_SALE", p.Action) || !has("SALE AUTH RECURRING_SALE", r.Text("action")) {
		return
	}
	hold := p.Sent["auth"] == "Y" || p.Action == "AUTH"
	status, result := r.Text("status"), r.Text("result")
	switch {
	case hold && result == "SUCCESS" && status != "PENDING":
		f.add("auth=Y succeeded as %s, not PENDING", status)
	case hold && p.Protocol == CARD && result == "UNDEFINED" && status == "PREPARE":
		f.add("UNDEFINED/PREPARE with auth=Y, not PENDING")
	case !hold && result == "UNDEFINED" && status == "PENDING":
		f.add("UNDEFINED/PENDING without auth=Y")
	case !hold && p.Protocol == APM && !p.Crypto && result == "SUCCESS" && status == "PENDING":
		f.add("SUCCESS/PENDING of an APM sale that is neither crypto nor auth=Y")
	}
}

// declined checks that a reason for declining comes with a decline only.
func (f *findings) declined(r record) {
	has := r.Text("decline_reason") != ""
	if status := r.Text("status"); strings.HasPrefix(r.Text("action"), "GET_TRANS_") && has != (status == "DECLINED") {
		f.add("decline_reason present is %t with status %s", has, status)
	}
}
