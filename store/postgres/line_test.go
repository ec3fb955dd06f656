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

// TestFarBehind: who has read what another one writes is never sent when that one stands and has changed it, and is told
// to run again. Otherwise it is committed as it is. That holds for any number of others before, between and behind
// them, and whether the next group is sent before the members of the last one are told.
func TestFarBehind(t *testing.T) {
	t.Parallel()
	key := []byte("k")
	for _, c := range []struct {
		name, writes string
		err          error
		stands       bool
	}{
		{"the other one changes it", "new", nil, false},
		{"the other one does not change it", "old", nil, true},
		{"the other one fails", "new", errors.New("full"), true},
	} {
		for _, before := range []int{0, 300} {
			for _, others := range []int{0, 1, postgres.MaxMembers - 2, postgres.MaxMembers, 5 * postgres.MaxMembers} {
				for _, overlap := range []bool{true, false} {
					t.Run(fmt.Sprintf("%s/%d/%d/overlap %t", c.name, before, others, overlap), func(t *testing.T) {
						t.Parallel()
						old := store.NewPair(key, []byte("old"))
						l := postgres.NewInLine(old)
						all := 0
						fill := func(n int) {
							for range n {
								all++
								l.Join("", store.NewPair(fmt.Append(nil, "other", all), []byte("value")))
							}
						}
						fill(before)
						writer := l.Join("", store.NewPair(key, []byte(c.writes)))
						fill(others)
						reader := l.Join(old, store.NewPair([]byte("seen"), []byte("old")))
						fill(others)
						sent := commitLine(l, overlap, writer, c.err)
						told, stands := l.Told(reader)
						require.True(t, told)
						require.Equal(t, c.stands, stands)
						require.Equal(t, c.stands, slices.Contains(sent, reader))
						require.Len(t, slices.Compact(slices.Sorted(slices.Values(sent))), len(sent), "sent twice")
					})
				}
			}
		}
	}
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
