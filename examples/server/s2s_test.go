package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	s2s "github.com/tollgatepay/gateway/internal/s2sclient"
)

// Every action of S2S CARD and S2S APM over HTTP, by a client that was written from the documents.
func TestEveryAction(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		sha256 bool
	}{{"MD5", false}, {"SHA-256", true}} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := newBackend(t, c.sha256)
			for _, part := range []func(*backend){
				cardSales, cardAway, cardHolds, cardRefunds, cardRefusals, cardTokens, cardChains, cardDebits,
				cardPayouts, cardTransfers, cardSchedules, brands, brandsAway, brandsAsk, brandPayouts, cryptoSales, deposits,
			} {
				part(b)
			}
			require.Empty(t, b.receiver.Problems())
			for _, action := range []string{
				"SALE", "AUTH", "DEBIT", "CARD2CARD", "CREDIT2CARD", "CAPTURE", "VOID", "CREDITVOID", "GET_TRANS_STATUS",
				"GET_TRANS_STATUS_BY_ORDER", "GET_TRANS_DETAILS", "RECURRING_SALE", "RECURRING_DEBIT", "CREATE_SCHEDULE",
				"UPDATE_SCHEDULE", "PAUSE_SCHEDULE", "PAUSE", "RUN_SCHEDULE", "RUN", "DELETE_SCHEDULE", "SCHEDULE_INFO",
				"DESCHEDULE", "CREDIT2VIRTUAL", "CREDIT2CRYPTO", "DEBIT2VIRTUAL", "DEBIT2VIRTUAL_CALC", "DEBIT2VIRTUAL_COMPLETE",
			} { // RETRY and STOP_SCHEDULE need an acquirer that declines softly or runs schedules, so they are refused here
				require.True(t, b.used[action], "%s was never answered", action)
			}
		})
	}
}

func cardSales(b *backend) {
	a := b.do("/post", s2s.Sale("C-1", "10.00", "USD", s2s.TestCard("01", "2038")).With("custom_data[cart][size]", "3"),
		"SUCCESS", "SETTLED")
	b.requireCallbacks(a, "SALE SUCCESS SETTLED")
	b.do("/post", s2s.FollowUp("GET_TRANS_STATUS", a.TransID()), "SUCCESS", "SETTLED")
	b.do("/v2/post", s2s.StatusByOrder("C-1"), "SUCCESS", "SETTLED")
	b.do("/post", s2s.FollowUp("GET_TRANS_DETAILS", a.TransID()), "SUCCESS", "SETTLED")
	b.do("/post", s2s.FollowUp("VOID", a.TransID()), "SUCCESS", "VOID")
	b.requireCallbacks(a, "SALE SUCCESS SETTLED", "VOID SUCCESS VOID")

	a = b.do("/v2/post", s2s.Sale("C-2", "10.00", "USD", s2s.TestCard("02", "2038")), "DECLINED", "DECLINED")
	b.requireCallbacks(a, "SALE DECLINED DECLINED")
	b.do("/post", s2s.FollowUp("GET_TRANS_STATUS", a.TransID()), "SUCCESS", "DECLINED")

	b.client.Multipart = true
	a = b.do("/post", s2s.Sale("C-3", "1000", "JPY", s2s.TestCard("01", "2038")), "SUCCESS", "SETTLED")
	b.client.Multipart = false
	b.requireCallbacks(a, "SALE SUCCESS SETTLED")
	a = b.do("/post", s2s.Sale("C-4", "10.00", "USD", s2s.TestCard("05", "2038")).With("moto_type", "phone_moto",
		"card_cvv2", ""), "SUCCESS", "SETTLED")
	b.requireCallbacks(a, "SALE SUCCESS SETTLED")
}

// 3-D Secure and a bank page, by an HTTP client that plays the payer.
func cardAway(b *backend) {
	for _, c := range []struct{ path, order, month, year, status, end string }{
		{"/post", "A-1", "05", "2038", "3DS", "SUCCESS SETTLED"},
		{"/v2/post", "A-2", "05", "2038", "3DS", "SUCCESS SETTLED"},
		{"/post", "A-3", "06", "2038", "3DS", "DECLINED DECLINED"},
		{"/post", "A-4", "12", "2038", "REDIRECT", "SUCCESS SETTLED"},
		{"/v2/post", "A-5", "12", "2039", "REDIRECT", "DECLINED DECLINED"},
	} {
		a := b.do(c.path, s2s.Sale(c.order, "10.00", "USD", s2s.TestCard(c.month, c.year)), "REDIRECT", c.status)
		b.requireCallbacks(a, "SALE REDIRECT "+c.status)
		b.do("/post", s2s.FollowUp("GET_TRANS_DETAILS", a.TransID()), "SUCCESS", c.status)
		b.sendPayer(a)
		b.requireCallbacks(a, "SALE REDIRECT "+c.status, "SALE "+c.end)
		b.do("/post", s2s.FollowUp("GET_TRANS_DETAILS", a.TransID()), "SUCCESS", statusOf(c.end))
	}
}

func cardHolds(b *backend) {
	a := b.do("/post", s2s.Auth("H-1", "10.00", "USD", s2s.TestCard("01", "2038")), "SUCCESS", "PENDING")
	b.requireCallbacks(a, "SALE SUCCESS PENDING")
	b.do("/post", s2s.FollowUp("CAPTURE", a.TransID()).With("amount", "4.00"), "SUCCESS", "SETTLED")
	b.requireCallbacks(a, "SALE SUCCESS PENDING", "CAPTURE SUCCESS SETTLED")

	a = b.do("/post", s2s.Sale("H-2", "10.00", "USD", s2s.TestCard("03", "2038")).With("auth", "Y"), "SUCCESS", "PENDING")
	b.do("/post", s2s.FollowUp("CAPTURE", a.TransID()), "DECLINED", "PENDING")
	b.refused("/post", s2s.FollowUp("CREDITVOID", a.TransID()).With("amount", "1.00"), "208009")
	b.do("/post", s2s.FollowUp("CREDITVOID", a.TransID()), "ACCEPTED", "")
	b.requireCallbacks(a, "SALE SUCCESS PENDING", "CAPTURE DECLINED PENDING", "CREDITVOID SUCCESS REVERSAL")

	a = b.do("/post", s2s.Sale("H-3", "10.00", "USD", s2s.TestCard("01", "2038")).With("auth", "y"), "SUCCESS", "SETTLED")
	b.requireCallbacks(a, "SALE SUCCESS SETTLED")
	a = b.do("/post", s2s.Sale("H-4", "0.00", "USD", s2s.TestCard("01", "2038")).With("auth", "Y"), "SUCCESS", "PENDING")
	b.requireCallbacks(a, "SALE SUCCESS PENDING")
}

func cardRefunds(b *backend) {
	a := b.do("/post", s2s.Sale("R-1", "10.00", "USD", s2s.TestCard("01", "2038")), "SUCCESS", "SETTLED")
	b.do("/post", s2s.FollowUp("CREDITVOID", a.TransID()).With("amount", "4.00"), "ACCEPTED", "")
	b.refused("/post", s2s.FollowUp("CREDITVOID", a.TransID()).With("amount", "6.01"), "208006")
	b.do("/post", s2s.FollowUp("CREDITVOID", a.TransID()), "ACCEPTED", "")
	b.requireCallbacks(a, "SALE SUCCESS SETTLED", "CREDITVOID SUCCESS REFUND", "CREDITVOID SUCCESS REFUND")
	b.refused("/post", s2s.FollowUp("CREDITVOID", a.TransID()), "Refund is not allowed.")
	b.do("/post", s2s.FollowUp("GET_TRANS_DETAILS", a.TransID()), "SUCCESS", "REFUND")
}

func cardRefusals(b *backend) {
	const unknown = "9d0f5cc4-f07b-11ec-abf4-0242ac120006"
	for action, message := range map[string]string{
		"GET_TRANS_STATUS": "Transaction does not exist.", "GET_TRANS_DETAILS": "Transaction does not exist.",
		"CAPTURE": "Transaction does not exist.", "RETRY": "Transaction does not exist.", "VOID": "Payment not found.",
		"CREDITVOID": "Payment not found.", "STOP_SCHEDULE": "Payment not found.",
		"DEBIT2VIRTUAL_COMPLETE": "Transaction does not exist.",
	} {
		b.refused("/post", s2s.FollowUp(action, unknown), message)
	}
	b.refused("/post", s2s.StatusByOrder("O-unknown"), "Order does not exist.")
	b.refused("/post", s2s.Schedule("PAUSE", unknown), "Schedule not found")
	sale := s2s.Sale("F-1", "10.00", "USD", s2s.TestCard("01", "2038"))
	b.refused("/post", sale.With("hash", "2702ae0c4f99506dc29b5615ba9ee3c0"), "Hash is not valid")
	b.refused("/post", sale.With("client_key", unknown), "Hash is not valid")
	b.refused("/post", s2s.Fields{"action": "SALE"}, "card_number: This value should not be blank.")
	b.refused("/post", s2s.Fields{"action": "CANCEL_SCHEDULE"}, "Route or parameters is not supported")
	a := b.do("/post", sale, "SUCCESS", "SETTLED")
	b.refused("/post", sale, "Duplicate request.")
	b.requireCallbacks(a, "SALE SUCCESS SETTLED")
	b.refused("/post", s2s.FollowUp("STOP_SCHEDULE", a.TransID()), "Stop is not allowed.")
	b.refused("/post", s2s.FollowUp("RETRY", a.TransID()), "Retry is not allowed.")
}

func cardTokens(b *backend) {
	a := b.do("/post", s2s.Sale("T-1", "10.00", "USD", s2s.TestCard("01", "2038")).With("req_token", "Y"), "SUCCESS",
		"SETTLED")
	token := a.Body.Text("card_token")
	require.NotEmpty(b.t, token)
	b.requireCallbacks(a, "SALE SUCCESS SETTLED")
	a = b.do("/post", s2s.SaleByToken("T-2", "5.00", "USD", token), "SUCCESS", "SETTLED")
	b.requireCallbacks(a, "SALE SUCCESS SETTLED")
	b.refused("/post", s2s.SaleByWallet("T-3", "5.00", "USD", "googlepay", "{}"), "204004") // no wallet is configured
}

func cardChains(b *backend) {
	first := b.do("/post", s2s.Sale("N-1", "10.00", "USD", s2s.TestCard("01", "2038")).With("recurring_init", "Y"),
		"SUCCESS", "SETTLED")
	token := first.Body.Text("recurring_token")
	b.requireCallbacks(first, "SALE SUCCESS SETTLED")
	a := b.do("/post", s2s.RecurringSale("N-2", "3.00", first.TransID(), token).With("custom_data[month]", "2"), "SUCCESS",
		"SETTLED")
	b.requireCallbacks(a, "RECURRING_SALE SUCCESS SETTLED")
	a = b.do("/post", s2s.RecurringSale("N-3", "3.00", first.TransID(), token).With("auth", "Y"), "SUCCESS", "PENDING")
	b.requireCallbacks(a, "RECURRING_SALE SUCCESS PENDING")
	b.refused("/post", s2s.RecurringDebit("N-4", "3.00", first.TransID(), token), "Incorrect transaction")
}

func cardDebits(b *backend) {
	first := b.do("/post", s2s.Debit("D-1", "10.00", "USD", s2s.TestCard("01", "2038")).With("recurring_init", "Y"),
		"SUCCESS", "SETTLED")
	a := b.do("/post", s2s.RecurringDebit("D-2", "3.00", first.TransID(), first.Body.Text("recurring_token")), "SUCCESS",
		"SETTLED")
	b.requireCallbacks(a, "RECURRING_DEBIT SUCCESS SETTLED")
	b.do("/post", s2s.FollowUp("CREDITVOID", first.TransID()), "ACCEPTED", "")
	b.requireCallbacks(first, "DEBIT SUCCESS SETTLED", "CREDITVOID SUCCESS REVERSAL")
	a = b.do("/post", s2s.Debit("D-3", "10.00", "USD", s2s.TestCard("05", "2038")).With("payer_email", ""), "REDIRECT",
		"3DS")
	b.sendPayer(a)
	b.requireCallbacks(a, "DEBIT REDIRECT 3DS", "DEBIT SUCCESS SETTLED")
}

func cardPayouts(b *backend) {
	a := b.do("/post", s2s.Credit2Card("P-1", "10.00", "USD", "4601541833776519"), "SUCCESS", "SETTLED")
	b.requireCallbacks(a, "CREDIT2CARD SUCCESS SETTLED")
	b.do("/post", s2s.FollowUp("GET_TRANS_STATUS", a.TransID()), "SUCCESS", "SETTLED")
	b.do("/post", s2s.FollowUp("GET_TRANS_DETAILS", a.TransID()), "SUCCESS", "SETTLED")
	b.do("/post", s2s.StatusByOrder("P-1"), "SUCCESS", "SETTLED")
}

func cardTransfers(b *backend) {
	a := b.do("/post", s2s.Card2Card("X-1", "10.00", "USD", s2s.TestCard("01", "2038"), "4601541833776519"), "SUCCESS",
		"SETTLED")
	b.requireCallbacks(a, "CARD2CARD SUCCESS SETTLED")
	a = b.do("/post", s2s.Card2Card("X-2", "10.00", "USD", s2s.TestCard("05", "2038"), "4601541833776519"), "REDIRECT",
		"3DS")
	b.sendPayer(a)
	b.requireCallbacks(a, "CARD2CARD REDIRECT 3DS", "CARD2CARD SUCCESS SETTLED")
}

func cardSchedules(b *backend) {
	id := b.do("/post", s2s.CreateSchedule("Monthly", "1", "month", "12"), "SUCCESS", "").Body.Text("schedule_id")
	b.do("/post", s2s.Schedule("UPDATE_SCHEDULE", id).With("name", "Daily", "interval_unit", "day"), "SUCCESS", "")
	for _, action := range []string{"PAUSE_SCHEDULE", "SCHEDULE_INFO", "RUN_SCHEDULE", "PAUSE", "RUN", "SCHEDULE_INFO"} {
		b.do("/post", s2s.Schedule(action, id), "SUCCESS", "")
	}
	a := b.do("/post", s2s.Sale("S-1", "10.00", "USD", s2s.TestCard("01", "2038")).With("recurring_init", "Y",
		"schedule_id", id), "SUCCESS", "SETTLED")
	b.requireCallbacks(a, "SALE SUCCESS SETTLED")
	b.do("/post", s2s.Deschedule(a.Body.Text("recurring_token"), id), "SUCCESS", "")
	b.do("/post", s2s.Schedule("DELETE_SCHEDULE", id), "SUCCESS", "")
	b.refused("/post", s2s.Schedule("SCHEDULE_INFO", id), "Schedule not found")
}
