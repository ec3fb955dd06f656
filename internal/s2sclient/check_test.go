package s2sclient

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCheck(t *testing.T) {
	t.Parallel()
	apm := SaleAPM("ORDER-1", "1.99", "USD", "vcard", mail)
	coin := SaleAPM("ORDER-1", "", "BTC", "coin", "").With("crypto_network", "ERC20")
	for _, c := range []struct {
		name, path string
		fields     Fields
		answer     string
		problems   []string // parts of them, in order; none is a correct answer
	}{
		{"settled", "/post", sale(), settledSale, nil},
		{"no descriptor", "/post", sale(), `{"action":"SALE","result":"SUCCESS","status":"SETTLED",$ids,$date,"amount":"1.99","currency":"USD"}`, nil},
		{"declined", "/post", sale(), `{"action":"SALE","result":"DECLINED","status":"DECLINED",$ids,$date,"decline_reason":"Declined by processing"}`, nil},
		{"redirect", "/post", sale(), `{"action":"SALE","result":"REDIRECT","status":"3DS",$ids,$date,$money,$away}`, nil},
		{"redirect of version 2", "/v2/post", sale(), strings.Replace(sample(`{"action":"SALE","result":"REDIRECT","status":"3DS",$ids,$date,$money,$away}`), `{"MD":"m"}`, `[{"name":"MD","value":"m"}]`, 1), nil},
		{"AUTH answered as SALE", "/post", Auth("ORDER-1", "1.99", "USD", TestCard("01", "2038")), strings.Replace(settledSale, "SETTLED", "PENDING", 1), nil},
		{"APM", "/post-va", apm, settledSale, nil},
		{"QR code", "/post", apm, `{"action":"SALE","result":"REDIRECT","status":"REDIRECT",$ids,$date,$money,"redirect_params":{"qr_code":"aGk="}}`, nil},
		{"crypto", "/post", coin, `{"action":"SALE","result":"SUCCESS","status":"PENDING",$ids,$date,"currency":"BTC","crypto_address":"a","crypto_network":"ERC20"}`, nil},
		{"crypto payout", "/post", Credit2Crypto("ORDER-1", "1.99", "USD", "coin"), `{"action":"CREDIT2CRYPTO","result":"INIT","status":"PENDING",$ids,$date,$money}`, nil},
		{"deposit", "/post", Debit2Virtual("ORDER-1", "1.99", "USD", "b", mail), `{"action":"DEBIT2VIRTUAL","result":"SUCCESS","status":"SETTLED",$ids,$date,$money,"commission":"0.01","total_amount":"2"}`, nil},
		{"pause by its short name", "/post", Schedule("PAUSE", "s"), `{"action":"PAUSE","result":"SUCCESS"}`, nil},
		{"schedule", "/post", Schedule("SCHEDULE_INFO", "s"), `{"action":"SCHEDULE_INFO","result":"SUCCESS","name":"n","interval_length":"1","interval_unit":"day","payments_count":3,"delays":null,"paused":"N"}`, nil},

		{"foreign field", "/post", sale(), strings.Replace(settledSale, `}`, `,"extra":"1"}`, 1), []string{"extra is not a field"}},
		{"missing field", "/post", sale(), `{"action":"SALE","result":"SUCCESS","status":"SETTLED",$ids,$money}`, []string{"trans_date is missing"}},
		{"foreign status", "/post", sale(), strings.Replace(settledSale, "SETTLED", "REFUND", 1), []string{`status "REFUND"`}},
		{"foreign result", "/post", sale(), strings.Replace(settledSale, "SUCCESS", "ACCEPTED", 1), []string{`result "ACCEPTED" is not documented`}},
		{"another action", "/post", sale(), strings.Replace(settledSale, "SALE", "DEBIT", 1), []string{`action is "DEBIT"`}},
		{"another amount", "/post", sale(), strings.Replace(sample(settledSale), "1.99", "1.90", 1), []string{"amount is 1.90"}},
		{"another currency", "/post", sale(), strings.Replace(sample(settledSale), "USD", "EUR", 1), []string{`currency is "EUR"`}},
		{"another order", "/post", sale(), strings.Replace(sample(settledSale), "ORDER-1", "ORDER-2", 1), []string{`order_id is "ORDER-2"`}},
		{"order of fields", "/post", sale(), `{"result":"SUCCESS","action":"SALE","status":"SETTLED",$ids,$date,$money}`, []string{"order of fields"}},
		{"date", "/post", sale(), strings.Replace(sample(settledSale), "2026-01-02 ", "2026-01-02T", 1), []string{"trans_date is"}},
		{"empty value", "/post", sale(), strings.Replace(sample(settledSale), `"shop"`, `""`, 1), []string{"descriptor is empty"}},
		{"null", "/post", sale(), strings.Replace(sample(settledSale), `"shop"`, `null`, 1), []string{"descriptor is null"}},
		{"token that was not requested", "/post", sale(), strings.Replace(settledSale, `}`, `,"card_token":"t","recurring_token":"r"}`, 1), []string{"recurring_token without", "card_token without"}},
		{"hold that settled", "/post", sale().With("auth", "Y"), settledSale, []string{"not PENDING"}},
		{"undefined as pending", "/post", sale(), strings.NewReplacer("SUCCESS", "UNDEFINED", "SETTLED", "PENDING").Replace(settledSale), []string{"without auth=Y"}},
		{"undefined hold as prepare", "/post", sale().With("auth", "Y"), strings.NewReplacer("SUCCESS", "UNDEFINED", "SETTLED", "PREPARE").Replace(settledSale), []string{"not PENDING"}},
		{"array on /post", "/post", sale(), `{"action":"SALE","result":"REDIRECT","status":"3DS",$ids,$date,$money,"redirect_url":"https://a.example","redirect_params":[],"redirect_method":"GET"}`, []string{"shape of another path"}},
		{"object on /v2/post", "/v2/post", sale(), `{"action":"SALE","result":"REDIRECT","status":"3DS",$ids,$date,$money,$away}`, []string{"shape of another path"}},
		{"no target", "/post", sale(), `{"action":"SALE","result":"REDIRECT","status":"3DS",$ids,$date,$money}`, []string{"redirect_url is missing", "redirect_params is missing", "redirect_method is missing"}},
		{"crypto without address", "/post", coin, `{"action":"SALE","result":"SUCCESS","status":"PENDING",$ids,$date,"currency":"BTC"}`, []string{"crypto_address is missing", "crypto_network is missing"}},
		{"APM sale that waits", "/post", apm, strings.Replace(settledSale, "SETTLED", "PENDING", 1), []string{"neither crypto nor auth=Y"}},
		{"wrong total", "/post", Debit2Virtual("ORDER-1", "1.99", "USD", "b", mail), `{"action":"DEBIT2VIRTUAL","result":"SUCCESS","status":"SETTLED",$ids,$date,$money,"commission":"0.01","total_amount":"1.99"}`, []string{"total_amount"}},
		{"status on a schedule", "/post", Schedule("RUN", "s"), `{"action":"RUN","result":"SUCCESS","status":"SETTLED"}`, []string{"has no status"}},
		{"amount of a payout", "/post", Credit2Card("ORDER-1", "1.99", "USD", payee), `{"action":"CREDIT2CARD","result":"SUCCESS","status":"SETTLED",$ids,$date,"amount":"1.99"}`, []string{"amount is not a field"}},
		{"no JSON", "/post", sale(), `<html>`, []string{"no JSON object"}},
		{"twice", "/post", sale(), `{"result":"SUCCESS","result":"ERROR"}`, []string{"result appears twice"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			client, server := serve(t, c.path)
			server.say(http.StatusOK, c.answer)
			problems := Check(client.must(t, c.fields))
			require.Len(t, problems, len(c.problems), "%q", problems)
			for i, part := range c.problems {
				require.Contains(t, problems[i], part)
			}
		})
	}
}

func TestCheckRefusals(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name     string
		status   int
		answer   string
		problems []string
	}{
		{"bad hash", 400, `{"result":"ERROR","error_code":100000,"error_message":"Hash is not valid"}`, nil},
		{"fields", 400, `{"result":"ERROR","error_code":100000,"error_message":"Request data is invalid.","errors":[{"error_code":100000,"error_message":"order_id: Duplicate payment."}]}`, nil},
		{"unknown action", 404, `{"result":"ERROR","error_code":0,"error_message":"Route or parameters is not supported","errors":[]}`, nil},
		{"no transaction", 400, `{"result":"ERROR","error_code":101000,"error_message":"Transaction does not exist."}`, nil},
		{"code without a text", 400, `{"result":"ERROR","error_code":204025,"error_message":"anything"}`, nil},

		{"HTTP 200", 200, `{"result":"ERROR","error_code":100000,"error_message":"Hash is not valid"}`, []string{"with HTTP 200"}},
		{"unknown code", 400, `{"result":"ERROR","error_code":208001,"error_message":"Payment not found."}`, []string{"208001 is not documented"}},
		{"wrong text", 400, `{"result":"ERROR","error_code":208003,"error_message":"No."}`, []string{"error 208003 says"}},
		{"wrong absence", 400, `{"result":"ERROR","error_code":101000,"error_message":"Payment not found."}`, []string{"error 101000 says"}},
		{"code as a text", 400, `{"result":"ERROR","error_code":"100000","error_message":"Hash is not valid"}`, []string{"no whole number", "documented is 404"}},
		{"a field that is no more", 400, `{"result":"ERROR","error_code":100000,"error_message":"Request data is invalid.","errors":[{"error_code":100000,"error_message":"Parameter is deprecated."}]}`, nil},
		{"no field", 400, `{"result":"ERROR","error_code":100000,"error_message":"Request data is invalid.","errors":[{"error_code":100000,"error_message":"bad"}]}`, []string{"names no field"}},
		{"entry", 400, `{"result":"ERROR","error_code":100000,"error_message":"Request data is invalid.","errors":["bad"]}`, []string{"errors[0] is not"}},
		{"foreign field", 400, `{"result":"ERROR","error_code":100000,"error_message":"Hash is not valid","action":"SALE"}`, []string{"action is not a field of an error"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			client, server := serve(t, "/post")
			server.say(c.status, c.answer)
			problems := Check(client.must(t, sale()))
			require.Len(t, problems, len(c.problems), "%q", problems)
			for i, part := range c.problems {
				require.Contains(t, problems[i], part)
			}
		})
	}
}

func TestCheckDetails(t *testing.T) {
	t.Parallel()
	const head = `{"action":"GET_TRANS_DETAILS","result":"SUCCESS","status":"SETTLED",$ids,` +
		`"name":"John Doe","mail":"doe@example.com","ip":"123.123.123.123",` +
		`"amount":"1.99","currency":"USD","card":"411111******1111","transactions":`
	for _, c := range []struct{ name, answer, problem string }{
		{"good", head + `[{"type":"SALE","status":"success","date":"2026-01-02 03:04:05","amount":"1.99"}]}`, ""},
		{"lower case", head + `[{"type":"sale","status":"success","date":"2026-01-02 03:04:05","amount":"1.99"}]}`, "type"},
		{"upper case", head + `[{"type":"SALE","status":"SUCCESS","date":"2026-01-02 03:04:05","amount":"1.99"}]}`, "status"},
		{"date", head + `[{"type":"SALE","status":"success","date":"yesterday","amount":"1.99"}]}`, "date"},
		{"shape", head + `[{"type":"SALE"}]}`, "transactions[0]"},
		{"mask", strings.Replace(head, "******", "****", 1) + `[]}`, "six asterisks"},
		{"another card", strings.Replace(head, "411111", "511111", 1) + `[]}`, "not the card that paid"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			client, server := serve(t, "/post")
			server.say(http.StatusOK, settledSale)
			client.must(t, sale())
			server.say(http.StatusOK, c.answer)
			problems := Check(client.must(t, FollowUp("GET_TRANS_DETAILS", sampleTrans)))
			if c.problem == "" {
				require.Empty(t, problems)
				return
			}
			require.Len(t, problems, 1)
			require.Contains(t, problems[0], c.problem)
		})
	}
}
