// Command serve runs a PostgreSQL server for the tests of other modules: it prints how to connect to it, and ends it
// with its own input.
package main

import (
	"fmt"
	"io"
	"os"

	"github.com/tollgatepay/gateway/store/postgres/internal/cluster"
)

func main() {
	if err := serve(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func serve() (err error) {
	c, err := cluster.New("")
	if err != nil {
		return err
	}
	defer func() { err = c.Remove() }()
	if err := c.Start(nil); err != nil {
		return err
	}
	fmt.Println(c.URL())
	_, err = io.Copy(io.Discard, os.Stdin)
	return err
}
