package postgres_test

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/internal/speed"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/postgres"
)

// shelf is a schema with many payments: copies of one, each with an order and an id of its own.
type shelf struct {
	kit      *gatewaytest.Kit
	payments int
	at       int
}

const copiedOrder = "ORD-00000000"

func orderOf(i int) string { return fmt.Sprintf("ORD-%08d", i) }

// newShelf copies the records of a sale into a schema, as COPY loads them.
func newShelf(m *meter, schema string, payments int) *shelf {
	m.Helper()
	s, err := postgres.Open(m.Context(), postgres.Config{URL: m.server.URL(), Schema: schema})
	require.NoError(m, err)
	m.Cleanup(func() { require.NoError(m, s.Close()) })
	kit := gatewaytest.On(m.B, s, onStore(s))
	before := recordsOf(m, s)
	_, err = kit.Shop().Charge(m.Context(), kerneltest.ChargeOf(copiedOrder, gatewaytest.Settles))
	require.NoError(m, err)
	sale := recordsOf(m, s)
	for key := range before {
		delete(sale, key)
	}
	conn, err := pgx.Connect(m.Context(), m.server.URL())
	require.NoError(m, err)
	copies := &copies{sale: sale, id: uuid.MustParse(kit.Payment(m, copiedOrder).ID), payments: payments}
	_, err = conn.CopyFrom(m.Context(), pgx.Identifier{schema, "records"}, []string{"key", "value"}, copies)
	require.NoError(m, err)
	require.NoError(m, conn.Close(m.Context()))
	execute(m.B, m.server.URL(), "vacuum analyze "+schema+".records")
	execute(m.B, m.server.URL(), "checkpoint")
	return &shelf{kit: kit, payments: payments}
}

func recordsOf(m *meter, s store.Store) map[string][]byte {
	m.Helper()
	found := map[string][]byte{}
	require.NoError(m, s.View(m.Context(), func(r store.Reader) error {
		for entry := range r.Scan(store.Range{Limit: 1000}) {
			if entry.Err != nil {
				return entry.Err
			}
			found[string(entry.Key)] = entry.Value
		}
		return nil
	}))
	return found
}

// copies is the records of copies of a sale.
type copies struct {
	sale     map[string][]byte
	id       uuid.UUID
	payments int
	made     int
	rows     [][]any
}

// Next implements pgx.CopyFromSource.
func (c *copies) Next() bool {
	if len(c.rows) > 1 {
		c.rows = c.rows[1:]
		return true
	}
	if c.made == c.payments {
		return false
	}
	c.made++
	id := c.id
	copy(id[10:], fmt.Appendf(nil, "%06x", c.made)) // those are random
	swap := strings.NewReplacer(copiedOrder, orderOf(c.made), c.id.String(), id.String(), string(c.id[:]), string(id[:]))
	c.rows = nil
	for key, value := range c.sale {
		if copied := swap.Replace(key); copied != key { // else it is of the merchant
			c.rows = append(c.rows, []any{[]byte(copied), []byte(swap.Replace(string(value)))})
		}
	}
	return true
}

// Values implements pgx.CopyFromSource.
func (c *copies) Values() ([]any, error) { return c.rows[0], nil }

// Err implements pgx.CopyFromSource.
func (c *copies) Err() error { return nil }

// status asks for the payment of an order far from the one before.
func (s *shelf) status() error {
	s.at = (s.at+7919)%s.payments + 1
	results, err := s.kit.Shop().Status(context.Background(), gateway.Lookup{OrderNumber: orderOf(s.at)})
	if err == nil && results[0].Payment.Order.Number != orderOf(s.at) {
		err = fmt.Errorf("%s was found for %s", results[0].Payment.Order.Number, orderOf(s.at))
	}
	return err
}

// statuses compares how long a status by order takes among few payments and among many.
func (m *meter) statuses(few, many int) {
	m.Helper()
	shelves := []*shelf{newShelf(m, "few", few), newShelf(m, "many", many)}
	var medians [2]speed.Spread
	for range turns {
		for i, shelf := range shelves {
			_, took := m.rate(1, func(int) error { return shelf.status() })
			medians[i] = append(medians[i], speed.Quantile(took, 0.5))
		}
	}
	among := func(i int) string { return fmt.Sprintf("status by order p50 among %d payments", shelves[i].payments) }
	speed.PrintMeasure(os.Stdout, among(0), "us", medians[0])
	speed.PrintMeasure(os.Stdout, among(1)+", of that", "times", medians[1].Over(medians[0]))
}
