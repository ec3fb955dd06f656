package postgres

import (
	"bytes"
	"context"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/tollgatepay/gateway/store"
)

// question is what a reader waits for: some keys, or the first keys of a range, or both.
type question struct {
	keys    []string
	stretch *stretch // nil without a range

	ctx    context.Context
	until  time.Time    // a call that tries again has tried long enough then; zero for the first time
	found  []store.Pair // one for each key, with or without a value
	err    error
	answer chan struct{} // closed when found or err is set
}

// stretch is the first keys of a range.
type stretch struct {
	low, high []byte
	limit     int
	reverse   bool
	found     []store.Pair
}

// beyond is greater than every key.
var beyond = bytes.Repeat([]byte{0xFF}, store.MaxKey+1)

// queue adds the statements that answer these questions: one for all keys, and one for each range. learn is told what
// keys have been asked for, with their values.
func queue(batch *pgx.Batch, schema string, asked []*question, learn func([]store.Pair)) {
	keys, pairs := [][]byte{}, map[string]store.Pair{}
	for _, q := range asked {
		for _, key := range q.keys {
			if _, ok := pairs[key]; !ok {
				keys = append(keys, []byte(key))
				pairs[key] = ""
			}
		}
		if q.stretch != nil {
			queueStretch(batch, schema, q.stretch)
		}
	}
	if len(keys) == 0 {
		return
	}
	batch.Queue("select key, value from "+schema+".records where key = any($1)", keys).Query(func(rows pgx.Rows) error {
		if err := eachPair(rows, func(pair store.Pair) { pairs[pair.Key()] = pair }); err != nil {
			return err
		}
		all := make([]store.Pair, len(keys))
		for i, key := range keys {
			if all[i] = pairs[string(key)]; all[i] == "" {
				all[i] = store.NewPair(key, nil)
				pairs[string(key)] = all[i]
			}
		}
		for _, q := range asked {
			for _, key := range q.keys {
				q.found = append(q.found, pairs[key])
			}
		}
		learn(all)
		return nil
	})
}

func queueStretch(batch *pgx.Batch, schema string, s *stretch) {
	order := "asc"
	if s.reverse {
		order = "desc"
	}
	text := "select key, value from " + schema + ".records where key >= $1 and key < $2 order by key " + order +
		" limit $3"
	batch.Queue(text, s.low, s.high, s.limit).Query(func(rows pgx.Rows) error {
		return eachPair(rows, func(pair store.Pair) { s.found = append(s.found, pair) })
	})
}

// eachPair takes a copy of the key and value of each row.
func eachPair(rows pgx.Rows, take func(store.Pair)) error {
	for rows.Next() {
		if slices.ContainsFunc(rows.FieldDescriptions(), isText) {
			return errTexts
		}
		raw := rows.RawValues()
		key, value := raw[0], raw[1]
		if value == nil {
			value = []byte{} // the column is not null
		}
		take(store.NewPair(key, value))
	}
	return rows.Err()
}

func isText(column pgconn.FieldDescription) bool { return column.Format != pgx.BinaryFormatCode }

// errTexts: answers are no bytes. A key of them would be another key, so that each would seem to be absent.
var errTexts = refuse("records are read as text; leave how pgx asks for bytea as it is")
