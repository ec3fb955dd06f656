package checkout_test

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/store"
)

const (
	captureStatus = "Not acceptable to request the capture for payment not in pending status."
	captureAmount = "Not acceptable to request the capture for amount bigger than auth amount."
	refundAmount  = "Not acceptable to request the refund for amount bigger than payment amount."
	reversalMore  = "Not acceptable to request the reversal for amount bigger than payment amount."
	reversalPart  = "Not acceptable to request the reversal for partial amount."
	noRefund      = "Refund is not allowed."
	noVoid        = "Void is not allowed."
)

func (s *shop) requireStatus(t testing.TB, id, want string) {
	t.Helper()
	require.Equal(t, want, s.statusOf(t, id))
}

// "PENDING, capture request: settled state after capture", full and partial, once.
func TestSPEC1Capture(t *testing.T) {
	t.Parallel()
	for _, amount := range []string{"10.00", "4.00", "0.01"} {
		t.Run(amount, func(t *testing.T) {
			t.Parallel()
			s := open(t)
			p := s.held(t)
			got := ok[map[string]string](t, s, pathCapture, followUp(p.ID, amount))
			require.Equal(t, map[string]string{"payment_id": p.ID, "status": "settled", "trans_status": "SUCCESS",
				"date": "2027-03-10 12:00:00", "amount": amount}, got)
			s.requireStatus(t, p.ID, "settled")
			requireError(t, s.post(t, pathCapture, followUp(p.ID, amount)), 208003, captureStatus)
			requireError(t, s.post(t, pathCapture, followUp(p.ID, "0.01")), 208003, captureStatus)
		})
	}
}

func TestSPEC1CaptureTooMuch(t *testing.T) {
	t.Parallel()
	s := open(t)
	p := s.held(t)
	requireError(t, s.post(t, pathCapture, followUp(p.ID, "10.01")), 208004, captureAmount)
	requireError(t, s.post(t, pathCapture, followUp(p.ID, "999999999999999.99")), 208004, captureAmount)
	s.requireStatus(t, p.ID, "pending")
	ok[object](t, s, pathCapture, followUp(p.ID, "10.00"))
}

// A capture that the acquirer declines leaves the authorization unchanged (lifecycle.md).
func TestSPEC1CaptureRefused(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.Pay(t, s.link(t, set("auth", true)), gatewaytest.CaptureFails)
	id := s.Payment(t, "ORD-1").ID
	got := ok[map[string]string](t, s, pathCapture, followUp(id, "10.00"))
	require.Equal(t, "FAIL", got["trans_status"])
	require.Equal(t, "pending", got["status"])
	require.Equal(t, "Declined by processing.", got["reason"])
	s.requireStatus(t, id, "pending")
}

func TestSPEC1CaptureNeedsAnAuthorization(t *testing.T) {
	t.Parallel()
	s := open(t)
	requireError(t, s.post(t, pathCapture, followUp(s.settled(t).ID, "10.00")), 208003, captureStatus)
	s.Pay(t, s.link(t, set("order.number", "ORD-2")), gatewaytest.Declines)
	requireError(t, s.post(t, pathCapture, followUp(s.Payment(t, "ORD-2").ID, "10.00")), 208003, captureStatus)
}

// "PENDING (held authorization), CREDITVOID, full amount only: REVERSAL"; the callback has type refund and
// order_status reversal.
func TestSPEC1ReversalOfAnAuthorization(t *testing.T) {
	t.Parallel()
	s := open(t)
	p := s.held(t)
	requireError(t, s.post(t, pathRefund, followUp(p.ID, "9.99")), 208009, reversalPart)
	requireError(t, s.post(t, pathRefund, followUp(p.ID, "10.01")), 208008, reversalMore)
	s.requireStatus(t, p.ID, "pending")
	require.Equal(t, "reversal", s.refund(t, p.ID, "10.00"))
	last := s.callbacks(t)[1]
	require.Equal(t, []string{"refund", "success", "reversal"}, last)
	requireError(t, s.post(t, pathRefund, followUp(p.ID, "10.00")), 100000, noRefund)
	requireError(t, s.post(t, pathCapture, followUp(p.ID, "10.00")), 208003, captureStatus)
	requireError(t, s.post(t, pathVoid, followUp(p.ID, "")), 100000, noVoid)
}

// callbacks returns type, status and order_status of every delivery.
func (s *shop) callbacks(t testing.TB) (list [][]string) {
	t.Helper()
	s.Work(t)
	for _, form := range s.Inbox.Fields(t) {
		list = append(list, []string{form.Get("type"), form.Get("status"), form.Get("order_status")})
	}
	return list
}

// "SETTLED, CREDITVOID, full or partial amount: REFUND; each refund gets its own id" (decision n).
func TestSPEC1Refund(t *testing.T) {
	t.Parallel()
	s := open(t)
	p := s.settled(t)
	require.Equal(t, "refund", s.refund(t, p.ID, "6.00"), "a partial refund is REFUND too")
	requireError(t, s.post(t, pathRefund, followUp(p.ID, "4.01")), 208006, refundAmount)
	require.Equal(t, "refund", s.refund(t, p.ID, "1.00"))
	require.Equal(t, "refund", s.refund(t, p.ID, "3.00"), "to the last cent")
	requireError(t, s.post(t, pathRefund, followUp(p.ID, "0.01")), 100000, noRefund)
	requireError(t, s.post(t, pathVoid, followUp(p.ID, "")), 100000, noVoid)
	require.Equal(t, [][]string{{"sale", "success", "settled"},
		{"refund", "success", "refund"}, {"refund", "success", "refund"}, {"refund", "success", "refund"}}, s.callbacks(t))
	ids := map[string]bool{}
	for _, form := range s.Inbox.Fields(t) {
		require.Equal(t, p.ID, form.Get("payment_id"))
		ids[form.Get("trans_id")] = true
	}
	require.Len(t, ids, 4, "each refund has its own id")
}

func TestSPEC1RefundFull(t *testing.T) {
	t.Parallel()
	s := open(t)
	p := s.settled(t)
	requireError(t, s.post(t, pathRefund, followUp(p.ID, "10.01")), 208006, refundAmount)
	require.Equal(t, "refund", s.refund(t, p.ID, "10.00"))
	requireError(t, s.post(t, pathRefund, followUp(p.ID, "10.00")), 100000, noRefund)
}

// A refund may be of what was captured, not of what was authorized.
func TestSPEC1RefundOfAPartialCapture(t *testing.T) {
	t.Parallel()
	s := open(t)
	p := s.held(t)
	ok[object](t, s, pathCapture, followUp(p.ID, "4.00"))
	requireError(t, s.post(t, pathRefund, followUp(p.ID, "4.01")), 208006, refundAmount)
	require.Equal(t, "refund", s.refund(t, p.ID, "4.00"))
	requireError(t, s.post(t, pathRefund, followUp(p.ID, "0.01")), 100000, noRefund)
}

// partial_refund_status: settled keeps SETTLED until everything is refunded (decision n).
func TestSPEC1PartialRefundSettledByMapping(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.mapping(t, func(m *store.Mapping) { m.PartialRefundSettled = true })
	p := s.settled(t)
	require.Equal(t, "settled", s.refund(t, p.ID, "6.00"))
	requireError(t, s.post(t, pathVoid, followUp(p.ID, "")), 100000, noVoid)
	requireError(t, s.post(t, pathRefund, followUp(p.ID, "4.01")), 208006, refundAmount)
	require.Equal(t, "refund", s.refund(t, p.ID, "4.00"))
	require.Equal(t, [][]string{{"sale", "success", "settled"}, {"refund", "success", "settled"},
		{"refund", "success", "refund"}}, s.callbacks(t))
}

// "any debit payment, CREDITVOID: REVERSAL"; full amount only (decision v).
func TestSPEC1ReversalOfADebit(t *testing.T) {
	t.Parallel()
	s := open(t)
	p := s.settled(t, set("operation", "debit"))
	requireError(t, s.post(t, pathRefund, followUp(p.ID, "9.99")), 208009, reversalPart)
	requireError(t, s.post(t, pathRefund, followUp(p.ID, "10.01")), 208008, reversalMore)
	require.Equal(t, "reversal", s.refund(t, p.ID, "10.00"))
	requireError(t, s.post(t, pathRefund, followUp(p.ID, "10.00")), 100000, noRefund)
	require.Equal(t, [][]string{{"debit", "success", "settled"}, {"refund", "success", "reversal"}}, s.callbacks(t))
}

// "SETTLED, VOID, same financial day: voided" (decision d for the answer).
func TestSPEC1Void(t *testing.T) {
	t.Parallel()
	s := open(t)
	p := s.settled(t)
	s.Advance(t, 12*time.Hour-time.Millisecond)
	got := ok[map[string]any](t, s, pathVoid, followUp(p.ID, ""))
	require.Equal(t, map[string]any{
		"status": "SUCCESS", "payment_status": "void", "payment_id": p.ID, "date": "2027-03-10 23:59:59",
		"order": map[string]any{"number": "ORD-1", "amount": "10.00", "currency": "USD", "description": "Important gift"},
	}, got)
	s.requireStatus(t, p.ID, "void")
	requireError(t, s.post(t, pathVoid, followUp(p.ID, "")), 100000, noVoid)
	requireError(t, s.post(t, pathRefund, followUp(p.ID, "1.00")), 100000, noRefund)
	require.Equal(t, [][]string{{"sale", "success", "settled"}, {"void", "success", "void"}}, s.callbacks(t))
}

// The financial day is the MID's.
func TestSPEC1VoidNextFinancialDay(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, zone, end string
		after           time.Duration // since noon UTC
		allowed         bool
	}{
		{"midnight UTC", "", "", 12 * time.Hour, false},
		{"before midnight UTC", "", "", 12*time.Hour - time.Millisecond, true},
		{"day that ends at 18:00", "", "18:00", 6 * time.Hour, false},
		{"before a day that ends at 18:00", "", "18:00", 6*time.Hour - time.Millisecond, true},
		{"midnight in Tokyo", "Asia/Tokyo", "", 3 * time.Hour, false},
		{"before midnight in Tokyo", "Asia/Tokyo", "", 3*time.Hour - time.Millisecond, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := open(t)
			s.mid(t, func(m *store.MID) { m.TimeZone, m.DayEnd = c.zone, c.end })
			p := s.settled(t)
			s.Advance(t, c.after)
			got := s.post(t, pathVoid, followUp(p.ID, ""))
			if c.allowed {
				require.Equal(t, 200, got.status, got.body)
				return
			}
			requireError(t, got, 100000, noVoid)
			s.requireStatus(t, p.ID, "settled")
		})
	}
}

// "VOID on an unsettled authorization fails with Void is not allowed."
func TestSPEC1VoidOfAnAuthorization(t *testing.T) {
	t.Parallel()
	s := open(t)
	p := s.held(t)
	requireError(t, s.post(t, pathVoid, followUp(p.ID, "")), 100000, noVoid)
	s.requireStatus(t, p.ID, "pending")
	ok[object](t, s, pathCapture, followUp(p.ID, "10.00"))
	ok[object](t, s, pathVoid, followUp(p.ID, ""))
	s.requireStatus(t, p.ID, "void")
}

// DECLINED is terminal (lifecycle.md).
func TestSPEC1Declined(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.Pay(t, s.link(t), gatewaytest.Declines)
	id := s.Payment(t, "ORD-1").ID
	requireError(t, s.post(t, pathRefund, followUp(id, "10.00")), 100000, noRefund)
	requireError(t, s.post(t, pathVoid, followUp(id, "")), 100000, noVoid)
	requireError(t, s.post(t, pathCapture, followUp(id, "10.00")), 208003, captureStatus)
	s.requireStatus(t, id, "decline")
}

// "3ds" and "redirect": a payment whose payer is away can be neither captured, refunded nor voided.
func TestSPEC1OnTheWay(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		status, after string
		bank          bool
	}{{"3ds", "settled", false}, {"redirect", "settled", true}} {
		t.Run(c.status, func(t *testing.T) {
			t.Parallel()
			s := open(t)
			card := gatewaytest.ThreeDSPasses
			if c.bank {
				card = gatewaytest.BankPasses
			}
			next := s.Pay(t, s.link(t), card)
			id := s.Payment(t, "ORD-1").ID
			s.requireStatus(t, id, c.status)
			requireError(t, s.post(t, pathRefund, followUp(id, "10.00")), 100000, noRefund)
			requireError(t, s.post(t, pathVoid, followUp(id, "")), 100000, noVoid)
			requireError(t, s.post(t, pathCapture, followUp(id, "10.00")), 208003, captureStatus)
			s.ComeBack(t, next.Redirect)
			s.requireStatus(t, id, c.after)
		})
	}
}

// "custom_data: free-form object stored with the transaction and echoed in callbacks", and customer_ip.
func TestSPEC1CustomData(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.settled(t, set("custom_data", raw(`{"cart":"c-1","hash":"mine","nested":{"a b":"1&2"}}`)))
	s.Work(t)
	form := s.Inbox.Fields(t)[0]
	require.Equal(t, "c-1", form.Get("custom_data[cart]"))
	require.Equal(t, "mine", form.Get("custom_data[hash]"))
	require.Equal(t, "1&2", form.Get("custom_data[nested][a b]"))
	require.NotEqual(t, "mine", form.Get("hash"))
	require.Equal(t, "203.0.113.7", form.Get("customer_ip"))
}

// The largest custom data of a session is kept through the whole life of a payment: record, callback and refund.
func TestSPEC1CustomDataAtItsLimit(t *testing.T) {
	t.Parallel()
	s := open(t)
	text := strings.Repeat("é", (64<<10-8)/2)
	p := s.settled(t, set("custom_data", object{"a": text}))
	require.Equal(t, "refund", s.refund(t, p.ID, "1.00"))
	for _, d := range s.Inbox.All() {
		form, err := url.ParseQuery(string(d.Body))
		require.NoError(t, err)
		require.Equal(t, text, form.Get("custom_data[a]"))
	}
	require.Len(t, s.Inbox.All(), 2)
}
