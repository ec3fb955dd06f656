package methods_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/methods"
)

// performs is a connector that notes nothing and approves everything.
type performs struct{}

func (performs) Perform(_ context.Context, op methods.Operation) methods.Answer {
	return methods.Approved(op, "Perform")
}

type finds struct{}

func (finds) Find(_ context.Context, op methods.Operation) methods.Answer {
	return methods.Approved(op, "Find")
}

type completes struct{}

func (completes) Complete(_ context.Context, op methods.Operation, back methods.Return) methods.Answer {
	return methods.Approved(op, "Complete "+back.Method)
}

type reads struct{}

func (reads) Notification(_ context.Context, op methods.Operation, note methods.Note) methods.Answer {
	return methods.Approved(op, "Notification "+string(note.Body))
}

type stops struct{}

func (stops) StopSchedule(_ context.Context, op methods.Operation) methods.Answer {
	return methods.Approved(op, "StopSchedule")
}

// connectors are one for every set of powers.
var connectors = []methods.Connector{
	performs{},
	struct {
		performs
		finds
	}{},
	struct {
		performs
		completes
	}{},
	struct {
		performs
		finds
		completes
	}{},
	struct {
		performs
		reads
	}{},
	struct {
		performs
		finds
		reads
	}{},
	struct {
		performs
		completes
		reads
	}{},
	struct {
		performs
		finds
		completes
		reads
	}{},
	struct {
		performs
		stops
	}{},
	struct {
		performs
		finds
		stops
	}{},
	struct {
		performs
		completes
		stops
	}{},
	struct {
		performs
		finds
		completes
		stops
	}{},
	struct {
		performs
		reads
		stops
	}{},
	struct {
		performs
		finds
		reads
		stops
	}{},
	struct {
		performs
		completes
		reads
		stops
	}{},
	struct {
		performs
		finds
		completes
		reads
		stops
	}{},
}

// callEach calls every method that a connector has, and returns the references of the answers.
func callEach(t *testing.T, connector methods.Connector) (answers []string) {
	t.Helper()
	op := methods.Operation{Key: "k"}
	note := func(a methods.Answer) { answers = append(answers, a.Reference) }
	note(connector.Perform(t.Context(), op))
	if f, ok := connector.(methods.Finder); ok {
		note(f.Find(t.Context(), op))
	}
	if c, ok := connector.(methods.Completer); ok {
		note(c.Complete(t.Context(), op, methods.Return{Method: "POST"}))
	}
	if n, ok := connector.(methods.Notified); ok {
		note(n.Notification(t.Context(), op, methods.Note{Body: []byte("body")}))
	}
	if s, ok := connector.(methods.Stopper); ok {
		note(s.StopSchedule(t.Context(), op))
	}
	return answers
}

// A wrapped connector has the powers of the connector and no others; every call passes the function, once.
func TestWrapKeepsPowers(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, connector := range connectors {
		powers := methods.PowersOf(connector)
		seen[fmt.Sprint(powers)] = true
		t.Run(fmt.Sprint(powers), func(t *testing.T) {
			t.Parallel()
			var calls []methods.Power
			wrapped := methods.Wrap(connector, func(ctx context.Context, call methods.Call,
				next func(context.Context) methods.Answer) methods.Answer {
				require.Equal(t, "k", call.Operation.Key)
				calls = append(calls, call.Power)
				answer := next(ctx)
				answer.Reference += "!"
				return answer
			})
			require.Equal(t, powers, methods.PowersOf(wrapped))
			require.NoError(t, methods.CheckPowers(wrapped))
			want := callEach(t, connector)
			for i := range want {
				want[i] += "!"
			}
			require.Equal(t, want, callEach(t, wrapped))
			require.Equal(t, powers, calls)
			require.Equal(t, powers, methods.PowersOf(methods.Wrap(wrapped, nil)), "wrapped twice")
		})
	}
	require.Len(t, seen, 16, "every set of powers")
}

// declaring is a connector that declares.
type declaring struct {
	performs
	finds
	can methods.Capabilities
}

func (d declaring) Capabilities() methods.Capabilities { return d.can }

// declared is an interface of a host that is wider than Connector, and not wide enough.
type declared interface {
	methods.Connector
	methods.Declarer
}

// What a connector declares is what its wrapped form declares.
func TestWrapKeepsCapabilities(t *testing.T) {
	t.Parallel()
	can := methods.Capabilities{Holds: true, Powers: []methods.Power{methods.Finds}}
	require.Equal(t, can, methods.CapabilitiesOf(methods.Wrap(declaring{can: can}, nil)))
	require.Zero(t, methods.CapabilitiesOf(methods.Wrap(performs{}, nil)))
}

// A connector that lost a power on the way is found, with a sentence that says what to do.
func TestCheckPowers(t *testing.T) {
	t.Parallel()
	whole := connectors[15]
	for _, c := range []struct {
		name      string
		connector methods.Connector
		fault     string
	}{
		{"plain", performs{}, ""},
		{"all powers", whole, ""},
		{"declares what it has", declaring{can: methods.Capabilities{Powers: []methods.Power{methods.Finds}}}, ""},
		{"declares Perform", declaring{can: methods.Capabilities{Powers: []methods.Power{methods.Performs}}}, ""},
		{"declares less than it has", declaring{}, ""},
		{"declares what it has not",
			declaring{can: methods.Capabilities{Powers: []methods.Power{methods.Completes, methods.Finds}}},
			"declares Complete and has no such method"},
		{"embeds a plain connector", struct{ methods.Connector }{performs{}}, ""},
		{"embeds a connector with powers", struct{ methods.Connector }{whole},
			"has Find and Complete and Notification and StopSchedule, and hides it"},
		{"embeds one that embeds", struct{ methods.Connector }{&struct{ methods.Connector }{connectors[2]}},
			"has Complete, and hides it"},
		{"a pointer to one", &struct{ methods.Connector }{whole}, "hides it"},
		{"embeds one and keeps a part", struct {
			methods.Connector
			methods.Finder
		}{connectors[3], finds{}}, "has Complete, and hides it"},
		{"embeds one and keeps all", struct {
			methods.Connector
			methods.Finder
		}{connectors[1], finds{}}, ""},
		{"embeds one that declares", struct {
			methods.Connector
			methods.Finder
		}{declaring{}, finds{}}, "hides what that one declares"},
		{"embeds one by a wider interface", struct{ declared }{declaring{}}, "has Find, and hides it"},
		{"embeds none", struct {
			performs
			methods.Finder
		}{}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			err := methods.CheckPowers(c.connector)
			if c.fault == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, c.fault)
			require.ErrorContains(t, err, "methods.Wrap")
		})
	}
	require.Equal(t, []methods.Power{methods.Performs, methods.Finds}, slices.Clip(methods.PowersOf(connectors[1])))
}

// A connector is traced without losing what it can do.
func ExampleWrap() {
	traced := methods.Wrap(connectors[1], func(ctx context.Context, call methods.Call,
		next func(context.Context) methods.Answer) methods.Answer {
		answer := next(ctx)
		fmt.Println(call.Power, call.Operation.Key, answer.Result)
		return answer
	})
	op := methods.Operation{Key: "tg-1"}
	traced.Perform(context.Background(), op)
	traced.(methods.Finder).Find(context.Background(), op)
	// Output:
	// Perform tg-1 approved
	// Find tg-1 approved
}
