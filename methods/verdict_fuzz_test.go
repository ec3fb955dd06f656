package methods_test

import (
	"encoding/json"
	"math/rand/v2"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// FuzzVerdict writes one tree of parameters as JSON and as a form, reads each back as its protocol does, and
// requires the same faults of both, each in its own spelling. The tree has places of the set's rows and one value
// that the fuzzer writes; two numbers decide its shape.
func FuzzVerdict(f *testing.F) {
	c := catalogue(f)
	sets := methods.DefaultSets()
	for i := range sets {
		f.Add(uint8(i), uint64(i), uint64(7), uint8(i), "a")
	}
	for i, text := range []string{"true", "1", "1e3", "100000000000000000000", "-0", "1.50", "null", "é", " ",
		"4111111111111111", "[", "US", "2026-02-30", "#NA"} {
		f.Add(uint8(i*5), uint64(i), uint64(3), uint8(i), text)
	}
	numeric := regexp.MustCompile(`\A-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?\z`)
	f.Fuzz(func(t *testing.T, n uint8, seed1, seed2 uint64, at uint8, text string) {
		if text == "" || strings.ToValidUTF8(text, "") != text || strings.Contains(text, "\x00") {
			t.Skip() // has no spelling in one of the two
		}
		set := sets[int(n)%len(sets)]
		checker, ok := c.Set(set.Name)
		require.True(t, ok)
		r := rand.New(rand.NewPCG(seed1, seed2))
		tree := grown(r, set)
		if row := set.Rows[int(at)%len(set.Rows)]; !row.Request && row.Rule.Kind != methods.RuleList {
			var value any = text
			if numeric.MatchString(text) && r.IntN(2) == 0 {
				value = json.Number(text)
			}
			putAt(tree, pathOf(row), value)
		}
		wire, err := json.Marshal(tree)
		require.NoError(t, err)
		request := fields{}
		ctx := methods.Context{Code: "code", Stage: methods.Stage(r.IntN(3)), Request: request}
		for _, row := range set.Rows {
			if r.IntN(4) == 0 {
				ctx.MID.Needed = append(ctx.MID.Needed, row.Path)
			}
			if row.Request && r.IntN(2) == 0 {
				request[row.Path] = text
			}
		}
		asJSON := checker.Check(decodeJSON(t, string(wire)), methods.JSON, ctx)
		asForm := checker.Check(decodeForm(t, encodeForm(tree)), methods.Form, ctx)
		require.Equal(t, asJSON, swapped(t, asForm), "%s", wire)
	})
}

// FuzzAmountCost repeats a piece until it is long. Reading it as an amount allocates less than 1 KiB, and an
// accepted amount has at most 34 bytes.
func FuzzAmountCost(f *testing.F) {
	for _, piece := range []string{"9", "0", "1.", ".", "1e", "1E-5", "-", "00", "9.9", "\u0665", "\xff", " "} {
		f.Add("", piece, uint32(1_000_000), "")
		f.Add("1.", piece, uint32(30), "0")
	}
	f.Add("1e", "9", uint32(6), "")
	codes := []string{"USD", "JPY", "KWD", "CLF", "BTC", "ETHX"}
	f.Fuzz(func(t *testing.T, head, piece string, n uint32, tail string) {
		if len(piece) > 64 || len(head)+len(tail) > 1024 {
			t.Skip()
		}
		text := head + strings.Repeat(piece, int(n%1_000_001)) + tail
		for i, code := range codes {
			c, form := currency(t, code), methods.Format(i%3)
			spent := allocated(func() {
				if a, err := methods.ParseAmount(form, c, text); err == nil {
					_ = a.IsZero()
				}
			})
			require.Less(t, spent, uint64(1<<10), "%s", code)
			a, err := methods.ParseAmount(form, c, text)
			require.Equal(t, err, methods.CheckAmount(form, c, text))
			if err == nil {
				require.LessOrEqual(t, len(text), store.MaxAmountText)
				require.Equal(t, text, a.String())
			}
		}
	})
}

// allocated returns the bytes that a function allocates: the least of three tries, because other goroutines
// allocate too.
func allocated(do func()) uint64 {
	least := ^uint64(0)
	var before, after runtime.MemStats
	for range 3 {
		runtime.ReadMemStats(&before)
		do()
		runtime.ReadMemStats(&after)
		least = min(least, after.TotalAlloc-before.TotalAlloc)
	}
	return least
}
