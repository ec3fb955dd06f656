package postgres

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"sync"

	"github.com/jackc/pgx/v5/pgconn"
)

// primary is the server that takes writes, as the latest connection has found it. A server that is promoted begins a
// timeline, above that of the server whose standby it was. So a store that has met a promoted server knows the former
// primary by its timeline, should that come back or never have stopped.
type primary struct {
	mu        sync.Mutex
	latest    origin
	timelines map[string]uint64 // the highest that was met of each system
	moved     bool              // the connections to the server before are to be ended
	leave     func()            // ends all connections; nil until the pools are made
}

// origin is where a connection leads. Servers that were copied from one another have the same system.
type origin struct {
	system   string
	timeline uint64
}

// askOrigin asks two things in one trip, so that the second may fail.
const askOrigin = `show transaction_read_only;
select (select system_identifier from pg_control_system()),
  case when not pg_is_in_recovery() then pg_walfile_name(pg_current_wal_insert_lsn()) end`

// unable are the errors of a server that does not tell the timeline: the role lacks the right, the functions are not
// there, or they do not work.
var unable = []string{"42501", "42883", "0A000"}

// meet refuses a server that does not take writes or is a former primary, so that pgx tries the next host.
func (p *primary) meet(ctx context.Context, conn *pgconn.PgConn) error {
	answers, err := conn.Exec(ctx, askOrigin).ReadAll()
	switch {
	case len(answers) == 0 || len(answers[0].Rows) == 0:
		if err == nil {
			err = errors.New("postgres: no answer to: show transaction_read_only")
		}
		return err
	case string(answers[0].Rows[0][0]) == "on":
		return refuse("%w: it is a standby, whose answers are late, or has default_transaction_read_only; name the primary, "+
			"or all servers", pgconn.ErrReadOnlyConnection)
	case slices.ContainsFunc(unable, func(code string) bool { return isCode(err, code) }):
		return nil
	case err != nil || len(answers) < 2 || len(answers[1].Rows) == 0:
		return err
	}
	if o, told := originOf(answers[1].Rows[0]); told {
		return p.follow(o)
	}
	return nil
}

// timelineDigits is how many hexadecimal digits of the name of a log file are its timeline.
const timelineDigits = 8

// originOf reads an answer. It is false if that does not tell.
func originOf(row [][]byte) (o origin, told bool) {
	if len(row) != 2 || len(row[1]) < timelineDigits {
		return o, false
	}
	timeline, err := strconv.ParseUint(string(row[1][:timelineDigits]), 16, 64)
	return origin{string(row[0]), timeline}, err == nil
}

// follow takes where a new connection leads. When that is another server than before, the connections to that one are
// ended before the new one is used.
func (p *primary) follow(o origin) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if met := p.timelines[o.system]; o.timeline < met {
		return refuse("it is a former primary, of timeline %d, and this instance has met timeline %d of a promoted standby; "+
			"stop it, and make it a standby, or restart the instance if it is to go back", o.timeline, met)
	}
	p.moved = p.moved || p.latest != (origin{}) && p.latest != o
	p.latest, p.timelines[o.system] = o, o.timeline
	p.end()
	return nil
}

// leaveBy sets what ends all connections.
func (p *primary) leaveBy(leave func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.leave = leave
	p.end()
}

// end ends the connections to the server before. The mutex is held.
func (p *primary) end() {
	if p.moved && p.leave != nil {
		p.moved = false
		p.leave()
	}
}

func newPrimary() *primary { return &primary{timelines: map[string]uint64{}} }
