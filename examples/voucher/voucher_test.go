package voucher_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/examples/voucher"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/methodstest"
	"github.com/tollgatepay/gateway/methods/rest"
	"github.com/tollgatepay/gateway/store"
)

// acquirer plays both acquirers. It does nothing without authentication.
type acquirer struct {
	*httptest.Server
	mu         sync.Mutex
	payments   map[string]map[string]string // by our key
	references map[string]string            // our key by reference
	effects    map[string]int
	stalled    map[string]bool
	calls      []string
}

func newAcquirer(tb testing.TB) *acquirer {
	a := &acquirer{payments: map[string]map[string]string{}, references: map[string]string{}, effects: map[string]int{},
		stalled: map[string]bool{}}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /vouchers", a.guard("X-API-Key", "key-1", "X-API-Secret", "secret-1", a.redeem))
	mux.HandleFunc("GET /vouchers/{key}", a.guard("X-API-Key", "key-1", "X-API-Secret", "secret-1", a.tell))
	mux.HandleFunc("POST /token", a.guard("", "", "", "", a.token))
	mux.HandleFunc("POST /references", a.guard("Authorization", "token-1", "", "", a.reference))
	mux.HandleFunc("POST /payments", a.guard("Authorization", "token-1", "", "", a.pay))
	mux.HandleFunc("GET /payments/{key}", a.guard("Authorization", "token-1", "", "", a.tell))
	a.Server = httptest.NewServer(mux)
	tb.Cleanup(a.Close)
	return a
}

type handler func(body map[string]string, r *http.Request) (int, map[string]string)

// guard checks two headers and answers in JSON.
func (a *acquirer) guard(name1, want1, name2, want2 string, next handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var body map[string]string
		_ = json.NewDecoder(r.Body).Decode(&body)
		a.mu.Lock()
		stalled := a.stalled[body["key"]]
		a.mu.Unlock()
		if stalled {
			<-r.Context().Done()
			return
		}
		a.mu.Lock()
		defer a.mu.Unlock()
		a.calls = append(a.calls, r.Method+" "+r.URL.Path)
		if r.Header.Get(name1) != want1 || r.Header.Get(name2) != want2 {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		status, answer := next(body, r)
		w.WriteHeader(status)
		_ = json.NewEncoder(w).Encode(answer)
	}
}

// once books under a key the first time and answers the same afterwards.
func (a *acquirer) once(body map[string]string, status string) (int, map[string]string) {
	key := body["key"]
	if a.payments[key] == nil {
		body["id"], body["status"], body["reason"] = "at-acquirer-"+key, status, "Voucher is used up"
		a.payments[key] = body
		if status != "refused" {
			a.effects[key]++
		}
	}
	return http.StatusOK, a.payments[key]
}

func (a *acquirer) redeem(body map[string]string, _ *http.Request) (int, map[string]string) {
	status := "redeemed"
	if body["pin"] != "1234567890123456" {
		status = "refused"
	}
	return a.once(body, status)
}

func (a *acquirer) token(body map[string]string, _ *http.Request) (int, map[string]string) {
	if body["client_id"] != "client-1" || body["client_secret"] != "hush-1" {
		return http.StatusUnauthorized, nil
	}
	return http.StatusOK, map[string]string{"token": "token-1"}
}

func (a *acquirer) reference(body map[string]string, _ *http.Request) (int, map[string]string) {
	a.references["ref-"+body["key"]] = body["key"]
	return http.StatusOK, map[string]string{"reference": "ref-" + body["key"]}
}

func (a *acquirer) pay(body map[string]string, _ *http.Request) (int, map[string]string) {
	if a.references[body["reference"]] != body["key"] {
		return http.StatusUnprocessableEntity, nil
	}
	return a.once(body, "waiting")
}

func (a *acquirer) tell(_ map[string]string, r *http.Request) (int, map[string]string) {
	if p := a.payments[r.PathValue("key")]; p != nil {
		return http.StatusOK, p
	}
	return http.StatusNotFound, nil
}

func api(base string) *rest.Client { return rest.Must(rest.New(base, rest.Options{})) }

func mid() methods.MID {
	return methods.MID{Settings: map[string]string{"client_id": "client-1"}, Secrets: map[string]store.Secret{
		"api_key": store.NewSecret("key-1"), "api_secret": store.NewSecret("secret-1"),
		"client_secret": store.NewSecret("hush-1"),
	}}
}

func sale() methods.Operation {
	return methods.Operation{Kind: store.OpSale, Key: "k", Amount: store.MustAmount("10.00"), Currency: "EUR", MID: mid(),
		Parameters: []byte(`{"pin":"1234567890123456"}`)}
}

// TestContract runs the suite that every connector should pass.
func TestContract(t *testing.T) {
	t.Parallel()
	a := newAcquirer(t)
	pin := func(pin string) func(*methods.Operation) {
		return func(op *methods.Operation) { op.MID, op.Parameters = mid(), []byte(`{"pin":"`+pin+`"}`) }
	}
	t.Run("vouchers", func(t *testing.T) {
		methodstest.Run(t, methodstest.Subject{
			New:     func(testing.TB) methods.Connector { return voucher.Vouchers{API: api(a.URL)} },
			Approve: pin("1234567890123456"),
			Decline: pin("0000000000000000"),
			Stall: func(_ testing.TB, _ methods.Connector, op methods.Operation) {
				a.mu.Lock()
				defer a.mu.Unlock()
				a.stalled[op.Key] = true
			},
			Effects: func(_ testing.TB, _ methods.Connector, op methods.Operation) int {
				a.mu.Lock()
				defer a.mu.Unlock()
				return a.effects[op.Key]
			},
			Without:  []store.Operation{store.OpAuth, store.OpCapture, store.OpVoid, store.OpRefund, store.OpReversal},
			Patience: 5 * time.Second,
		})
	})
}

func TestCash(t *testing.T) {
	t.Parallel()
	a := newAcquirer(t)
	cash, op := voucher.Cash{API: api(a.URL)}, sale()
	require.Equal(t, methods.ResultNotFound, cash.Find(t.Context(), op).Result)
	a.calls = nil
	got := cash.Perform(t.Context(), op)
	require.Equal(t, methods.ResultDisplay, got.Result, got.Cause)
	require.Equal(t, []methods.Detail{{Label: "Reference", Value: "ref-k"}}, got.Display.Details)
	require.True(t, got.Repeats(op))
	require.Equal(t, []string{"POST /token", "POST /references", "POST /payments"}, a.calls)
	require.Equal(t, got.Reference, cash.Perform(t.Context(), op).Reference, "once under one key")
	require.Equal(t, 1, a.effects["k"])
	a.payments["k"]["status"] = "paid"
	require.Equal(t, methods.ResultApproved, cash.Find(t.Context(), op).Result)
}

// TestWrongSecrets: without valid secrets the acquirer has certainly done nothing, and no secret is shown.
func TestWrongSecrets(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"api_key", "api_secret", "client_secret"} {
		a, op := newAcquirer(t), sale()
		op.MID.Secrets[name] = store.NewSecret("wrong-one")
		var connector methods.Connector = voucher.Vouchers{API: api(a.URL)}
		if name == "client_secret" {
			connector = voucher.Cash{API: api(a.URL)}
		}
		got := connector.Perform(t.Context(), op)
		require.Equal(t, methods.ResultNotSent, got.Result, name)
		require.NotContains(t, got.Cause, "wrong-one")
		require.Equal(t, methods.ResultUnknown, connector.(methods.Finder).Find(t.Context(), op).Result)
		require.Empty(t, a.payments)
		require.Len(t, a.calls, 2, "nothing is asked of the acquirer without a token")
	}
}

// TestFailures: a request that may have arrived is unknown; one that cannot have is not sent.
func TestFailures(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name   string
		answer http.HandlerFunc
		want   methods.Result
	}{
		{"500", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(500) }, methods.ResultUnknown},
		{"no JSON", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("<html>")) }, methods.ResultUnknown},
		{"unknown status", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(`{"key":"k","status":"?"}`)) }, methods.ResultUnknown},
		{"too much", func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write([]byte(`{"status":"` + strings.Repeat("x", 70_000) + `"}`))
		}, methods.ResultUnknown},
		{"hangs up", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, methods.ResultUnknown},
		{"elsewhere", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/other", http.StatusTemporaryRedirect)
		}, methods.ResultUnknown},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			s := httptest.NewServer(row.answer)
			defer s.Close()
			got := voucher.Vouchers{API: api(s.URL)}.Perform(t.Context(), sale())
			require.Equal(t, row.want, got.Result, got.Cause)
			require.NotEmpty(t, got.Cause)
			bare := voucher.Cash{API: api(s.URL)}.Perform(t.Context(), sale())
			require.Equal(t, methods.ResultNotSent, bare.Result, "without a token nothing is owed")
		})
	}
	a := newAcquirer(t)
	a.Close()
	closed := voucher.Vouchers{API: api(a.URL)}
	require.Equal(t, methods.ResultNotSent, closed.Perform(t.Context(), sale()).Result, "refused connection")
	require.Equal(t, methods.ResultUnknown, closed.Find(t.Context(), sale()).Result)
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	v, c := voucher.Vouchers{API: api("http://127.0.0.1:1")}, voucher.Cash{API: api("http://127.0.0.1:1")}
	bare, refund := sale(), sale()
	bare.Parameters, refund.Kind = nil, store.OpRefund
	require.Equal(t, "Voucher pin is missing", v.Perform(t.Context(), bare).Reason)
	require.Equal(t, methods.ResultDeclined, v.Perform(t.Context(), refund).Result)
	require.Equal(t, methods.ResultDeclined, c.Perform(t.Context(), refund).Result)
}
