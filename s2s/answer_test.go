package s2s_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/callback/signature"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
)

const head = "action result status order_id trans_id trans_date "

// Answers to new payments, with the order of their members (s2s_card.md and s2s_apm.md, "Response").
func TestChargeAnswers(t *testing.T) {
	t.Parallel()
	payout := apm("").with("identifier", "", "return_url", "")
	deposit := apm("").with("return_url", "", "payer_return_url", "https://client.site.com/")
	cases := []struct {
		name           string
		request        fields
		sign           func(fields) fields
		result, status string
		members        string
	}{
		{"sale", sale(""), signSale, "SUCCESS", "SETTLED", head + "descriptor amount currency"},
		{"sale with tokens", sale("").with("req_token", "Y", "recurring_init", "Y"), signSale, "SUCCESS", "SETTLED", head + "descriptor amount currency recurring_token card_token"},
		{"sale declined", sale("").expires("02", "2038"), signSale, "DECLINED", "DECLINED", head + "descriptor amount currency decline_reason"},
		{"sale at the issuer", sale("").expires("05", "2038"), signSale, "REDIRECT", "3DS", head + "descriptor amount currency redirect_url redirect_params redirect_method"},
		{"sale at the bank", sale("").expires("12", "2038"), signSale, "REDIRECT", "REDIRECT", head + "descriptor amount currency redirect_url redirect_params redirect_method"},
		{"held sale", sale("").with("auth", "Y"), signSale, "SUCCESS", "PENDING", head + "descriptor amount currency"},
		{"auth in lower case holds nothing", sale("").with("auth", "y"), signSale, "SUCCESS", "SETTLED", head + "descriptor amount currency"},
		{"auth 1 holds nothing", sale("").with("auth", "1"), signSale, "SUCCESS", "SETTLED", head + "descriptor amount currency"},
		{"AUTH", sale("").with("action", "AUTH"), signSale, "SUCCESS", "PENDING", head + "descriptor amount currency"},
		{"held for nothing", sale("").with("auth", "Y", "order_amount", "0.00"), signSale, "SUCCESS", "PENDING", head + "descriptor amount currency"},
		{"yen without decimals", sale("").with("order_currency", "JPY", "order_amount", "100"), signSale, "SUCCESS", "SETTLED", head + "descriptor amount currency"},
		{"yen with .00", sale("").with("order_currency", "JPY", "order_amount", "100.00"), signSale, "SUCCESS", "SETTLED", head + "descriptor amount currency"},
		{"MOTO without code", sale("").with("moto_type", "phone_moto", "card_cvv2", "").expires("05", "2038"), signSale, "SUCCESS", "SETTLED", head + "descriptor amount currency"},
		{"debit", sale("").with("action", "DEBIT"), signSale, "SUCCESS", "SETTLED", head + "descriptor amount currency"},
		{"debit without e-mail", sale("").with("action", "DEBIT", "payer_email", ""), signSale, "SUCCESS", "SETTLED", head + "descriptor amount currency"},
		{"debit declined", sale("").with("action", "DEBIT").expires("02", "2038"), signSale, "DECLINED", "DECLINED", head + "descriptor amount currency decline_reason"},
		{"transfer", sale("").with("action", "CARD2CARD", "payee_card_number", pan), signSale, "SUCCESS", "SETTLED", head + "descriptor amount currency"},
		{"transfer by its own names", transfer(), signSale, "SUCCESS", "SETTLED", head + "descriptor amount currency"},
		{"transfer at the issuer", sale("").with("action", "CARD2CARD", "payee_card_number", pan).expires("05", "2038"), signSale, "REDIRECT", "3DS", head + "descriptor amount currency redirect_url redirect_params redirect_method"},
		{"payout to a card", cardPayout(), signCardPayout, "SUCCESS", "SETTLED", head + "descriptor"},

		{"brand", apm(""), signAPM, "SUCCESS", "SETTLED", head + "descriptor amount currency"},
		{"QR", apm("").with("brand", "ips", "order_currency", "EUR"), signAPM, "REDIRECT", "REDIRECT", head + "amount currency redirect_url redirect_params redirect_method"},
		{"payout", payout.with("action", "CREDIT2VIRTUAL"), signPayout, "SUCCESS", "SETTLED", head + "amount currency"},
		{"deposit", deposit.with("action", "DEBIT2VIRTUAL"), signAPM, "SUCCESS", "SETTLED", head + "descriptor amount currency commission total_amount"},
	}
	s := open(t)
	require.NoError(t, s.SaveMID(t.Context(), store.MID{ID: "live", MerchantID: gatewaytest.MerchantID, Name: "Live",
		Connector: "vcard", Descriptor: "Test Shop", MOTO: true, ZeroAmount: true}))
	for i, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			request := c.sign(c.request.with("order_id", "O-"+string(rune('a'+i))))
			a := s.ok(t, "/post", request, c.result, c.status)
			require.Equal(t, strings.Fields(c.members), a.order(t), a.text)
			require.Equal(t, request["action"], a.get("action"))
			require.Equal(t, request["order_id"], a.get("order_id"))
			require.Equal(t, "2027-03-10 12:00:00", a.get("trans_date"))
			require.NotContains(t, a.text, pan)
		})
	}
}

// transfer returns a CARD2CARD whose card has the names of that action.
func transfer() fields {
	return sale("").with("action", "CARD2CARD", "payee_card_number", pan, "card_number", "", "card_exp_month", "",
		"card_exp_year", "", "card_cvv2", "", "payer_card_number", pan, "payer_card_exp_month", "01",
		"payer_card_exp_year", "2038", "payer_card_cvv2", "000")
}

func cardPayout() fields {
	return fields{
		"action": "CREDIT2CARD", "client_key": gatewaytest.MerchantKey, "order_amount": "10.00", "order_currency": "USD",
		"order_description": "Product", "card_number": "4601541833776519",
	}
}

func signCardPayout(f fields) fields {
	return signed(f, signature.Card5, signature.Inputs{Card: f["card_number"]})
}

// redirect_params is an object on /post and a list on /v2/post (decisions c and e).
func TestRedirectParams(t *testing.T) {
	t.Parallel()
	s := open(t)
	issuer, bank := sale("O-1").expires("05", "2038"), sale("O-2").expires("12", "2038")
	params := s.ok(t, "/post", issuer, "REDIRECT", "3DS").body["redirect_params"].(map[string]any)
	require.Contains(t, params, "PaReq")
	require.Contains(t, params, "MD")
	require.Contains(t, params, "TermUrl")
	require.Contains(t, s.ok(t, "/post", bank, "REDIRECT", "REDIRECT").text, `"redirect_params":{},`)

	list := s.ok(t, "/v2/post", issuer.with("order_id", "O-3"), "REDIRECT", "3DS").body["redirect_params"].([]any)
	require.Len(t, list, 3)
	require.Equal(t, "PaReq", list[0].(map[string]any)["name"])
	require.Len(t, list[0], 2)
	require.Contains(t, s.ok(t, "/v2/post", bank.with("order_id", "O-4"), "REDIRECT", "REDIRECT").text,
		`"redirect_params":[],`)

	qr := s.ok(t, "/post-va", signAPM(apm("O-5").with("brand", "ips", "order_currency", "EUR")), "REDIRECT", "REDIRECT")
	require.NotEmpty(t, qr.body["redirect_params"].(map[string]any)["qr_code"])
}

// In crypto an address is ready: SUCCESS to a SALE, INIT to a payout (s2s_apm.md).
func TestCryptoInit(t *testing.T) {
	t.Parallel()
	s := open(t)
	a := s.ok(t, "/post", signAPM(apm("O-1").with("brand", "crypto-currency", "order_currency", "USDT", "order_amount", "",
		"identifier", "", "parameters[cryptoCurrency]", "USDT")), "SUCCESS", "PENDING")
	require.Equal(t, strings.Fields(head+"currency crypto_address crypto_network"), a.order(t))
	require.NotEmpty(t, a.get("crypto_address"))
	a = s.ok(t, "/post", signPayout(apm("O-2").with("action", "CREDIT2CRYPTO", "order_currency", "USDT", "order_amount",
		"1.000000",
		"identifier", "", "return_url", "", "brand", "crypto-btg", "parameters[address]", "TQ1")), "INIT", "PENDING")
	require.Equal(t, strings.Fields(head+"amount currency"), a.order(t))
}

// Cards are no brand of S2S APM, whether card data comes with the request or not (errors.md, 204006).
func TestCardIsNoBrand(t *testing.T) {
	t.Parallel()
	s := open(t)
	for action, sign := range map[string]func(fields) fields{
		"SALE": signAPM, "DEBIT2VIRTUAL": signAPM, "DEBIT2VIRTUAL_CALC": signAPM, "CREDIT2VIRTUAL": signPayout,
	} {
		f := sign(apm("O-1").with("action", action, "brand", "card", "payer_return_url", "https://shop.example/back"))
		withCard := f.with("card_number", pan, "card_exp_month", "01", "card_exp_year", "2038", "card_cvv2", "000")
		for _, path := range []string{"/post", "/post-va"} {
			require.EqualValues(t, 204006, s.send(t, path, f).body["error_code"], action+path)
			require.EqualValues(t, 204006, s.send(t, path, withCard).body["error_code"], action+path)
		}
	}
	_, err := s.Shop().Charge(t.Context(), gateway.ChargeRequest{
		Protocol: store.S2SAPM, Action: "SALE", Kind: store.Purchase, Method: "card", Identifier: "success@gmail.com",
		Order: store.Order{Number: "O-2", Amount: "10.00", Currency: "USD", Description: "Product"},
		Payer: store.Payer{IP: "123.123.123.123"}, ReturnURL: "https://shop.example/back",
	})
	require.ErrorIs(t, err, gateway.ErrBrandRoute)
}

// A brand that declines.
func TestBrandDeclines(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.Vcard.Next(vcard.Decline("Declined by processing"))
	a := s.ok(t, "/post", apm("O-1"), "DECLINED", "DECLINED")
	require.Equal(t, strings.Fields(head+"amount currency decline_reason"), a.order(t))
	require.Equal(t, "Declined by processing", a.get("decline_reason"))
}

// An acquirer that does not answer gives UNDEFINED, and its outcome is reported by a lookup.
func TestUndefined(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.Vcard.Next(vcard.UnknownAfter(), vcard.UnknownAfter())
	a := s.ok(t, "/post", sale("O-1"), "UNDEFINED", "PREPARE")
	require.Equal(t, []string{"action", "result", "status", "order_id", "trans_id", "trans_date", "amount", "currency"},
		a.order(t))
	s.ok(t, "/post", sale("O-2").with("auth", "Y"), "UNDEFINED", "PENDING")
}

// Card data takes precedence over card_token, and that over payment_token (s2s_card.md, "Precedence").
func TestPrecedence(t *testing.T) {
	t.Parallel()
	s := open(t)
	token := s.ok(t, "/post", sale("O-1").with("req_token", "Y"), "SUCCESS", "SETTLED").get("card_token")
	noCard := sale("O-2").with("card_number", "", "card_exp_month", "", "card_exp_year", "", "card_cvv2", "")
	s.ok(t, "/post", signSale(noCard.with("card_token", token)), "SUCCESS", "SETTLED")
	s.ok(t, "/post", signSale(noCard.with("order_id", "O-3", "card_token", token, "digital_wallet", "googlepay",
		"payment_token", "{}")), "SUCCESS", "SETTLED")
	s.ok(t, "/post", sale("O-4").with("card_token", long(64), "digital_wallet", "googlepay", "payment_token", "{}"),
		"SUCCESS", "SETTLED")

	a := s.send(t, "/post", signSale(noCard.with("order_id", "O-5", "card_token", long(64))))
	require.EqualValues(t, 205005, a.body["error_code"], a.text)
	a = s.send(t, "/post", signSale(noCard.with("order_id", "O-6", "digital_wallet", "googlepay", "payment_token", "{}")))
	require.EqualValues(t, 204004, a.body["error_code"], a.text) // no wallet is configured
	a = s.send(t, "/post", noCard.with("digital_wallet", "googlepay"))
	require.Equal(t, []string{"payment_token" + blank}, a.errors())
	a = s.send(t, "/post", noCard.with("payment_token", "{}"))
	require.Equal(t, []string{"digital_wallet" + blank}, a.errors())
}

// With mpi_data no 3-D Secure starts, and N, U and R do not decline; an authorization ignores it (SPEC2).
func TestExternal3DS(t *testing.T) {
	t.Parallel()
	s := open(t)
	mpi := []string{"mpi_data[eci]", "05", "mpi_data[authentication_value]", long(28), "mpi_data[ds_trans_id]",
		"9d0f5cc4-f07b-11ec-abf4-0242ac120006", "mpi_data[3ds_version]", "2.2.0"}
	for i, status := range []string{"", "Y", "N", "U", "R"} {
		f := sale("O-"+string(rune('1'+i))).expires("05", "2038").with(mpi...).with("mpi_data[trans_status]", status)
		s.ok(t, "/post", f, "SUCCESS", "SETTLED")
	}
	s.ok(t, "/post", sale("O-7").expires("05", "2038").with(mpi...).with("auth", "Y"), "REDIRECT", "3DS")
	s.ok(t, "/post", sale("O-8").with("auth", "Y", "mpi_data[eci]", "wrong"), "SUCCESS", "PENDING")
}

// The answers of follow-ups, with the order of their members.
func TestFollowUpAnswers(t *testing.T) {
	t.Parallel()
	s := open(t)
	held := s.ok(t, "/post", sale("O-1").with("auth", "Y"), "SUCCESS", "PENDING").get("trans_id")
	a := s.ok(t, "/post", follow("CAPTURE", held, "amount", "4.00"), "SUCCESS", "SETTLED")
	require.Equal(t, strings.Fields("action result status amount order_id trans_id trans_date currency"), a.order(t))
	require.Equal(t, "4.00", a.get("amount"))
	require.Equal(t, held, a.get("trans_id"))

	a = s.ok(t, "/post", follow("CREDITVOID", held), "ACCEPTED", "")
	require.Equal(t, strings.Fields("action result order_id trans_id"), a.order(t))
	require.Equal(t, held, a.get("trans_id"))

	fails := s.ok(t, "/post", sale("O-2").with("auth", "Y").expires("03", "2038"), "SUCCESS", "PENDING").get("trans_id")
	a = s.ok(t, "/post", follow("CAPTURE", fails), "DECLINED", "PENDING")
	require.Equal(t, strings.Fields("action result status amount order_id trans_id trans_date currency decline_reason"),
		a.order(t))

	settled := s.ok(t, "/post", sale("O-3"), "SUCCESS", "SETTLED").get("trans_id")
	a = s.ok(t, "/post", follow("VOID", settled), "SUCCESS", "VOID")
	require.Equal(t, strings.Fields("action result status order_id trans_id trans_date"), a.order(t))

	refused := []struct {
		name    string
		request fields
		code    int
		message string
	}{
		{"capture of what is not held", follow("CAPTURE", settled), 208003, "Not acceptable to request the capture for payment not in pending status."},
		{"capture of too much", follow("CAPTURE", fails, "amount", "10.01"), 208004, "Not acceptable to request the capture for amount bigger than auth amount."},
		{"part of a reversal", follow("CREDITVOID", fails, "amount", "1.00"), 208009, "Not acceptable to request the reversal for partial amount."},
		{"refund of nothing left", follow("CREDITVOID", settled), 100000, "Refund is not allowed."},
		{"void of a hold", follow("VOID", fails), 100000, "Void is not allowed."},
	}
	for _, c := range refused {
		a := s.send(t, "/post", c.request)
		require.Equal(t, 400, a.status, c.name)
		require.EqualValues(t, c.code, a.body["error_code"], c.name)
		require.Equal(t, c.message, a.get("error_message"))
		require.Equal(t, []string{"result", "error_code", "error_message", "errors"}, a.order(t))
	}
}

// The duplicate window and the reuse of an order number (decision u).
func TestDuplicates(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.ok(t, "/post", sale("O-1"), "SUCCESS", "SETTLED")
	a := s.send(t, "/post", sale("O-1"))
	require.Equal(t, 400, a.status)
	require.EqualValues(t, 400, a.body["error_code"])
	require.Equal(t, "Duplicate request.", a.get("error_message"))
	s.Advance(t, 16e9)
	a = s.send(t, "/post", sale("O-1"))
	require.Equal(t, 400, a.status)
	require.EqualValues(t, 100000, a.body["error_code"])
	require.Equal(t, []string{"order_id: Duplicate payment."}, a.errors())
}

// Decision by: an ips payment that waits at the payer's bank is PENDING in every lookup; other brands with a QR
// code are not.
func TestWaitingForAQRCode(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ brand, currency, status string }{
		{"ips", "EUR", "PENDING"},
		{"payok-promptpay", "THB", "REDIRECT"},
	} {
		t.Run(c.brand, func(t *testing.T) {
			t.Parallel()
			s := open(t)
			id := s.ok(t, "/post-va", signAPM(apm("O-1").with("brand", c.brand, "order_currency", c.currency)), "REDIRECT",
				"REDIRECT").get("trans_id")
			for _, action := range []string{"GET_TRANS_STATUS", "GET_TRANS_DETAILS"} {
				require.Equal(t, c.status, s.send(t, "/post-va", followAPM(action, id)).get("status"), action)
			}
		})
	}
}
