package session_test

import (
	"net/url"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/callback"
	"github.com/tollgatepay/gateway/callback/signature"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// The documented test cards, each from session to callbacks (testdata.md).
func TestDocumentedCards(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name      string
		card      methods.Card
		first     gateway.ActionKind // after the form
		status    store.Status       // in the end
		callbacks [][3]string        // type, status, order_status
	}{
		{"01/2038 settles", gatewaytest.Settles, gateway.ActionReturn, store.Settled,
			[][3]string{{"sale", "success", "settled"}}},
		{"02/2038 is declined", gatewaytest.Declines, gateway.ActionCollect, store.Declined,
			[][3]string{{"sale", "fail", "decline"}}},
		{"05/2038 passes 3-D Secure", gatewaytest.ThreeDSPasses, gateway.ActionRedirect, store.Settled,
			[][3]string{{"3ds", "success", "3ds"}, {"sale", "success", "settled"}}},
		{"06/2038 fails 3-D Secure", gatewaytest.ThreeDSFails, gateway.ActionRedirect, store.Declined,
			[][3]string{{"3ds", "success", "3ds"}, {"sale", "fail", "decline"}}},
		{"12/2038 passes the bank", gatewaytest.BankPasses, gateway.ActionRedirect, store.Settled,
			[][3]string{{"redirect", "success", "redirect"}, {"sale", "success", "settled"}}},
		{"12/2039 fails at the bank", gatewaytest.BankFails, gateway.ActionRedirect, store.Declined,
			[][3]string{{"redirect", "success", "redirect"}, {"sale", "fail", "decline"}}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			kit := gatewaytest.New(t)
			token := kit.Session(t, "ORD-1", "10.00")
			next := kit.Pay(t, token, c.card)
			require.Equal(t, c.first, next.Kind)
			if c.first == gateway.ActionRedirect {
				url := kit.ComeBack(t, next.Redirect)
				require.Equal(t, gatewaytest.PublicURL+"/auth/"+token, url, "back to the session")
			}
			kit.Work(t)
			require.Equal(t, c.status, kit.Payment(t, "ORD-1").Status)
			var got [][3]string
			for _, form := range kit.Inbox.Fields(t) {
				got = append(got, [3]string{form.Get("type"), form.Get("status"), form.Get("order_status")})
			}
			require.Equal(t, c.callbacks, got)
		})
	}
}

// SPEC1, Events: the four return parameters, the URL's own query kept, the hash as in callbacks.
func TestReturnParameters(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	next := kit.Pay(t, kit.Session(t, "ORD-1", "10.00"), gatewaytest.Settles)
	u, err := url.Parse(next.URL)
	require.NoError(t, err)
	p, q := kit.Payment(t, "ORD-1"), u.Query()
	require.Equal(t, "1", q.Get("cart"))
	require.Equal(t, p.ID, q.Get("payment_id"))
	require.Equal(t, p.Transactions[0].ID, q.Get("trans_id"))
	require.Equal(t, "ORD-1", q.Get("order_id"))
	require.True(t, signature.Verify(signature.CheckoutCallback, signature.MD5, signature.Inputs{
		PaymentID: p.ID, OrderNumber: "ORD-1", Amount: "10.00", Currency: "USD", Description: "Important gift",
	}, gatewaytest.Password, q.Get("hash")))
}

// A link pays once: a submission after a success, or two at once, charge nothing more.
func TestDoubleSubmitChargesOnce(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	token := kit.Session(t, "ORD-1", "10.00")
	var all sync.WaitGroup
	for range 32 {
		all.Go(func() {
			_, err := kit.PaySession(t.Context(), token, gateway.Submission{Attempt: 0, Card: gatewaytest.Settles})
			require.NoError(t, err)
		})
	}
	all.Wait()
	next := kit.Pay(t, token, gatewaytest.Settles)
	require.Equal(t, gateway.ReturnPaid, next.Status)
	require.Len(t, kit.Charges(t), 1)
	results, err := kit.Shop().Status(t.Context(),
		gateway.Lookup{OrderNumber: "ORD-1", Size: 100})
	require.NoError(t, err)
	require.Len(t, results, 1)
}

func TestDeclinesUpToTheMaximum(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	token := kit.Session(t, "ORD-1", "10.00")
	for left := 2; left > 0; left-- {
		next := kit.Pay(t, token, gatewaytest.Declines)
		require.Equal(t, gateway.ActionCollect, next.Kind)
		require.Equal(t, "Declined by processing.", next.Declined)
		require.Equal(t, left, next.AttemptsLeft)
	}
	next := kit.Pay(t, token, gatewaytest.Declines)
	require.Equal(t, gateway.ActionReturn, next.Kind)
	require.Equal(t, gateway.ReturnDeclined, next.Status)
	require.Contains(t, next.URL, "https://shop.example/cancel?payment_id=")
	require.Equal(t, next.URL, kit.Pay(t, token, gatewaytest.Settles).URL, "the link is dead")
	results, err := kit.Shop().Status(t.Context(),
		gateway.Lookup{OrderNumber: "ORD-1", Size: 100})
	require.NoError(t, err)
	require.Len(t, results, 3, "each attempt is a payment of its own")
}

func TestLeavingTheForm(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	token := kit.Session(t, "ORD-1", "10.00")
	next, err := kit.LeaveSession(t.Context(), token)
	require.NoError(t, err)
	require.Equal(t, "https://shop.example/cancel", next.URL, "nothing was attempted: nothing is appended")
	require.Equal(t, gateway.ReturnCancelled, next.Status)

	kit.Clock.Set(kit.Clock.Now().Add(time.Minute))
	token = kit.Session(t, "ORD-1", "10.00")
	kit.Pay(t, token, gatewaytest.Declines)
	next, err = kit.LeaveSession(t.Context(), token)
	require.NoError(t, err)
	require.Contains(t, next.URL, "payment_id=")
}

func TestExpiry(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	r := gatewaytest.Request("ORD-1", "10.00")
	r.ExpiryURL, r.Expiry = "https://shop.example/late", time.Minute
	token := kit.SessionOf(t, r)
	kit.Clock.Set(kit.Clock.Now().Add(time.Minute - 1))
	next, err := kit.NextAction(t.Context(), token)
	require.NoError(t, err)
	require.Equal(t, gateway.ActionCollect, next.Kind)
	kit.Clock.Set(kit.Clock.Now().Add(1))
	next, err = kit.NextAction(t.Context(), token)
	require.NoError(t, err)
	require.Equal(t, gateway.ReturnExpired, next.Status)
	require.Equal(t, "https://shop.example/late", next.URL)
	kit.Pay(t, token, gatewaytest.Settles)
	require.Empty(t, kit.Charges(t), "nothing starts after expiry")
}

// A payment that began before expiry may finish after it.
func TestFinishesAfterExpiry(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	r := gatewaytest.Request("ORD-1", "10.00")
	r.Expiry = time.Minute
	token := kit.SessionOf(t, r)
	next := kit.Pay(t, token, gatewaytest.ThreeDSPasses)
	kit.Clock.Set(kit.Clock.Now().Add(5 * time.Minute))
	kit.ComeBack(t, next.Redirect)
	require.Equal(t, store.Settled, kit.Payment(t, "ORD-1").Status)
}

func TestDuplicateWindow(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	kit.Session(t, "ORD-1", "10.00")
	kit.Clock.Set(kit.Clock.Now().Add(gateway.DuplicateWindow - 1))
	_, err := kit.Shop().CreateSession(t.Context(), gatewaytest.Request("ORD-1", "20.00"))
	require.ErrorIs(t, err, gateway.ErrDuplicate)
	kit.Session(t, "ord-1", "10.00") // another order: ids compare by bytes
	kit.Clock.Set(kit.Clock.Now().Add(1))
	kit.Session(t, "ORD-1", "10.00")
}

func TestDuplicatesInABurst(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	var accepted, refused int
	var mu sync.Mutex
	var all sync.WaitGroup
	for range 100 {
		all.Go(func() {
			_, err := kit.Shop().CreateSession(t.Context(), gatewaytest.Request("ORD-1", "10.00"))
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				accepted++
			} else {
				require.ErrorIs(t, err, gateway.ErrDuplicate)
				refused++
			}
		})
	}
	all.Wait()
	require.Equal(t, 1, accepted)
	require.Equal(t, 99, refused)
}

// Two merchants with the same order number do not affect each other.
func TestMerchantsAreApart(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	require.NoError(t, kit.SaveMerchant(t.Context(), store.Merchant{
		ID: "m-other", Name: "Other", Key: "other-key", Password: store.NewSecret("other-password-0001")}))
	require.NoError(t, kit.SaveMID(t.Context(), store.MID{ID: "live", MerchantID: "m-other", Connector: "vcard"}))
	kit.Pay(t, kit.Session(t, "ORD-1", "10.00"), gatewaytest.Settles)
	kit.Pay(t, kit.As("other-key").Session(t, "ORD-1", "77.00"), gatewaytest.Settles)

	mine := kit.Payment(t, "ORD-1")
	require.Equal(t, "10.00", mine.Order.Amount)
	_, err := kit.Merchant("other-key").Status(t.Context(), gateway.Lookup{PaymentID: mine.ID})
	require.ErrorIs(t, err, gateway.ErrNoPayment)
	_, err = kit.Merchant("other-key").CreditVoid(t.Context(), gateway.FollowUp{PaymentID: mine.ID, Amount: "1.00"})
	require.ErrorIs(t, err, gateway.ErrNoPayment)
}

// Callbacks are sent until they are accepted, with the same bytes. The second of a payment is not sent before the
// first was tried.
func TestRedeliveryIsByteIdentical(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	kit.Inbox.Answer(func(d callback.Delivery) callback.Receipt {
		if d.Attempt < 3 {
			return callback.Receipt{Verdict: callback.Refused, Status: 500}
		}
		return callback.Receipt{Verdict: callback.Accepted, Status: 200}
	})
	kit.Pay(t, kit.Session(t, "ORD-1", "10.00"), gatewaytest.Settles)
	kit.Advance(t, time.Hour)
	all := kit.Inbox.All()
	require.Len(t, all, 3)
	for i, d := range all {
		require.Equal(t, i+1, d.Attempt)
		require.Equal(t, all[0].Body, d.Body)
		require.Equal(t, all[0].ID, d.ID)
	}
	list, err := kit.Operator().Callbacks(t.Context(), kit.Payment(t, "ORD-1").ID)
	require.NoError(t, err)
	require.Equal(t, store.CallbackDelivered, list[0].State)
	require.Len(t, list[0].Attempts, 3)

	require.NoError(t, kit.Operator().Resend(t.Context(), list[0].ID))
	kit.Work(t)
	require.Len(t, kit.Inbox.All(), 4)
}

func TestDeadCallbackCanBeSentAgain(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t, func(c *gateway.Config) { c.Retry = callback.Schedule{time.Second} })
	kit.Inbox.Answer(func(callback.Delivery) callback.Receipt {
		return callback.Receipt{Verdict: callback.Refused, Status: 404}
	})
	kit.Pay(t, kit.Session(t, "ORD-1", "10.00"), gatewaytest.Settles)
	kit.Advance(t, time.Hour)
	require.Len(t, kit.Inbox.All(), 2)
	list, err := kit.Operator().Callbacks(t.Context(), kit.Payment(t, "ORD-1").ID)
	require.NoError(t, err)
	require.Equal(t, store.CallbackDead, list[0].State)
	kit.Inbox.Answer(nil)
	require.NoError(t, kit.Operator().Resend(t.Context(), list[0].ID))
	kit.Work(t)
	list, err = kit.Operator().Callbacks(t.Context(), kit.Payment(t, "ORD-1").ID)
	require.NoError(t, err)
	require.Equal(t, store.CallbackDelivered, list[0].State)
}

// Five timeouts in five minutes block a URL for fifteen (decision ak).
func TestBlockedURL(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	kit.Inbox.Answer(func(callback.Delivery) callback.Receipt { return callback.Receipt{Verdict: callback.TimedOut} })
	for _, order := range []string{"ORD-1", "ORD-2", "ORD-3", "ORD-4", "ORD-5"} {
		kit.Pay(t, kit.Session(t, order, "10.00"), gatewaytest.Settles)
	}
	kit.Work(t)
	require.Len(t, kit.Inbox.All(), 5)
	kit.Advance(t, 15*time.Minute-time.Second)
	require.Len(t, kit.Inbox.All(), 5, "nothing is sent to a blocked URL")
	kit.Inbox.Answer(nil)
	kit.Advance(t, 2*time.Second)
	require.Len(t, kit.Inbox.All(), 10)
}
