package main

import (
	"strings"

	"github.com/stretchr/testify/require"

	s2s "github.com/tollgatepay/gateway/internal/s2sclient"
)

// statusOf returns the status of "SUCCESS SETTLED".
func statusOf(end string) string {
	_, status, _ := strings.Cut(end, " ")
	return status
}

func brands(b *backend) {
	a := b.do("/post-va", s2s.SaleAPM("B-1", "10.00", "USD", "vcard", "success@gmail.com").
		With("custom_data[z][b]", "2", "custom_data[z][a]", "1", "custom_data[a]", "0"), "SUCCESS", "SETTLED")
	b.requireCallbacks(a, "SALE SUCCESS SETTLED")
	b.do("/post-va", s2s.FollowUp("GET_TRANS_STATUS", a.TransID()), "SUCCESS", "SETTLED")
	b.do("/post-va", s2s.StatusByOrder("B-1"), "SUCCESS", "SETTLED")
	b.do("/post-va", s2s.FollowUp("CREDITVOID", a.TransID()).With("amount", "4.00"), "ACCEPTED", "")
	b.do("/post", s2s.FollowUp("CREDITVOID", a.TransID()), "ACCEPTED", "")
	b.requireCallbacks(a, "SALE SUCCESS SETTLED", "CREDITVOID SUCCESS REFUND", "CREDITVOID SUCCESS REFUND")

	a = b.do("/post", s2s.SaleAPM("B-2", "10.00", "USD", "vcard", "fail@gmail.com"), "DECLINED", "DECLINED")
	b.requireCallbacks(a, "SALE DECLINED DECLINED")
	a = b.do("/post", s2s.SaleAPM("B-3", "10.00", "USD", "vcard", "success@gmail.com"), "SUCCESS", "SETTLED")
	b.do("/post-va", s2s.FollowUp("VOID", a.TransID()), "SUCCESS", "VOID")
	b.requireCallbacks(a, "SALE SUCCESS SETTLED", "VOID SUCCESS VOID")

	a = b.do("/post-va", s2s.SaleAPM("B-4", "10.00", "USD", "vcard", "success@gmail.com").With("auth", "Y"), "SUCCESS",
		"PENDING")
	b.do("/post-va", s2s.FollowUp("CAPTURE", a.TransID()).With("amount", "4.00"), "SUCCESS", "SETTLED")
	b.requireCallbacks(a, "SALE SUCCESS PENDING", "CAPTURE SUCCESS SETTLED")
	a = b.do("/post-va", s2s.SaleAPM("B-5", "10.00", "USD", "vcard", "success@gmail.com").With("auth", "Y"), "SUCCESS",
		"PENDING")
	b.do("/post-va", s2s.FollowUp("CREDITVOID", a.TransID()), "ACCEPTED", "")
	b.requireCallbacks(a, "SALE SUCCESS PENDING", "CREDITVOID SUCCESS REVERSAL")
}

func brandsAway(b *backend) {
	a := b.do("/post-va", s2s.SaleAPM("W-1", "10.00", "USD", "paypal", "doe@example.com"), "REDIRECT", "REDIRECT")
	b.sendPayer(a)
	b.requireCallbacks(a, "SALE REDIRECT REDIRECT", "SALE SUCCESS SETTLED")

	a = b.do("/post-va", s2s.SaleAPM("W-2", "10.00", "EUR", "ips", "doe@example.com"), "REDIRECT", "REDIRECT")
	params, _ := a.Body.Get("redirect_params")
	require.NotEmpty(b.t, params.(*s2s.Object).Text("qr_code"))
	b.requireCallbacks(a, "SALE REDIRECT REDIRECT")
}

// A method that asks the payer for something asks on the gateway's own page.
func brandsAsk(b *backend) {
	a := b.do("/post-va", s2s.SaleAPM("Q-1", "10.00", "EUR", "mobile-collection",
		"doe@example.com").With("parameters[accountId]", "A-1",
		"parameters[market]", "SN", "parameters[type]", "PULL", "parameters[currency]", "EUR", "payer_language", "fr"),
		"REDIRECT", "REDIRECT")
	page := b.openNext(a)
	require.Contains(b.t, page.text, `lang="fr"`)
	page = b.payer.submit(page, "answer.bankDetails.phoneNumber",
		map[string]string{"answer.bankDetails.phoneNumber": "221771234567"})
	page = b.payer.submit(page, "answer.bankDetails.otp", map[string]string{"answer.bankDetails.otp": "123456"})
	b.home(page)
	b.requireCallbacks(a, "SALE REDIRECT REDIRECT", "SALE SUCCESS SETTLED")
}

func brandPayouts(b *backend) {
	a := b.do("/post", s2s.Credit2Virtual("V-1", "10.00", "USD", "vcard"), "SUCCESS", "SETTLED")
	b.requireCallbacks(a, "CREDIT2VIRTUAL SUCCESS SETTLED")
	money := s2s.Credit2Virtual("V-2", "2", "XOF", "mobile-money").With("order_description", "", "payee_first_name", "Awa",
		"payee_last_name", "Diop", "payee_email", "awa@example.com", "parameters[mobile_money_operator]", "orange-ci",
		"parameters[mobile_number]", "+2250701020304", "parameters[customer_email]", "awa@example.com")
	b.refused("/post", money.With("order_amount", "1"), "order_amount: must be within 2..2000000 XOF")
	a = b.do("/post", money, "SUCCESS", "SETTLED")
	b.requireCallbacks(a, "CREDIT2VIRTUAL SUCCESS SETTLED")
}

func cryptoSales(b *backend) {
	sale := s2s.SaleAPM("K-1", "25.000000", "USDT", "crypto-currency", "").With("parameters[cryptoCurrency]", "USDT",
		"crypto_network", "TRC20")
	a := b.do("/post-va", sale, "SUCCESS", "PENDING")
	b.requireCallbacks(a, "SALE INIT PENDING")
	a = b.do("/post-va", sale.With("order_id", "K-2", "order_amount", ""), "SUCCESS", "PENDING")
	b.requireCallbacks(a, "SALE INIT PENDING")
	a = b.do("/post", s2s.Credit2Crypto("K-3", "25.000000", "USDT", "crypto-btg").With("parameters[address]", "TQ1"),
		"INIT", "PENDING")
	b.requireCallbacks(a, "CREDIT2CRYPTO INIT PENDING")
}

func deposits(b *backend) {
	a := b.do("/post-va", s2s.Debit2Virtual("E-1", "10.00", "USD", "vcard", "success@gmail.com"), "SUCCESS", "SETTLED")
	b.requireCallbacks(a, "DEBIT2VIRTUAL SUCCESS SETTLED")
	a = b.do("/post-va", s2s.Debit2Virtual("E-2", "10.00", "USD", "house-bank", "doe@example.com"), "SUCCESS", "REDIRECT")
	b.sendPayer(a)
	b.requireCallbacks(a, "DEBIT2VIRTUAL REDIRECT REDIRECT", "DEBIT2VIRTUAL SUCCESS SETTLED")
	a = b.do("/post-va", s2s.Debit2VirtualCalc("E-3", "10.00", "USD", "vcard", "success@gmail.com"), "SUCCESS", "PREPARE")
	b.requireCallbacks(a, "DEBIT2VIRTUAL_CALC SUCCESS PREPARE")
	b.do("/post-va", s2s.FollowUp("DEBIT2VIRTUAL_COMPLETE", a.TransID()), "SUCCESS", "SETTLED")
	b.requireCallbacks(a, "DEBIT2VIRTUAL_CALC SUCCESS PREPARE", "DEBIT2VIRTUAL SUCCESS SETTLED")
}
