package main

import (
	"cmp"
	"context"
	"log"
	"net/http"
	"os"
	"strings"

	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/bolt"
	"github.com/tollgatepay/gateway/store/postgres"
)

// connectors are those of the host that runs the guide's program: a test acquirer, whose ledger outlives the process,
// and another one that cannot be asked again.
func connectors() map[string]methods.Connector {
	acquirer, err := vcard.New(vcard.Config{Store: ledger(), Secret: store.NewSecret("at least sixteen characters"),
		PublicURL: os.Getenv("PUBLIC_URL") + "/vcard"})
	if err != nil {
		log.Fatal(err)
	}
	return map[string]methods.Connector{"acquirer": methods.Wrap(acquirer, gate), "sandbox": silent{acquirer}}
}

func ledger() store.Store {
	var books store.Store
	var err error
	if url := os.Getenv("DATABASE"); strings.HasPrefix(url, "postgres:") {
		books, err = postgres.Open(context.Background(), postgres.Config{URL: url, Schema: "acquirer", Connections: 6})
	} else {
		books, err = bolt.Open(cmp.Or(os.Getenv("LEDGER"), url+".ledger"))
	}
	if err != nil {
		log.Fatal(err)
	}
	return books
}

// gate lets the acquirer do what it was asked, and keeps its answer to a charge of 7.77 until the test answers.
func gate(ctx context.Context, call methods.Call, next func(context.Context) methods.Answer) methods.Answer {
	answer := next(ctx)
	if call.Operation.Amount.String() == "7.77" && os.Getenv("GATE") != "" {
		if r, err := http.Get(os.Getenv("GATE")); err == nil {
			_ = r.Body.Close()
		}
	}
	return answer
}

// silent loses its answer to a charge of 6.66, and has no power to be asked for it.
type silent struct{ acquirer *vcard.Connector }

func (s silent) Perform(ctx context.Context, op methods.Operation) methods.Answer {
	answer := s.acquirer.Perform(ctx, op)
	if op.Amount.String() == "6.66" {
		return methods.Unknown(op, "the answer was lost")
	}
	return answer
}
