package bracketform_test

import (
	"math/rand/v2"
	"net/url"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"github.com/tollgatepay/gateway/internal/bracketform"
)

func seeds(f *testing.F) {
	f.Helper()
	for _, body := range []string{
		saleBody, "", "&&", "=", "a", "a=1&a=2", "a=%", "a=%4", "a%zz=1", "a=%00&b%00=1", "a=\xff", "a=1;b=2", "a+b=c%20d",
		"p[", "p]x[", "p[]", "p[a]b[c]", "a%5B%00%5D", "[a]=1", "p[a]]=", "p[1]=a&p[0]=b", "p[0]=a&p[2]=b", "p[0]=1&p[a]=2",
		"p[01]=1", "p[-1]=1", "p[1e3]=1", "p[999999999][n]=1", "p[a]=x&p[a][b][0]=y", "p[a][b][c][d][e][f]=1",
		"p[a][b][c][d][e][f][g]=1", "p[__proto__]=1&p[hash]=2", "p%5Ba%5D=%F0%9F%98%80", "\xc2=\xa5",
		"p[0][0][1]=a&p[0][0][0]=b&p[1]=",
		"p[]=x&p[]=y", "p[5]=x&p[]=y&p[2]=z", "p[][a]=1&p[][b]=2&q[][]=3", "p[999999999]=x&p[]=y", "p[]=x&p[0]=y",
		"a[]=1&a[b]=2",
		"p[1234]=x&p[007]=y&p[7]=z&p[a][1e3]=v&q[0]=w",
	} {
		f.Add([]byte(body), uint64(1))
	}
}

// decoded returns the pairs of a body as the standard library reads each of them, false if it cannot. It would stop
// at a semicolon, which is a character to us.
func decoded(body []byte) ([]pair, bool) {
	var pairs []pair
	for field := range strings.SplitSeq(string(body), "&") {
		if field == "" {
			continue
		}
		name, value, _ := strings.Cut(field, "=")
		name, err1 := url.QueryUnescape(name)
		value, err2 := url.QueryUnescape(value)
		if text := name + "=" + value; err1 != nil || err2 != nil || !utf8.ValidString(text) || strings.Contains(text,
			"\x00") {
			return nil, false
		}
		pairs = append(pairs, pair{name, value})
	}
	return pairs, true
}

// FuzzParse compares every body with the model, and the result with itself in other orders.
func FuzzParse(f *testing.F) {
	seeds(f)
	f.Fuzz(checkParse)
}

func checkParse(t *testing.T, body []byte, order uint64) {
	form, faults := bracketform.Parse(body, bracketform.Limits{})
	checkFaults(t, faults)
	pairs, sound := decoded(body)
	if !sound {
		require.NotNil(t, faults, "text is not sound")
		return
	}
	checkObjects(t, body, pairs)
	want, sound := modelled(pairs)
	if len(body) > bracketform.CreateBytes || len(pairs) > 10_000 {
		sound = false
	}
	require.Equal(t, sound, faults == nil, "%v", faults)
	r := rand.New(rand.NewPCG(order, 0))
	mixed := make([]pair, len(pairs))
	copy(mixed, pairs)
	if !appends(pairs) {
		r.Shuffle(len(mixed), func(i, j int) { mixed[i], mixed[j] = mixed[j], mixed[i] })
	}
	again, others := bracketform.Parse(bracketform.EncodePairs(walk(mixed)), bracketform.Limits{MaxBytes: 1 << 30})
	if len(body) <= bracketform.CreateBytes {
		require.Equal(t, faults, others)
		require.Equal(t, trees(form), trees(again))
	}
	if sound {
		require.Equal(t, want, trees(form))
		checkRoundTrip(t, form)
	}
}

// freely reads the names p and a as objects only.
func freely(limits bracketform.Limits) bracketform.Limits {
	limits.Objects = []string{"p", "a"}
	return limits
}

// checkObjects reads a body with names whose trees hold no lists.
func checkObjects(t *testing.T, body []byte, pairs []pair) {
	t.Helper()
	form, faults := bracketform.Parse(body, freely(bracketform.Limits{}))
	checkFaults(t, faults)
	want, sound := modelled(pairs, "p", "a")
	if len(body) > bracketform.CreateBytes || len(pairs) > 10_000 {
		sound = false
	}
	require.Equal(t, sound, faults == nil, "%v", faults)
	if sound {
		require.Equal(t, want, trees(form))
		again, faults := bracketform.Parse(bracketform.Encode(form), freely(bracketform.Limits{MaxBytes: 1 << 30}))
		require.NoError(t, faults.Err())
		require.Equal(t, want, trees(again))
	}
}

// checkFaults checks that faults are fit for messages and in order.
func checkFaults(t *testing.T, faults bracketform.Faults) {
	t.Helper()
	require.LessOrEqual(t, len(faults), 50)
	for i, fault := range faults {
		require.NotEmpty(t, fault.Path)
		require.True(t, utf8.ValidString(fault.Path))
		require.False(t, strings.ContainsFunc(fault.Path, func(r rune) bool {
			return r < '!' || r == 0x7f || r == utf8.RuneError
		}))
		require.LessOrEqual(t, len(fault.Path), 7*(64+len("[…]")))
		if i > 0 {
			require.LessOrEqual(t, faults[i-1].Path, fault.Path)
			require.NotEqual(t, faults[i-1], fault)
		}
	}
}

// hasElements reports whether a name ends in escaped empty brackets: an element gets its number.
func hasElements(values url.Values) bool {
	for name := range values {
		if strings.Contains(name, "[]") {
			return true
		}
	}
	return false
}

// FuzzFlat compares with url.ParseQuery on bodies without brackets.
func FuzzFlat(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, body []byte, _ uint64) {
		if strings.ContainsAny(string(body), ";[]\x00") || len(body) > bracketform.CreateBytes {
			return
		}
		theirs, err := url.ParseQuery(string(body))
		if hasElements(theirs) {
			return
		}
		form, faults := bracketform.Parse(body, bracketform.Limits{})
		if faults == nil {
			require.NoError(t, err)
			ours := url.Values{}
			for name, value := range form.Pairs() {
				ours.Add(name, value) // escaped brackets make the same names
			}
			require.Equal(t, theirs, ours)
			return
		}
		if err == nil {
			require.True(t, refusable(theirs), "%v", faults)
		}
	})
}

// refusable reports whether fields that the standard library accepts break one of our own rules.
func refusable(fields url.Values) bool {
	total := 0
	for name, values := range fields {
		text := name + "=" + strings.Join(values, "&")
		total += len(values)
		if name == "" || len(values) > 1 || strings.ContainsAny(name,
			"[]") || !utf8.ValidString(text) || strings.Contains(text, "\x00") {
			return true
		}
	}
	return total > 10_000
}

// FuzzMultipart checks that no bytes make the reader fail, and that what it accepts is the same form urlencoded.
func FuzzMultipart(f *testing.F) {
	f.Add([]byte(multi("x", "a", "1", "p[0]", "2", "p[1]", "")))
	f.Add([]byte(multi("x", `q"\[`, "\xff")))
	f.Add([]byte(raw(form+`; filename=""`, "1")))
	f.Add([]byte(raw(form+"\r\nContent-Transfer-Encoding: base64", "QQ==")))
	f.Fuzz(func(t *testing.T, body []byte) {
		form, faults := bracketform.ParseMultipart(body, "x", bracketform.Limits{})
		checkFaults(t, faults)
		if faults == nil {
			checkRoundTrip(t, form)
		}
	})
}
