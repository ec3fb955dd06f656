package store_test

import (
	"encoding/json"
	"errors"
	"math/big"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store"
)

// grammar is the rule of ParseAmount as a regular expression.
var grammar = regexp.MustCompile(`^(0|[1-9][0-9]{0,14})(\.[0-9]{1,18})?$`)

// notAmounts are texts that other parsers accept.
var notAmounts = []string{
	"", ".", "5.", ".50", "05.00", "00", "5,00", " 5.00", "5.00 ", "5.00\n", "+5.00", "-5.00", "-0.00", "-1",
	"−5.00", "５.00", "٥.00", "0x5.00", "0x5", "1e2", "1E-50000000", "1e999999", "NaN", "Infinity", "inf",
	"1_000.00", "1.2.3", "1..2", "5.0\x00", "\x005.00", "\xff", "1/2", "1234567890123456",
	"1234567890123456.00", "92233720368547758.08", "0.1234567890123456789", strings.Repeat("9", 1<<20),
	"0." + strings.Repeat("0", 1<<20), "1" + strings.Repeat("0", 40),
}

func TestParseAmount(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"0", "0.00", "0.000000000000000001", "1", "5.00", "12.340", "100", "999999999999999",
		"999999999999999.999999999999999999", "0.1", "10.10",
	} {
		a, err := store.ParseAmount(text)
		require.NoError(t, err, text)
		require.Equal(t, text, a.String())
		_, fraction, _ := strings.Cut(text, ".")
		require.Equal(t, len(fraction), a.Decimals(), text)
		require.LessOrEqual(t, len(text), store.MaxAmountText)
	}
	for _, text := range notAmounts {
		a, err := store.ParseAmount(text)
		require.ErrorIs(t, err, store.ErrAmount, "%.40q", text)
		require.Equal(t, store.Amount{}, a)
	}
	require.Panics(t, func() { store.MustAmount("1e2") })
}

func TestParseAmountIsBounded(t *testing.T) { // not parallel: it counts what is allocated
	nines := strings.Repeat("9", 1<<20)
	require.Zero(t, testing.AllocsPerRun(10, func() { _, _ = store.ParseAmount(nines) }))
	const runs = 100
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range runs {
		_ = store.MustAmount("999999999999999.999999999999999999")
	}
	runtime.ReadMemStats(&after)
	require.LessOrEqual(t, (after.TotalAlloc-before.TotalAlloc)/runs, uint64(1024))
}

func TestAmountArithmetic(t *testing.T) {
	t.Parallel()
	var zero store.Amount
	a, b := store.MustAmount("10.00"), store.MustAmount("0.001")
	require.Equal(t, "10.001", a.Add(b).String())
	require.Equal(t, "10.00", a.String(), "the operands are unchanged")
	require.Equal(t, "10.00", zero.Add(a).String())
	diff, ok := a.Sub(b)
	require.True(t, ok)
	require.Equal(t, "9.999", diff.String())
	diff, ok = b.Sub(a)
	require.False(t, ok)
	require.Equal(t, store.Amount{}, diff)
	diff, ok = a.Sub(a)
	require.True(t, ok)
	require.Equal(t, "0.00", diff.String())
	require.True(t, diff.IsZero())
	require.True(t, zero.IsZero())
	require.Equal(t, "0", zero.String())
	require.False(t, b.IsZero())
	require.Zero(t, store.MustAmount("1").Cmp(store.MustAmount("1.000")))
	require.Equal(t, 1, a.Cmp(b))
	require.Equal(t, -1, zero.Cmp(b))
	require.True(t, a.Decimal().Equal(store.MustAmount("10").Decimal()))
}

func TestAmountBeyondTheBound(t *testing.T) {
	t.Parallel()
	most := store.MustAmount("999999999999999.99")
	sum := most.Add(store.MustAmount("0.01"))
	require.Equal(t, "1000000000000000.00", sum.String(), "never wrapped, never rounded")
	require.Equal(t, 1, sum.Cmp(most))
	_, err := json.Marshal(sum)
	require.ErrorIs(t, err, store.ErrAmount, "a sum that could not be read back is not written")
	text, err := most.MarshalText()
	require.NoError(t, err)
	require.Equal(t, "999999999999999.99", string(text))
}

func TestAmountInRecords(t *testing.T) {
	t.Parallel()
	type record struct {
		A store.Amount `json:"a"`
		B store.Amount `json:"b,omitzero"`
	}
	text, err := json.Marshal(record{A: store.MustAmount("10.00")})
	require.NoError(t, err)
	require.JSONEq(t, `{"a":"10.00"}`, string(text))
	var back record
	require.NoError(t, json.Unmarshal(text, &back))
	require.Equal(t, "10.00", back.A.String())
	for _, bad := range []string{`{"a":10.00}`, `{"a":"1e2"}`, `{"a":"-1"}`, `{"a":""}`, `{"a":["1"]}`} {
		back = record{A: store.MustAmount("7")}
		require.Error(t, json.Unmarshal([]byte(bad), &back), bad)
		require.Equal(t, "7", back.A.String(), "a failed read changes nothing")
	}
}

func FuzzParseAmount(f *testing.F) {
	for _, text := range notAmounts {
		f.Add(text[:min(len(text), 64)])
	}
	f.Add("0")
	f.Add("100.00")
	f.Add("999999999999999.999999999999999999")
	f.Fuzz(func(t *testing.T, text string) {
		a, err := store.ParseAmount(text)
		require.Equal(t, grammar.MatchString(text), err == nil)
		if err != nil {
			require.Equal(t, store.ErrAmount, err)
			return
		}
		require.Equal(t, text, a.String())
		require.Zero(t, rat(t, text).Cmp(a.Decimal().Rat()))
		packed, err := a.MarshalText()
		require.NoError(t, err)
		var back store.Amount
		require.NoError(t, back.UnmarshalText(packed))
		require.Equal(t, text, back.String())
	})
}

func FuzzAmountArithmetic(f *testing.F) {
	f.Add("10.00", "0.001")
	f.Add("999999999999999.99", "0.01")
	f.Add("0", "0.000000000000000001")
	f.Fuzz(func(t *testing.T, left, right string) {
		a, errA := store.ParseAmount(left)
		b, errB := store.ParseAmount(right)
		if errors.Join(errA, errB) != nil {
			return
		}
		x, y := rat(t, left), rat(t, right)
		require.Equal(t, x.Cmp(y), a.Cmp(b))
		sum := a.Add(b)
		require.Zero(t, new(big.Rat).Add(x, y).Cmp(rat(t, sum.String())))
		_, err := sum.MarshalText()
		require.Equal(t, grammar.MatchString(sum.String()), err == nil)
		diff, ok := a.Sub(b)
		require.Equal(t, x.Cmp(y) >= 0, ok)
		if ok {
			require.Zero(t, new(big.Rat).Sub(x, y).Cmp(rat(t, diff.String())))
			require.Equal(t, max(a.Decimals(), b.Decimals()), diff.Decimals())
		}
	})
}

func rat(t *testing.T, text string) *big.Rat {
	r, ok := new(big.Rat).SetString(text)
	require.True(t, ok, text)
	return r
}
