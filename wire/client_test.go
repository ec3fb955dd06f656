package wire_test

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/s2sclient"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/wire"
)

var declined = vcard.Decline("Insufficient funds")

// answers is a platform that answers every request alike.
type answers struct {
	status int
	body   string
}

func (a answers) RoundTrip(*http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: a.status, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(a.body))}, nil
}

func against(t testing.TB, transport http.RoundTripper) *wire.Client {
	t.Helper()
	options := wire.Options{Key: "k", Password: store.NewSecret("p"), Transport: transport}
	shop, err := wire.New("https://pay.example", options)
	require.NoError(t, err)
	return shop
}

// What a status and a body say: an answer, a refusal, or that nobody knows.
func TestAnswers(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		answers
		refused *wire.Refused
		unsure  bool
	}{
		"an answer": {answers: answers{200, `{"status":"settled"}`}},
		"a list":    {answers: answers{200, `[{"status":"settled"}]`}},
		"a decline": {answers: answers{200, `{"result":"DECLINED","decline_reason":"no"}`}},
		"fields": {answers: answers{400, `{"error_code":0,"error_message":"Request data is invalid.","errors":[` +
			`{"error_code":100000,"error_message":"order.amount: too short"},{"error_code":100000,"error_message":"hash"}]}`},
			refused: &wire.Refused{Status: 400, Code: 100000, Message: "Request data is invalid.",
				Faults: []string{"order.amount: too short", "hash"}}},
		"a code": {answers: answers{400, `{"result":"ERROR","error_code":208006,"error_message":"Not acceptable"}`},
			refused: &wire.Refused{Status: 400, Code: 208006, Message: "Not acceptable"}},
		"an error with 200": {answers: answers{200, `{"result":"ERROR","error_code":400,"error_message":"Duplicate request"}`},
			refused: &wire.Refused{Status: 200, Code: 400, Message: "Duplicate request"}},
		"HTML":              {answers: answers{403, `<html>no</html>`}, refused: &wire.Refused{Status: 403}},
		"too many":          {answers: answers{429, ``}, refused: &wire.Refused{Status: 429}},
		"a code beyond int": {answers: answers{400, `{"error_code":1e99,"error_message":"no"}`}, refused: &wire.Refused{Status: 400, Message: "no"}},
		"HTML with 200":     {answers: answers{200, `<html>`}, unsure: true},
		"nothing with 200":  {answers: answers{200, ``}, unsure: true},
		"two values":        {answers: answers{200, `{} {}`}, unsure: true},
		"a redirect":        {answers: answers{302, ``}, unsure: true},
		"a fault of theirs": {answers: answers{500, `{"result":"ERROR","error_message":"Internal error"}`}, unsure: true},
		"busy":              {answers: answers{503, ``}, unsure: true},
		"in time":           {answers: answers{408, ``}, unsure: true},
		"a conflict":        {answers: answers{409, ``}, unsure: true},
		"too long":          {answers: answers{200, `"` + strings.Repeat("a", 1<<20) + `"`}, unsure: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a, err := against(t, row.answers).Status(t.Context(), "p1")
			switch {
			case row.refused != nil:
				refused := new(wire.Refused)
				require.ErrorAs(t, err, &refused)
				require.Equal(t, row.refused, refused)
				require.NotErrorIs(t, err, wire.ErrUnsure)
			case row.unsure:
				require.ErrorIs(t, err, wire.ErrUnsure)
			default:
				require.NoError(t, err)
				require.Equal(t, 200, a.Status)
			}
		})
	}
}

// A client learns from a site that has faults whether its request was done.
func TestFaults(t *testing.T) {
	t.Parallel()
	site := gatewaytest.Serve(t)
	shop := site.Wire(t)
	for order, row := range map[string]struct {
		fault gatewaytest.Fault
		want  error
	}{
		"ORD-1": {gatewaytest.LoseAnswer(), wire.ErrUnsure}, "ORD-2": {gatewaytest.LoseRequest(), wire.ErrUnsure},
		"ORD-3": {gatewaytest.Status(503), wire.ErrUnsure},
	} {
		site.Next(row.fault)
		_, err := shop.CreateSession(t.Context(), session(order, nil))
		require.ErrorIs(t, err, row.want, order)
	}
	site.Next(gatewaytest.Status(429))
	_, err := shop.CreateSession(t.Context(), session("ORD-4", nil))
	refused := new(wire.Refused)
	require.ErrorAs(t, err, &refused)
	require.EqualError(t, err, "wire: refused with status 429")
	over, cancel := context.WithTimeout(t.Context(), time.Nanosecond)
	defer cancel()
	_, err = shop.CreateSession(over, session("ORD-5", nil))
	require.ErrorIs(t, err, wire.ErrNotSent)
	nobody, err := wire.New("http://127.0.0.1:1", wire.Options{Key: "k", Password: store.NewSecret("p")})
	require.NoError(t, err)
	_, err = nobody.CreateSession(t.Context(), session("ORD-6", nil))
	require.ErrorIs(t, err, wire.ErrNotSent)
}

// A wrong password, wrong fields and a wrong key are refused, with what is wrong.
func TestRefused(t *testing.T) {
	t.Parallel()
	site := gatewaytest.Serve(t)
	for name, row := range map[string]struct {
		options wire.Options
		more    wire.Fields
		says    string
	}{
		"password": {wire.Options{Key: gatewaytest.MerchantKey, Password: store.NewSecret("another-password-1")}, nil, "Hash is not valid"},
		"key":      {wire.Options{Key: "nobody", Password: store.NewSecret(gatewaytest.Password)}, nil, "merchant_key: This value"},
		"fields": {wire.Options{Key: gatewaytest.MerchantKey, Password: store.NewSecret(gatewaytest.Password)},
			wire.Fields{"success_url": "no"}, "success_url"},
	} {
		shop, err := wire.New(site.URL, row.options)
		require.NoError(t, err)
		defer shop.Close()
		_, err = shop.CreateSession(t.Context(), session("ORD-1", row.more))
		refused := new(wire.Refused)
		require.ErrorAs(t, err, &refused, name)
		require.Equal(t, 400, refused.Status)
		require.Equal(t, 100000, refused.Code)
		require.ErrorContains(t, err, row.says)
		require.NotContains(t, err.Error(), row.options.Password.Reveal())
	}
}

// A payer is sent on in the shape of each protocol.
func TestRedirect(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]store.Redirect{
		`{"redirect_url":"https://a.example","redirect_method":"POST","redirect_params":{"b":"2","a":"1"}}`: {
			URL: "https://a.example", Method: "POST", Params: []store.RedirectParam{{Name: "a", Value: "1"}, {Name: "b", Value: "2"}}},
		`{"redirect_url":"https://a.example","redirect_method":"GET","redirect_params":[{"name":"b","value":"2"},{"name":"a","value":"1"}]}`: {
			URL: "https://a.example", Method: "GET", Params: []store.RedirectParam{{Name: "b", Value: "2"}, {Name: "a", Value: "1"}}},
		`{"redirect_url":"https://a.example","redirect_params":[{"name":"b","value":"2"}]}`: {
			URL: "https://a.example", Method: "POST", Params: []store.RedirectParam{{Name: "b", Value: "2"}}},
		`{"redirect_url":"https://a.example","redirect_params":[]}`: {URL: "https://a.example", Method: "POST"},
		`{"redirect_url":"https://a.example"}`:                      {URL: "https://a.example", Method: "GET"},
	} {
		a, err := against(t, answers{200, body}).Status(t.Context(), "p1")
		require.NoError(t, err)
		next, ok := a.Redirect()
		require.True(t, ok)
		require.Equal(t, want, next)
	}
	a, err := against(t, answers{200, `{"redirect_params":{"a":"1"}}`}).Status(t.Context(), "p1")
	require.NoError(t, err)
	_, ok := a.Redirect()
	require.False(t, ok)
}

// A refusal that is about an earlier request says so: that one may have been done.
func TestDuplicate(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]bool{
		`{"error_code":400,"error_message":"Duplicate request."}`:                                                         true,
		`{"error_message":"Invalid.","errors":[{"error_code":100000,"error_message":"order_id: Duplicate payment."}]}`:    true,
		`{"error_message":"Invalid.","errors":[{"error_code":100000,"error_message":"Previous payment not completed."}]}`: true,
		`{"error_code":100000,"error_message":"Hash is not valid"}`:                                                       false,
		`{"error_code":208006,"error_message":"Not acceptable"}`:                                                          false,
	} {
		_, err := against(t, answers{400, body}).Status(t.Context(), "p1")
		refused := new(wire.Refused)
		require.ErrorAs(t, err, &refused)
		require.Equal(t, want, refused.Duplicate(), body)
	}
	site := gatewaytest.Serve(t)
	shop, form := site.Wire(t), wire.Form(s2sclient.Sale("ORD-1", "10.00", "USD", s2sclient.TestCard("01", "2038")))
	site.Next(gatewaytest.LoseAnswer())
	_, err := shop.Card(t.Context(), form, nil)
	require.ErrorIs(t, err, wire.ErrUnsure)
	_, err = shop.Card(t.Context(), form, nil)
	refused := new(wire.Refused)
	require.ErrorAs(t, err, &refused)
	require.True(t, refused.Duplicate(), err)
	require.Equal(t, store.Settled, site.Payment(t, "ORD-1").Status)
}

// A refusal with a list as long as an answer may be is read at once, and keeps what a person can read.
func TestManyFaults(t *testing.T) {
	t.Parallel()
	body := `{"error_message":"no","errors":[0` + strings.Repeat(",0", 500_000) + `]}`
	_, err := against(t, answers{400, body}).Status(t.Context(), "p1")
	refused := new(wire.Refused)
	require.ErrorAs(t, err, &refused)
	require.Len(t, refused.Faults, 100)
}

// A platform that never answers ends a request by the client's own time, and the error says why.
func TestTimeout(t *testing.T) {
	t.Parallel()
	site := gatewaytest.Serve(t)
	shop, err := wire.New(site.URL, wire.Options{Key: gatewaytest.MerchantKey, Timeout: time.Nanosecond,
		Password: store.NewSecret(gatewaytest.Password), Transport: site.Client.Transport})
	require.NoError(t, err)
	_, err = shop.Status(context.Background(), "p1")
	require.ErrorIs(t, err, wire.ErrNotSent)
	require.ErrorContains(t, err, "the time was over")
	_, err = wire.New(site.URL, wire.Options{Key: "k", Password: store.NewSecret("p"), Timeout: -1})
	require.EqualError(t, err, "wire: Options.Timeout must not be negative")
	_, err = against(t, answers{302, ""}).Status(t.Context(), "p1")
	require.ErrorContains(t, err, "status 302")
}

// Mistakes of the host are told when the client is made.
func TestNew(t *testing.T) {
	t.Parallel()
	whole := wire.Options{Key: "k", Password: store.NewSecret("p")}
	for base, o := range map[string]wire.Options{
		"https://a.example": {Key: "k"}, "https://b.example": {Password: store.NewSecret("p")}, "http://c.example": whole,
		"pay.example": whole, "https://d.example?a=b": whole, "": whole,
	} {
		_, err := wire.New(base, o)
		require.ErrorContains(t, err, "wire: ", base)
		require.Panics(t, func() { wire.Must(wire.New(base, o)) })
	}
	plain := whole
	plain.Plain = true
	require.NotNil(t, wire.Must(wire.New("http://c.example", plain)))
}

// FuzzAnswer reads what anybody may answer: it is an answer, a refusal or neither, and no path into it panics.
func FuzzAnswer(f *testing.F) {
	f.Add(200, `{"status":"settled","order":{"amount":1e3},"redirect_url":"a","redirect_params":[1,{"name":2}]}`)
	f.Add(400, `{"error_message":1,"errors":[[],{"error_code":-1}]}`)
	f.Add(200, `[null]`)
	f.Fuzz(func(t *testing.T, status int, body string) {
		if status < 100 || status > 999 {
			return
		}
		a, err := against(t, answers{status, body}).Status(t.Context(), "p1")
		if err != nil {
			require.Nil(t, a)
			return
		}
		require.Equal(t, 2, a.Status/100)
		_, _ = a.Redirect()
		_ = a.Text("errors", "0", "error_message") + a.Text() + a.Text("order", "amount", "x")
	})
}
