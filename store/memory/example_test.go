package memory_test

import (
	"context"
	"fmt"
	"log"

	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/memory"
)

// A store in memory is for tests: it forgets everything with the process.
func Example() {
	ctx, s := context.Background(), memory.New()
	key := store.Key("greeting", "en")
	if err := s.Update(ctx, func(tx store.Tx) error { return tx.Put(key, []byte("hello")) }); err != nil {
		log.Fatal(err)
	}
	err := s.View(ctx, func(r store.Reader) error {
		value, err := r.Get(key)
		fmt.Printf("%s\n", value)
		return err
	})
	if err != nil {
		log.Fatal(err)
	}
	// Output: hello
}
