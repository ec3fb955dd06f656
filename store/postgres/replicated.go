package postgres

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// Where a synchronous standby has to have a commit before it is answered, the server ends its wait when somebody
// cancels it, and answers that all is well, with a warning. Such a commit may be gone when the standby is promoted: it
// is as if the answer was lost (lane.go), and settle, which writes, then waits for the standby itself.
var errUnreplicated = errors.New("postgres: the wait for a synchronous standby was cancelled")

const (
	waitRoutine  = "SyncRepWaitForLSN" // of the server, which names it in the warning
	unreplicated = "tollgate: unreplicated"
)

// hear marks a connection whose commit did not wait for its standby.
func hear(before pgconn.NoticeHandler) pgconn.NoticeHandler {
	return func(conn *pgconn.PgConn, notice *pgconn.Notice) {
		if notice.Routine == waitRoutine {
			conn.CustomData()[unreplicated] = true
		}
		if before != nil {
			before(conn, notice)
		}
	}
}

// replicated returns an error if the last commit of a connection did not wait for its standby.
func replicated(conn *pgx.Conn) error {
	data := conn.PgConn().CustomData()
	if data[unreplicated] == nil {
		return nil
	}
	delete(data, unreplicated)
	return errUnreplicated
}

// askSettle asks how a number of the lane ended.
func (l *lane) askSettle(ctx context.Context, bad *verdict) error {
	conn, err := l.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	ask := "select " + l.schema + ".settle($1, $2)"
	return errors.Join(conn.QueryRow(ctx, ask, l.id, l.number+1).Scan(bad), replicated(conn.Conn()))
}
