package strictjson_test

import (
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/internal/strictjson"
)

// The body of a session request has at most 64 KiB; a bomb is no longer.
const bombSize = 64 << 10

// FuzzBombs repeats a piece between a head and a tail until the body has 64 KiB. The body is read or refused with
// no more memory than eight times its length plus the faults. BenchmarkBombs measures the time.
func FuzzBombs(f *testing.F) {
	for _, bomb := range [][3]string{
		{"", "[", ""}, {"", `{"a":`, ""}, {`{"custom_data":`, `{"a":`, ""}, {`{"size":`, "9", "}"}, {`{"size":"`, "9", `"}`}, {`{"rate":1e`, "9", "}"},
		{`{"hash":"`, `\u00e9`, `"}`}, {`{"hash":"`, `\ud800`, `"}`}, {`{"hash":"`, `\ud83d\ude00`, `"}`}, {`{"`, "x", `":1}`}, {"{", " ", "}"}, {"{", `"a":0,`, `"a":0}`},
		{`{"custom_data":{"a":[`, "0,", "0]}}"}, {`{"card_token":[`, "[[]],", "0]}"}, {`{"items":[`, "{},", "{}]}"}, {`{"items":[`, `{"x":0},`, "{}]}"}, {`{"custom_data":{"a":[`, `"\u0000",`, "0]}}"},
		{"[", "[],", "[]]"}, {`{"custom_data":{`, `"\ud800":0,`, `"a":0}}`}, {`{"custom_data":`, "[[[[[[[[[[[[[", ""}, {`"`, "\xff", `"`}, {"", "\xef\xbb\xbf", ""}, {"{", `"\u0061":0,`, `"a":0}`},
	} {
		f.Add(bomb[0], bomb[1], bomb[2])
	}
	f.Fuzz(func(t *testing.T, head, piece, tail string) {
		if piece == "" || len(head)+len(piece)+len(tail) > 4096 {
			t.Skip()
		}
		text := head + strings.Repeat(piece, (bombSize-len(head)-len(tail))/len(piece)) + tail
		body := []byte(text)
		spent := cost(func() {
			_, _ = sessions.Decode(body)
			_, _ = strictjson.Parse(body, strictjson.Limits{})
		})
		require.Less(t, spent, uint64(2*8*len(body)+256<<10), "%.60q", text)
	})
}

// cost is the least number of bytes that some tries allocate: other goroutines allocate too.
func cost(do func()) (spent uint64) {
	spent = ^uint64(0)
	var before, after runtime.MemStats
	for range 5 {
		runtime.ReadMemStats(&before)
		do()
		runtime.ReadMemStats(&after)
		spent = min(spent, after.TotalAlloc-before.TotalAlloc)
	}
	return spent
}
