package rest_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"

	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/rest"
	"github.com/tollgatepay/gateway/store"
)

// acme is a connector to an acquirer that keeps our key, and counts in the smallest units of a currency.
type acme struct{ api *rest.Client }

// acmeCharge is what the acquirer answers about a charge.
type acmeCharge struct {
	ID, Key, Units, Currency, Status string
}

func (c acme) Perform(ctx context.Context, op methods.Operation) methods.Answer {
	units, err := (*methods.Currencies)(nil).Minor(op.Amount, op.Currency)
	if op.Kind != store.OpSale || err != nil {
		return methods.Declined(op, "Operation is not supported")
	}
	reply := c.api.Send(ctx, rest.Request{
		Path: "/charges", Key: op.Key, Body: map[string]string{"units": units, "currency": op.Currency},
	})
	return rest.Performed(reply, op, c.read(op))
}

func (c acme) Find(ctx context.Context, op methods.Operation) methods.Answer {
	reply := c.api.Send(ctx, rest.Request{Path: "/charges/" + url.PathEscape(op.Key)})
	return rest.Found(reply, op, c.read(op))
}

// read passes on what the acquirer says it did, and not what it was asked for.
func (acme) read(op methods.Operation) func(acmeCharge) methods.Answer {
	return func(charge acmeCharge) methods.Answer {
		amount, err := (*methods.Currencies)(nil).Major(charge.Units, charge.Currency)
		if err != nil || charge.Status != "paid" {
			return methods.Unknown(op, "the acquirer says "+charge.Status)
		}
		a := methods.Approved(op, charge.ID)
		a.Key, a.Amount, a.Currency = charge.Key, amount, charge.Currency
		return a
	}
}

// A connector needs no classification of failures: the server of this example breaks the connection after it has
// charged, and knows the charge when it is asked.
func Example() {
	acquirer := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			panic(http.ErrAbortHandler)
		}
		_, _ = io.WriteString(w, `{"id":"ch-7","key":"key-1","units":"1000","currency":"JPY","status":"paid"}`)
	}))
	defer acquirer.Close()
	connector := acme{rest.Must(rest.New(acquirer.URL, rest.Options{KeyHeader: "Idempotency-Key"}))}
	op := methods.Operation{Kind: store.OpSale, Key: "key-1", Amount: store.MustAmount("1000"), Currency: "JPY"}
	fmt.Println(connector.Perform(context.Background(), op).Result)
	found := connector.Find(context.Background(), op)
	fmt.Println(found.Result, found.Reference, found.Repeats(op))
	// Output:
	// unknown
	// approved ch-7 true
}
