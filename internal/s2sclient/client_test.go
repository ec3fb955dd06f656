package s2sclient

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// sent is the last body that the server read.
func (s *fake) sent(t *testing.T) url.Values {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	values, err := url.ParseQuery(s.bodies[len(s.bodies)-1])
	require.NoError(t, err)
	return values
}

// A follow-up is signed with the e-mail and card of its payment, a first payment with its own.
func TestFollowUpsRemember(t *testing.T) {
	t.Parallel()
	client, server := serve(t, "/post")
	server.say(http.StatusOK, settledSale)
	require.Equal(t, sampleTrans, client.must(t, sale()).TransID())
	require.Equal(t, Formula1.Digest(Inputs{Email: doe, Card: visa, Password: pass}), server.sent(t).Get("hash"))

	server.say(http.StatusBadRequest,
		`{"result":"ERROR","error_code":100000,"error_message":"order_id: Duplicate payment."}`)
	client.must(t, sale().With("payer_email", "other@example.com"))

	client.must(t, FollowUp("CAPTURE", sampleTrans))
	require.Equal(t, "38dd914dd0487345bb60d27daeb4e531", server.sent(t).Get("hash"))
	require.Equal(t, client.Key, server.sent(t).Get("client_key"))
	client.must(t, StatusByOrder("ORDER-1"))
	require.Equal(t, Formula7.Digest(Inputs{Email: doe, OrderID: "ORDER-1", Card: visa, Password: pass}),
		server.sent(t).Get("hash"))
	client.must(t, RecurringSale("ORDER-2", "1.99", sampleTrans, "r"))
	require.Equal(t, Formula1.Digest(Inputs{Email: doe, Card: visa, Password: pass}), server.sent(t).Get("hash"))
	client.must(t, FollowUp("VOID", sampleTrans).With("hash", client.Hash(TransID, FollowUp("VOID", sampleTrans))))
	require.Equal(t, "4c91a566afff47a95a235f294490ed2e", server.sent(t).Get("hash"))
}

func TestPayoutStatusHasNoEmail(t *testing.T) {
	t.Parallel()
	client, server := serve(t, "/post")
	server.say(http.StatusOK, `{"action":"CREDIT2CARD","result":"SUCCESS","status":"SETTLED",$ids,$date}`)
	client.must(t, Credit2Card("ORDER-1", "1.99", "USD", payee).With("payer_email", doe))
	client.must(t, FollowUp("GET_TRANS_STATUS", sampleTrans))
	require.Equal(t, "42f32c25079c9bfaf0f6ccb660f67356", server.sent(t).Get("hash"))
	client.must(t, StatusByOrder("ORDER-1"))
	require.Equal(t, Formula7.Digest(Inputs{OrderID: "ORDER-1", Card: payee, Password: pass}), server.sent(t).Get("hash"))
}

func TestAPMFollowUps(t *testing.T) {
	t.Parallel()
	client, server := serve(t, "/post")
	server.say(http.StatusOK, settledSale)
	client.must(t, SaleAPM("ORDER-1", "1.99", "USD", "vcard", mail))
	client.must(t, FollowUp("CREDITVOID", sampleTrans))
	require.Equal(t, "7b7a464ead8e23b0064586dd3d778844", server.sent(t).Get("hash"))
	client.must(t, FollowUp("CAPTURE", sampleTrans))
	require.Equal(t, "4c91a566afff47a95a235f294490ed2e", server.sent(t).Get("hash"))
	client.UpperPassword = true
	client.must(t, FollowUp("GET_TRANS_STATUS", sampleTrans))
	require.Equal(t, "be74013785a064faa4b64b74f753bf56", server.sent(t).Get("hash"))
}

// A payment by token is signed with the token, its follow-ups with the card behind it.
func TestCardTokens(t *testing.T) {
	t.Parallel()
	client, server := serve(t, "/post")
	server.say(http.StatusOK, strings.Replace(settledSale, "}", `,"card_token":"`+sampleToken+`"}`, 1))
	require.Empty(t, Check(client.must(t, sale().With("req_token", "Y"))))
	server.say(http.StatusOK, strings.NewReplacer("ORDER-1", "ORDER-2", sampleTrans,
		"another").Replace(sample(settledSale)))
	require.Empty(t, Check(client.must(t, SaleByToken("ORDER-2", "1.99", "USD", sampleToken))))
	require.Equal(t, "c9a4907e279b207ef0663f581076430e", server.sent(t).Get("hash"))
	client.must(t, FollowUp("VOID", "another"))
	require.Equal(t, Formula2.Digest(Inputs{Email: doe, TransID: "another", Card: visa, Password: pass}),
		server.sent(t).Get("hash"))
	p, found := client.Payment("another")
	require.True(t, found)
	require.Equal(t, "01/2038", p.Expiry)
}

func TestGivenHashAndKeyStay(t *testing.T) {
	t.Parallel()
	client, server := serve(t, "/post")
	client.must(t, Fields{"action": "SALE", "hash": "", "client_key": "mine"})
	require.Equal(t, "action=SALE&client_key=mine&hash=", server.sent(t).Encode())
}

func TestMultipart(t *testing.T) {
	t.Parallel()
	client, server := serve(t, "/post")
	client.must(t, sale())
	plain := server.sent(t)
	client.Multipart = true
	client.must(t, sale())
	require.Equal(t, plain, server.sent(t))
}

func TestTransportErrors(t *testing.T) {
	t.Parallel()
	client := &Client{HTTP: &http.Client{Transport: &http.Transport{}}, URL: "http://127.0.0.1:0/post"}
	_, err := client.Do(t.Context(), sale())
	require.Error(t, err)
	client.URL = "::"
	_, err = client.Do(t.Context(), sale())
	require.Error(t, err)
}
