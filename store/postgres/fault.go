package postgres

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// Errors that the functions of the schema raise.
const (
	codeLane = "TG002" // a lane is not at the number before that of its group
)

// fate is what is known about a statement that failed.
type fate int

const (
	refused fate = iota // the server has said no, and would again
	passing             // the server has said no, and may say yes another time; nothing was done
	lost                // no answer: what was sent may have been done
)

// fateOf tells what an error of pgx means for what was sent.
func fateOf(err error) fate {
	var said *pgconn.PgError
	var before unsent
	switch {
	case errors.Is(err, errTexts):
		return refused
	case errors.Is(err, ErrRefused): // by one that is not the primary yet, or keeps less for a while; Open does not ask
		return passing
	case errors.As(err, &before) && !permanent(before):
		return passing
	case !errors.As(err, &said):
		if pgconn.SafeToRetry(err) {
			return passing
		}
		return lost
	case strings.HasPrefix(said.Code, "08"), strings.HasPrefix(said.Code, "57P"):
		return lost // 57P01 may come after the commit, in place of its answer
	case strings.HasPrefix(said.Code, "40"), strings.HasPrefix(said.Code, "53"), said.Code == codeLane,
		said.Code == codeLocked, said.Code == "57014", said.Code == "25006", said.Code == "25P03":
		return passing
	}
	return refused
}

// permanent reports whether nothing will be sent, however often one tries: the name, the password or the database is
// wrong, or the schema lacks something or a right to it.
func permanent(err error) bool {
	var said *pgconn.PgError
	return errors.As(err, &said) && slices.ContainsFunc([]string{"28", "3D", "3F", "42"}, func(class string) bool {
		return strings.HasPrefix(said.Code, class)
	})
}

// isCode reports whether the server has answered with an error of this code.
func isCode(err error, code string) bool {
	var said *pgconn.PgError
	return errors.As(err, &said) && said.Code == code
}

// pause waits before the next attempt. It returns false when ctx ended.
func pause(ctx context.Context, attempt int) bool {
	timer := time.NewTimer(pauseBefore(attempt))
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

const longestPause = 500 * time.Millisecond

// pauseBefore is a little longer for each attempt, and never equally long for two instances.
func pauseBefore(attempt int) time.Duration {
	longest := min(10*time.Millisecond<<min(attempt, 6), longestPause)
	return longest/2 + rand.N(longest/2)
}
