package fieldcases_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const (
	jsonType = "application/json"
	formType = "application/x-www-form-urlencoded"
)

// door is an accepted request, with the table of its fields.
type door struct {
	name   string
	method string
	path   string
	form   bool
	base   func(*bench) body
	sign   func(body) string   // nil for requests without a hash
	token  func(*bench) string // of the header Token
	spends bool                // an accepted request uses up its subject
	closed bool                // the subject's state refuses every request: only malformed values can be tested
	fields []field
}

// subject is the name of the requests' subject, until one of them uses it up.
const subject = "subject"

// TestFields sends every value of every field of every request, one at a time.
func TestFields(t *testing.T) {
	t.Parallel()
	for _, d := range slices.Concat(sessionDoors, hostedDoors, followUpDoors, cardDoors, cardFollowUpDoors,
		scheduleDoors, closedDoors, apmDoors, parameterDoors) {
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			if !d.closed {
				require.NoError(t, d.try(b, field{}, try{ok: true}), "the request itself")
			}
			for _, x := range d.fields {
				for _, c := range d.tries(x) {
					if err := d.try(b, x, c); err != nil {
						t.Errorf("%s = %.60v %.60v: %v", x.name, c.value, c.with, err)
					}
				}
			}
		})
	}
}

// tries are the values of the field, and the missing one: not sent, empty, and null in JSON (decision m).
func (d door) tries(x field) []try {
	list := x.tries
	for _, value := range []any{absent, "", nil} {
		if value == nil && d.form || x.own {
			continue
		}
		if x.need {
			list = append(list[:len(list):len(list)], try{value: value, says: blank})
		} else if !d.closed {
			list = append(list[:len(list):len(list)], try{value: value, ok: true})
		}
	}
	if x.typed && !d.form {
		list = append(list[:len(list):len(list)], try{value: true})
	}
	return list
}

// try sends one value and reports what is wrong with the answer.
func (d door) try(b *bench, x field, c try) error {
	request := d.base(b).with(x.with...).with(c.with...)
	if x.name != "" {
		request = request.with(x.name, c.value)
	}
	for name, value := range request {
		if value == monthly {
			request[name] = b.schedule()
		}
	}
	if d.sign != nil && x.name != "hash" {
		request = request.with("hash", d.sign(request))
	}
	if d.token != nil {
		b.header.Set("Token", d.token(b))
	}
	b.writes, b.calls = 0, 0
	kind, text := jsonType, ""
	if d.form {
		kind, text = formType, request.form()
	} else {
		text = request.json()
	}
	status, answer := b.post(d.method, d.path, kind, text)
	if c.ok {
		if d.spends {
			delete(b.kept, subject)
		}
		return taken(status, answer)
	}
	if status == 200 {
		if d.spends {
			delete(b.kept, subject)
		}
		return fmt.Errorf("taken: %.300s", answer)
	}
	if b.writes+b.calls > 0 {
		return fmt.Errorf("%d writes and %d calls for a refusal", b.writes, b.calls)
	}
	return d.refused(x, c, status, answer)
}

type envelope struct {
	Result  string
	Code    int    `json:"error_code"`
	Message string `json:"error_message"`
	Errors  []struct {
		Code    int    `json:"error_code"`
		Message string `json:"error_message"`
	}
}

func taken(status int, answer string) error {
	var e envelope
	if err := json.Unmarshal([]byte(answer), &e); err != nil && !strings.HasPrefix(answer, "[") {
		return err
	}
	if status != 200 || e.Result == "ERROR" {
		return fmt.Errorf("%d: %.300s", status, answer)
	}
	return nil
}

// refused reports what is wrong with the envelope of a refusal, which must name only this field.
func (d door) refused(x field, c try, status int, answer string) error {
	var e envelope
	if err := json.Unmarshal([]byte(answer), &e); err != nil {
		return err
	}
	result, code := "", 0
	if d.form {
		result, code = "ERROR", 100000
	}
	head := status == 400 && e.Result == result && e.Code == code && e.Message == "Request data is invalid."
	if !head || len(e.Errors) == 0 {
		return fmt.Errorf("not the envelope: %d %.300s", status, answer)
	}
	if whole, ok := strings.CutPrefix(c.says, bare); ok {
		if len(e.Errors) != 1 || e.Errors[0].Message != whole {
			return fmt.Errorf("says not %q: %.300s", whole, answer)
		}
		return nil
	}
	name, found := x.name, c.says == ""
	if x.under != "" {
		name = x.under
	}
	for _, entry := range e.Errors {
		rest, ok := strings.CutPrefix(entry.Message, name)
		if !ok || entry.Code != 100000 || !strings.ContainsAny(rest[:min(1, len(rest))], ":[.") {
			return fmt.Errorf("another field is named: %.300s", answer)
		}
		found = found || rest == ": "+c.says
	}
	if !found {
		return fmt.Errorf("says not %q: %.300s", c.says, answer)
	}
	return nil
}
