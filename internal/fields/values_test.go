package fields_test

import (
	"encoding/json"
	"net"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/internal/fields"
)

// Every code of two letters is a country's or not, as the list says.
func TestCountries(t *testing.T) {
	t.Parallel()
	for first := 'A'; first <= 'Z'; first++ {
		for second := 'A'; second <= 'Z'; second++ {
			code := string([]rune{first, second})
			require.Equal(t, isCountryCode(code), fields.IsCountry(code), code)
		}
	}
}

// The shortest card number is found, however its digits are written.
func TestShortestNumberInObject(t *testing.T) {
	t.Parallel()
	for _, object := range []string{`{"a":"630400000000"}`, `{"a":630400000000}`, `{"630400000000":1}`,
		`{"a":"\u0036\u0033\u0030\u0034\u0030\u0030\u0030\u0030\u0030\u0030\u0030\u0030"}`,
		`{"a":"٦٣٠٤٠٠٠٠٠٠٠٠"}`, `{"a":"\u0666\u0663\u0660\u0664\u0660\u0660\u0660\u0660\u0660\u0660\u0660\u0660"}`} {
		require.True(t, fields.ObjectHoldsPAN(json.RawMessage(object)), object)
	}
	require.False(t, fields.ObjectHoldsPAN(json.RawMessage(`{"a":"63040000000"}`)))
}

// An address is what net.ParseIP reads, the most usual ones too, which are read without it.
func TestIP(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"0.0.0.0", "123.123.123.123", "255.255.255.255", "256.1.1.1", "01.1.1.1", "00.1.1.1", "1.1.1", "1.1.1.1.1", "1..1.1",
		"+1.1.1.1", "-1.1.1.1", "1.1.1.1 ", "1_0.1.1.1", "0x1.1.1.1", "1.1.1.", ".1.1.1.1", "1", "::1", "::ffff:1.2.3.4",
		"fe80::1%eth0", "1.2.3.4%a", "١.1.1.1", "localhost",
	} {
		require.Equal(t, net.ParseIP(text) != nil, fields.IP.Check(text) == "", "%q", text)
	}
}
