package bracketform_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/tollgatepay/gateway/internal/bracketform"
)

// many joins n fields that field makes of their numbers.
func many(n int, field func(i int) string) []byte {
	fields := make([]string, n)
	for i := range fields {
		fields[i] = field(i)
	}
	return []byte(strings.Join(fields, "&"))
}

// bombs are bodies that are expensive for their length.
func bombs() map[string][]byte {
	same := strings.Repeat("k", 90)
	return map[string][]byte{
		"flat fields":      many(10_000, func(i int) string { return fmt.Sprintf("field%d=x", i) }),
		"own branches":     many(10_000, func(i int) string { return fmt.Sprintf("p[%d.][a][a][a][a][a]=x", i) }),
		"one object":       many(10_000, func(i int) string { return fmt.Sprintf("p[a][k%d]=x", i) }),
		"long equal parts": many(10_000, func(i int) string { return fmt.Sprintf("p[%s%d]=", same, i) }),
		"repeated":         many(10_000, func(int) string { return "p[a][a][a][a][a][a]=x" }),
		"malformed":        many(10_000, func(i int) string { return fmt.Sprintf("p%d[=x", i) }),
		"broken escapes":   many(10_000, func(i int) string { return fmt.Sprintf("p[%d.][a][a][a][a][a]=%%", i) }),
		"sparse lists":     many(10_000, func(i int) string { return fmt.Sprintf("p[%d][%d]=x", i%1000, 1+i/1000) }),
		"appended":         many(10_000, func(int) string { return "p[][][][][][]=x" }),
		"endless gaps":     many(10_000, func(i int) string { return fmt.Sprintf("p[%d]=x", 999_999_999-i*90_000) }),
		"backwards":        many(1_000, func(i int) string { return fmt.Sprintf("p[%d]=x", 999-i) }),
		"one deep name":    []byte("p" + strings.Repeat("[a]", 300_000) + "=x"),
		"brackets":         []byte("p" + strings.Repeat("[", 1_000_000)),
		"ampersands":       []byte(strings.Repeat("&", 1_000_000)),
		"escapes":          []byte("p=" + strings.Repeat("%41", 300_000)),
		"million fields":   many(1_000_001, func(int) string { return "a=" }),
	}
}

// Bombs cost little memory and name few faults.
func TestBombs(t *testing.T) {
	for name, body := range bombs() {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, faults := bracketform.Parse(body, bracketform.Limits{})
		runtime.ReadMemStats(&after)
		require.LessOrEqual(t, len(faults), 50, name)
		require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(24<<20), name)
	}
}

// BenchmarkBombs reports as "ratio" how many times longer a byte of each bomb takes than a byte of a form of 1,000
// plain fields. A step that is quadratic in the length shows as a ratio in the hundreds.
func BenchmarkBombs(b *testing.B) {
	plain := many(1_000, func(i int) string { return fmt.Sprintf("field%d=%s", i, strings.Repeat("x", 90)) })
	for name, body := range bombs() {
		b.Run(name, func(b *testing.B) {
			var bomb, ordinary time.Duration
			for b.Loop() {
				start := time.Now()
				_, _ = bracketform.Parse(body, bracketform.Limits{})
				middle := time.Now()
				_, _ = bracketform.Parse(plain, bracketform.Limits{})
				bomb, ordinary = bomb+middle.Sub(start), ordinary+time.Since(middle)
			}
			b.ReportMetric(float64(bomb)*float64(len(plain))/(float64(ordinary)*float64(len(body))), "ratio")
		})
	}
}

func TestBombsBackwards(t *testing.T) {
	t.Parallel()
	form, faults := bracketform.Parse(bombs()["backwards"], bracketform.Limits{})
	require.NoError(t, faults.Err())
	require.Len(t, form.Tree("p"), 1000)
}
