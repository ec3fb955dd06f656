package postgres_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"regexp"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/postgres"
)

// lostAnswer loses the answer to the next call of a function of the schema, after the server has given it.
type lostAnswer struct {
	function string
	armed    atomic.Bool
}

// adjust makes all connections of a store go through it.
func (l *lostAnswer) adjust(c *pgxpool.Config) {
	prepared := regexp.MustCompile(`(\w+\x00)select \w+\.` + l.function + `\(`)
	through(c, func(conn net.Conn) net.Conn { return &answerConn{Conn: conn, by: l, prepared: prepared} })
}

type answerConn struct {
	net.Conn
	by       *lostAnswer
	prepared *regexp.Regexp
	name     []byte // of the statement that calls the function
	doomed   bool
}

// Write implements net.Conn.
func (c *answerConn) Write(b []byte) (int, error) {
	if found := c.prepared.FindSubmatch(b); found != nil {
		c.name = bytes.Clone(found[1])
	} else if c.name != nil && bytes.Contains(b, c.name) && c.by.armed.CompareAndSwap(true, false) {
		c.doomed = true
	}
	return c.Conn.Write(b)
}

// Read implements net.Conn.
func (c *answerConn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b) // the server has committed before it sends this
	if c.doomed {
		return 0, errors.Join(errCut, c.Conn.Close())
	}
	return n, err
}

// TestLaneAfterLosses: what a lane was told of one commit is not taken for the outcome of another one, also where
// connections are lost in a row.
func TestLaneAfterLosses(t *testing.T) {
	t.Parallel()
	for _, way := range ways {
		for _, c := range []struct {
			name string
			lose func(t *testing.T, s *postgres.Store, by *scissors, schema string)
		}{
			{"an answer and then a request", func(t *testing.T, s *postgres.Store, by *scissors, _ string) {
				by.arm(-1, 1)
				require.NoError(t, way.update(t.Context(), s, increment("n")))
			}},
			{"an unknown outcome and then a request", func(t *testing.T, s *postgres.Store, by *scissors, schema string) {
				by.after = sync.OnceFunc(func() { execute(t, shared.URL(), "alter function "+schema+".settle rename to gone") })
				by.arm(-1, 1)
				require.ErrorIs(t, way.update(t.Context(), s, increment("n")), store.ErrUnknownCommit)
				execute(t, shared.URL(), "alter function "+schema+".gone rename to settle")
			}},
		} {
			t.Run(way.name+", "+c.name, func(t *testing.T) {
				t.Parallel()
				schema, by := newSchema(t), &scissors{}
				s, err := postgres.Open(t.Context(), postgres.Config{URL: shared.URL(), Schema: schema, Connections: 6,
					Adjust: by.adjust})
				require.NoError(t, err)
				t.Cleanup(func() { require.NoError(t, s.Close()) })
				require.NoError(t, way.update(t.Context(), s, increment("n")))
				c.lose(t, s, by, schema)
				require.Equal(t, 2, numberIn(t, s, "n"))
				by.arm(1, 0)
				require.NoError(t, way.update(t.Context(), s, increment("n")))
				require.Equal(t, 2, by.cuts)
				require.Equal(t, 3, numberIn(t, s, "n"))
			})
		}
	}
}

// TestSettledTwice: a commit that was lost on its way stays so when the answer to the question about it is lost too.
func TestSettledTwice(t *testing.T) {
	t.Parallel()
	for _, way := range ways {
		t.Run(way.name, func(t *testing.T) {
			t.Parallel()
			by, settle := &scissors{}, &lostAnswer{function: "settle"}
			s, err := postgres.Open(t.Context(), postgres.Config{URL: shared.URL(), Schema: newSchema(t), Connections: 6,
				Adjust: func(c *pgxpool.Config) { by.adjust(c); settle.adjust(c) }})
			require.NoError(t, err)
			t.Cleanup(func() { require.NoError(t, s.Close()) })
			require.NoError(t, way.update(t.Context(), s, increment("n")))
			settle.armed.Store(true)
			by.arm(1, 0)
			require.NoError(t, way.update(t.Context(), s, increment("n")))
			require.False(t, settle.armed.Load())
			require.Equal(t, 2, numberIn(t, s, "n"))
		})
	}
}

// partly lets a group be committed of which the last member has read two keys that have changed meanwhile, and returns
// how often that member ran. Its second run begins with again.
func partly(t *testing.T, s *postgres.Store, schema string, sent func(), again func()) (runs int) {
	t.Helper()
	require.NoError(t, errors.Join(blind(t.Context(), s, "k1", "old")(), blind(t.Context(), s, "k2", "old")()))
	letGo := hold(t, shared.URL(), "select "+schema+".turn()")
	ends := lineUp(t, s, schema, blind(t.Context(), s, "first", "0"), blind(t.Context(), s, "stands", "1"),
		func() error {
			return s.Update(t.Context(), func(tx store.Tx) error {
				if runs++; runs == 2 {
					again()
				}
				one, err := text(tx, "k1")
				two, fault := text(tx, "k2")
				return errors.Join(err, fault, tx.Put([]byte("seen"), []byte(one+two)))
			})
		})
	execute(t, shared.URL(), "update "+schema+".records set value = 'new' where key in ('k1', 'k2')")
	sent()
	letGo()
	for _, end := range ends {
		require.NoError(t, <-end)
	}
	return runs
}

// TestWhoStandsBesideALoser: a member of a group stands beside one that has lost by two of its reads, also where the
// answer is lost, and the latter runs again, also where its next commit is lost on its way.
func TestWhoStandsBesideALoser(t *testing.T) {
	t.Parallel()
	none := func() {}
	for _, c := range []struct {
		name string
		lose func(by *scissors, answer *lostAnswer) (sent, again func())
	}{
		{"nothing is lost", func(*scissors, *lostAnswer) (_, _ func()) { return none, none }},
		{"the answer is lost", func(_ *scissors, answer *lostAnswer) (_, _ func()) {
			return func() { answer.armed.Store(true) }, none
		}},
		{"the next commit is lost", func(by *scissors, _ *lostAnswer) (_, _ func()) {
			return none, func() { by.arm(1, 0) }
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			schema, by, answer := newSchema(t), &scissors{}, &lostAnswer{function: "apply"}
			s, err := postgres.Open(t.Context(), postgres.Config{URL: shared.URL(), Schema: schema, Connections: 6,
				Patience: time.Hour, Statement: time.Hour,
				Adjust: func(c *pgxpool.Config) { by.adjust(c); answer.adjust(c) }})
			require.NoError(t, err)
			t.Cleanup(func() { require.NoError(t, s.Close()) })
			sent, again := c.lose(by, answer)
			require.Equal(t, 2, partly(t, s, schema, sent, again))
			require.Equal(t, "1", textIn(t, s, "stands"))
			require.Equal(t, "newnew", textIn(t, s, "seen"))
			require.False(t, by.armed || answer.armed.Load())
		})
	}
}

// TestLostCodes: after an error that says that the connection is lost the store asks what became of the commit.
func TestLostCodes(t *testing.T) {
	t.Parallel()
	for _, way := range ways {
		for _, code := range []string{"08000", "08003", "08006", "08P01", "57P01", "57P02", "57P03"} {
			t.Run(way.name+", "+code, func(t *testing.T) {
				t.Parallel()
				schema := newSchema(t)
				s := open(t, schema)
				tried := fails(t, schema, code, 2)
				require.NoError(t, way.update(t.Context(), s, increment("n")))
				require.Equal(t, 1, numberIn(t, s, "n"))
				require.GreaterOrEqual(t, tried(), int64(3))
			})
		}
	}
}

// TestAloneAfterALeaver: no other transaction of the instance is alone before it is known what became of the commit
// that a caller has left: both would use its lane.
func TestAloneAfterALeaver(t *testing.T) {
	t.Parallel()
	schema, by := newSchema(t), &scissors{}
	s, err := postgres.Open(t.Context(), postgres.Config{URL: shared.URL(), Schema: schema, Connections: 6,
		Patience: time.Hour, Statement: time.Hour, Adjust: by.adjust})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	require.NoError(t, s.RunAlone(t.Context(), increment("n")))
	ctx, cancel := context.WithCancel(t.Context())
	letGo := func() {}
	by.after = sync.OnceFunc(func() {
		letGo = hold(t, shared.URL(), "select "+schema+".turn()") // so that settle waits
		cancel()
	})
	by.arm(-1, 1)
	require.ErrorIs(t, s.RunAlone(ctx, increment("n")), store.ErrUnknownCommit)
	next, end := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer end()
	require.ErrorIs(t, s.RunAlone(next, increment("n")), context.DeadlineExceeded)
	_, _, _, alone := s.Counts()
	require.EqualValues(t, 2, alone, "the third did not begin")
	letGo()
	require.NoError(t, s.RunAlone(t.Context(), increment("n")))
	require.Equal(t, 3, numberIn(t, s, "n"))
}

// TestFailsAtTheEnd: an error that the server raises when it commits, after it has answered the call, is no success.
func TestFailsAtTheEnd(t *testing.T) {
	t.Parallel()
	for _, way := range ways {
		t.Run(way.name, func(t *testing.T) {
			t.Parallel()
			schema := newSchema(t)
			s := open(t, schema)
			execute(t, shared.URL(), fmt.Sprintf(`create function %[1]s.fail() returns trigger language plpgsql as $$ begin
					raise exception 'planted' using errcode = '23514';
				end $$;
				create constraint trigger fail after insert or update on %[1]s.records deferrable initially deferred
					for each row execute function %[1]s.fail()`, schema))
			require.ErrorContains(t, way.update(t.Context(), s, increment("n")), "planted")
			require.Zero(t, numberIn(t, s, "n"))
		})
	}
}

// TestPanicAfterTheCommit: a commit whose caller panics after it was sent, here at a notice of the server, is not
// sent again.
func TestPanicAfterTheCommit(t *testing.T) {
	t.Parallel()
	schema := newSchema(t)
	require.NoError(t, openIn(t, schema).Close())
	execute(t, shared.URL(), fmt.Sprintf(`create sequence %[1]s.writes;
		create function %[1]s.tell() returns trigger language plpgsql as $$ begin
			perform nextval('%[1]s.writes');
			raise notice 'told';
			return new;
		end $$;
		create trigger tell after insert or update on %[1]s.records for each row when (new.key = 'k')
			execute function %[1]s.tell()`,
		schema))
	var once atomic.Bool
	s, err := postgres.Open(t.Context(), postgres.Config{URL: shared.URL(), Schema: schema, Connections: 6,
		Adjust: func(c *pgxpool.Config) {
			c.ConnConfig.OnNotice = func(_ *pgconn.PgConn, n *pgconn.Notice) {
				if n.Message == "told" && once.CompareAndSwap(false, true) {
					panic("planted")
				}
			}
		}})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, within(t, 20*time.Second, s.Close)) })
	require.PanicsWithValue(t, "planted", func() { _ = blind(t.Context(), s, "k", "1")() })
	require.NoError(t, within(t, 20*time.Second, func() error {
		return errors.Join(s.Update(t.Context(), increment("n")), s.Update(t.Context(), increment("n")))
	}))
	require.Equal(t, "1", textIn(t, s, "k"))
	require.EqualValues(t, 1, ask[int64](t, shared.URL(), "select last_value from "+schema+".writes"))
}
