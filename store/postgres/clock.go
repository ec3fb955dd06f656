package postgres

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/tollgatepay/gateway/internal/dbclock"
)

// clock is the clock of the database, measured from time to time.
type clock struct {
	*dbclock.Clock
	running sync.WaitGroup
	stop    context.CancelFunc
}

// newClock measures the clock of the database for the first time, and then again and again until close. Each time it
// also looks whether the server still keeps what it acknowledges. If it does not, or a new connection is refused for
// that reason, it calls careless.
func (cfg Config) newClock(ctx context.Context, pool *pgxpool.Pool, careless func()) (*clock, error) {
	c := &clock{Clock: dbclock.New(cfg.machine, func(ctx context.Context) (at time.Time, err error) {
		var k keeping
		err = pool.QueryRow(ctx, "select clock_timestamp(), "+askKeeping).Scan(&at, &k.fsync, &k.fullPages)
		var less keepsLess
		if err == nil && k.refusal() != nil || errors.As(err, &less) {
			careless()
		}
		return at, err
	})}
	within, cancel := context.WithTimeout(ctx, cfg.Patience)
	defer cancel()
	if err := c.Measure(within); err != nil {
		return nil, fmt.Errorf("postgres: ask for the time: %w", err)
	}
	ctx, c.stop = context.WithCancel(context.Background())
	c.running.Go(func() { c.follow(ctx, cfg.measured) })
	return c, nil
}

func (c *clock) close() {
	c.stop()
	c.running.Wait()
}

// follow measures again and again. While the server is away the clock goes on as it is.
func (c *clock) follow(ctx context.Context, every time.Duration) {
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			within, cancel := context.WithTimeout(ctx, every/2)
			_ = c.Measure(within) // next time then
			cancel()
		}
	}
}

// Now implements store.Clock. All instances tell the time of the database, whatever the clocks of their machines say.
// It makes no request: every 10 s the store asks the database, and counts on in between. How far Now is off is half of
// the shortest of four round trips, and 0.2 ms for each second since, which is usually less than 3 ms in all. While the
// server is away it goes on like this: after an hour it may be 0.8 s off. It never goes back: when the clock of the
// database does, as that of a promoted standby may, Now goes at half the speed until both are the same.
func (s *Store) Now() time.Time { return s.clock.Now() }
