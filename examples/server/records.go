package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/callback/receive"
	"github.com/tollgatepay/gateway/examples/server/shop"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/memory"
)

// connector is the name of the test acquirer in MIDs.
const connector = "vcard"

// crypto are the currencies beyond ISO 4217, unless -config lists others: every asset that the specification
// names.
var crypto = []methods.Currency{
	{Code: "BTC", Exponent: 8, Crypto: true},
	{Code: "ETH", Exponent: 18, Crypto: true},
	{Code: "USDC", Exponent: 6, Crypto: true},
	{Code: "USDT", Exponent: 6, Crypto: true},
}

// records are the merchants of the server.
type records struct {
	merchants []store.Merchant
	mappings  []store.Mapping
	mids      []store.MID
	wallets   []store.Wallets
	roots     gateway.WalletRoots
	crypto    []methods.Currency
	methods   []methods.Method // in addition to those of the catalogue, or replacing them
}

// recordsOf reads the configuration, or makes the demo merchant without one.
func recordsOf(opts options, at site) (records, error) {
	if opts.config == "" {
		return demo(at.local + "/demo/callback"), nil
	}
	return readRecords(opts.config)
}

// The credentials of the demo merchant. They are no secret: they are printed and documented.
const (
	demoKey      = "2f1a9f0e-7b1c-4f57-9d5e-6a0c3f7e1b11"
	demoTestKey  = "2f1a9f0e-7b1c-4f57-9d5e-6a0c3f7e1b22"
	demoPassword = "demo-merchant-password-0001"
)

// demo returns one merchant with two MIDs without restrictions. It is saved on every start, because its
// notification URL has the port of this start.
func demo(notificationURL string) records {
	mid := store.MID{
		MerchantID: "demo", Connector: connector, Mode: store.SMSDMS, MOTO: true, ZeroAmount: true,
		Descriptor: "LARKFIELD DEMO",
	}
	live, test := mid, mid
	live.ID, live.Name = "demo-live", "Test acquirer, live mode"
	test.ID, test.Name, test.Test = "demo-test", "Test acquirer, test mode", true
	return records{
		crypto: crypto,
		merchants: []store.Merchant{{
			ID: "demo", Name: "Larkfield", Key: demoKey, TestKey: demoTestKey,
			Password: store.NewSecret(demoPassword), NotificationURL: notificationURL,
		}},
		mids: []store.MID{live, test},
	}
}

// save writes the records. A faulty file changes nothing: the records are first tried on an empty gateway.
func (rs records) save(ctx context.Context, gw *gateway.Gateway, acquirer methods.Connector) error {
	trial, err := gateway.New(gateway.Config{
		Store: memory.New(), Keys: newMemoryKeys(), Connectors: map[string]methods.Connector{connector: acquirer},
		PublicURL: "http://trial.invalid", Crypto: rs.crypto, Methods: rs.methods, Wallets: rs.roots,
	})
	if err != nil {
		return err
	}
	if err := rs.saveTo(ctx, trial); err != nil {
		return err
	}
	return rs.saveTo(ctx, gw)
}

func (rs records) saveTo(ctx context.Context, gw *gateway.Gateway) error {
	var faults []error
	note := func(name string, i int, err error) {
		if err != nil {
			faults = append(faults, fmt.Errorf("%s[%d]: %w", name, i, err))
		}
	}
	for i, m := range rs.merchants {
		note("merchants", i, gw.SaveMerchant(ctx, m))
	}
	for i, m := range rs.mappings {
		note("mappings", i, gw.SaveMapping(ctx, m))
	}
	for i, m := range rs.mids {
		note("mids", i, gw.SaveMID(ctx, m))
	}
	for i, w := range rs.wallets {
		note("wallets", i, gw.SaveWallets(ctx, w))
	}
	return errors.Join(faults...)
}

// accounts returns the merchants for the shop.
func (rs records) accounts() []shop.Account {
	accounts := make([]shop.Account, len(rs.merchants))
	for i, m := range rs.merchants {
		accounts[i] = shop.Account{Name: m.Name, Key: m.Key, Password: m.Password}
		for _, mapping := range rs.mappings {
			if mapping.MerchantID == m.ID && mapping.SHA256 {
				accounts[i].SHA256 = append(accounts[i].SHA256, protocols[mapping.Protocol])
			}
		}
	}
	return accounts
}

// protocols are those of a mapping as the merchant's side names them.
var protocols = map[store.Protocol]receive.Protocol{
	store.Checkout: receive.Checkout, store.S2SCard: receive.S2SCard, store.S2SAPM: receive.S2SAPM,
}

// sent returns what a merchant of ours sent of a payment, for its shop, which did not send it: who tries the protocols
// by hand has the callbacks go to the shop.
func (rs records) sent(gw *gateway.Gateway) shop.Sent {
	return func(ctx context.Context, c *receive.Callback) (receive.Payment, error) {
		for _, m := range rs.merchants {
			for _, key := range []string{m.Key, m.TestKey} { // each has its own payments
				p, err := gw.Merchant(key).Payment(ctx, c.PaymentID)
				if err == nil {
					return signedOf(p), nil
				}
			}
		}
		return receive.Payment{}, receive.ErrUnknown
	}
}

// signedOf returns what signs the callbacks of a payment. A wallet's token has no card that was sent.
func signedOf(p *store.Payment) receive.Payment {
	known := receive.Payment{Email: p.Payer.Email}
	if p.Card != nil && p.Wallet == nil && !p.OfWallet {
		known.Card = p.Card.Mask
	}
	return known
}
