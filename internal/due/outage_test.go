package due_test

import (
	"bytes"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/internal/due"
	"github.com/tollgatepay/gateway/store"
)

func TestOutage(t *testing.T) {
	t.Parallel()
	away, full := errors.New("the store is away"), errors.New("the disk is full")
	const failed, again = "due work could not be claimed", "due work is claimed again"
	begun := time.Date(2027, 3, 10, 12, 0, 0, 0, time.UTC)
	var said bytes.Buffer
	o := due.Outage{Log: slog.New(slog.NewTextHandler(&said, nil)), Work: store.WorkCallback}
	for _, step := range []struct {
		name string
		at   time.Duration
		err  error
		want string
	}{
		{"well", 0, nil, ""},
		{"fails", time.Second, away, failed},
		{"fails in the same way", 2 * time.Second, away, ""},
		{"fails in the same way for nearly a minute", time.Minute, away, ""},
		{"fails in the same way for a minute", time.Minute + time.Second, away, failed},
		{"fails in another way", time.Minute + 2*time.Second, full, failed},
		{"well again", time.Minute + 3*time.Second, nil, again},
		{"still well", time.Minute + 4*time.Second, nil, ""},
		{"fails anew", time.Minute + 5*time.Second, full, failed},
		{"the clock goes back", -time.Hour, full, failed},
	} {
		said.Reset()
		o.Note(step.err, begun.Add(step.at))
		if step.want == "" {
			require.Empty(t, said.String(), step.name)
			continue
		}
		require.Equal(t, 1, strings.Count(said.String(), "\n"), step.name)
		for _, text := range []string{step.want, "work=callback"} {
			require.Contains(t, said.String(), text, step.name)
		}
		if step.err != nil {
			require.Contains(t, said.String(), step.err.Error(), step.name)
		}
	}
}
