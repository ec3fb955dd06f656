package bracketform_test

import (
	"bytes"
	"fmt"
	"mime/multipart"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/tollgatepay/gateway/internal/bracketform"
)

// multi writes names and values as multipart/form-data.
func multi(boundary string, pairs ...string) string {
	var out bytes.Buffer
	w := multipart.NewWriter(&out)
	if err := w.SetBoundary(boundary); err != nil {
		panic(err)
	}
	for i := 0; i < len(pairs); i += 2 {
		if err := w.WriteField(pairs[i], pairs[i+1]); err != nil {
			panic(err)
		}
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
	return out.String()
}

const (
	form   = `Content-Disposition: form-data; name="a"`
	broken = "body: must be well-formed multipart/form-data"
)

// raw writes one part, whose boundary is x.
func raw(headers, value string) string {
	return "--x\r\n" + headers + "\r\n\r\n" + value + "\r\n--x--\r\n"
}

func TestMultipart(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, body string
		want       object
		fault      string
	}{
		{"fields", multi("x", "a", "1 +%41", "p[l][1]", "é", "p[l][0]", ""), object{"a": "1 +%41", "p": object{"l": list{"", "é"}}}, ""},
		{"quotes in names", multi("x", `a"b`, "1", `c\d`, "2"), object{`a"b`: "1", `c\d`: "2"}, ""},
		{"lines in values", multi("x", "a", "1\r\n2\n"), object{"a": "1\r\n2\n"}, ""},
		{"type of the part", raw(form+"\r\nContent-Type: text/plain; charset=UTF-8\r\nContent-Transfer-Encoding: 8bit", "1"), object{"a": "1"}, ""},
		{"preamble", "hello\r\n" + raw(form, "1") + "bye", object{"a": "1"}, ""},
		{"no last line end", strings.TrimSpace(raw(form, "1")), object{"a": "1"}, ""},

		{"file", raw(form+`; filename="a.txt"`, "1"), object{}, "a: must not be a file"},
		{"file without a name", raw(form+`; filename=""`, ""), object{}, "a: must not be a file"},
		{"file, encoded name", raw(form+`; filename*=utf-8''a`, ""), object{}, "a: must not be a file"},
		{"quoted-printable", raw(form+"\r\nContent-Transfer-Encoding: quoted-printable", "=41"), object{}, "a: must be sent without transfer encoding"},
		{"base64", raw(form+"\r\nContent-Transfer-Encoding: BASE64", "QQ=="), object{}, "a: must be sent without transfer encoding"},
		{"NUL", multi("x", "a", "\x00"), object{}, "a: must not contain NUL"},
		{"NUL in a name", multi("x", "a\x00", "1"), object{}, broken},
		{"no Unicode", multi("x", "a", "\xff"), object{}, "a: must be valid Unicode text"},
		{"repeated", multi("x", "a", "1", "a", "2", "b", "3"), object{"b": "3"}, "a: repeated field"},
		{"malformed name", multi("x", "p[", "1"), object{}, "p[: malformed parameter name"},
		{"empty name", multi("x", "", "1"), object{}, "body: malformed parameter name"},

		{"empty body", "", object{}, broken},
		{"other boundary", multi("y", "a", "1"), object{}, broken},
		{"cut off in the value", "--x\r\n" + form + "\r\n\r\nvalu", object{}, broken},
		{"cut off behind a part", "--x\r\n" + form + "\r\n\r\nvalue\r\n", object{}, broken},
		{"cut off before the end", "--x\r\n" + form + "\r\n\r\nvalue\r\n--x\r\n", object{}, broken},
		{"cut off in the header", "--x\r\n" + form, object{}, broken},
		{"cut off in the second header", "--x\r\n" + form + "\r\n\r\n\n--x--\r\n--x\r\n" + form + "\r\n", object{}, broken},
		{"cut off in the boundary", "--x\r\n" + form + "\r\n\r\nvalue\r\n--x", object{}, broken},
		{"cut off in the last boundary", "--x\r\n" + form + "\r\n\r\nvalue\r\n--x-", object{}, broken},
		{"no disposition", raw("Content-Type: text/plain", "1"), object{}, broken},
		{"two dispositions", raw(form+"\r\n"+form, "1"), object{}, broken},
		{"attachment", raw(`Content-Disposition: attachment; name="a"`, "1"), object{}, broken},
		{"no name", raw(`Content-Disposition: form-data`, "1"), object{}, broken},
		{"two names", raw(form+`; name="b"`, "1"), object{}, broken},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			got, faults := bracketform.ParseMultipart([]byte(test.body), "x", bracketform.Limits{})
			if test.fault == "" {
				require.NoError(t, faults.Err())
			} else {
				require.EqualError(t, faults.Err(), test.fault)
			}
			require.Equal(t, test.want, trees(got))
		})
	}
}

func TestMultipartLimits(t *testing.T) {
	t.Parallel()
	var pairs []string
	for i := range 9_000 {
		pairs = append(pairs, fmt.Sprintf("a%d", i), "")
	}
	body := []byte(multi("x", pairs...))
	_, faults := bracketform.ParseMultipart(body, "x", bracketform.Limits{})
	require.NoError(t, faults.Err())
	_, faults = bracketform.ParseMultipart(body, "x", bracketform.Limits{MaxPairs: 8_999})
	require.EqualError(t, faults.Err(), "body: too many parameters")
	_, faults = bracketform.ParseMultipart(body, "x", bracketform.Limits{MaxBytes: bracketform.FollowUpBytes})
	require.EqualError(t, faults.Err(), "body: must be at most 65536 bytes")
	for _, boundary := range []string{"", strings.Repeat("x", 71)} {
		_, faults = bracketform.ParseMultipart([]byte("--"+boundary+"--"), boundary, bracketform.Limits{})
		require.EqualError(t, faults.Err(), broken)
	}
}

func TestFromPairsLimits(t *testing.T) {
	t.Parallel()
	endless := func(yield func(string, string) bool) {
		for yield("a", "b") {
		}
	}
	_, faults := bracketform.FromPairs(endless, bracketform.Limits{})
	require.EqualError(t, faults.Err(), "body: too many parameters")
	_, faults = bracketform.FromPairs(endless, bracketform.Limits{MaxBytes: 1000})
	require.EqualError(t, faults.Err(), "body: must be at most 1000 bytes")
	exact, faults := bracketform.FromPairs(func(yield func(string, string) bool) {
		yield("a", "b")
	}, bracketform.Limits{MaxBytes: 3})
	require.NoError(t, faults.Err())
	require.Equal(t, object{"a": "b"}, trees(exact))
}
