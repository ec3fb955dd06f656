// Command outside is a program of somebody else: a module of its own with its own store, connector,
// notifier and keys, and no HTTP server. It takes one payment through the Go API and waits for the
// callback. What it cannot do, no embedder can.
package main

import (
	"context"
	"fmt"
	"log"
	"net/url"
	"path"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

func main() {
	if err := run(context.Background()); err != nil {
		log.Fatal("outside: ", err)
	}
}

func run(ctx context.Context) error {
	bank, inbox := &bank{}, &inbox{}
	gw, err := gateway.New(gateway.Config{
		Store: newTable(), Keys: newKeys(), PublicURL: "https://pay.example", Notifier: inbox,
		Connectors: map[string]methods.Connector{"bank": bank},
	})
	if err != nil {
		return err
	}
	if err := configure(ctx, gw); err != nil {
		return err
	}
	turn, err := pay(ctx, gw)
	if err != nil {
		return err
	}
	if turn.Kind != gateway.ActionReturn || turn.Status != gateway.ReturnPaid || bank.taken != "10.00" {
		return fmt.Errorf("the payer was told %s %s, the bank took %q", turn.Kind, turn.Status, bank.taken)
	}
	if _, _, err := gw.Tick(ctx, 100); err != nil {
		return err
	}
	if err := inbox.check(); err != nil {
		return err
	}
	fmt.Println("outside: 10.00 USD taken, callback delivered:", inbox.form.Get("order_status"))
	return gw.Close(ctx)
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
