package receive_test

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/callback/receive"
	"github.com/tollgatepay/gateway/callback/signature"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/store"
)

// The merchant and the payment of the golden files of package callback.
const password = "m3rch4ntP4ss"

// golden are the callbacks of every protocol and action, as the gateway renders them.
func golden(t testing.TB) map[string]url.Values {
	t.Helper()
	files, err := filepath.Glob("../testdata/*.txt")
	require.NoError(t, err)
	require.Greater(t, len(files), 300)
	all := map[string]url.Values{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		form := url.Values{}
		for line := range strings.Lines(string(text)) {
			if name, value, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "="); ok && !strings.HasPrefix(line, "# ") {
				form.Add(name, value)
			}
		}
		all[strings.TrimSuffix(filepath.Base(file), ".txt")] = form
	}
	return all
}

// receiver is the merchant's side for a golden file.
func receiver(name string) *receive.Receiver {
	return &receive.Receiver{
		Passwords: []store.Secret{store.NewSecret(password)}, SHA256: strings.Contains(name, "sha256"),
		Payment: func(_ context.Context, c *receive.Callback) (receive.Payment, error) {
			known := receive.Payment{Email: "doe@example.com", Card: "411111******1111"}
			if strings.Contains(name, "nothing-to-add") {
				known.Email = ""
			}
			if c.Action == "CREDIT2CARD" {
				known.Card = "460154******6519"
			}
			return known, nil
		},
	}
}

// Every callback that the gateway renders is believed, and is read as it was meant.
func TestEveryCallback(t *testing.T) {
	t.Parallel()
	for name, form := range golden(t) {
		c, err := receiver(name).ParseBody(t.Context(), form.Encode())
		require.NoError(t, err, name)
		require.Equal(t, form, c.Fields)
		if c.Protocol == receive.Checkout {
			require.Equal(t, []string{form.Get("id"), form.Get("type"), form.Get("order_number")},
				[]string{c.PaymentID, c.Action, c.Order}, name)
			continue
		}
		require.Equal(t, []string{form.Get("trans_id"), form.Get("action"), form.Get("order_id"), form.Get("amount")},
			[]string{c.PaymentID, c.Action, c.Order, c.Amount}, name)
	}
}

// A change of any field that the hash covers, of the hash, the password or the mode is found.
func TestNothingForgedIsBelieved(t *testing.T) {
	t.Parallel()
	for name, form := range golden(t) {
		r := receiver(name)
		c, err := r.ParseBody(t.Context(), form.Encode())
		require.NoError(t, err, name)
		require.NotEmpty(t, c.Signed, name)
		for _, field := range append(c.Signed, "hash") {
			if form.Get(field) == "" {
				continue // an empty value is signed like one that is not there
			}
			forged := url.Values{}
			for other, values := range form {
				forged[other] = slices.Clone(values)
			}
			forged.Set(field, form.Get(field)+"0")
			_, err := r.ParseBody(t.Context(), forged.Encode())
			require.Error(t, err, "%s, %s", name, field)
		}
		for what, other := range map[string]*receive.Receiver{
			"another password": {Passwords: []store.Secret{store.NewSecret("another-password")}, SHA256: r.SHA256, Payment: r.Payment},
			"no password":      {SHA256: r.SHA256, Payment: r.Payment},
			"the other digest": {Passwords: r.Passwords, SHA256: !r.SHA256, Payment: r.Payment},
		} {
			_, err := other.ParseBody(t.Context(), form.Encode())
			require.ErrorIs(t, err, receive.ErrSignature, "%s, %s", name, what)
		}
	}
}

// What the hash leaves out may be changed, and is believed all the same: no more is proven than Signed says. The action
// of S2S says which formula signs, so a change of it may be found.
func TestWhatTheHashLeavesOpen(t *testing.T) {
	t.Parallel()
	open := map[receive.Protocol][]string{}
	for name, form := range golden(t) {
		r := receiver(name)
		c, err := r.ParseBody(t.Context(), form.Encode())
		require.NoError(t, err, name)
		for field := range form {
			if field == "hash" || field == "action" || slices.Contains(c.Signed, field) {
				continue
			}
			changed := maps.Clone(form)
			changed.Set(field, form.Get(field)+"0")
			_, err := r.ParseBody(t.Context(), changed.Encode())
			require.NoError(t, err, "%s, %s", name, field)
			open[c.Protocol] = append(open[c.Protocol], field)
		}
	}
	for protocol, fields := range map[receive.Protocol][]string{
		receive.Checkout: {"type", "status", "order_status"}, receive.S2SCard: {"result", "status", "order_id", "amount"},
		receive.S2SAPM: {"amount"},
	} {
		require.Subset(t, open[protocol], fields, protocol)
	}
}

// Signed says of each formula what a callback that it signs says.
func TestSigned(t *testing.T) {
	t.Parallel()
	fields, all := receive.Signed(signature.CheckoutCallback)
	require.False(t, all)
	c, err := receiver("").ParseBody(t.Context(), sale(t).Encode())
	require.NoError(t, err)
	require.Equal(t, c.Signed, fields)
	fields, all = receive.Signed(signature.APMCallback)
	require.True(t, all)
	require.Empty(t, fields)
	fields, all = receive.Signed(signature.CheckoutSession)
	require.False(t, all, "it signs no callbacks")
	require.Empty(t, fields)
}

func sale(t testing.TB) url.Values { return golden(t)["checkout-sale-success-settled"] }

// While a password is changed, either one signs.
func TestTwoPasswords(t *testing.T) {
	t.Parallel()
	old, next := store.NewSecret("the-old-password"), store.NewSecret(password)
	for _, passwords := range [][]store.Secret{{old, next}, {next, old}} {
		r := &receive.Receiver{Passwords: passwords}
		_, err := r.ParseBody(t.Context(), sale(t).Encode())
		require.NoError(t, err)
	}
}

// A callback of S2S CARD needs what is known of its payment. Without it nothing is believed, also not by empty values.
func TestCardNeedsItsPayment(t *testing.T) {
	t.Parallel()
	form := golden(t)["s2s_card-sale-success-settled"]
	r := receiver("")
	r.Payment = nil
	_, err := r.ParseBody(t.Context(), form.Encode())
	require.ErrorIs(t, err, receive.ErrSignature)
	form.Set("hash", signature.Sign(signature.Card2, signature.MD5,
		signature.Inputs{TransID: form.Get("trans_id")}, password)) // as if it had neither e-mail nor card
	_, err = r.ParseBody(t.Context(), form.Encode())
	require.ErrorIs(t, err, receive.ErrSignature)
	r.Payment = func(context.Context, *receive.Callback) (receive.Payment, error) {
		return receive.Payment{}, receive.ErrUnknown
	}
	_, err = r.ParseBody(t.Context(), form.Encode())
	require.ErrorIs(t, err, receive.ErrUnknown)
}

// What is typed is what was sent.
func TestTypedFields(t *testing.T) {
	t.Parallel()
	c, err := receiver("").ParseBody(t.Context(), sale(t).Encode())
	require.NoError(t, err)
	require.Equal(t, receive.Checkout, c.Protocol)
	require.Equal(t, []string{"sale", "success", "settled", "order-1234", "10.00", "USD"},
		[]string{c.Action, c.Result, c.Status, c.Order, c.Amount, c.Currency})
	require.Equal(t, map[string]string{"ref": "A-17", "cart[gift]": "true", "cart[items][0]": "tulip",
		"cart[items][1]": "rose"}, c.CustomData)
	require.NotContains(t, c.Signed, "status", "the hash of Checkout does not cover it")
}

// Every mistake has its error, and none repeats a value.
func TestRefusals(t *testing.T) {
	t.Parallel()
	post := func(contentType, body string) *http.Request {
		r := httptest.NewRequest(http.MethodPost, "/callback", strings.NewReader(body))
		r.Header.Set("Content-Type", contentType)
		return r
	}
	const form = "application/x-www-form-urlencoded; charset=utf-8"
	without := sale(t)
	without.Del("order_amount")
	for _, c := range []struct {
		name string
		r    *http.Request
		want error
	}{
		{"GET", httptest.NewRequest(http.MethodGet, "/callback?"+sale(t).Encode(), nil), receive.ErrForm},
		{"JSON", post("application/json", "{}"), receive.ErrForm},
		{"no content type", post("", sale(t).Encode()), receive.ErrForm},
		{"not encoded", post(form, "order_number=%zz"), receive.ErrForm},
		{"a field twice", post(form, sale(t).Encode()+"&order_amount=0.01"), receive.ErrForm},
		{"a field less", post(form, without.Encode()), receive.ErrMissing},
		{"nothing", post(form, ""), receive.ErrMissing},
		{"too large", post(form, "a="+strings.Repeat("x", receive.MaxBytes)), receive.ErrTooLarge},
		{"as it should be", post(form, sale(t).Encode()), nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, err := receiver("").Parse(c.r)
			require.ErrorIs(t, err, c.want)
			if err != nil {
				require.NotContains(t, err.Error(), "order-1234")
			}
		})
	}
}

// The handler handles each callback once, acknowledges repeats, and asks for what could not be handled again.
func TestHandler(t *testing.T) {
	t.Parallel()
	r, seen, handled := receiver(""), map[string]bool{}, 0
	r.Seen = func(_ context.Context, id string) (bool, error) { return seen[id], nil }
	fails := true
	h := r.Handler(func(_ context.Context, c *receive.Callback) error {
		if fails {
			return errors.New("the shop's database is away")
		}
		handled++
		seen[c.ID()] = true
		return nil
	})
	post := func(form url.Values) (int, string) {
		q := httptest.NewRequest(http.MethodPost, "/callback", strings.NewReader(form.Encode()))
		q.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		w := httptest.NewRecorder()
		h.ServeHTTP(w, q)
		return w.Code, strings.TrimSpace(w.Body.String())
	}
	status, _ := post(sale(t))
	require.Equal(t, 500, status)
	fails = false
	for range 3 {
		status, body := post(sale(t))
		require.Equal(t, 200, status)
		require.Equal(t, "OK", body)
	}
	require.Equal(t, 1, handled)
	forged := sale(t)
	forged.Set("order_amount", "0.01")
	status, body := post(forged)
	require.Equal(t, 403, status)
	require.Equal(t, "ERROR", body)
	require.Equal(t, 1, handled)
}

// FuzzParse: whatever arrives is an answer or an error, and no callback without a right hash.
func FuzzParse(f *testing.F) {
	for _, form := range golden(f) {
		f.Add(form.Encode())
		break
	}
	f.Add("order_number=1&id=2&hash=")
	r := receiver("")
	f.Fuzz(func(t *testing.T, body string) {
		c, err := r.ParseBody(t.Context(), body)
		require.True(t, (c == nil) == (err != nil))
		if c != nil {
			require.Len(t, c.Fields.Get("hash"), map[receive.Protocol]int{receive.Checkout: 40}[c.Protocol]+
				map[bool]int{true: 32}[c.Protocol != receive.Checkout])
		}
	})
}

// A shop on Checkout and S2S CARD hears of a sale and of a refund from a gateway, each once, whatever is sent twice.
func TestWithAGateway(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	seen := map[string]bool{}
	var heard []string
	r := &receive.Receiver{
		Passwords: []store.Secret{store.NewSecret(gatewaytest.Password)},
		Payment: func(_ context.Context, c *receive.Callback) (receive.Payment, error) {
			return receive.Payment{Email: "doe@example.com", Card: "4111111111111111"}, nil
		},
		Seen: func(_ context.Context, id string) (bool, error) {
			return seen[id], nil
		},
	}
	kit.Inbox.To(r.Handler(func(_ context.Context, c *receive.Callback) error {
		seen[c.ID()] = true
		heard = append(heard, strings.Join([]string{string(c.Protocol), c.Order, c.Action, c.Result, c.Status}, " "))
		return nil
	}))
	kit.Inbox.Duplicate(1)
	for protocol, action := range map[store.Protocol]string{store.Checkout: "", store.S2SCard: "SALE"} {
		card, order := gatewaytest.Settles, "ORD-"+string(protocol)
		sold, err := kit.Shop().Charge(t.Context(), gateway.ChargeRequest{
			Protocol: protocol, Action: action, Kind: store.Purchase, Card: &card,
			Order: store.Order{Number: order, Amount: "10.00", Currency: "USD", Description: "A cup"},
			Payer: store.Payer{Name: "John Doe", FirstName: "John", LastName: "Doe", Email: "doe@example.com",
				IP: "203.0.113.7"},
		})
		require.NoError(t, err)
		_, err = kit.Shop().CreditVoid(t.Context(), gateway.FollowUp{PaymentID: sold.Payment.ID, Amount: "4.00"})
		require.NoError(t, err)
	}
	kit.Work(t)
	require.ElementsMatch(t, []string{
		"checkout ORD-checkout sale success settled", "checkout ORD-checkout refund success refund",
		"s2s card ORD-s2s_card SALE SUCCESS SETTLED", "s2s card ORD-s2s_card CREDITVOID SUCCESS REFUND",
	}, heard)
}
