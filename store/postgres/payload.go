package postgres

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype"

	"github.com/tollgatepay/gateway/store"
)

// payload is the arguments of apply: what each member of a group has read, scanned, written and removed.
type payload struct {
	members int
	reads   []row
	scans   []scanRow
	written []row
	gone    []row // without values
}

// row says whose a pair is.
type row struct {
	by   int32
	pair store.Pair
}

func (r row) owner() int32      { return r.by }
func (r row) taken() store.Pair { return r.pair }

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
	for _, pair := range t.pairs.list {
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
		if pair.HasValue() {
			p.written = append(p.written, row{by, pair})
		} else {
			p.gone = append(p.gone, row{by, pair})
		}
	}
}

// arguments returns those of the function. It can also be told which keys it is to insert and which to update, as
// earlier programs do.
func (p *payload) arguments(lane uuid.UUID, number int64) *arguments {
	a := newArguments()
	a.id(lane)
	a.long(number)
	a.number(int32(p.members))
	numbers(a, p.reads, row.owner)
	keys(a, p.reads, row.taken)
	values(a, p.reads, row.taken)
	numbers(a, p.scans, func(s scanRow) int32 { return s.by })
	texts(a, p.scans, func(s scanRow) (string, bool) { return string(s.low), true })
	texts(a, p.scans, func(s scanRow) (string, bool) { return string(s.high), true })
	numbers(a, p.scans, func(s scanRow) int32 { return int32(s.n) })
	a.null(6)
	numbers(a, p.written, row.owner)
	keys(a, p.written, row.taken)
	values(a, p.written, row.taken)
	numbers(a, p.gone, row.owner)
	keys(a, p.gone, row.taken)
	return a
}

// prepared returns the name of the prepared statement that calls a function of the schema with so many arguments, and
// prepares it on a connection where it is not.
func prepared(ctx context.Context, conn *pgx.Conn, schema, function string, arguments int) (string, error) {
	name, places := "tollgate_"+function, make([]string, arguments)
	for i := range places {
		places[i] = "$" + strconv.Itoa(i+1)
	}
	_, err := conn.Prepare(ctx, name, "select "+schema+"."+function+"("+strings.Join(places, ", ")+")")
	var said *pgconn.PgError
	if err != nil && !errors.As(err, &said) {
		return "", unsent{err}
	}
	return name, err
}

// call calls a function of the schema in one statement, which is a transaction of its own, and has read take the
// answer.
func call(ctx context.Context, conn *pgx.Conn, schema, function string, with *arguments,
	read func(*pgconn.ResultReader) error,
) error {
	list := with.all()
	name, err := prepared(ctx, conn, schema, function, len(list))
	if err != nil {
		return err
	}
	with.lendRoom(conn.PgConn().Frontend())
	if err := read(conn.PgConn().ExecPrepared(ctx, name, list, allBinary(), allBinary())); err != nil {
		return err // the connection may still send from the memory, so it is not used again
	}
	with.takeBack(conn.PgConn().Frontend())
	with.recycle()
	return nil
}

// allBinary says that all arguments, or columns, are in the binary format.
func allBinary() []int16 { return []int16{pgx.BinaryFormatCode} }

// send carries the group out and returns who of its members does not stand.
func (p *payload) send(ctx context.Context, conn *pgx.Conn, schema string, lane uuid.UUID, number int64) (
	verdict, error,
) {
	var bad verdict
	err := call(ctx, conn, schema, "apply", p.arguments(lane, number), func(answer *pgconn.ResultReader) (err error) {
		bad, err = verdictOf(conn, answer)
		return err
	})
	return bad, err
}

// sendLast carries the group out as the last statement of a transaction, and commits.
func (p *payload) sendLast(ctx context.Context, conn *pgx.Conn, schema string, lane uuid.UUID, number int64) (
	bad verdict, err error,
) {
	arguments := p.arguments(lane, number)
	defer arguments.recycle() // also after an error: the connection has a copy
	list := arguments.all()
	name, err := prepared(ctx, conn, schema, "apply", len(list))
	if err != nil {
		return nil, err
	}
	pipeline := conn.PgConn().StartPipeline(ctx)
	pipeline.SendQueryPrepared(name, list, allBinary(), allBinary())
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

// size is about how many bytes a transaction reads, scans and writes.
func (t *tx) size() (bytes int) {
	for _, pair := range t.pairs.list {
		bytes += len(pair)
	}
	for _, pair := range t.own {
		bytes += len(pair)
	}
	for _, s := range t.scanned {
		bytes += len(s.low) + len(s.high)
	}
	return bytes
}

func unknown(cause error) error { return fmt.Errorf("%w: %w", store.ErrUnknownCommit, cause) }

func isUnknown(err error) bool { return errors.Is(err, store.ErrUnknownCommit) }
