package postgres

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/jackc/pgx/v5/pgxpool"
)

// ErrRefused: the server, or its schema, cannot hold the contract of store.Store. The text names cause and cure.
var ErrRefused = errors.New("postgres: refused")

func refuse(format string, args ...any) error {
	return fmt.Errorf("%w: "+format, append([]any{ErrRefused}, args...)...)
}

// server is what each new connection tells about itself. A connection may lead to another server than the one before.
type server struct {
	keeping
	version, flush, encoding, isolation string
	number                              int
	limits                              int // settings that limit transactions, which are off now
}

// keeping is the settings of the server without which it may lose what it has acknowledged. They can change while it
// runs, also for sessions that are open.
type keeping struct{ fsync, fullPages string }

const askKeeping = `current_setting('fsync'), current_setting('full_page_writes')`

// refusal returns why the store does not use a server, or nil.
func (k keeping) refusal() error {
	switch {
	case k.fsync != "on":
		return keepsLess{refuse("fsync is %s, so a crash loses payments; set fsync = on", k.fsync)}
	case k.fullPages != "on":
		return keepsLess{
			refuse("full_page_writes is %s, so a crash can damage the files; set full_page_writes = on", k.fullPages)}
	}
	return nil
}

// keepsLess is the refusal of a server that may lose what it has acknowledged. A standby is refused otherwise.
type keepsLess struct{ error }

func (k keepsLess) Unwrap() error { return k.error }

// askServer also keeps synchronous_commit as it was found for the rest of the session: what is set for the server or
// the role later is for new connections, which are asked again. And where the server could limit transactions it does
// not: a snapshot lasts as long as its readers.
const askServer = `select version(), ` + askKeeping + `,
  set_config('synchronous_commit', current_setting('synchronous_commit'), false), current_setting('server_encoding'),
  current_setting('default_transaction_isolation'), current_setting('server_version_num')::int,
  (select count(set_config(name, '0', false)) from pg_settings where name = 'transaction_timeout')`

// minServer is the oldest server, as server_version_num.
const minServer = 140000

// inspect refuses a server that would lose or mix up what it has acknowledged.
func inspect(ctx context.Context, conn *pgx.Conn) error {
	if conn.TypeMap().FormatCodeForOID(pgtype.ByteaOID) != pgx.BinaryFormatCode {
		return refuse("bytea is read as text by the types that were registered; leave it as pgx has it")
	}
	var s server
	err := conn.QueryRow(ctx, askServer).Scan(&s.version, &s.fsync, &s.fullPages, &s.flush, &s.encoding, &s.isolation,
		&s.number, &s.limits)
	if err != nil {
		return fmt.Errorf("postgres: ask the server for its settings: %w", err)
	}
	return s.refusal()
}

// refusal returns why the store does not use a server, or nil.
func (s server) refusal() error {
	switch {
	case !strings.HasPrefix(s.version, "PostgreSQL "):
		return refuse("the server is %s, on which this store was never tested; use PostgreSQL", s.version)
	case s.number < minServer:
		return refuse("the server is %s; use PostgreSQL %d or later", s.version, minServer/10000)
	case s.keeping.refusal() != nil:
		return s.keeping.refusal()
	case s.flush == "off":
		return refuse("synchronous_commit is off, so a crash loses payments that were acknowledged; " +
			"set synchronous_commit = on for this role and database")
	case s.encoding != "UTF8":
		return refuse("the encoding of the database is %s; make one with encoding UTF8", s.encoding)
	case s.isolation != "read committed":
		return refuse("the isolation of new transactions is %s in spite of what the store asked for; "+
			"connect without a pooler in between", s.isolation)
	}
	return nil
}

// plainly is why no connection was made. Its text leaves out that a server has no TLS where it was then asked without,
// as URLs that do not name an sslmode have it: what it answered there is the cause.
type plainly struct{ error }

const noTLS = "tls error: server refused TLS connection"

func (p plainly) Error() string {
	attempts := strings.Split(p.error.Error(), "\n")
	var kept []string
	for i, attempt := range attempts {
		server, refused := strings.CutSuffix(attempt, noTLS)
		without := func(later string) bool { return strings.HasPrefix(later, server) && !strings.HasSuffix(later, noTLS) }
		if !refused || !slices.ContainsFunc(attempts[i+1:], without) {
			kept = append(kept, attempt)
		}
	}
	return strings.Join(kept, "\n")
}

func (p plainly) Unwrap() error { return p.error }

// connect opens a pool whose connections are inspected.
func (c Config) connect(ctx context.Context, connections int) (*pgxpool.Pool, error) {
	settings, err := c.pool(connections)
	if err != nil {
		return nil, err
	}
	after := settings.AfterConnect
	settings.AfterConnect = func(ctx context.Context, conn *pgx.Conn) error {
		if after != nil {
			if err := after(ctx, conn); err != nil {
				return err
			}
		}
		ctx, cancel := context.WithTimeout(ctx, c.Patience) // the pool sets no end to this
		defer cancel()
		return inspect(ctx, conn)
	}
	pool, err := pgxpool.NewWithConfig(ctx, settings)
	if err != nil {
		return nil, fmt.Errorf("postgres: %w", err)
	}
	return pool, nil
}
