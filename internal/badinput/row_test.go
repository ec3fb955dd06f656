package badinput_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"strings"

	"github.com/tollgatepay/gateway/gatewaytest"
)

// row is one wrong input: the endpoint, the changes of its valid request, and the whole answer.
type row struct {
	n     int // the input's number in the list of a hundred wrong inputs; 0: not of the list
	at    string
	edits []edit

	status int      // HTTP; 0: 400
	code   int      // of the envelope
	want   []string // texts of errors[], complete and in order; none: only message
	text   string   // message of the envelope, or with html the page's message
	html   bool     // no envelope but a page, or with an empty text any answer
}

// name is the change in words.
func (r *row) name() string {
	says := make([]string, len(r.edits))
	for i, e := range r.edits {
		says[i] = e.says
	}
	return strings.Join(says, ", ")
}

// list makes rows of one endpoint.
func list(at string, rows ...row) []row {
	for i := range rows {
		rows[i].at = at
	}
	return rows
}

// one is a field with a value, and the expected texts; a text that begins with a colon follows the name of the
// field.
func one(n int, path string, value any, texts ...string) row {
	for i, text := range texts {
		if strings.HasPrefix(text, ": ") {
			texts[i] = path + text
		}
	}
	return row{n: n, edits: []edit{set(path, value)}, want: texts}
}

// bad is one entry in errors[] after any change.
func bad(n int, text string, edits ...edit) row { return row{n: n, edits: edits, want: []string{text}} }

// fails is a single error of the catalogue.
func fails(n, code int, text string, edits ...edit) row {
	return row{n: n, edits: edits, code: code, text: text}
}

// shows is an answer that is a page.
func shows(n, status int, text string, edits ...edit) row {
	return row{n: n, edits: edits, status: status, text: text, html: true}
}

// envelope is the error body of all protocols; S2S also has a result.
type envelope struct {
	Result  string `json:"result"`
	Code    *int   `json:"error_code"`
	Message string `json:"error_message"`
	Errors  *[]struct {
		Code    int    `json:"error_code"`
		Message string `json:"error_message"`
	} `json:"errors"`
}

// judge compares the answer and reports everything that is wrong with it.
func (r *row) judge(at *endpoint, got answer) error {
	status := r.status
	if status == 0 {
		status = http.StatusBadRequest
	}
	switch {
	case got.status >= 500:
		return fmt.Errorf("a fault of ours: %d %s", got.status, got.body)
	case got.status != status:
		return fmt.Errorf("status %d, not %d: %.300s", got.status, status, got.body)
	case r.html:
		return r.judgePage(got)
	case at.path == "/sdk/collect":
		return equal(fmt.Sprintf(`{"result":"undefined","message":%q}`, r.text), strings.TrimSpace(got.body))
	}
	var e envelope
	decoder := json.NewDecoder(strings.NewReader(got.body))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&e); err != nil || e.Code == nil || e.Errors == nil || len(got.body) > 8192 {
		return fmt.Errorf("no envelope: %v: %.300s", err, got.body)
	}
	return r.judgeEnvelope(at, e, got.body)
}

func (r *row) judgeEnvelope(at *endpoint, e envelope, text string) error {
	isS2S := strings.Contains(at.path, "/post")
	if isS2S != (e.Result == "ERROR") {
		return fmt.Errorf("result is %q: %s", e.Result, text)
	}
	code, message := r.code, r.text
	if len(r.want) > 0 {
		message = "Request data is invalid."
		if isS2S {
			code = 100000
		}
	}
	want, entries := r.want, 100000
	if !isS2S && len(want) == 0 && r.status != http.StatusNotFound { // decision an
		want, entries = []string{message}, code
		if code == 100000 {
			code, message = 0, "Request data is invalid."
		}
	}
	if *e.Code != code || e.Message != message {
		return fmt.Errorf("not %d %q: %s", code, message, text)
	}
	var said []string
	for _, entry := range *e.Errors {
		if entry.Code != entries {
			return fmt.Errorf("code of an entry: %s", text)
		}
		said = append(said, entry.Message)
	}
	return equal(strings.Join(want, "\n"), strings.Join(said, "\n"))
}

func (r *row) judgePage(got answer) error {
	switch kind := got.header.Get("Content-Type"); {
	case r.text != "" && !strings.HasPrefix(kind, "text/html"):
		return fmt.Errorf("no page but %s", kind)
	case !strings.Contains(got.body, r.text):
		return fmt.Errorf("the page does not say %q: %.2000s", r.text, got.body)
	}
	return nil
}

func equal(want, got string) error {
	if want != got {
		return fmt.Errorf("want %s\ngot  %s", want, got)
	}
	return nil
}

// state is what a refused request must not change.
type state struct {
	records   map[string]string
	calls     int64
	charges   int
	callbacks int
}

func (w *world) state() state {
	return state{w.records(), w.calls.Load(), len(w.Charges(w.t)), len(w.Inbox.All())}
}

func (s state) differs(after state) error {
	switch {
	case after.calls != s.calls || after.charges != s.charges:
		return fmt.Errorf("the acquirer was called %d times", after.calls-s.calls)
	case after.callbacks != s.callbacks:
		return fmt.Errorf("%d callbacks were sent", after.callbacks-s.callbacks)
	case !maps.Equal(s.records, after.records):
		return fmt.Errorf("the store was changed: %d records before, %d after", len(s.records), len(after.records))
	}
	return nil
}

// secretFields are the fields whose values no answer and no log may repeat.
var secretFields = []string{"hash", "card_number", "payer_card_number", "payee_card_number", "card_cvv2",
	"payer_card_cvv2", "cvv", "payment_token"}

// echo finds a secret of the request in a text. Random ids and tokens are removed first, because they may contain
// the three digits of a code; so are the ids of an answer that is no refusal.
func (w *world) echo(r *request, text string, least int) error {
	for _, made := range w.made {
		if made != "" && made != r.header.Get("Token") {
			text = strings.ReplaceAll(text, made, "")
		}
	}
	text = strings.ToLower(text)
	secrets := []string{gatewaytest.Password, r.header.Get("Token")}
	for _, name := range secretFields {
		secrets = append(secrets, r.body.at(name))
	}
	for _, secret := range secrets {
		for _, form := range []string{secret, url.QueryEscape(secret), strings.ReplaceAll(secret, " ", "")} {
			if form = strings.ToLower(form); len(form) >= least && strings.Contains(text, form) {
				return fmt.Errorf("a secret of %d characters came back", len(secret))
			}
		}
	}
	return nil
}

// run sends the row's request and judges everything about it.
func (r *row) run(w *world) error {
	at := w.at[r.at]
	q := at.request(w)
	for _, e := range r.edits {
		e.do(w, q)
	}
	q.sign()
	w.Work(w.t)
	w.log.cut()
	before := w.state()
	opens := w.opens.Load()
	got, err := w.attempt(q)
	if err != nil {
		return err
	}
	opens = w.opens.Load() - opens
	w.Work(w.t)
	complaints := w.log.cut()
	return errors.Join(r.judge(at, got), onlyReads(opens), before.differs(w.state()), w.echo(q, got.body, 3),
		w.echo(q, complaints, 3), quiet(complaints), closed(got.header))
}

// onlyReads reports an error if a refused request opened a write transaction: a refusal must neither wait for other
// writes nor delay them.
func onlyReads(opens int64) error {
	if opens > 0 {
		return fmt.Errorf("the request opened %d write transactions", opens)
	}
	return nil
}

// quiet reports an error if the server or a handler logged one.
func quiet(complaints string) error {
	if strings.Contains(complaints, "server: ") || strings.Contains(complaints, "panic") {
		return fmt.Errorf("complaints: %s", complaints)
	}
	return nil
}

// closed reports an error if a header lets another origin read the answer.
func closed(header http.Header) error {
	for name := range header {
		if strings.HasPrefix(name, "Access-Control-") {
			return fmt.Errorf("header %s", name)
		}
	}
	return nil
}
