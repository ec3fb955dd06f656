package page_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/checkout/page"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

const token = "s1.Zm9v-_~"

var noon = time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC)

// kernel is a fake gateway that returns one action and records its calls.
type kernel struct {
	next     gateway.NextAction
	turnErr  error
	payErr   error
	leaveErr error
	backURL  string
	backErr  error
	noteErr  error

	askErr error
	public string

	after       *gateway.NextAction // the action after a payment, if it differs
	identity    *gateway.WalletIdentity
	identityErr error

	paid     []gateway.Submission
	answered []map[string]string
	left     int
	returned []methods.Return
	notes    []methods.Note
}

func (k *kernel) NextAction(_ context.Context, got string) (*gateway.NextAction, error) {
	if got != token {
		return nil, gateway.ErrNoSession
	}
	if k.turnErr != nil {
		return nil, k.turnErr
	}
	return &k.next, nil
}

func (k *kernel) PaySession(_ context.Context, _ string, s gateway.Submission) (*gateway.NextAction, error) {
	k.paid = append(k.paid, s)
	if k.after != nil {
		return k.after, k.payErr
	}
	return &k.next, k.payErr
}

func (k *kernel) AnswerSession(_ context.Context, got string, answers map[string]string) (*gateway.NextAction, error) {
	if got != token {
		return nil, gateway.ErrNoSession
	}
	k.answered = append(k.answered, answers)
	return &k.next, k.askErr
}

func (k *kernel) AppleIdentity(_ context.Context, got string) (*gateway.WalletIdentity, error) {
	if got != token {
		return nil, gateway.ErrNoSession
	}
	if k.identity == nil && k.identityErr == nil {
		return nil, gateway.ErrWallet
	}
	return k.identity, k.identityErr
}

func (k *kernel) LeaveSession(_ context.Context, got string) (*gateway.NextAction, error) {
	if got != token {
		return nil, gateway.ErrNoSession
	}
	k.left++
	return &k.next, k.leaveErr
}

func (k *kernel) Return(_ context.Context, got string, back methods.Return) (string, error) {
	if got != token {
		return "", gateway.ErrNoSession
	}
	k.returned = append(k.returned, back)
	return k.backURL, k.backErr
}

func (k *kernel) ReturnPage(_ context.Context, got string) (string, error) {
	if got != token {
		return "", gateway.ErrNoSession
	}
	return k.backURL, k.backErr
}

func (k *kernel) PublicURL() string { return k.public }
func (k *kernel) Now() time.Time    { return noon }

func (k *kernel) Notify(_ context.Context, got string, note methods.Note) error {
	if got != token {
		return gateway.ErrNoSession
	}
	k.notes = append(k.notes, note)
	return k.noteErr
}

// formAction returns a session that waits for its first card.
func formAction() gateway.NextAction {
	return gateway.NextAction{
		Kind: gateway.ActionCollect, SessionID: "s1", Merchant: "Northwind Ceramics", Attempt: 2, AttemptsLeft: 3,
		NeedName: true, CanLeave: true, ExpiresAt: noon.Add(time.Hour),
		Order:       store.Order{Number: "NW-7", Amount: "1284.50", Currency: "EUR", Description: "Two bowls"},
		FormOrigins: []string{"https://shop.example"},
	}
}

func goodForm() url.Values {
	return url.Values{
		"attempt": {"2"}, "card_number": {"4111 1111 1111 1111"}, "expiry": {"01/38"}, "cvv": {"123"},
		"name": {"Zoë O'Neil-Müller"},
	}
}

// call runs one request against the page mounted at the root.
func call(k *kernel, method, target, body string, header ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, target, strings.NewReader(body))
	if body != "" {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	handler(k).ServeHTTP(w, r)
	return w
}

func handler(k *kernel) http.Handler {
	return page.Handler(k, page.Options{})
}

func show(t *testing.T, next gateway.NextAction) *httptest.ResponseRecorder {
	t.Helper()
	return call(&kernel{next: next}, "GET", "/auth/"+token, "")
}

func bodyOf(w *httptest.ResponseRecorder) string { return w.Body.String() }
