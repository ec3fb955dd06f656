package bracketform_test

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/tollgatepay/gateway/internal/bracketform"
)

// The model reads pairs the slow and obvious way.

var (
	wellFormed = regexp.MustCompile(`^[^\[\]]+(\[[^\[\]]*\])*$`)
	number     = regexp.MustCompile(`^[+-]?([0-9]+\.?|\.)?[0-9]+([eE][+-]?[0-9]+)?$`)
	plainIndex = regexp.MustCompile(`^(0|[1-9][0-9]{0,8})$`)
)

type pair struct{ name, value string }

// numbered puts indexes into empty brackets: of each name up to there the one behind the highest so far.
func numbered(pairs []pair) (named []pair) {
	next := map[string]int{}
	for _, p := range pairs {
		name, rest, _ := strings.Cut(p.name, "[")
		for rest != "" {
			key, behind, _ := strings.Cut(rest, "]")
			if key == "" {
				key = strconv.Itoa(next[name])
			}
			if plainIndex.MatchString(key) {
				n, _ := strconv.Atoi(key)
				next[name] = max(next[name], n+1)
			}
			name += "[" + key + "]"
			rest = strings.TrimPrefix(behind, "[")
		}
		named = append(named, pair{name, p.value})
	}
	return named
}

// appends reports a name with empty brackets: the order of the pairs counts then.
func appends(pairs []pair) bool {
	return slices.ContainsFunc(pairs, func(p pair) bool { return strings.Contains(p.name, "[]") })
}

// modelled returns the fields of pairs of valid text, and whether there is no fault. The trees of the names in
// objects have no lists.
func modelled(pairs []pair, objects ...string) (object, bool) {
	sorted := map[string][]pair{} // by field, the name being what is left
	for _, p := range pairs {
		if !wellFormed.MatchString(p.name) || strings.Count(p.name, "[") > 6 {
			return nil, false
		}
	}
	for _, p := range numbered(pairs) {
		name, rest, _ := strings.Cut(p.name, "[")
		sorted[name] = append(sorted[name], pair{rest, p.value})
	}
	fields := object{}
	for name, below := range sorted {
		tree, sound := modelTree(below, slices.Contains(objects, name))
		if !sound {
			return nil, false
		}
		fields[name] = tree
	}
	return fields, true
}

// modelTree reads what is below one name: "a][b]", or "" for the value itself.
func modelTree(below []pair, objects bool) (any, bool) {
	if len(below) == 1 && below[0].name == "" {
		return below[0].value, true
	}
	keys := map[string][]pair{}
	for _, p := range below {
		key, rest, _ := strings.Cut(p.name, "]")
		if key == "" {
			return nil, false // a value beside a tree
		}
		keys[key] = append(keys[key], pair{strings.TrimPrefix(rest, "["), p.value})
	}
	tree, numbers := object{}, 0
	for key, under := range keys {
		child, sound := modelTree(under, objects)
		if !sound {
			return nil, false
		}
		tree[key] = child
		if number.MatchString(key) {
			numbers++
		}
	}
	if numbers == 0 || objects {
		return tree, true
	}
	var order []int
	for key := range tree {
		if !plainIndex.MatchString(key) {
			return nil, false
		}
		n, _ := strconv.Atoi(key)
		order = append(order, n)
	}
	slices.Sort(order)
	entries := make(list, 0, len(tree))
	for _, n := range order {
		entries = append(entries, tree[strconv.Itoa(n)])
	}
	return entries, true
}

// soup makes names that often meet each other, and sometimes break a rule.
func soup(r *rand.Rand) []pair {
	keys := [][]string{{"0", "1"}, {"a", "é", "1.2.3", "a b"}, {"0", "1", "2"},
		{"a", "b", "0", "01", "-1", "1e3", "1000", "1000000000", ".5"}, {"", "7", "3", ""}}
	levels := [][]string{keys[r.IntN(len(keys))], keys[r.IntN(len(keys))], keys[r.IntN(len(keys))]}[:r.IntN(4)]
	pairs := make([]pair, 1+r.IntN(7))
	for i := range pairs {
		name := string("pqrs"[r.IntN(4)])
		for _, level := range levels {
			name += "[" + level[r.IntN(len(level))] + "]"
		}
		switch r.IntN(60) {
		case 0:
			name = name[:len(name)-1]
		case 1:
			name += "[]"
		case 2:
			name += "[a][a][a][a][a]"
		case 3:
			name += "x"
		case 4:
			name = name[:1]
		}
		pairs[i] = pair{name, "v" + strconv.Itoa(i)}
	}
	if r.IntN(4) > 0 {
		slices.SortFunc(pairs, func(a, b pair) int { return strings.Compare(a.name, b.name) })
		pairs = slices.CompactFunc(pairs, func(a, b pair) bool { return a.name == b.name })
		r.Shuffle(len(pairs), func(i, j int) { pairs[i], pairs[j] = pairs[j], pairs[i] })
	}
	return pairs
}

func parsePairs(pairs []pair) (bracketform.Form, bracketform.Faults) {
	return bracketform.FromPairs(walk(pairs), bracketform.Limits{})
}

func walk(pairs []pair) func(func(string, string) bool) {
	return func(yield func(string, string) bool) {
		for _, p := range pairs {
			if !yield(p.name, p.value) {
				return
			}
		}
	}
}

// The parser and the model agree, the order of the pairs changes nothing, and both encodings give the same form.
func TestProperties(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	sound := 0
	for range 5_000 {
		pairs := soup(r)
		want, ok := modelled(pairs)
		got, faults := bracketform.Parse(bracketform.EncodePairs(walk(pairs)), bracketform.Limits{})
		require.Equal(t, ok, faults == nil, "%v: %v", pairs, faults)
		if ok {
			sound++
			require.Equal(t, want, trees(got), pairs)
			checkRoundTrip(t, got)
		}
		checkSame(t, pairs, got, faults, r)
		checkObjects(t, bracketform.EncodePairs(walk(pairs)), pairs)
	}
	require.Greater(t, sound, 1_000, "the soup must hold enough of both")
	require.Less(t, sound, 4_000)
}

// checkSame reads pairs in other orders and encodings.
func checkSame(t *testing.T, pairs []pair, want bracketform.Form, faults bracketform.Faults, r *rand.Rand) {
	t.Helper()
	mixed := slices.Clone(pairs)
	if !appends(pairs) {
		r.Shuffle(len(mixed), func(i, j int) { mixed[i], mixed[j] = mixed[j], mixed[i] })
	}
	again, others := parsePairs(mixed)
	require.Equal(t, faults, others, "%v", pairs)
	require.Equal(t, trees(want), trees(again), "%v", pairs)

	var flat []string
	for _, p := range pairs {
		flat = append(flat, p.name, p.value)
	}
	again, others = bracketform.ParseMultipart([]byte(multi("limit", flat...)), "limit", bracketform.Limits{})
	require.Equal(t, faults, others, "%v", pairs)
	require.Equal(t, trees(want), trees(again), "%v", pairs)
}

// checkRoundTrip writes a form and reads it back.
func checkRoundTrip(t *testing.T, form bracketform.Form) {
	t.Helper()
	body := bracketform.Encode(form)
	again, faults := bracketform.Parse(body, bracketform.Limits{MaxBytes: 1 << 30})
	require.NoError(t, faults.Err())
	require.Equal(t, trees(form), trees(again))
	require.Equal(t, form.Names(), again.Names())
	require.Equal(t, body, bracketform.Encode(again))
}
