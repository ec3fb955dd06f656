package main

import (
	"bytes"
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"fmt"
	"net/url"
	"slices"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/callback"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/observe"
	"github.com/tollgatepay/gateway/store"
)

// bank sends the payer to the issuer, takes the money once they have confirmed there, and gives it back.
type bank struct {
	taken, given string
	back         string // where the payer comes back to
}

const issuer = "https://issuer.example/confirm"

func (b *bank) Perform(_ context.Context, op methods.Operation) methods.Answer {
	switch op.Kind {
	case store.OpSale:
		b.back = op.ReturnURL
		next := store.Redirect{URL: issuer, Method: "POST", ThreeDS: true}
		return methods.Redirected(op, next, []byte("bank-1"))
	case store.OpRefund:
		b.given = op.Amount.String()
		return methods.Approved(op, "bank-2")
	default:
		return methods.Declined(op, "only sales and refunds here")
	}
}

// Complete is the power that 3-D Secure needs.
func (b *bank) Complete(_ context.Context, op methods.Operation, back methods.Return) methods.Answer {
	if !slices.Equal(back.Params["confirmed"], []string{"yes"}) || string(op.Continuation) != "bank-1" {
		return methods.Unverified(op, "the issuer has not confirmed it")
	}
	b.taken = op.Amount.String()
	return methods.Approved(op, "bank-1")
}

func (b *bank) Capabilities() methods.Capabilities {
	return methods.Capabilities{Powers: []methods.Power{methods.Performs, methods.Completes}}
}

// trace notes every call of a connector. The wrapper keeps its powers.
type trace struct{ calls []string }

func (tr *trace) around(ctx context.Context, c methods.Call,
	next func(context.Context) methods.Answer) methods.Answer {
	answer := next(ctx)
	tr.calls = append(tr.calls, fmt.Sprint(c.Power, " ", c.Operation.Kind, " ", answer.Result))
	return answer
}

// Observe counts what moved.
func (tr *trace) Observe(_ context.Context, e observe.Event) {
	if e, ok := e.(observe.PaymentMoved); ok {
		tr.calls = append(tr.calls, fmt.Sprint("moved to ", e.To))
	}
}

// inbox keeps the callbacks it was handed.
type inbox struct{ forms []url.Values }

func (i *inbox) Deliver(_ context.Context, d callback.Delivery) callback.Receipt {
	form, err := url.ParseQuery(string(d.Body))
	if err != nil {
		return callback.Receipt{Verdict: callback.Refused, Detail: "not a form"}
	}
	if d.URL != "https://shop.example/callback" || d.MerchantID != "shop" || form.Get("hash") == "" {
		return callback.Receipt{Verdict: callback.Refused, Detail: "not ours"}
	}
	i.forms = append(i.forms, form)
	return callback.Receipt{Verdict: callback.Accepted, Status: 200}
}

// check holds the callbacks against what the specification promises.
func (i *inbox) check(want ...string) error {
	var got []string
	for _, form := range i.forms {
		got = append(got, fmt.Sprint(form.Get("type"), " ", form.Get("status"), " ", form.Get("order_status"), " ",
			form.Get("order_number"), " ", form.Get("order_amount"), " ", form.Get("order_currency")))
	}
	if !slices.Equal(got, want) {
		return fmt.Errorf("the callbacks were %q, not %q", got, want)
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
