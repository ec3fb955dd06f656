package gateway_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"path"
	"time"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/callback"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/observe"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/memory"
)

// platform is a gateway in memory with one merchant, as a host makes it; change sets more of the configuration.
func platform(change ...func(*gateway.Config)) (*gateway.Gateway, gateway.Merchant) {
	acquirer, err := vcard.New(vcard.Config{
		Store: memory.New(), Secret: store.NewSecret("acquirer-secret-1"), PublicURL: "https://pay.example/vcard"})
	try(err)
	cfg := gateway.Config{
		Store: memory.New(), Keys: gatewaytest.NewKeys(), PublicURL: "https://pay.example",
		Connectors: map[string]methods.Connector{"vcard": acquirer},
		Notifier:   notifier(func(callback.Delivery) {}),
	}
	for _, c := range change {
		c(&cfg)
	}
	gw, err := gateway.New(cfg)
	try(err)
	try(gw.SaveMerchant(context.Background(), store.Merchant{ID: "shop", Name: "Shop", Key: "shop-key",
		Password: store.NewSecret("the-shop-s-password"), NotificationURL: "https://shop.example/callback"}))
	try(gw.SaveMID(context.Background(), store.MID{ID: "main", MerchantID: "shop", Connector: "vcard"}))
	return gw, gw.Merchant("shop-key")
}

// notifier is a host's way to deliver callbacks that accepts them all.
type notifier func(callback.Delivery)

func (n notifier) Deliver(_ context.Context, d callback.Delivery) callback.Receipt {
	n(d)
	return callback.Receipt{Verdict: callback.Accepted, Status: 200}
}

func try(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

// sale is a charge of 10.00 USD with a card that the test acquirer accepts.
func sale(order string) gateway.ChargeRequest {
	card := gatewaytest.Settles
	return gateway.ChargeRequest{
		Kind: store.Purchase, Card: &card,
		Order: store.Order{Number: order, Amount: "10.00", Currency: "USD", Description: "A cup"},
		Payer: store.Payer{Name: "John Doe", Email: "doe@example.com"},
	}
}

// The payer is sent to the payment page, and pays there. A host without a page submits the form itself.
func ExampleMerchant_CreateSession() {
	ctx := context.Background()
	gw, shop := platform()
	session, err := shop.CreateSession(ctx, gateway.SessionRequest{
		Operation: "purchase", SuccessURL: "https://shop.example/thanks", CancelURL: "https://shop.example/cart",
		Order: store.Order{Number: "ORD-1", Amount: "10.00", Currency: "USD", Description: "A cup"},
	})
	try(err)
	// The payer's browser goes to session.RedirectURL.
	next, err := gw.PaySession(ctx, path.Base(session.RedirectURL), gateway.Submission{Card: gatewaytest.Settles})
	try(err)
	fmt.Println(next.Kind)
	// Output: return
}

// A card is charged without a page, by a host that may hold card data.
func ExampleMerchant_Charge() {
	_, shop := platform()
	result, err := shop.Charge(context.Background(), sale("ORD-1"))
	try(err)
	fmt.Println(result.Payment.Status, result.Payment.Order.Amount, result.Payment.Card.Mask)
	// Output: SETTLED 10.00 411111******1111
}

// A decline is an outcome and not an error.
func ExampleMerchant_Charge_declined() {
	_, shop := platform()
	request := sale("ORD-1")
	*request.Card = gatewaytest.Declines
	result, err := shop.Charge(context.Background(), request)
	fmt.Println(err, result.Payment.Status, result.Payment.Reason)
	// Output: <nil> DECLINED Declined by processing
}

// Money is held, and a part of it is taken later.
func ExampleMerchant_Capture() {
	ctx := context.Background()
	_, shop := platform()
	request := sale("ORD-1")
	request.Hold = true
	held, err := shop.Charge(ctx, request)
	try(err)
	taken, err := shop.Capture(ctx, gateway.FollowUp{PaymentID: held.Payment.ID, Amount: "6.00"})
	try(err)
	fmt.Println(held.Payment.Status, taken.Payment.Status, taken.Transaction.Amount)
	// Output: PENDING SETTLED 6.00
}

// A payment is refunded in parts, until nothing is left.
func ExampleMerchant_CreditVoid() {
	ctx := context.Background()
	_, shop := platform()
	sold, err := shop.Charge(ctx, sale("ORD-1"))
	try(err)
	for _, amount := range []string{"4.00", "6.00", "0.01"} {
		refunded, err := shop.CreditVoid(ctx, gateway.FollowUp{PaymentID: sold.Payment.ID, Amount: amount})
		if err != nil {
			fmt.Println(errors.Is(err, gateway.ErrRefund), err)
			continue
		}
		fmt.Println(amount, refunded.Transaction.Outcome, refunded.Payment.Status)
	}
	// Output:
	// 4.00 success REFUND
	// 6.00 success REFUND
	// true Refund is not allowed.
}

// A refund with an idempotency key is made once, however often it is asked for: after a crash, or by a job that runs
// twice. Here the key names the return of the goods.
func ExampleMerchant_Once() {
	ctx := context.Background()
	_, shop := platform()
	sold, err := shop.Charge(ctx, sale("ORD-1"))
	try(err)
	refund := gateway.FollowUp{PaymentID: sold.Payment.ID, Amount: "4.00"}
	for range 3 {
		r, err := shop.Once("return-17").CreditVoid(ctx, refund)
		try(err)
		fmt.Println(r.Transaction.Outcome, r.Payment.Refunded)
	}
	refund.Amount = "5.00"
	_, err = shop.Once("return-17").CreditVoid(ctx, refund)
	fmt.Println(errors.Is(err, gateway.ErrKeyUsed), err)
	// Output:
	// success 4.00
	// success 4.00
	// success 4.00
	// true The idempotency key was used for another request.
}

// A subscription charges each month by itself; here the clock is the host's, so a year takes a moment.
func ExampleMerchant_CreateSchedule() {
	ctx, now := context.Background(), time.Date(2027, 1, 31, 12, 0, 0, 0, time.UTC)
	callbacks := 0
	gw, shop := platform(func(c *gateway.Config) {
		c.Now = func() time.Time { return now }
		c.Notifier = notifier(func(callback.Delivery) { callbacks++ })
	})
	monthly, err := shop.CreateSchedule(ctx, store.Schedule{
		Name: "Monthly", IntervalLength: 1, IntervalUnit: store.Month, PaymentsCount: 12})
	try(err)
	first := sale("SUB-1")
	first.RecurringInit, first.ScheduleID = true, monthly.ID
	_, err = shop.Charge(ctx, first)
	try(err)
	for range 366 {
		now = now.AddDate(0, 0, 1)
		for done := 1; done > 0; {
			done, _, err = gw.Tick(ctx, 100)
			try(err)
		}
	}
	fmt.Println(callbacks, "payments")
	// Output: 13 payments
}

// The newest payments of an order, and one payment by its id.
func ExampleMerchant_Status() {
	ctx := context.Background()
	_, shop := platform()
	sold, err := shop.Charge(ctx, sale("ORD-1"))
	try(err)
	found, err := shop.Status(ctx, gateway.Lookup{OrderNumber: "ORD-1"})
	try(err)
	same, err := shop.Payment(ctx, sold.Payment.ID)
	try(err)
	_, err = shop.Status(ctx, gateway.Lookup{OrderNumber: "ORD-2"})
	fmt.Println(len(found), same.Status, err)
	// Output: 1 SETTLED Order does not exist.
}

// An error names what was wrong, and of which kind it is.
func ExampleError() {
	_, shop := platform()
	request := sale("ORD-1")
	request.Order.Amount, request.Payer.Email = "10.001", "nobody"
	_, err := shop.Charge(context.Background(), request)
	var refused *gateway.Error
	if errors.As(err, &refused) && refused.Kind() == refusal.Invalid {
		for _, fault := range refused.Faults() {
			fmt.Println(fault)
		}
	}
	// Output:
	// order.amount: must be a decimal number with 2 decimals, like 12.34
	// customer.email: This value is not valid.
}

// A host delivers callbacks in its own way, by a queue for one. What is refused is delivered again, by Retry.
func ExampleConfig_notifier() {
	ctx := context.Background()
	gw, shop := platform(func(c *gateway.Config) {
		c.Notifier = notifier(func(d callback.Delivery) { fmt.Println(d.MerchantID, d.Type, d.Attempt, d.URL) })
	})
	_, err := shop.Charge(ctx, sale("ORD-1"))
	try(err)
	_, _, err = gw.Tick(ctx, 10) // or Run, in the background
	try(err)
	// Output: shop sale 1 https://shop.example/callback
}

// The callbacks of one merchant go to a queue of the host, those of all others over HTTP.
func ExampleConfig_sinks() {
	ctx := context.Background()
	gw, shop := platform(func(c *gateway.Config) {
		queue := func(d callback.Delivery) { fmt.Println(d.URL, d.Type, d.PaymentID != "") }
		c.Sinks = callback.Sinks{"queue": notifier(queue)}
	})
	try(gw.SaveMerchant(ctx, store.Merchant{ID: "shop", Key: "shop-key",
		Password: store.NewSecret("the-shop-s-password"), NotificationURL: "queue:orders"}))
	_, err := shop.Charge(ctx, sale("ORD-1"))
	try(err)
	_, _, err = gw.Tick(ctx, 10) // or Run, in the background
	try(err)
	// Output: queue:orders sale true
}

// A next password signs beside the present one, and takes its place at a moment that the merchant knows.
func ExampleGateway_SaveMerchant_rotation() {
	ctx, now := context.Background(), time.Date(2027, 1, 31, 12, 0, 0, 0, time.UTC)
	gw, _ := platform(func(c *gateway.Config) { c.Now = func() time.Time { return now } })
	shop := store.Merchant{ID: "shop", Key: "shop-key", Password: store.NewSecret("the-shop-s-password"),
		NextKey: "next-key", NextPassword: store.NewSecret("the-shop-s-next-password"), RotatesAt: now.AddDate(0, 1, 0)}
	try(gw.SaveMerchant(ctx, shop))
	works := func(key string) bool {
		_, err := gw.Merchant(key).Charge(ctx, sale("ORD-"+key+now.String()))
		return err == nil
	}
	fmt.Println(works("shop-key"), works("next-key"))
	now = shop.RotatesAt
	fmt.Println(works("shop-key"), works("next-key"))
	// Output:
	// true true
	// false true
}

// A merchant's page collects the card in frames of the gateway, and its backend charges it.
func ExampleGateway_HostedFields() {
	ctx := context.Background()
	gw, shop := platform()
	session, err := shop.CreateHosted(ctx, gateway.SessionRequest{
		Operation: "purchase", ReturnURL: "https://shop.example/back",
		Order:    store.Order{Number: "ORD-1", Amount: "10.00", Currency: "USD", Description: "A cup"},
		Customer: gateway.Customer{Name: "John Doe", Email: "doe@example.com"},
	})
	try(err)
	fields := gw.HostedFields()
	try(fields.Collect(ctx, session.Token, gatewaytest.Settles)) // what the frames do in the payer's browser
	paid, err := fields.Pay(ctx, session.Token, gateway.HostedPayment{Kind: store.Purchase, Name: "John Doe"})
	try(err)
	fmt.Println(paid.Payment.Status)
	// Output: SETTLED
}

// Money is paid out to a card.
func ExampleMerchant_Charge_payout() {
	_, shop := platform()
	request := sale("OUT-1")
	request.Kind, request.Payee = store.Credit, &store.Payer{Name: "Jane Roe"}
	result, err := shop.Charge(context.Background(), request)
	try(err)
	fmt.Println(result.Payment.Kind, result.Payment.Status)
	// Output: credit SETTLED
}

// A later payment of an agreement that the merchant charges itself: the first one has the payer's consent.
func ExampleMerchant_Recur() {
	ctx := context.Background()
	_, shop := platform()
	request := sale("FIRST-1")
	request.RecurringInit = true
	first, err := shop.Charge(ctx, request)
	try(err)
	later, err := shop.Recur(ctx, gateway.RecurRequest{
		InitID: first.Payment.ID, Token: first.Payment.RecurringToken,
		Order: store.Order{Number: "LATER-1", Amount: "7.50", Description: "Another cup"},
	})
	try(err)
	fmt.Println(later.Payment.Status, later.Payment.Order.Amount, later.Payment.Order.Currency)
	// Output: SETTLED 7.50 USD
}

// cash is an acquirer of the host's own: it takes everything below a hundred.
type cash struct{}

func (cash) Perform(_ context.Context, op methods.Operation) methods.Answer {
	if op.Amount.Decimal().IntPart() >= 100 {
		return methods.Declined(op, "Too much")
	}
	return methods.Approved(op, "receipt of "+op.Order.Number)
}

// An acquirer is one method, and more where it can do more. What may go wrong with one is checked by methodstest.
func ExampleConfig_connectors() {
	ctx := context.Background()
	gw, shop := platform(func(c *gateway.Config) { c.Connectors["cash"] = cash{} })
	try(gw.SaveMID(ctx, store.MID{ID: "main", MerchantID: "shop", Connector: "cash"}))
	for i, amount := range []string{"10.00", "100.00"} {
		request := sale(fmt.Sprint("ORD-", i))
		request.Order.Amount = amount
		result, err := shop.Charge(ctx, request)
		try(err)
		fmt.Printf("%s %s%s\n", result.Payment.Status, result.Transaction.Reference, result.Payment.Reason)
	}
	// Output:
	// SETTLED receipt of ORD-0
	// DECLINED Too much
}

// Observers hear what metrics are made of: here the approvals of each acquirer.
func ExampleConfig_observers() {
	asked, approved := map[string]int{}, map[string]int{}
	_, shop := platform(func(c *gateway.Config) {
		c.Observers = []observe.Observer{observe.Func(func(_ context.Context, e observe.Event) {
			if e, ok := e.(observe.PaymentMoved); ok && e.Outcome.Final() {
				asked[e.Connector]++
				if e.Outcome == store.Success {
					approved[e.Connector]++
				}
			}
		})}
	})
	settles, declines := gatewaytest.Settles, gatewaytest.Declines
	for n, card := range []methods.Card{settles, declines, settles, settles} {
		r := sale(fmt.Sprint("ORD-", n))
		r.Card = &card
		_, err := shop.Charge(context.Background(), r)
		try(err)
	}
	fmt.Printf("vcard approved %d of %d\n", approved["vcard"], asked["vcard"])
	// Output: vcard approved 3 of 4
}

// An operator lists payments, the newest first, and goes on where the last page ended.
func ExampleOperator_Payments() {
	ctx := context.Background()
	gw, shop := platform()
	for n := range 5 {
		_, err := shop.Charge(ctx, sale(fmt.Sprint("ORD-", n)))
		try(err)
	}
	for f := (gateway.PaymentFilter{MerchantID: "shop", Statuses: []store.Status{store.Settled}}); ; {
		var page []string
		for p, err := range gw.Operator().Payments(ctx, f) {
			try(err)
			if page, f.Before = append(page, p.Order.Number), p.ID; len(page) == 2 {
				break
			}
		}
		fmt.Println(page)
		if len(page) < 2 {
			break
		}
	}
	// Output:
	// [ORD-4 ORD-3]
	// [ORD-2 ORD-1]
	// [ORD-0]
}

// A probe asks whether the store can be read, whether due work is done in this process, and how late it is.
func ExampleOperator_Health() {
	ctx, now := context.Background(), time.Date(2027, 3, 1, 12, 0, 0, 0, time.UTC)
	gw, shop := platform(func(c *gateway.Config) { c.Now = func() time.Time { return now } })
	_, err := shop.Charge(ctx, sale("ORD-1"))
	try(err)
	now = now.Add(time.Hour)
	health, err := gw.Operator().Health(ctx)
	try(err)
	fmt.Println(health.Running, now.Sub(health.Due[gateway.WorkCallback]))
	// Output: false 1h0m0s
}
