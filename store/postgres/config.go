package postgres

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Config says where the records are and how patient the store is. Only URL is required.
type Config struct {
	// URL is a connection string as of libpq, with TLS settings, and several hosts where there are standbys:
	// postgres://user:password@one,two/payments?sslmode=verify-full. The store uses the first that takes writes and is no
	// former primary (ErrRefused), whatever target_session_attrs says. It is a secret; no error repeats its password.
	URL string
	// Schema is the name of the schema that holds the tables: lower-case letters, digits and _. "tollgate" if empty.
	Schema string
	// Connections is how many connections the store opens at most: 16 if zero, and at least 6. Three of them write.
	Connections int
	// Patience is how long a call goes on while the server is away or silent, how long it waits for a connection or to be
	// alone, and how long Open tries a migration while others use the tables: 15 s if zero. Calls share their timer, so
	// each of these may last up to twice as long. The context of the call ends it sooner.
	Patience time.Duration
	// Statement is the longest time that one statement may take (statement_timeout): 30 s if zero. Half of it is the
	// longest wait for a lock.
	Statement time.Duration
	// ByHand leaves migrations to people (Migrations): Open then refuses a schema that is behind.
	ByHand bool
	// Adjust, if not nil, changes how connections are made: for TLS, a tracer or a password that changes. What the store
	// depends on is set afterwards, also after BeforeConnect. Modes of pgx in which answers are texts
	// (default_query_exec_mode: exec, simple_protocol) are refused.
	Adjust func(*pgxpool.Config)

	machine  func() time.Time // the clock of the machine; time.Now if nil
	measured time.Duration    // how often the clock of the database is looked at; 10 s if zero
	primary  *primary         // of the store
}

const (
	minConnections = 6
	writers        = 3
)

var schemaName = regexp.MustCompile(`^[a-z_][a-z0-9_]{0,39}$`)

// settleSchema returns the name of a schema, the default one if it is empty. Statements do not quote it.
func settleSchema(name string) (string, error) {
	if name == "" {
		return "tollgate", nil
	}
	if !schemaName.MatchString(name) {
		return "", fmt.Errorf("postgres: Config.Schema %q: up to 40 lower-case letters, digits and _, and no digit first",
			name)
	}
	return name, nil
}

// settle fills in what was left out and refuses what cannot work.
func (c Config) settle() (Config, error) {
	name, noName := settleSchema(c.Schema)
	c.Schema = name
	if c.Connections == 0 {
		c.Connections = 16
	}
	if c.Patience == 0 {
		c.Patience = 15 * time.Second
	}
	if c.Statement == 0 {
		c.Statement = 30 * time.Second
	}
	if c.machine == nil {
		c.machine = time.Now
	}
	if c.measured == 0 {
		c.measured = 10 * time.Second
	}
	c.primary = newPrimary()
	switch {
	case c.URL == "":
		return c, errors.New("postgres: Config.URL is required, like postgres://user:password@host/database")
	case noName != nil:
		return c, noName
	case c.Connections < minConnections:
		return c, fmt.Errorf("postgres: Config.Connections is %d; the store needs at least %d", c.Connections, minConnections)
	case c.Patience < 0 || c.Statement < 2*time.Millisecond:
		return c, errors.New("postgres: Config.Patience and Config.Statement are durations, and the latter at least 2 ms")
	}
	return c, nil
}

// pool returns the settings of a pool of so many connections.
func (c Config) pool(connections int) (*pgxpool.Config, error) {
	pool, err := pgxpool.ParseConfig(c.URL)
	if err != nil {
		return nil, fmt.Errorf("postgres: Config.URL: %w", unquoted{err})
	}
	if c.Adjust != nil {
		c.Adjust(pool)
	}
	pool.MaxConns, pool.MinConns, pool.MinIdleConns = int32(connections), 0, 0
	if pool.ConnConfig.ConnectTimeout == 0 { // the pool sets one of minutes before BeforeConnect
		pool.ConnConfig.ConnectTimeout = c.each(pool.ConnConfig)
	}
	before := pool.BeforeConnect
	pool.BeforeConnect = func(ctx context.Context, conn *pgx.ConnConfig) error {
		if before != nil {
			if err := before(ctx, conn); err != nil {
				return err
			}
		}
		return c.depend(conn)
	}
	return pool, nil
}

// unquoted is why a URL was not taken. The text leaves out the URL, which pgx repeats, and where that cannot be parsed
// also the place of the fault, which may be in the password.
type unquoted struct{ error }

func (u unquoted) Error() string {
	text := u.error.Error()
	begin, end := strings.Index(text, "`"), strings.LastIndex(text, "`")
	switch {
	case strings.Contains(text, "`: failed to parse as "):
		return "it is no URL of PostgreSQL, and no list of keywords with values; in a URL, characters of a password that " +
			"have a meaning there are written as %40 (@), %2F (/) and so on"
	case begin < end:
		return text[:begin] + "it" + text[end+1:]
	}
	return text
}

func (u unquoted) Unwrap() error { return u.error }

// each is how long each server in the URL has to take a connection: one of several that is silent leaves time for the
// others.
func (c Config) each(conn *pgx.ConnConfig) time.Duration {
	servers := map[string]bool{conn.Host + strconv.Itoa(int(conn.Port)): true}
	for _, other := range conn.Fallbacks {
		servers[other.Host+strconv.Itoa(int(other.Port))] = true
	}
	if len(servers) == 1 {
		return maxEach
	}
	return min(maxEach, max(time.Second, c.Patience/time.Duration(1+len(servers))))
}

const maxEach = 5 * time.Second

// longestRead is how long a function may take between two reads of a snapshot, before the server ends that.
const longestRead = 10 * time.Minute

// depend sets what the store depends on, for one connection, after all others who set something.
func (c Config) depend(conn *pgx.ConnConfig) error {
	switch mode := conn.DefaultQueryExecMode; mode {
	case pgx.QueryExecModeCacheStatement, pgx.QueryExecModeCacheDescribe, pgx.QueryExecModeDescribeExec:
	default:
		return refuse("default_query_exec_mode is %s, in which answers are no bytes but texts; leave it out, or use "+
			"cache_describe", strings.ReplaceAll(mode.String(), " ", "_"))
	}
	if keepsNone(conn) {
		return refuse("default_query_exec_mode is %s, and its cache has room for no statement; leave out "+
			"statement_cache_capacity and description_cache_capacity, or use describe_exec",
			strings.ReplaceAll(conn.DefaultQueryExecMode.String(), " ", "_"))
	}
	conn.ValidateConnect = c.primary.meet
	conn.OnNotice = hear(conn.OnNotice)
	settings := c.settings()
	maps.DeleteFunc(conn.RuntimeParams, func(name, _ string) bool { // to the server, names are the same in any case
		_, ours := settings[strings.ToLower(name)]
		return ours
	})
	maps.Copy(conn.RuntimeParams, settings)
	return nil
}

// keepsNone reports whether statements are to be kept where there is no room for any: pgx would send none.
func keepsNone(conn *pgx.ConnConfig) bool {
	switch conn.DefaultQueryExecMode {
	case pgx.QueryExecModeCacheStatement:
		return conn.StatementCacheCapacity <= 0
	case pgx.QueryExecModeCacheDescribe:
		return conn.DescriptionCacheCapacity <= 0
	default:
		return false
	}
}

// settings are those of each session, whatever the URL, the role and the database say.
func (c Config) settings() map[string]string {
	milliseconds := func(d time.Duration) string { return strconv.FormatInt(d.Milliseconds(), 10) }
	return map[string]string{
		"application_name":              "tollgate",
		"default_transaction_isolation": "read committed",
		"statement_timeout":             milliseconds(c.Statement),
		"lock_timeout":                  milliseconds(c.Statement / 2),
		// A function of another schema would be called, by the rights of the store's role, in place of one of the server.
		"search_path":                 "pg_catalog, pg_temp",
		"standard_conforming_strings": "on",
		// A snapshot of an instance that stands still keeps the server from removing old rows.
		"idle_in_transaction_session_timeout": milliseconds(longestRead),
		"idle_session_timeout":                "0", // the pools end what is idle
		// A plan is made once, often while the table is small, and must stay right when it has grown.
		"plan_cache_mode":  "force_generic_plan",
		"enable_seqscan":   "off",
		"enable_hashjoin":  "off",
		"enable_mergejoin": "off",
		"jit":              "off",
	}
}
