package callback

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// step is an attempt that ended at noon plus at.
type step struct {
	at      time.Duration
	verdict Verdict
}

func timeouts(at ...time.Duration) []step {
	steps := make([]step, len(at))
	for i := range at {
		steps[i] = step{at[i], TimedOut}
	}
	return steps
}

func run(steps []step) Endpoint {
	e := Endpoint{URL: "https://shop.example/cb"}
	for _, s := range steps {
		e = e.After(s.verdict, noon.Add(s.at))
	}
	return e
}

func TestBlock(t *testing.T) {
	t.Parallel()
	const m = time.Minute
	four := timeouts(0, m, 2*m, 3*m)
	with := func(more ...step) []step { return slices.Concat(four, more) }
	cases := []struct {
		name  string
		steps []step
		until time.Duration // 0: not blocked
		count int
	}{
		{"four", four, 0, 4},
		{"five", with(step{4 * m, TimedOut}), 19 * m, 0},
		{"fifth at five minutes", with(step{5 * m, TimedOut}), 20 * m, 0},
		{"fifth just after five minutes", with(step{5*m + 1, TimedOut}), 0, 4},
		{"five at once", timeouts(0, 0, 0, 0, 0), 15 * m, 0},
		{"success between", with(step{4 * m, Accepted}, step{4 * m, TimedOut}), 0, 1},
		{"refused between", with(step{4 * m, Refused}, step{4 * m, TimedOut}), 19 * m, 0},
		{"refused alone", []step{{0, Refused}, {0, Refused}, {0, Refused}, {0, Refused}, {0, Refused}}, 0, 0},
		{"unknown verdict", with(step{4 * m, "other"}), 0, 4},
		{"slow drip", timeouts(0, 2*m, 4*m, 6*m, 8*m, 10*m, 12*m), 0, 3},
		{"time-outs during the block do not lengthen it", with(step{4 * m, TimedOut}, step{5 * m, TimedOut}, step{18 * m, TimedOut}), 19 * m, 0},
		{"success does not lift the block", with(step{4 * m, TimedOut}, step{5 * m, Accepted}), 19 * m, 0},
		{"counting again after it", with(step{4 * m, TimedOut}, step{19 * m, TimedOut}), 0, 1},
		{"clock set back", with(step{-time.Hour, TimedOut}), 0, 1},
		{"clock slightly back", with(step{-m, TimedOut}), 14 * m, 0},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			e := run(c.steps)
			last := noon.Add(c.steps[len(c.steps)-1].at)
			until, blocked := e.Blocked(last)
			require.Equal(t, c.until != 0, blocked)
			require.Len(t, e.Timeouts, c.count)
			if blocked {
				require.Equal(t, noon.Add(c.until), until)
			} else {
				require.True(t, until.IsZero())
			}
		})
	}
}

func TestBlockEnds(t *testing.T) {
	t.Parallel()
	e := run(timeouts(0, 0, 0, 0, 0))
	_, blocked := e.Blocked(noon.Add(15*time.Minute - 1))
	require.True(t, blocked)
	_, blocked = e.Blocked(noon.Add(15 * time.Minute))
	require.False(t, blocked)

	e = e.Unblock()
	require.Equal(t, Endpoint{URL: "https://shop.example/cb"}, e)
	_, blocked = e.Blocked(noon)
	require.False(t, blocked)
}

func TestEndpointIsAValue(t *testing.T) {
	t.Parallel()
	e := run(timeouts(0, time.Minute, 2*time.Minute))
	before := slices.Clone(e.Timeouts)
	a := e.After(TimedOut, noon.Add(3*time.Minute))
	b := e.After(TimedOut, noon.Add(7*time.Minute))
	require.Equal(t, before, e.Timeouts)
	require.Equal(t, noon.Add(3*time.Minute), a.Timeouts[3])
	require.Len(t, b.Timeouts, 2)
}

func TestEndpointJSON(t *testing.T) {
	t.Parallel()
	for _, e := range []Endpoint{{URL: "u"}, run(timeouts(0, time.Minute)), run(timeouts(0, 0, 0, 0, 0))} {
		text, err := json.Marshal(e)
		require.NoError(t, err)
		var back Endpoint
		require.NoError(t, json.Unmarshal(text, &back))
		require.Equal(t, e, back)
	}
	text, err := json.Marshal(Endpoint{URL: "u"})
	require.NoError(t, err)
	require.JSONEq(t, `{"url":"u"}`, string(text))
}

// Targets share a host with those that the same server or sink takes, whatever the spelling.
func TestHosts(t *testing.T) {
	t.Parallel()
	for target, want := range map[string][2]string{ // sink, host
		"https://shop.example/a?b=c":          {"", "shop.example"},
		"HTTP://Shop.Example.:8080/a":         {"", "shop.example"},
		"https://shop.example":                {"", "shop.example"},
		"https://shop.example./a":             {"", "shop.example"},
		"https://Shop.example/a":              {"", "shop.example"},
		"https://shop.example?a":              {"", "shop.example"},
		"https://shop.example#a":              {"", "shop.example"},
		"https://a@shop.example/":             {"", "shop.example"},
		"https://[::1]/a":                     {"", "::1"},
		"https://shop.example/%zz":            {"", ""},
		"https://shop.example/\n":             {"", ""},
		"https:///a":                          {"", ""},
		"queue:orders":                        {"queue", "queue:"},
		"queue:invoices/2":                    {"queue", "queue:"},
		"amqp://Broker.example:5672/a":        {"amqp", "amqp:broker.example"},
		"shop.example":                        {"", ""},
		"https://" + strings.Repeat("a", 256): {"", ""},
	} {
		require.Equal(t, want, [2]string{sinkOf(target), hostOf(target)}, target)
	}
}
