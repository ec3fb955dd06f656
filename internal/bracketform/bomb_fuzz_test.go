package bracketform_test

import (
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/internal/bracketform"
)

// FuzzBombs repeats a piece until the body has 64 KiB, with a number in place of #. The body is read or refused
// with at most 8 MiB, and names at most 50 faults. BenchmarkBombs measures the time.
func FuzzBombs(f *testing.F) {
	for _, bomb := range [][2]string{
		{"", "a=&"}, {"", "&"}, {"p", "[a]"}, {"p", "["}, {"p", "[a][b"}, {"", "p[#]=x&"}, {"", "p[#][#]=x&"}, {"", "p[k#]=&"}, {"", "p[#.][a][a][a][a][a]=x&"},
		{"", "p[a][a][a][a][a][a]=x&"}, {"", "p#[=x&"}, {"p=", "%41"}, {"p=", "%"}, {"", "p[]=&"}, {"", "f#=&"}, {"", "p[0#]=&"}, {"", "=&"}, {"", "%5B%5D"}, {"p[", "999999999"}, {"", "p[#]=x&p[#][a]=y&"},
	} {
		f.Add(bomb[0], bomb[1], true)
		f.Add(bomb[0], bomb[1], false)
	}
	f.Fuzz(func(t *testing.T, head, piece string, free bool) {
		if piece == "" || len(head)+len(piece) > 4096 {
			t.Skip()
		}
		var text strings.Builder
		text.WriteString(head)
		for i := 0; text.Len()+len(piece) < 64<<10; i++ {
			text.WriteString(strings.ReplaceAll(piece, "#", strconv.Itoa(i)))
		}
		body, limits := []byte(text.String()), bracketform.Limits{}
		if free {
			limits = freely(limits)
		}
		spent := ^uint64(0)
		var before, after runtime.MemStats
		for range 5 { // other goroutines allocate too
			runtime.ReadMemStats(&before)
			_, faults := bracketform.Parse(body, limits)
			runtime.ReadMemStats(&after)
			spent = min(spent, after.TotalAlloc-before.TotalAlloc)
			require.LessOrEqual(t, len(faults), 50)
		}
		require.Less(t, spent, uint64(8<<20), "%.60q", body)
	})
}
