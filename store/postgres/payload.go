package postgres

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/tollgatepay/gateway/store"
)

// payload is the arguments of apply: what the members of a group have read, scanned, written and removed. The first
// column of each list says whose the row is.
type payload struct {
	members int

	readBy            []int32
	readKey, readText [][]byte

	scanBy            []int32
	scanLow, scanHigh [][]byte
	scanFound         []int32

	writeBy             []int32
	writeKey, writeText [][]byte

	deleteBy  []int32
	deleteKey [][]byte
}

func payloadOf(members []*member) *payload {
	p := &payload{members: len(members)}
	for i, m := range members {
		p.add(int32(i), m.tx)
	}
	return p
}

func (p *payload) add(by int32, t *tx) {
	for _, pair := range t.pairs {
		p.readBy = append(p.readBy, by)
		p.readKey = append(p.readKey, []byte(pair.Key()))
		p.readText = append(p.readText, textOf(pair))
	}
	for _, s := range t.scanned {
		p.scanBy = append(p.scanBy, by)
		p.scanLow, p.scanHigh = append(p.scanLow, s.low), append(p.scanHigh, s.high)
		p.scanFound = append(p.scanFound, int32(s.n))
	}
	p.write(by, t.own)
}

func (p *payload) write(by int32, own []store.Pair) {
	for _, pair := range own {
		if !pair.HasValue() {
			p.deleteBy, p.deleteKey = append(p.deleteBy, by), append(p.deleteKey, []byte(pair.Key()))
			continue
		}
		p.writeBy = append(p.writeBy, by)
		p.writeKey, p.writeText = append(p.writeKey, []byte(pair.Key())), append(p.writeText, textOf(pair))
	}
}

// textOf returns the value of a pair, nil if it has none.
func textOf(pair store.Pair) []byte {
	if !pair.HasValue() {
		return nil
	}
	return []byte(pair.Value())
}

// apply is the statement and its arguments.
func (p *payload) apply(schema string, lane uuid.UUID, number int64) (statement string, args []any) {
	return "select " + schema + ".apply($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)",
		[]any{lane, number, p.members, p.readBy, p.readKey, p.readText, p.scanBy, p.scanLow, p.scanHigh, p.scanFound,
			p.writeBy, p.writeKey, p.writeText, p.deleteBy, p.deleteKey}
}

// send carries the group out in one statement, which is a transaction of its own.
func (p *payload) send(schema string) send {
	return func(ctx context.Context, conn *pgx.Conn, lane uuid.UUID, number int64) (bad verdict, err error) {
		statement, args := p.apply(schema, lane, number)
		return bad, conn.QueryRow(ctx, statement, args...).Scan(&bad)
	}
}

// size is about how many bytes a transaction reads and writes.
func (t *tx) size() (bytes int) {
	for _, pair := range t.pairs {
		bytes += len(pair)
	}
	for _, pair := range t.own {
		bytes += len(pair)
	}
	return bytes
}

func unknown(cause error) error { return fmt.Errorf("%w: %w", store.ErrUnknownCommit, cause) }

func isUnknown(err error) bool { return errors.Is(err, store.ErrUnknownCommit) }
