// Command outside is a program of somebody else: a module of its own with its own store, connector, notifier and keys,
// and no HTTP server. Its connector is wrapped for tracing. A payer authenticates by 3-D Secure through the wrapper, the
// shop gives a part back, and the program waits for the callbacks. What it cannot do, no embedder can.
package main

import (
	"context"
	"fmt"
	"log"
	"net/url"
	"path"
	"slices"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/observe"
	"github.com/tollgatepay/gateway/store"
)

func main() {
	if err := run(context.Background()); err != nil {
		log.Fatal("outside: ", err)
	}
}

func run(ctx context.Context) error {
	bank, inbox, trace := &bank{}, &inbox{}, &trace{}
	gw, err := gateway.New(gateway.Config{
		Store: newTable(), Keys: newKeys(), PublicURL: "https://pay.example", Notifier: inbox,
		Connectors: map[string]methods.Connector{"bank": methods.Wrap(bank, trace.around)},
		Observers:  []observe.Observer{trace},
	})
	if err != nil {
		return err
	}
	if err := configure(ctx, gw); err != nil {
		return err
	}
	if err := buy(ctx, gw, bank); err != nil {
		return err
	}
	if err := giveBack(ctx, gw, bank); err != nil {
		return err
	}
	if _, _, err := gw.Tick(ctx, 100); err != nil {
		return err
	}
	if err := inbox.check("3ds success 3ds ORD-1 10.00 USD", "sale success settled ORD-1 10.00 USD",
		"refund success refund ORD-1 10.00 USD"); err != nil {
		return err
	}
	if want := []string{
		"Perform SALE redirect", "moved to 3DS", "Complete SALE approved", "moved to SETTLED",
		"Perform REFUND approved", "moved to REFUND",
	}; !slices.Equal(trace.calls, want) {
		return fmt.Errorf("the trace is %q, not %q", trace.calls, want)
	}
	fmt.Println("outside: 10.00 USD taken by 3-D Secure, 4.00 given back, callbacks delivered:", len(inbox.forms))
	return gw.Close(ctx)
}

// buy sends the payer to the issuer and back.
func buy(ctx context.Context, gw *gateway.Gateway, bank *bank) error {
	turn, err := pay(ctx, gw)
	if err != nil {
		return err
	}
	if turn.Kind != gateway.ActionRedirect || turn.Redirect.URL != issuer || bank.taken != "" {
		return fmt.Errorf("the payer was told %s, the bank took %q", turn.Kind, bank.taken)
	}
	back := methods.Return{Method: "POST", Params: url.Values{"confirmed": {"yes"}}}
	if _, err := gw.Return(ctx, path.Base(bank.back), back); err != nil {
		return err
	}
	if bank.taken != "10.00" {
		return fmt.Errorf("the bank took %q", bank.taken)
	}
	return nil
}

// giveBack finds the payment as an operator does, and refunds a part of it as the shop.
func giveBack(ctx context.Context, gw *gateway.Gateway, bank *bank) error {
	for p, err := range gw.Operator().Payments(ctx, gateway.PaymentFilter{MerchantID: "shop"}) {
		if err != nil {
			return err
		}
		refund := gateway.FollowUp{PaymentID: p.ID, Amount: "4.00"}
		if _, err := gw.Merchant("outside-key").CreditVoid(ctx, refund); err != nil {
			return err
		}
	}
	if bank.given != "4.00" {
		return fmt.Errorf("the bank gave %q back", bank.given)
	}
	return nil
}

func configure(ctx context.Context, gw *gateway.Gateway) error {
	err := gw.SaveMerchant(ctx, store.Merchant{
		ID: "shop", Name: "Outside Shop", Key: "outside-key", Password: store.NewSecret("outside-password"),
		NotificationURL: "https://shop.example/callback",
	})
	if err != nil {
		return err
	}
	return gw.SaveMID(ctx, store.MID{ID: "mid", MerchantID: "shop", Connector: "bank"})
}

func pay(ctx context.Context, gw *gateway.Gateway) (*gateway.NextAction, error) {
	session, err := gw.Merchant("outside-key").CreateSession(ctx, gateway.SessionRequest{
		Operation: "purchase", SuccessURL: "https://shop.example/thanks",
		Order: store.Order{Number: "ORD-1", Amount: "10.00", Currency: "USD", Description: "A cup"},
	})
	if err != nil {
		return nil, err
	}
	link, err := url.Parse(session.RedirectURL)
	if err != nil {
		return nil, err
	}
	pan, err := store.ParsePAN("4111111111111111")
	if err != nil {
		return nil, err
	}
	code, err := store.ParseSecurityCode("123")
	if err != nil {
		return nil, err
	}
	return gw.PaySession(ctx, path.Base(link.Path), gateway.Submission{Card: methods.Card{
		PAN: pan, Expiry: store.Expiry{Year: 2040, Month: 1}, Holder: "John Doe", Code: code,
	}})
}
