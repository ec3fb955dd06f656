package vcard_test

import (
	"context"
	"fmt"

	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/memory"
)

// A test loses an answer and reads the acquirer's ledger.
func Example() {
	acquirer, err := vcard.New(vcard.Config{
		Store: memory.New(), Secret: store.NewSecret("at least sixteen bytes"), PublicURL: "http://127.0.0.1:8080/vcard",
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx := context.Background()
	op := methods.Operation{
		Kind: store.OpSale, Key: "key-1", Amount: store.MustAmount("10.00"), Currency: "USD", Card: card(2038, 1),
	}
	acquirer.On("key-1", vcard.UnknownAfter())
	fmt.Println(acquirer.Perform(ctx, op).Result)
	fmt.Println(acquirer.Find(ctx, op).Result)
	fmt.Println(acquirer.Perform(ctx, op).Result)

	entry, err := acquirer.Entry(ctx, "key-1")
	fmt.Println(entry.State, entry.Captured, entry.Effects, err)
	// Output:
	// unknown
	// approved
	// approved
	// approved 10.00 1 <nil>
}
