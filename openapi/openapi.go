// Package openapi describes the wire protocols as an OpenAPI 3.1 document. It is made from the tables by which requests
// are checked and answers and callbacks are written, so it says what this version of the module does.
//
//	mux.Handle("GET /openapi.json", openapi.Handler())
package openapi

//go:generate go test ../refusal -run ^TestCatalogue$ -rewrite
//go:generate go test . -run ^TestDocument$ -rewrite

import (
	"net/http"
	"sync"

	"github.com/tollgatepay/gateway/callback"
	"github.com/tollgatepay/gateway/checkout"
	"github.com/tollgatepay/gateway/contract"
	"github.com/tollgatepay/gateway/hpf"
	"github.com/tollgatepay/gateway/internal/release"
	"github.com/tollgatepay/gateway/s2s"
	"github.com/tollgatepay/gateway/store"
)

// Handler serves the document as JSON. It tells nothing of a merchant, and may be open to everybody.
func Handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		_, _ = w.Write(document())
	})
}

// Document returns the document as JSON, indented. The caller may change it.
func Document() []byte { return append([]byte(nil), document()...) }

var document = sync.OnceValue(func() []byte { return encode(newWriter().document()) })

// writer collects the components that calls share.
type writer struct {
	calls     []contract.Call
	schemas   object
	responses object
	examples  object
}

// content is a body of one type.
func content(media string, parts object) object { return object{{media, parts}} }

func newWriter() *writer {
	w := &writer{}
	w.calls = append(append(append(w.calls, checkout.Contract()...), hpf.Contract()...), s2s.Contract()...)
	return w
}

const about = `Requests of Checkout and Hosted Payment Fields are JSON; those of S2S are forms, where an object is
written with brackets (custom_data[key]=value, to any depth) and multipart/form-data is taken too.
An empty text and null count as not sent, unless a field says otherwise. Unknown fields are ignored
in requests, and have to be ignored in answers and callbacks. Every request has a hash; x-signatures
has its formula, in which a . b is a followed by b, rev reverses bytes, upper writes capitals, card
is the first six and the last four digits of the card number, H is MD5 (or SHA-256 where the
Protocol Mapping says so) in hex, and sha1 is SHA-1 of that hex text. x-since is the release that
brought a request, a field or an error, where that is not ` + release.First + `.`

func (w *writer) document() object {
	paths := w.paths()
	hooks := object{}
	for _, protocol := range store.Protocols() {
		hooks.add(hookNames[protocol], w.webhook(protocol))
	}
	w.refusals()
	return object{
		{"openapi", "3.1.0"},
		{"jsonSchemaDialect", "https://json-schema.org/draft/2020-12/schema"},
		{"info", object{{"title", "Tollgate"}, {"version", "1"}, {"description", oneLine(about)},
			{"license", object{{"name", "Apache License 2.0"}, {"identifier", "Apache-2.0"}}}}},
		{"servers", []any{object{{"url", "http://localhost:8080"},
			{"description", "the demo server, go run ./examples/server"}}}},
		{"security", []any{object{}}},
		{"tags", tags()},
		{"paths", paths},
		{"webhooks", hooks},
		{"components", object{{"schemas", w.schemas}, {"responses", w.responses}, {"examples", w.examples}}},
	}
}

func tags() (list []any) {
	for _, p := range []contract.Protocol{contract.Checkout, contract.Hosted, contract.S2SCard, contract.S2SAPM} {
		list = append(list, object{{"name", string(p)}})
	}
	return list
}

// hookNames are the names of the webhooks.
var hookNames = map[store.Protocol]string{
	store.Checkout: "checkoutCallback", store.S2SCard: "s2sCardCallback", store.S2SAPM: "s2sApmCallback",
}

// webhook describes the callbacks of a protocol.
func (w *writer) webhook(protocol store.Protocol) object {
	name := "Callback." + string(protocol)
	w.schemas.add(name, callbackSchema(protocol))
	return object{{"post", object{
		{"operationId", hookNames[protocol]},
		{"summary", "A callback to the merchant"},
		{"description", "Check the hash, then compare with the order. Answer HTTP 200 with the body OK."},
		{"requestBody", object{{"required", true}, {"content", content(formType, object{
			{"schema", ref("schemas", name)}, {"encoding", encodings(trees(callback.Parameters(protocol)))}})}}},
		{"responses", object{{"200", object{{"description", "acknowledged by the body OK"},
			{"content", content("text/plain", object{{"schema", object{{"type", "string"}, {"const", "OK"}}}})}}}}},
		{"x-signatures", signatures(callback.Formulas(protocol))},
	}}}
}

func callbackSchema(protocol store.Protocol) object {
	properties, required := object{}, []any{}
	for _, p := range callback.Parameters(protocol) {
		schema := object{{"type", "string"}}
		if p.Tree {
			schema = object{{"type", "object"}}
		}
		if p.When != "" {
			schema.add("description", "Sent: "+p.When+".")
		}
		if before := properties.at(p.Name); before != nil {
			before.append("description", " Sent: "+p.When+".")
			continue
		}
		addSince(&schema, p.Since)
		if p.Name == "action" {
			schema.add("enum", anys(callback.Actions(protocol)))
		}
		if p.Always {
			required = append(required, p.Name)
		}
		properties.add(p.Name, schema)
	}
	return object{{"type", "object"}, {"properties", properties}, {"required", required}}
}

func trees(list []callback.Parameter) (names []string) {
	for _, p := range list {
		if p.Tree {
			names = append(names, p.Name)
		}
	}
	return names
}
