package store_test

import (
	"context"
	"fmt"
	"log"

	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/memory"
)

// Note is a record of a host that keeps its own beside those of the gateway.
type Note struct {
	Text string `json:"text"`
}

// A host that keeps records of its own in the same store takes a prefix that no table of the gateway has.
func ExampleTable() {
	ctx, s := context.Background(), memory.New()
	notes := store.Table[Note]{Prefix: "my-notes", Version: 1}
	err := s.Update(ctx, func(tx store.Tx) error { return notes.Put(tx, Note{"fragile"}, "shop", "ORD-1") })
	if err != nil {
		log.Fatal(err)
	}
	err = s.View(ctx, func(r store.Reader) error {
		for note, err := range notes.Scan(r, 10, "shop") {
			if err != nil {
				return err
			}
			fmt.Println(note.Text)
		}
		return nil
	})
	if err != nil {
		log.Fatal(err)
	}
	// Output: fragile
}

// Amounts are exact, and keep the text that was sent, because that is what was signed.
func ExampleParseAmount() {
	a, err := store.ParseAmount("12.30")
	fmt.Println(a, a.Decimals(), err)
	_, err = store.ParseAmount("1e3")
	fmt.Println(err)
	// Output:
	// 12.30 2 <nil>
	// amount: must be a decimal number of at most 15 digits and 18 decimals, like 12.34
}
