package s2s_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/callback/signature"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/s2s"
	"github.com/tollgatepay/gateway/store"
)

const badHash = `{"result":"ERROR","error_code":100000,"error_message":"Hash is not valid","errors":[]}`

// For any action, an unknown client gets the answer to a bad hash, byte by byte (decision p).
func TestUnknownClient(t *testing.T) {
	t.Parallel()
	s := open(t)
	card := s.ok(t, "/post", sale("O-1").with("recurring_init", "Y"), "SUCCESS", "SETTLED")
	virtual := s.ok(t, "/post", apm("O-2"), "SUCCESS", "SETTLED").get("trans_id")
	schedule := s.send(t, "/post", plan("CREATE_SCHEDULE", "name", "n", "interval_length", "1", "interval_unit", "day",
		"payments_count", "3")).get("schedule_id")
	id := card.get("trans_id")
	requests := []fields{
		sale("O-3"), sale("O-4").with("action", "AUTH"), sale("O-5").with("action", "DEBIT"),
		transfer().with("order_id", "O-6"),
		cardPayout().with("order_id", "O-7"), apm("O-8"), apm("O-9").with("action", "CREDIT2VIRTUAL"),
		apm("O-10").with("action", "CREDIT2CRYPTO", "brand", "crypto-btg", "order_currency", "USDT", "order_amount",
			"25.000000"),
		apm("O-11").with("action", "DEBIT2VIRTUAL", "payer_return_url", "https://a.example/"),
		apm("O-12").with("action", "DEBIT2VIRTUAL_CALC", "payer_return_url", "https://a.example/"),
		follow("CAPTURE", id), follow("CREDITVOID", id), follow("VOID", id), follow("RETRY", id), follow("STOP_SCHEDULE", id),
		follow("GET_TRANS_STATUS", id), follow("GET_TRANS_DETAILS", id),
		follow("GET_TRANS_STATUS_BY_ORDER", "").with("order_id", "O-1"),
		followAPM("CAPTURE", virtual), followAPM("CREDITVOID", virtual), followAPM("VOID", virtual),
		followAPM("GET_TRANS_STATUS", virtual), followAPM("DEBIT2VIRTUAL_COMPLETE", virtual),
		recurring("RECURRING_SALE", "O-13", card), recurring("RECURRING_DEBIT", "O-14", card),
		plan("CREATE_SCHEDULE", "name", "n", "interval_length", "1", "interval_unit", "day", "payments_count", "3"),
		plan("UPDATE_SCHEDULE", "schedule_id", schedule), plan("PAUSE", "schedule_id", schedule),
		plan("RUN", "schedule_id", schedule),
		plan("DELETE_SCHEDULE", "schedule_id", schedule), plan("SCHEDULE_INFO", "schedule_id", schedule),
		plan("DESCHEDULE", "schedule_id", schedule, "recurring_token", "x"),
	}
	for _, f := range requests {
		bad := s.send(t, "/post", f.with("hash", strings.Repeat("0", 32)))
		require.Equal(t, 400, bad.status, "%s %s", f["action"], bad.text)
		require.Equal(t, badHash, bad.text, f["action"])
		unknown := s.send(t, "/post", f.with("hash", strings.Repeat("0", 32), "client_key",
			"9d0f5cc4-f07b-11ec-abf4-0242ac120006"))
		require.Equal(t, bad.status, unknown.status)
		require.Equal(t, bad.text, unknown.text, f["action"])
	}
}

func recurring(action, order string, first answer) fields {
	return signed(fields{
		"action": action, "client_key": gatewaytest.MerchantKey, "order_id": order, "order_amount": "3.00",
		"order_description": "Later", "recurring_first_trans_id": first.get("trans_id"),
		"recurring_token": first.get("recurring_token"),
	}, signature.Card1, signature.Inputs{Email: email, Card: pan})
}

// What does not exist is reported by action and entity (SPEC1, Errors), and so is what belongs to another client.
func TestNotFound(t *testing.T) {
	t.Parallel()
	s := open(t)
	other := store.Merchant{ID: "m-other", Name: "Other", Key: "0c7b1f64-0000-4000-8000-000000000001",
		Password: store.NewSecret("other-password-0001")}
	require.NoError(t, s.SaveMerchant(t.Context(), other))
	first := s.ok(t, "/post", sale("O-1").with("recurring_init", "Y"), "SUCCESS", "SETTLED")
	schedule := s.send(t, "/post", plan("CREATE_SCHEDULE", "name", "n", "interval_length", "1", "interval_unit", "day",
		"payments_count", "3")).get("schedule_id")
	id := first.get("trans_id")
	const transaction, order, payment = "Transaction does not exist.", "Order does not exist.", "Payment not found."
	cases := []struct {
		request fields
		code    int
		message string
	}{
		{follow("GET_TRANS_STATUS", id), 101000, transaction},
		{follow("GET_TRANS_DETAILS", id), 101000, transaction},
		{follow("GET_TRANS_STATUS_BY_ORDER", "").with("order_id", "O-1"), 101000, order},
		{follow("CAPTURE", id), 101000, transaction},
		{follow("VOID", id), 100000, payment},
		{follow("CREDITVOID", id), 100000, payment},
		{follow("STOP_SCHEDULE", id), 100000, payment},
		{follow("RETRY", id), 101000, transaction},
		{follow("DEBIT2VIRTUAL_COMPLETE", id), 101000, transaction},
		{recurring("RECURRING_SALE", "O-2", first), 100000, "Incorrect transaction"},
		{recurring("RECURRING_DEBIT", "O-2", first), 100000, "Incorrect transaction"},
		{plan("UPDATE_SCHEDULE", "schedule_id", schedule), 100000, "Schedule not found"},
		{plan("DELETE_SCHEDULE", "schedule_id", schedule), 100000, "Schedule not found"},
		{plan("PAUSE_SCHEDULE", "schedule_id", schedule), 100000, "Schedule not found"},
		{plan("RUN_SCHEDULE", "schedule_id", schedule), 100000, "Schedule not found"},
		{plan("SCHEDULE_INFO", "schedule_id", schedule), 100000, "Schedule not found"},
		{plan("DESCHEDULE", "schedule_id", schedule, "recurring_token", "x"), 100000, "Schedule not found"},
	}
	for _, c := range cases {
		stranger := c.request.with("client_key", other.Key)
		if id := c.request["schedule_id"]; id != "" { // only who has signed learns that there is no such schedule
			in := signature.Inputs{ScheduleID: id}
			stranger["hash"] = signature.Sign(signature.Card4, signature.MD5, in, "other-password-0001")
		}
		for _, f := range []fields{stranger, c.request.with("client_key", gatewaytest.TestKey)} {
			a := s.send(t, "/post", f)
			require.Equal(t, 400, a.status, a.text)
			require.EqualValues(t, c.code, a.body["error_code"], f["action"])
			require.Equal(t, c.message, a.get("error_message"), f["action"])
			require.Empty(t, a.errors())
		}
	}
}

// An action on a schedule that is not signed is refused in the same words, whether or not the schedule exists.
func TestUnsignedSchedules(t *testing.T) {
	t.Parallel()
	s := open(t)
	id := s.send(t, "/post", plan("CREATE_SCHEDULE", "name", "n", "interval_length", "1", "interval_unit", "day",
		"payments_count", "3")).get("schedule_id")
	const unknown = "9d0f5cc4-f07b-11ec-abf4-0242ac120006"
	for _, action := range []string{"UPDATE_SCHEDULE", "DELETE_SCHEDULE", "PAUSE_SCHEDULE", "PAUSE", "RUN_SCHEDULE", "RUN",
		"SCHEDULE_INFO", "DESCHEDULE"} {
		for _, path := range []string{"/post", "/v2/post"} {
			for _, schedule := range []string{id, unknown} {
				f := plan(action, "schedule_id", schedule, "recurring_token", "x").with("hash", strings.Repeat("0", 32))
				require.Equal(t, badHash, s.send(t, path, f).text, "%s %s %s", action, path, schedule)
			}
			a := s.send(t, path, plan(action, "schedule_id", unknown, "recurring_token", "x"))
			require.Equal(t, "Schedule not found", a.get("error_message"), "%s %s", action, path)
		}
	}
}

// A path serves the payments of its protocols only.
func TestPaymentsByPath(t *testing.T) {
	t.Parallel()
	s := open(t)
	card := s.ok(t, "/post", sale("O-1"), "SUCCESS", "SETTLED").get("trans_id")
	virtual := s.ok(t, "/post-va", apm("O-2").with("brand", "vcard"), "SUCCESS", "SETTLED").get("trans_id")
	s.ok(t, "/v2/post", follow("GET_TRANS_STATUS", card), "SUCCESS", "SETTLED")
	s.ok(t, "/post-va", followAPM("GET_TRANS_STATUS", virtual), "SUCCESS", "SETTLED")
	require.Equal(t, "Transaction does not exist.",
		s.send(t, "/post-va", follow("GET_TRANS_STATUS", card)).get("error_message"))
	require.Equal(t, "Transaction does not exist.",
		s.send(t, "/v2/post", followAPM("GET_TRANS_STATUS", virtual)).get("error_message"))
}

// Follow-ups are signed by the formulas of the documents, and by no others (decision a).
func TestFormulas(t *testing.T) {
	t.Parallel()
	s := open(t)
	card := s.ok(t, "/post", sale("O-1"), "SUCCESS", "SETTLED").get("trans_id")
	virtual := s.ok(t, "/post", apm("O-2"), "SUCCESS", "SETTLED").get("trans_id")
	payout := s.ok(t, "/post", signCardPayout(cardPayout().with("order_id", "O-3")), "SUCCESS", "SETTLED").get("trans_id")
	session := gatewaytest.Request("O-4", "10.00")
	s.Pay(t, s.SessionOf(t, session), gatewaytest.Settles)
	checkout := s.Payment(t, "O-4").ID
	whole := func(id string) signature.Inputs { return signature.Inputs{Email: email, TransID: id, Card: pan} }
	cases := []struct {
		name, action, id string
		formula          signature.Formula
		in               signature.Inputs
		good             bool
	}{
		{"card by Formula 2", "GET_TRANS_STATUS", card, signature.Card2, whole(card), true},
		{"card by SPEC2's", "GET_TRANS_STATUS", card, signature.APMTrans, whole(card), true},
		{"card by Formula 6", "GET_TRANS_STATUS", card, signature.Card6, whole(card), false},
		{"details of a card by SPEC2's", "GET_TRANS_DETAILS", card, signature.APMTrans, whole(card), false},
		{"details of a card", "GET_TRANS_DETAILS", card, signature.Card2, whole(card), true},
		{"refund of a card by APM's", "CREDITVOID", card, signature.APMCreditvoid, whole(card), false},
		{"brand", "GET_TRANS_STATUS", virtual, signature.APMTrans, whole(virtual), true},
		{"brand by Formula 2", "GET_TRANS_STATUS", virtual, signature.Card2, signature.Inputs{Email: email, TransID: virtual}, false},
		{"details of a brand", "GET_TRANS_DETAILS", virtual, signature.APMTrans, whole(virtual), true},
		{"refund of a brand by SPEC2's", "CREDITVOID", virtual, signature.APMTrans, whole(virtual), false},
		{"payout by Formula 6", "GET_TRANS_STATUS", payout, signature.Card6, signature.Inputs{TransID: payout, Card: "4601541833776519"}, true},
		{"details of a payout", "GET_TRANS_DETAILS", payout, signature.Card6, signature.Inputs{TransID: payout, Card: "4601541833776519"}, true},
		{"Checkout by card", "GET_TRANS_STATUS", checkout, signature.Card2, whole(checkout), true},
	}
	for _, c := range cases {
		f := signed(fields{"action": c.action, "client_key": gatewaytest.MerchantKey, "trans_id": c.id}, c.formula, c.in)
		a := s.send(t, "/post", f)
		require.Equal(t, c.good, a.status == 200, "%s: %s", c.name, a.text)
		if !c.good {
			require.Equal(t, badHash, a.text, c.name)
		}
	}
}

// Decision a, action by action: what signs a follow-up of a card payment and of a brand's, and that nothing else does.
func TestFollowUpFormulas(t *testing.T) {
	t.Parallel()
	s := open(t)
	card := s.ok(t, "/post", sale("O-1"), "SUCCESS", "SETTLED").get("trans_id")
	brand := s.ok(t, "/post", apm("O-2"), "SUCCESS", "SETTLED").get("trans_id")
	all := []signature.Formula{signature.Card1, signature.Card2, signature.Card6, signature.Card7, signature.Card8,
		signature.APMTrans, signature.APMCreditvoid, signature.APMCredit, signature.APMSale}
	for _, c := range []struct {
		action     string
		id         string
		in         signature.Inputs
		acceptable []signature.Formula
	}{
		{"CAPTURE", card, signature.Inputs{Card: pan}, []signature.Formula{signature.Card2, signature.APMTrans}},
		{"VOID", card, signature.Inputs{Card: pan}, []signature.Formula{signature.Card2, signature.APMTrans}},
		{"GET_TRANS_STATUS", card, signature.Inputs{Card: pan}, []signature.Formula{signature.Card2, signature.APMTrans}},
		{"CREDITVOID", card, signature.Inputs{Card: pan}, []signature.Formula{signature.Card2}},
		{"GET_TRANS_DETAILS", card, signature.Inputs{Card: pan}, []signature.Formula{signature.Card2}},
		{"STOP_SCHEDULE", card, signature.Inputs{Card: pan}, []signature.Formula{signature.Card2}},
		{"RETRY", card, signature.Inputs{Card: pan}, []signature.Formula{signature.Card1}},
		{"CAPTURE", brand, signature.Inputs{}, []signature.Formula{signature.APMTrans}},
		{"VOID", brand, signature.Inputs{}, []signature.Formula{signature.APMTrans}},
		{"GET_TRANS_STATUS", brand, signature.Inputs{}, []signature.Formula{signature.APMTrans}},
		{"GET_TRANS_DETAILS", brand, signature.Inputs{}, []signature.Formula{signature.APMTrans}},
		{"DEBIT2VIRTUAL_COMPLETE", brand, signature.Inputs{}, []signature.Formula{signature.APMTrans}},
		{"CREDITVOID", brand, signature.Inputs{}, []signature.Formula{signature.APMCreditvoid}},
	} {
		for _, formula := range all {
			c.in.Email, c.in.TransID, c.in.OrderID, c.in.Amount = email, c.id, "O-1", "10.00"
			f := signed(fields{"action": c.action, "client_key": gatewaytest.MerchantKey, "trans_id": c.id}, formula, c.in)
			refused := s.send(t, "/post", f).text == badHash
			require.Equal(t, slices.Contains(c.acceptable, formula), !refused, "%s of %s by %s", c.action, c.id, formula)
		}
	}
}

// GET_TRANS_STATUS_BY_ORDER is signed by Formula 7; for the order of a CREDIT2CARD without e-mail.
func TestByOrder(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.ok(t, "/post", sale("O-1"), "SUCCESS", "SETTLED")
	s.ok(t, "/post", signCardPayout(cardPayout().with("order_id", "O-2", "payer_email", email)), "SUCCESS", "SETTLED")
	s.ok(t, "/post", apm("O-3"), "SUCCESS", "SETTLED")
	for _, in := range []signature.Inputs{
		{Email: email, OrderID: "O-1", Card: pan}, {OrderID: "O-2", Card: "4601541833776519"}, {Email: email, OrderID: "O-3"},
	} {
		f := fields{"action": "GET_TRANS_STATUS_BY_ORDER", "client_key": gatewaytest.MerchantKey, "order_id": in.OrderID}
		a := s.ok(t, "/post", signed(f, signature.Card7, in), "SUCCESS", "SETTLED")
		require.Equal(t, in.OrderID, a.get("order_id"))
	}
}

// SHA-256 by the protocol's mapping, and capitals of ASCII and of Unicode (decision l).
func TestDigestModes(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.mapping(t, store.Mapping{Protocol: store.S2SAPM, SHA256: true})
	require.Equal(t, badHash, s.send(t, "/post", apm("O-1")).text)
	f := apm("O-1")
	f["hash"] = signature.Sign(signature.APMSale, signature.SHA256, signature.Inputs{
		Identifier: f["identifier"], OrderID: f["order_id"], Amount: f["order_amount"], Currency: f["order_currency"],
	}, gatewaytest.Password)
	s.ok(t, "/post", f, "SUCCESS", "SETTLED")
	s.ok(t, "/post", sale("O-2"), "SUCCESS", "SETTLED") // CARD has its own mapping
}

// Bodies: both encodings, no parameter from the query, no parameter twice, sizes by action.
func TestTransport(t *testing.T) {
	t.Parallel()
	s := open(t)
	const form = "application/x-www-form-urlencoded"
	contentType, body := multiparted(t, sale("O-1"))
	require.Equal(t, 200, s.raw(t, "/post", contentType, body).status)
	require.Equal(t, 200, s.raw(t, "/post?action=VOID&order_id=x", form+"; charset=UTF-8", sale("O-2").encode()).status)
	require.Equal(t, 200, s.raw(t, "/post", form, sale("O-3").encode()+"&unknown[a]=b&notification_url=x").status)
	cases := []struct {
		name, path, contentType, body string
		status                        int
		want                          string
	}{
		{"only a query", "/post?" + sale("O-4").encode(), form, "", 404, "Route or parameters is not supported"},
		{"no action", "/post", form, "client_key=x", 404, "Route or parameters is not supported"},
		{"unknown action", "/post", form, "action=CANCEL_SCHEDULE", 404, "Route or parameters is not supported"},
		{"unknown path", "/v3/post", form, sale("O-4").encode(), 404, "Route or parameters is not supported"},
		{"JSON", "/post", "application/json", `{"action":"SALE"}`, 400, "body: must be application/x-www-form-urlencoded or multipart/form-data"},
		{"repeated field", "/post", form, sale("O-4").encode() + "&order_amount=1.00", 400, "order_amount: repeated field"},
		{"repeated action", "/post", form, sale("O-4").encode() + "&action=VOID", 400, "action: repeated field"},
		{"broken escape", "/post", form, sale("O-4").encode() + "&x=%zz", 400, "x: must be valid percent-encoding"},
		{"follow-up of 64 KiB", "/post", form, follow("VOID", "x").encode() + "&x=" + long(s2s.MaxFollowUp), 400, "body: must be at most 65536 bytes"},
		{"request of 1 MiB", "/post", form, sale("O-4").encode() + "&x=" + long(s2s.MaxCreate), 400, "body: must be at most 1048576 bytes"},
		{"pairs", "/post", form, sale("O-4").encode() + strings.Repeat("&a=", 10001), 400, "body: too many parameters"},
	}
	for _, c := range cases {
		a := s.raw(t, c.path, c.contentType, c.body)
		require.Equal(t, c.status, a.status, c.name)
		if c.status == 404 {
			require.Equal(t, `{"result":"ERROR","error_code":0,"error_message":"`+c.want+`","errors":[]}`, a.text, c.name)
			continue
		}
		require.Equal(t, []string{c.want}, a.errors(), c.name)
	}
}

// Do refuses a compressed body, like Handler.
func TestDo(t *testing.T) {
	t.Parallel()
	s := open(t)
	r := s2s.Do(t.Context(), s.Gateway, s2s.Request{Path: "/post", ContentEncoding: "gzip"})
	require.Equal(t, 400, r.Status)
	require.Contains(t, string(r.Body), "Content-Encoding: bodies must not be compressed")
	r = s2s.Do(t.Context(), s.Gateway, s2s.Request{Path: "/"})
	require.Equal(t, 404, r.Status)
}
