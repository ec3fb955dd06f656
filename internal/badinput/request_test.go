package badinput_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/tollgatepay/gateway/callback/signature"
	"github.com/tollgatepay/gateway/gatewaytest"
)

// request is a valid request, to be changed by edits.
type request struct {
	at      *endpoint
	method  string
	path    string
	header  http.Header
	body    object
	extra   []pair  // of a form: additional pairs, which may repeat names
	raw     *string // instead of the body
	chunked bool    // sent without a Content-Length
}

type pair struct{ name, value string }

// toSign is replaced by the right hash.
const toSign = "(hash)"

func (r *request) sign() {
	if r.body["hash"] == toSign && r.at.sign != nil {
		r.body["hash"] = r.at.sign(r.body, signature.MD5, gatewaytest.Password)
	}
}

func (r *request) text() string {
	switch {
	case r.raw != nil:
		return *r.raw
	case r.at.form:
		return encodeForm(r.body, r.extra)
	case r.body == nil:
		return ""
	}
	return r.body.text()
}

// object is a JSON object that can be made invalid; its members are written in order.
type object map[string]any

// verbatim is JSON to be written as it is, valid or not.
type verbatim string

// with is a copy with values at dotted paths.
func (o object) with(pairs ...any) object {
	copied := o.clone()
	for i := 0; i < len(pairs); i += 2 {
		copied.set(pairs[i].(string), pairs[i+1], true)
	}
	return copied
}

func (o object) clone() object {
	copied := maps.Clone(o)
	for name, value := range copied {
		if inner, ok := value.(object); ok {
			copied[name] = inner.clone()
		}
	}
	return copied
}

// set sets a field. In JSON a path is split at its dots; names of forms are not.
func (o object) set(path string, value any, dotted bool) {
	names := []string{path}
	if dotted {
		names = strings.Split(path, ".")
	}
	for _, name := range names[:len(names)-1] {
		inner, ok := o[name].(object)
		if !ok {
			inner = object{}
			o[name] = inner
		}
		o = inner
	}
	if value == nil {
		delete(o, names[len(names)-1])
		return
	}
	o[names[len(names)-1]] = value
}

func (o object) text() string {
	members := make([]string, 0, len(o))
	for _, name := range slices.Sorted(maps.Keys(o)) {
		members = append(members, quote(name)+":"+encoded(o[name]))
	}
	return "{" + strings.Join(members, ",") + "}"
}

func encoded(value any) string {
	switch v := value.(type) {
	case verbatim:
		return string(v)
	case object:
		return v.text()
	}
	return quote(value)
}

func quote(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// at is the text of a field, also one within an object.
func (o object) at(path string) string {
	names := strings.Split(path, ".")
	for _, name := range names[:len(names)-1] {
		inner, _ := o[name].(object)
		o = inner
	}
	text, _ := o[names[len(names)-1]].(string)
	return text
}

// edit is one change of a request, and its name in the test.
type edit struct {
	says string
	do   func(w *world, r *request)
}

// set sets a field: a string, a number, verbatim JSON.
func set(path string, value any) edit {
	return edit{fmt.Sprintf("%s := %s", path, brief(encoded(value))),
		func(_ *world, r *request) { r.body.set(path, value, !r.at.form) }}
}

// drop removes a field.
func drop(path string) edit {
	return edit{path + " dropped", func(_ *world, r *request) { r.body.set(path, nil, !r.at.form) }}
}

// from sets a field to a value of the world, such as another payment's id.
func from(path, name string, value func(w *world) string) edit {
	return edit{path + " := " + name, func(w *world, r *request) { r.body.set(path, value(w), !r.at.form) }}
}

// also adds a pair to a form.
func also(name, value string) edit {
	return edit{fmt.Sprintf("%s=%s besides", brief(name), brief(value)),
		func(_ *world, r *request) { r.extra = append(r.extra, pair{name, value}) }}
}

// header sets a header; an empty value removes it.
func header(name, value string) edit {
	return edit{name + ": " + brief(value), func(_ *world, r *request) {
		r.header.Set(name, value)
		if value == "" {
			r.header.Del(name)
		}
	}}
}

// body is sent instead of the valid one.
func body(says, text string) edit {
	return edit{"body " + says, func(_ *world, r *request) { r.raw = &text }}
}

// spoiled changes the valid body as it is written.
func spoiled(says string, change func(valid string) string) edit {
	return edit{"body " + says, func(_ *world, r *request) {
		r.sign()
		text := change(r.text())
		r.raw = &text
	}}
}

// path replaces the endpoint's path; %s stands for the token.
func path(to string) edit {
	return edit{"path " + brief(to), func(w *world, r *request) {
		r.path = strings.ReplaceAll(to, "{link}", w.made["link"])
	}}
}

func method(name string) edit {
	return edit{"by " + name, func(_ *world, r *request) { r.method = name }}
}

// Edits of the hash. signed signs the current fields: later edits are not covered.
var (
	signed  = edit{"signed before", func(_ *world, r *request) { r.sign() }}
	chunked = edit{"in chunks", func(_ *world, r *request) { r.chunked = true }}
)

// hashed changes the right hash.
func hashed(says string, change func(string) string) edit {
	return edit{"hash " + says, func(_ *world, r *request) {
		r.sign()
		r.body["hash"] = change(r.body.at("hash"))
	}}
}

// signedBy signs with another password or mode.
func signedBy(says string, mode signature.Mode, password string) edit {
	return edit{"signed " + says, func(_ *world, r *request) { r.body["hash"] = r.at.sign(r.body, mode, password) }}
}

func brief(text string) string {
	if len(text) > 48 {
		return fmt.Sprintf("%.40s… (%d bytes)", text, len(text))
	}
	return text
}
