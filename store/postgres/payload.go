package postgres

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"

	"github.com/tollgatepay/gateway/store"
)

// payload is the arguments of apply: what the members of a group have read, scanned, written and removed.
type payload struct {
	members int
	reads   rows
	scans   []scanRow
	fresh   rows // written under keys that were read without a value
	changed rows // under keys that were read with one
	blind   rows // under keys that were not read, and all keys of a small group
	gone    rows // without values
}

// few members write all in one statement. It costs more for each row, and less than three statements.
const few = 8

// rows say for each pair whose it is.
type rows []row

type row struct {
	by   int32
	pair store.Pair
}

type scanRow struct {
	by int32
	scanned
}

func payloadOf(members []*member) *payload {
	p := &payload{members: len(members)}
	for i, m := range members {
		p.add(int32(i), m.tx)
	}
	return p
}

// add takes what a transaction has read and writes.
func (p *payload) add(by int32, t *tx) {
	for _, pair := range t.pairs {
		p.reads = append(p.reads, row{by, pair})
	}
	for _, s := range t.scanned {
		p.scans = append(p.scans, scanRow{by, s})
	}
	p.write(by, t)
}

// write takes what a transaction writes.
func (p *payload) write(by int32, t *tx) {
	for _, pair := range t.own {
		switch read, known := t.pairs[pair.Key()]; {
		case !pair.HasValue():
			p.gone = append(p.gone, row{by, pair})
		case !known, p.members < few:
			p.blind = append(p.blind, row{by, pair})
		case read.HasValue():
			p.changed = append(p.changed, row{by, pair})
		default:
			p.fresh = append(p.fresh, row{by, pair})
		}
	}
}

// applies is the name of the prepared statement that carries a group out.
const applies = "tollgate_apply"

// prepare prepares it on a connection where it is not.
func prepare(ctx context.Context, conn *pgx.Conn, schema string) error {
	_, err := conn.Prepare(ctx, applies, "select "+schema+".apply($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, "+
		"$13, $14, $15, $16, $17, $18, $19, $20, $21)")
	var said *pgconn.PgError
	if err != nil && !errors.As(err, &said) {
		return unsent{err}
	}
	return err
}

// apply is the arguments of the statement, in the binary format.
func (p *payload) apply(lane uuid.UUID, number int64) (args [][]byte) {
	args = append(args, lane[:], binary.BigEndian.AppendUint64(nil, uint64(number)),
		binary.BigEndian.AppendUint32(nil, uint32(p.members)), p.reads.by(), p.reads.keys(), p.reads.values(),
		numbers(p.scans, func(s scanRow) int32 { return s.by }),
		texts(p.scans, func(s scanRow) (string, bool) { return string(s.low), true }),
		texts(p.scans, func(s scanRow) (string, bool) { return string(s.high), true }),
		numbers(p.scans, func(s scanRow) int32 { return int32(s.n) }))
	for _, written := range []rows{p.fresh, p.changed, p.blind} {
		args = append(args, written.by(), written.keys(), written.values())
	}
	return append(args, p.gone.by(), p.gone.keys())
}

func (r rows) by() []byte { return numbers(r, func(r row) int32 { return r.by }) }

func (r rows) keys() []byte {
	return texts(r, func(r row) (string, bool) { return r.pair.Key(), true })
}

func (r rows) values() []byte {
	return texts(r, func(r row) (string, bool) { return r.pair.Value(), r.pair.HasValue() })
}

// allBinary says that all arguments, or columns, are in the binary format.
func allBinary() []int16 { return []int16{pgx.BinaryFormatCode} }

// send carries the group out in one statement, which is a transaction of its own.
func (p *payload) send(schema string) send {
	return func(ctx context.Context, conn *pgx.Conn, lane uuid.UUID, number int64) (verdict, error) {
		if err := prepare(ctx, conn, schema); err != nil {
			return nil, err
		}
		return verdictOf(conn, conn.PgConn().ExecPrepared(ctx, applies, p.apply(lane, number), allBinary(), allBinary()))
	}
}

// sendLast carries the group out as the last statement of a transaction, and commits.
func (p *payload) sendLast(ctx context.Context, conn *pgx.Conn, schema string, lane uuid.UUID, number int64) (
	bad verdict, err error,
) {
	if err := prepare(ctx, conn, schema); err != nil {
		return nil, err
	}
	pipeline := conn.PgConn().StartPipeline(ctx)
	pipeline.SendQueryPrepared(applies, p.apply(lane, number), allBinary(), allBinary())
	pipeline.SendQueryParams("commit", nil, nil, nil, nil)
	defer func() { // its own error says nothing of what became of the commit
		if closed := pipeline.Close(); err == nil {
			err = closed
		}
	}()
	if err := pipeline.Sync(); err != nil {
		return nil, err
	}
	for answers := 0; ; {
		result, err := pipeline.GetResults()
		if err != nil {
			return nil, err
		}
		switch result := result.(type) {
		case *pgconn.ResultReader:
			if answers++; answers == 1 {
				bad, err = verdictOf(conn, result)
			} else {
				_, err = result.Close()
			}
			if err != nil {
				return nil, err
			}
		case *pgconn.PipelineSync:
			return bad, nil
		}
	}
}

// verdictOf reads the answer to the statement.
func verdictOf(conn *pgx.Conn, reader *pgconn.ResultReader) (bad verdict, err error) {
	if reader.NextRow() {
		err = conn.TypeMap().Scan(pgtype.Int4ArrayOID, pgx.BinaryFormatCode, reader.Values()[0], &bad)
	}
	if _, closed := reader.Close(); closed != nil {
		return nil, closed
	}
	return bad, err
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
