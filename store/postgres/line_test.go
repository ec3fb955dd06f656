package postgres_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/postgres"
)

// BenchmarkLine measures what a caller costs that waits in line with many others, until it is committed and until its
// context ends. A list of those who wait is looked through for that, and no more is done for each of them:
//
//	go test -run - -bench Line .
func BenchmarkLine(b *testing.B) {
	for _, n := range []int{1_000, 16_000} {
		for name, ends := range map[string]func(leave, commit func()){
			"leaves":  func(leave, _ func()) { leave() },
			"commits": func(_, commit func()) { commit() },
		} {
			b.Run(fmt.Sprintf("%s among %d", name, n), func(b *testing.B) {
				for b.Loop() {
					b.StopTimer()
					leave, commit := postgres.Line(n)
					b.StartTimer()
					ends(leave, commit)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/caller")
			})
		}
	}
}

// farBehind is one who has read what another one writes, among others.
type farBehind struct {
	writes                  string // it has read "old"
	err                     error  // with which the group of the other one ends
	stands                  bool
	before, between, behind int
	overlap                 bool // the next group is sent before the members of the last one are told
}

// TestFarBehind: who has read what another one writes is never sent when that one stands and has changed it, and is
// told to run again. Otherwise it is committed as it is. That holds for any number of others before, between and
// behind.
func TestFarBehind(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]farBehind{
		"changed":     {writes: "new"},
		"not changed": {writes: "old", stands: true},
		"failed":      {writes: "new", err: errors.New("full"), stands: true},
	} {
		for _, c.before = range []int{0, 300} {
			for _, c.between = range []int{0, 1, postgres.MaxMembers - 2, postgres.MaxMembers, 5 * postgres.MaxMembers} {
				for _, c.overlap = range []bool{true, false} {
					c.behind = c.between
					t.Run(fmt.Sprintf("%s/%d/%d/%t", name, c.before, c.between, c.overlap), c.run)
				}
			}
		}
	}
}

func (c farBehind) run(t *testing.T) {
	t.Parallel()
	old := store.NewPair([]byte("k"), []byte("old"))
	l := postgres.NewInLine(old)
	all := 0
	others := func(n int) {
		for range n {
			all++
			l.Join("", store.NewPair(fmt.Append(nil, "other", all), []byte("value")))
		}
	}
	others(c.before)
	writer := l.Join("", store.NewPair([]byte("k"), []byte(c.writes)))
	others(c.between)
	reader := l.Join(old, store.NewPair([]byte("seen"), []byte("old")))
	others(c.behind)
	sent := commitLine(l, c.overlap, writer, c.err)
	told, stands := l.Told(reader)
	require.True(t, told)
	require.Equal(t, c.stands, stands)
	require.Equal(t, c.stands, slices.Contains(sent, reader))
	require.Len(t, slices.Compact(slices.Sorted(slices.Values(sent))), len(sent), "sent twice")
}

// commitLine has all groups of a line stand, but the one of failing, which ends with an error. It returns who was sent.
func commitLine(l *postgres.InLine, overlap bool, failing int, err error) (sent []int) {
	group := l.Send()
	for group != nil {
		sent = append(sent, group...)
		var end error
		if slices.Contains(group, failing) {
			end = err
		}
		if !overlap {
			l.End(end)
			group = l.Send()
			continue
		}
		next := l.Send()
		l.End(end)
		if group = next; next == nil {
			group = l.Send() // of those who have waited for the end
		}
	}
	return sent
}
