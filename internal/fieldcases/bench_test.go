package fieldcases_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/checkout"
	"github.com/tollgatepay/gateway/checkout/page"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/hpf"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/s2s"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/memory"
)

const (
	pan     = "4111111111111111"
	email   = "doe@example.com"
	channel = "channel-00000016" // the longest one allowed
)

// bench is a gateway with every endpoint, which counts writes and calls of the acquirer.
type bench struct {
	*gatewaytest.Kit
	t      *testing.T
	mux    *http.ServeMux
	writes int
	calls  int
	orders int
	header http.Header       // of the endpoint
	kept   map[string]string // the subjects of requests
}

func newBench(t *testing.T) *bench {
	t.Helper()
	b := &bench{t: t, kept: map[string]string{}, header: http.Header{}, mux: http.NewServeMux()}
	b.Kit = gatewaytest.On(t, counting{memory.New(), &b.writes}, func(cfg *gateway.Config) {
		cfg.Crypto = []methods.Currency{{Code: "USDT", Exponent: 6}, {Code: "BTC", Exponent: 8}}
		cfg.Connectors = map[string]methods.Connector{"vcard": asked{cfg.Connectors["vcard"].(*vcard.Connector), &b.calls}}
		cfg.Quoter = noTax{}
	})
	for _, mid := range []store.MID{
		{ID: "live", Name: "Live", MOTO: true, ZeroAmount: true},
		{ID: "named", Name: "Named", MOTO: true, ZeroAmount: true, ChannelID: channel, Priority: 1},
	} {
		mid.MerchantID, mid.Connector = gatewaytest.MerchantID, "vcard"
		require.NoError(t, b.SaveMID(t.Context(), mid))
	}
	checkout.Register(b.mux, b.Gateway)
	s2s.Register(b.mux, b.Gateway)
	hpf.Register(b.mux, b.Gateway, hpf.Options{})
	page.Register(b.mux, b.Gateway, page.Options{})
	return b
}

// counting is a store that counts writes.
type counting struct {
	store.Store
	writes *int
}

func (c counting) Update(ctx context.Context, fn func(store.Tx) error) error {
	return c.Store.Update(ctx, func(tx store.Tx) error { return fn(countedTx{tx, c.writes}) })
}

type countedTx struct {
	store.Tx
	writes *int
}

func (c countedTx) Put(key, value []byte) error    { *c.writes++; return c.Tx.Put(key, value) }
func (c countedTx) Insert(key, value []byte) error { *c.writes++; return c.Tx.Insert(key, value) }
func (c countedTx) Delete(key []byte) error        { *c.writes++; return c.Tx.Delete(key) }

// asked is the test acquirer that counts its operations.
type asked struct {
	*vcard.Connector
	calls *int
}

func (a asked) Perform(ctx context.Context, op methods.Operation) methods.Answer {
	*a.calls++
	return a.Connector.Perform(ctx, op)
}

// noTax answers every request for a tax with none.
type noTax struct{}

func (noTax) Quote(context.Context, gateway.QuoteRequest) (gateway.Quote, error) {
	return gateway.Quote{}, nil
}

// body is a request by the paths of its fields: dotted in JSON, with brackets in forms.
type body map[string]any

// with is the body with other values; absent removes a field and its members.
func (b body) with(pairs ...any) body {
	b = maps.Clone(b)
	for i := 0; i < len(pairs); i += 2 {
		name := pairs[i].(string)
		maps.DeleteFunc(b, func(key string, _ any) bool {
			return key == name || strings.HasPrefix(key, name+".") || strings.HasPrefix(key, name+"[")
		})
		if pairs[i+1] != absent {
			b[name] = pairs[i+1]
		}
	}
	return b
}

type missing struct{}

// absent is the value of a field that is not sent.
var absent any = missing{}

func (b body) json() string {
	tree := map[string]any{}
	for name, value := range b {
		at, steps := tree, strings.Split(name, ".")
		for _, step := range steps[:len(steps)-1] {
			next, ok := at[step].(map[string]any)
			if !ok {
				next = map[string]any{}
				at[step] = next
			}
			at = next
		}
		at[steps[len(steps)-1]] = copied(value)
	}
	text, err := json.Marshal(listed(tree))
	if err != nil {
		panic(err)
	}
	return string(text)
}

// copied is a deep copy, because parallel tests share the tables.
func copied(value any) any {
	tree, ok := value.(map[string]any)
	if !ok {
		return value
	}
	own := make(map[string]any, len(tree))
	for name := range tree {
		own[name] = copied(tree[name])
	}
	return own
}

// listed makes a list of an object with the single key 0.
func listed(value any) any {
	tree, ok := value.(map[string]any)
	if !ok {
		return value
	}
	if only, ok := tree["0"]; ok && len(tree) == 1 {
		return []any{listed(only)}
	}
	for name := range tree {
		tree[name] = listed(tree[name])
	}
	return tree
}

func (b body) form() string {
	form := url.Values{}
	for name, value := range b {
		switch value := value.(type) {
		case map[string]any:
			for key, inner := range value {
				form.Set(name+"["+key+"]", fmt.Sprint(inner))
			}
		case []any:
			for _, inner := range value {
				form.Add(name+"[]", fmt.Sprint(inner))
			}
		default:
			form.Set(name, fmt.Sprint(value))
		}
	}
	return form.Encode()
}

// post sends a body as it is, and returns the status and the answer.
func (b *bench) post(method, path, kind, text string) (status int, answer string) {
	call := httptest.NewRequest(method, path, strings.NewReader(text))
	call.Header = b.header.Clone()
	call.Header.Set("Content-Type", kind)
	call.RemoteAddr = "203.0.113.7:4711"
	w := httptest.NewRecorder()
	b.mux.ServeHTTP(w, call)
	return w.Code, w.Body.String()
}

// order is a new order number. Enough time passes that no request counts as repeated.
func (b *bench) order() string {
	b.Clock.Set(b.Clock.Now().Add(20 * time.Second))
	b.orders++
	return fmt.Sprintf("ORD-%05d", b.orders)
}

// once makes the subject of requests when it is first needed.
func (b *bench) once(name string, create func() string) string {
	if _, ok := b.kept[name]; !ok {
		b.kept[name] = create()
		b.Clock.Set(b.Clock.Now().Add(20 * time.Second))
	}
	return b.kept[name]
}

// s2s sends a signed action, requires that it is accepted, and returns the named field of the answer.
func (b *bench) s2s(sign func(body) string, field string, request body) string {
	b.t.Helper()
	status, text := b.post("POST", "/post", formType, request.with("hash", sign(request)).form())
	require.Equal(b.t, 200, status, text)
	var answer map[string]any
	require.NoError(b.t, json.Unmarshal([]byte(text), &answer))
	value, ok := answer[field].(string)
	require.True(b.t, ok, text)
	return value
}
