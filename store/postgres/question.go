package postgres

import (
	"bytes"

	"github.com/jackc/pgx/v5"

	"github.com/tollgatepay/gateway/store"
)

// beyond is greater than every key.
var beyond = bytes.Repeat([]byte{0xFF}, store.MaxKey+1)

// queue adds the statements that answer these questions: one for all keys, and one for each range.
func queue(batch *pgx.Batch, schema string, asked []*question) {
	var keys [][]byte
	waiting := map[string][]*question{}
	for _, q := range asked {
		if q.key == nil {
			queueRange(batch, schema, q)
			continue
		}
		if waiting[string(q.key)] == nil {
			keys = append(keys, q.key)
		}
		waiting[string(q.key)] = append(waiting[string(q.key)], q)
		q.found = []store.Pair{store.NewPair(q.key, nil)}
	}
	if len(keys) == 0 {
		return
	}
	batch.Queue("select key, value from "+schema+".records where key = any($1)", keys).Query(func(rows pgx.Rows) error {
		for rows.Next() {
			pair := pairOf(rows)
			for _, q := range waiting[pair.Key()] {
				q.found[0] = pair
			}
		}
		return rows.Err()
	})
}

func queueRange(batch *pgx.Batch, schema string, q *question) {
	order := "asc"
	if q.reverse {
		order = "desc"
	}
	text := "select key, value from " + schema + ".records where key >= $1 and key < $2 order by key " + order +
		" limit $3"
	batch.Queue(text, q.low, q.high, q.limit).Query(func(rows pgx.Rows) error {
		for rows.Next() {
			q.found = append(q.found, pairOf(rows))
		}
		return rows.Err()
	})
}

// pairOf returns a copy of the row's key and value.
func pairOf(rows pgx.Rows) store.Pair {
	raw := rows.RawValues()
	key, value := raw[0], raw[1]
	if value == nil {
		value = []byte{} // the column is not null
	}
	return store.NewPair(key, value)
}
