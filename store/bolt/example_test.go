package bolt_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/bolt"
)

// What was committed is there when the file is opened again.
func Example() {
	folder, err := os.MkdirTemp("", "bolt")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	ctx, path, key := context.Background(), filepath.Join(folder, "tollgate.db"), store.Key("greeting")
	s, err := bolt.Open(path)
	if err != nil {
		log.Fatal(err)
	}
	err = s.Update(ctx, func(tx store.Tx) error { return tx.Put(key, []byte("hello")) })
	if err != nil || s.Close() != nil {
		log.Fatal(err)
	}
	if s, err = bolt.Open(path); err != nil {
		log.Fatal(err)
	}
	err = s.View(ctx, func(r store.Reader) error {
		value, err := r.Get(key)
		fmt.Printf("%s\n", value)
		return err
	})
	fmt.Println(err, s.Close())
	// Output:
	// hello
	// <nil> <nil>
}
