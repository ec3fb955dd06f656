package postgres_test

import (
	"context"
	"log"

	"github.com/tollgatepay/gateway/store/postgres"
)

// Instances of a program share a database. Each opens a store like this one, and gives it to its gateway.
func ExampleOpen() {
	records, err := postgres.Open(context.Background(), postgres.Config{
		URL: "postgres://gateway:password@db-one,db-two/payments?sslmode=verify-full",
	})
	if err != nil {
		log.Fatal(err) // names cause and cure
	}
	defer records.Close() //nolint:errcheck // closes connections
	// gateway.Config{Store: records, ...}
}
