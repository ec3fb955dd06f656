package keyfile_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/tollgatepay/gateway/store/keys"
	"github.com/tollgatepay/gateway/store/keys/keyfile"
)

// The file is made at the first start. It belongs in another backup than the database.
func Example() {
	folder, err := os.MkdirTemp("", "keyfile")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "tollgate.keys")
	provider, err := keyfile.Open(path)
	if err != nil {
		log.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(info.Mode())
	ctx, dataKey := context.Background(), make([]byte, keys.Size)
	wrapped, err := provider.Wrap(ctx, dataKey)
	if err != nil {
		log.Fatal(err)
	}
	opened, err := provider.Unwrap(ctx, wrapped)
	fmt.Println(len(opened), err)
	// Output:
	// -rw-------
	// 32 <nil>
}
