package s2sclient

import (
	"cmp"
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// notice is a body without its hash, in the order of the samples.
const notice = "action=SALE&result=SUCCESS&status=SETTLED&order_id=ORDER-1&trans_id=" + sampleTrans +
	"&trans_date=2026-01-02+03%3A04%3A05&descriptor=shop&amount=1.99&currency=USD"

const cardNotice = notice + "&card=411111%2A%2A%2A%2A%2A%2A1111&card_expiration_date=01%2F2038"

// post sends a body with the hash of a formula and returns the acknowledgement.
func post(t *testing.T, r *Receiver, body string, formula Formula, in Inputs) string {
	t.Helper()
	pairs, err := ParseBody(body)
	require.NoError(t, err)
	in.Body, in.Password = pairs, cmp.Or(in.Password, pass)
	in.TransID, in.OrderID = cmp.Or(in.TransID, sampleTrans), "ORDER-1"
	return deliver(r, body+"&hash="+formula.Digest(in))
}

func deliver(r *Receiver, body string) string {
	request := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(body))
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded; charset=utf-8")
	w := httptest.NewRecorder()
	r.ServeHTTP(w, request)
	return w.Body.String()
}

// known is a client that has made a payment.
func known(t *testing.T, f Fields) (*Client, *Receiver) {
	t.Helper()
	client := &Client{URL: "http://pay.example/post", Password: pass}
	_, begins := client.begin(f)
	require.True(t, begins)
	return client, client.Receiver()
}

func TestCallbacks(t *testing.T) {
	t.Parallel()
	card := Inputs{Email: doe, Card: visa}
	apm := SaleAPM("ORDER-1", "1.99", "USD", "vcard", mail)
	payout := Credit2Virtual("ORDER-1", "1.99", "GHS", "b")
	const byEmail = "By Email" // marks the payments of a merchant whose mapping asks for that formula
	crypto := apm.With("crypto_network", "ERC20")
	inCrypto := strings.NewReplacer("SUCCESS", "INIT", "SETTLED", "PENDING").Replace(notice)
	refund := strings.NewReplacer("SALE", "CREDITVOID", "SETTLED", "REFUND", "trans_date", "creditvoid_date",
		"&descriptor=shop", "&creditvoid_id=2", "&currency=USD", "").Replace(notice)
	for _, c := range []struct {
		name    string
		fields  Fields
		body    string
		formula Formula
		in      Inputs
		problem string
	}{
		{"sale", sale(), cardNotice, Formula2, card, ""},
		{"custom data", sale().With("custom_data[a]", "1"), cardNotice + "&custom_data%5Ba%5D=1", Formula2, card, ""},
		{"refund", sale(), refund, Formula2, card, ""},
		{"payout to a card", Credit2Card("ORDER-1", "1.99", "USD", payee), "action=CREDIT2CARD&result=SUCCESS&status=SETTLED&order_id=ORDER-1&trans_id=" + sampleTrans + "&trans_date=2026-01-02+03%3A04%3A05", Formula6, Inputs{Card: payee}, ""},
		{"APM", apm, notice, WholeBody, Inputs{}, ""},
		{"payout", payout, strings.NewReplacer("SALE", "CREDIT2VIRTUAL", "&descriptor=shop", "", "USD", "GHS").Replace(notice), PayoutBack, Inputs{Status: "SETTLED"}, ""},
		{"crypto", crypto, inCrypto, WholeBody, Inputs{}, ""},
		{"crypto by e-mail", crypto.With("payer_first_name", byEmail), inCrypto, CryptoSaleBack, Inputs{Email: doe}, ""},
		{"arn may be empty", sale(), cardNotice + "&arn=", Formula2, card, ""},

		{"wrong formula", sale(), cardNotice, Formula1, card, "hash is not that of formula CARD 2"},
		{"wrong password", sale(), cardNotice, Formula2, Inputs{Email: doe, Card: visa, Password: "x"}, "hash is not"},
		{"wrong e-mail", sale(), cardNotice, Formula2, Inputs{Email: mail, Card: visa}, "hash is not"},
		{"APM signed as CARD", apm, notice, Formula2, card, "hash is not that of formula APM callback"},
		{"crypto signed by e-mail", crypto, inCrypto, CryptoSaleBack, Inputs{Email: doe}, "hash is not that of formula APM callback"},
		{"crypto signed as a whole", crypto.With("payer_first_name", byEmail), inCrypto, WholeBody, Inputs{}, "hash is not that of formula APM crypto SALE callback"},
		{"no card", sale(), notice + "&card_expiration_date=01%2F2038", Formula2, card, "card is missing"},
		{"another expiry", sale(), strings.Replace(cardNotice, "01%2F", "02%2F", 1), Formula2, card, `card_expiration_date is "02/2038"`},
		{"another amount", sale(), strings.Replace(cardNotice, "1.99", "1.98", 1), Formula2, card, "amount is 1.98"},
		{"custom data lost", sale().With("custom_data[a]", "1"), cardNotice, Formula2, card, "custom_data[a]"},
		{"custom data from nowhere", sale().With("custom_data[a]", "1"), cardNotice + "&custom_data%5Ba%5D=1&custom_data%5Bb%5D=1", Formula2, card, "custom_data[b] was not sent"},
		{"refund without its id", sale(), strings.Replace(refund, "&creditvoid_id=2", "", 1), Formula2, card, "creditvoid_id is missing"},
		{"debit refunded", Debit("ORDER-1", "1.99", "USD", TestCard("01", "2038")), refund, Formula2, card, "not reversed"},
		{"empty value", sale(), strings.Replace(cardNotice, "=shop", "=", 1), Formula2, card, "descriptor is empty"},
		{"twice", sale(), cardNotice + "&amount=1.99", Formula2, card, "amount appears twice"},
		{"foreign field", sale(), cardNotice + "&x=1", Formula2, card, "x is not a field"},
		{"foreign status", sale(), strings.Replace(cardNotice, "SETTLED", "VOID", 1), Formula2, card, `status "VOID"`},
		{"foreign result", sale(), strings.Replace(cardNotice, "SUCCESS", "ACCEPTED", 1), Formula2, card, "ACCEPTED"},
		{"foreign action", sale(), strings.Replace(cardNotice, "SALE", "RECURRING_SALE", 1), Formula2, card, "about a payment made by SALE"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			client, r := known(t, c.fields)
			client.CryptoByEmail = c.fields["payer_first_name"] == byEmail
			require.Equal(t, "OK", post(t, r, c.body, c.formula, c.in))
			if c.problem == "" {
				require.Empty(t, r.Problems())
				return
			}
			require.Len(t, r.Problems(), 1)
			require.Contains(t, r.Problems()[0], c.problem)
			require.NotContains(t, r.Problems()[0], pass)
		})
	}
}

// Every value of an APM body is covered by its signature.
func TestWholeBodyIsCovered(t *testing.T) {
	t.Parallel()
	body := notice + "&custom_data%5Bb%5D=2&custom_data%5Ba%5D=1"
	pairs, err := ParseBody(body)
	require.NoError(t, err)
	hash := WholeBody.Digest(Inputs{Body: pairs, Password: pass})
	for i := range pairs {
		changed := url.Values{"hash": {hash}}
		for j, p := range pairs {
			if i == j {
				p.Value += "9"
			}
			changed.Set(p.Name, p.Value)
		}
		_, r := known(t, SaleAPM("ORDER-1", "1.99", "USD", "vcard", mail).With("custom_data[a]", "1", "custom_data[b]", "2"))
		_ = deliver(r, changed.Encode())
		require.NotEmpty(t, r.Problems(), pairs[i].Name)
		all := strings.Join(r.Problems(), "\n")
		require.True(t, strings.Contains(all, "hash is not") || strings.Contains(all, "nothing is known"), all)
	}
}

func TestCallbackTransport(t *testing.T) {
	t.Parallel()
	_, r := known(t, sale())
	w := httptest.NewRecorder()
	request := httptest.NewRequest(http.MethodGet, "/", strings.NewReader("a"))
	request.Header.Set("Content-Type", "application/json")
	r.ServeHTTP(w, request)
	require.Equal(t, "OK", w.Body.String())
	all := strings.Join(r.Problems(), "\n")
	for _, part := range []string{"method is GET", "Content-Type", "no equals sign", "nothing is known"} {
		require.Contains(t, all, part)
	}
}

// A payment that a schedule begins is found by its chain.
func TestScheduledPayment(t *testing.T) {
	t.Parallel()
	client, r := known(t, sale().With("recurring_init", "Y"))
	in := Inputs{Email: doe, Card: visa}
	require.Equal(t, "OK", post(t, r, cardNotice+"&recurring_token=chain", Formula2, in))
	next := strings.NewReplacer("ORDER-1", "ORDER-1-2", sampleTrans, "next", "action=SALE",
		"action=RECURRING_SALE").Replace(cardNotice)
	in.TransID = "next"
	require.Equal(t, "OK", post(t, r, next+"&recurring_token=chain", Formula2, in))
	require.Empty(t, r.Problems())
	p, found := client.Payment("next")
	require.True(t, found)
	require.Equal(t, "RECURRING_SALE", p.Action)
	require.Len(t, r.Of("next"), 1)
}

func TestReplyAndWait(t *testing.T) {
	t.Parallel()
	_, r := known(t, sale())
	r.Reply = func(c Callback) (int, string) { return http.StatusInternalServerError, c.String() }
	done := make(chan []Callback, 1)
	go func() {
		got, _ := r.Wait(t.Context(), sampleTrans, 2)
		done <- got
	}()
	for range 2 {
		require.Equal(t, "SALE SUCCESS SETTLED", post(t, r, cardNotice, Formula2, Inputs{Email: doe, Card: visa}))
	}
	require.Len(t, <-done, 2)
	require.Len(t, r.All(), 2)

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	got, err := r.Wait(ctx, sampleTrans, 3)
	require.ErrorIs(t, err, context.Canceled)
	require.Len(t, got, 2)
}
