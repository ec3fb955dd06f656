package main

import (
	"bytes"
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"fmt"
	"net/url"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/callback"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// bank approves everything and remembers the last sale.
type bank struct{ taken string }

func (b *bank) Perform(_ context.Context, op methods.Operation) methods.Answer {
	if op.Kind != store.OpSale {
		return methods.Declined(op, "only sales here")
	}
	b.taken = op.Amount.String()
	return methods.Approved(op, "bank-1")
}

// inbox keeps the callback it was handed.
type inbox struct {
	url  string
	form url.Values
}

func (i *inbox) Deliver(_ context.Context, d callback.Delivery) callback.Receipt {
	form, err := url.ParseQuery(string(d.Body))
	if err != nil {
		return callback.Receipt{Verdict: callback.Refused, Detail: "not a form"}
	}
	i.url, i.form = d.URL, form
	return callback.Receipt{Verdict: callback.Accepted, Status: 200}
}

// check holds the callback against what the specification promises of a settled sale.
func (i *inbox) check() error {
	for name, want := range map[string]string{
		"type": "sale", "status": "success", "order_status": "settled", "order_number": "ORD-1",
		"order_amount": "10.00", "order_currency": "USD",
	} {
		if got := i.form.Get(name); got != want {
			return fmt.Errorf("callback: %s is %q, not %q, in %v", name, got, want, i.form)
		}
	}
	if i.url != "https://shop.example/callback" || i.form.Get("hash") == "" {
		return fmt.Errorf("callback: to %q with hash %q", i.url, i.form.Get("hash"))
	}
	return nil
}

// keys is a key provider that forgets its key with the process.
type keys struct {
	aead   cipher.AEAD
	lookup []byte
}

func newKeys() *keys {
	secret, lookup := make([]byte, gateway.DataKeySize), make([]byte, gateway.DataKeySize)
	rand.Read(secret) // never fails
	rand.Read(lookup)
	block, err := aes.NewCipher(secret)
	if err != nil {
		panic(err) // the size is right
	}
	aead, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		panic(err)
	}
	return &keys{aead, lookup}
}

func (k *keys) Wrap(_ context.Context, dataKey []byte) (gateway.WrappedKey, error) {
	return gateway.WrappedKey{KeyID: "k1", Bytes: k.aead.Seal(nil, nil, dataKey, nil)}, nil
}

func (k *keys) Unwrap(_ context.Context, w gateway.WrappedKey) ([]byte, error) {
	if w.KeyID != "k1" {
		return nil, gateway.ErrKeyGone
	}
	dataKey, err := k.aead.Open(nil, nil, w.Bytes, nil)
	if err != nil {
		return nil, gateway.ErrSealBroken
	}
	return dataKey, nil
}

func (k *keys) LookupKey(context.Context) ([]byte, error) { return bytes.Clone(k.lookup), nil }
