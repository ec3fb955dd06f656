package strictjson_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/tollgatepay/gateway/internal/strictjson"
)

// bombs are documents within the limit of bytes (or, raised, just a little above) made to cost much.
func bombs() map[string]string {
	const mega = 1 << 20
	fill := func(start, piece, end string) string {
		return start + strings.Repeat(piece, (mega-len(start)-len(end))/len(piece)) + end
	}
	var similar, wide strings.Builder
	for i := range 49 {
		fmt.Fprintf(&similar, `"%d":{`, i)
		for j := range 199 {
			fmt.Fprintf(&similar, `"%s%03d":0,`, strings.Repeat("x", 90), j)
		}
		similar.WriteString(`"end":0},`)
	}
	for i := range 9 {
		fmt.Fprintf(&wide, `"%d":[`, i)
		wide.WriteString(strings.Repeat("0,", 999) + "0],")
	}
	return map[string]string{
		"tower of lists":      strings.Repeat("[", 1_000_000),
		"tower of objects":    fill("", `{"a":`, ""),
		"tower in a field":    fill(`{"custom_data":`, `{"a":`, ""),
		"long number":         fill(`{"size":`, "9", "}"),
		"long number in text": fill(`{"size":"`, "9", `"}`),
		"long free number":    fill(`{"custom_data":{"n":`, "9", "}}"),
		"great exponent":      `{"size":1e999999,"rate":1e999999999}`,
		"long text":           fill(`{"hash":"`, "x", `"}`),
		"escapes":             fill(`{"hash":"`, `\u00e9`, `"}`),
		"lone surrogates":     fill(`{"hash":"`, `\ud800`, `"}`),
		"long key":            fill(`{"`, "x", `":1}`),
		"long repeated key":   `{"` + strings.Repeat("x", mega/2-20) + `":1,"` + strings.Repeat("x", mega/2-20) + `":1}`,
		"white space":         fill(`{`, " ", "}"),
		"similar keys":        `{"custom_data":{` + strings.TrimSuffix(similar.String(), "},") + `}}}`,
		"same key":            fill(`{`, `"a":0,`, `"a":0}`),
		"many entries":        `{"custom_data":{` + strings.TrimSuffix(wide.String(), ",") + `}}`,
		"too many entries":    fill(`{"custom_data":{"a":[`, "0,", "0]}}"),
		"wrong entries":       `{"card_token":[` + strings.Repeat("[[]],", 999) + `0]}`,
		"empty objects":       `{"items":[` + strings.Repeat("{},", 999) + `{}]}`,
	}
}

// TestBombsAreCheap counts allocated bytes; not parallel, because the counters are those of the process.
func TestBombsAreCheap(t *testing.T) {
	decoder := strictjson.For[session](strictjson.Limits{MaxBytes: 1<<20 + 4096})
	for name, text := range bombs() {
		t.Run(name, func(t *testing.T) {
			body := []byte(text)
			spent := cost(func() { _, _ = decoder.Decode(body) })
			t.Logf("%d bytes: %d bytes allocated", len(body), spent)
			require.Less(t, spent, uint64(8*len(body)+4<<20))
		})
	}
}

// BenchmarkBombs reports as "ratio" how many times longer each bomb takes than a plain document of 1 MiB. A step
// that is quadratic in the length shows as a ratio in the hundreds.
func BenchmarkBombs(b *testing.B) {
	decoder := strictjson.For[session](strictjson.Limits{MaxBytes: 1<<20 + 4096})
	plain := []byte(`{"hash":"` + strings.Repeat("x", 1<<20) + `"}`)
	for name, text := range bombs() {
		b.Run(name, func(b *testing.B) {
			body := []byte(text)
			var bomb, ordinary time.Duration
			for b.Loop() {
				start := time.Now()
				_, _ = decoder.Decode(body)
				middle := time.Now()
				_, _ = decoder.Decode(plain)
				bomb, ordinary = bomb+middle.Sub(start), ordinary+time.Since(middle)
			}
			b.ReportMetric(float64(bomb)/float64(ordinary), "ratio")
		})
	}
}

func TestTowerIsNamed(t *testing.T) {
	t.Parallel()
	_, faults := sessions.Decode([]byte(strings.Repeat("[", 1_000_000)))
	require.EqualError(t, faults.Err(), "body: nested too deeply")
}
