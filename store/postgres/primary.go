package postgres

import (
	"context"
	"errors"
	"strconv"
	"sync"

	"github.com/jackc/pgx/v5/pgconn"
)

// primary is the server that takes writes, as the latest connection has found it. A server that is promoted begins a
// timeline, above that of the server whose standby it was. So a store that has met a promoted server knows the former
// primary by its timeline, should that come back or never have stopped.
type primary struct {
	mu     sync.Mutex
	latest origin
	moved  func() // ends all connections; set before the second is made
}

// origin is where a connection leads. Servers that were copied from one another have the same system.
type origin struct {
	system   string
	timeline uint64
}

// askOrigin asks two things in one trip. The second may fail: a role may lack the right to know the timeline.
const askOrigin = `show transaction_read_only;
select (select system_identifier from pg_control_system()),
  case when not pg_is_in_recovery() then pg_walfile_name(pg_current_wal_insert_lsn()) end`

// timelineDigits is how many hexadecimal digits of the name of a log file are its timeline.
const timelineDigits = 8

// meet refuses a server that does not take writes or is a former primary, so that pgx tries the next host.
func (p *primary) meet(ctx context.Context, conn *pgconn.PgConn) error {
	answers, err := conn.Exec(ctx, askOrigin).ReadAll()
	var cannot *pgconn.PgError
	switch {
	case err != nil && !errors.As(err, &cannot), len(answers) == 0:
		return err
	case string(answers[0].Rows[0][0]) == "on":
		return refuse("%w: it is a standby, whose answers are late, or has default_transaction_read_only; name the primary, "+
			"or all servers", pgconn.ErrReadOnlyConnection)
	case err != nil:
		return nil
	}
	row := answers[1].Rows[0]
	timeline, err := strconv.ParseUint(string(row[1][:min(timelineDigits, len(row[1]))]), 16, 64)
	if err != nil {
		return nil
	}
	return p.follow(origin{string(row[0]), timeline})
}

// follow takes where a new connection leads. When that is another server than before, the connections to that one are
// used no more.
func (p *primary) follow(o origin) error {
	p.mu.Lock()
	before := p.latest
	if o.system == before.system && o.timeline < before.timeline {
		p.mu.Unlock()
		return refuse("it is a former primary, of timeline %d, and a standby of it was promoted to timeline %d; stop it, "+
			"and make it a standby", o.timeline, before.timeline)
	}
	p.latest = o
	p.mu.Unlock()
	if before != o && before != (origin{}) {
		p.moved()
	}
	return nil
}
