package store_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store"
)

// notCardNumbers are texts that people type into the field of the number.
var notCardNumbers = []string{
	"", "0", "4", "4111111111111112", "411111111111111", "41111111111", "4111 1111 1111 1111",
	"4111-1111-1111-1111", "0000000000000000", "000000000000", "4111111111111111a", "٤١١١١١١١١١١١١١١١",
	"４１１１１１１１１１１１１１１１", "411111******1111", "+4111111111111111", "4111111111111111\n",
	"41111111111111111111", strings.Repeat("0", 1<<20), "4111111111111\xff11",
}

func TestParsePAN(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, text, mask string
		brand            store.Brand
	}{
		{"visa", "4111111111111111", "411111******1111", store.Visa},
		{"visa of 13 digits", "4222222222222", "422222******2222", store.Visa},
		{"visa of 19 digits", "4111111111111111110", "411111******1110", store.Visa},
		{"mastercard", "5555555555554444", "555555******4444", store.Mastercard},
		{"mastercard of the 2 range", "2223003122003222", "222300******3222", store.Mastercard},
		{"amex", "378282246310005", "378282******0005", store.Amex},
		{"discover", "6011111111111117", "601111******1117", store.Discover},
		{"diners", "30569309025904", "305693******5904", store.Diners},
		{"jcb", "3530111333300000", "353011******0000", store.JCB},
		{"unionpay", "6200000000000005", "620000******0005", store.UnionPay},
		{"maestro of 12 digits", "500000000009", "500000******0009", store.Maestro},
		{"mir", "2200000000000004", "220000******0004", store.Mir},
		{"no known brand", "9999999999999995", "999999******9995", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			pan, err := store.ParsePAN(tc.text)
			require.NoError(t, err)
			require.Equal(t, tc.text, pan.Digits())
			require.Equal(t, tc.mask, pan.Mask())
			require.Equal(t, tc.mask[:6], pan.BIN())
			require.Equal(t, tc.mask[12:], pan.Last4())
			require.Equal(t, tc.brand, pan.Brand())
			least, most := pan.Brand().Lengths()
			require.True(t, least <= len(tc.text) && len(tc.text) <= most)
		})
	}
	for _, text := range notCardNumbers {
		pan, err := store.ParsePAN(text)
		require.ErrorIs(t, err, store.ErrPAN, "%.40q", text)
		require.EqualError(t, err, "Invalid card number")
		require.True(t, pan.IsZero())
	}
}

func TestNoCard(t *testing.T) {
	t.Parallel()
	var pan store.PAN
	require.True(t, pan.IsZero())
	for _, text := range []string{
		pan.Digits(), pan.Mask(), pan.BIN(), pan.Last4(), string(pan.Brand()), pan.String(), fmt.Sprint(pan),
	} {
		require.Empty(t, text)
	}
	require.Empty(t, store.SecurityCode{}.Digits())
	require.Empty(t, store.Secret{}.Reveal())
	require.Equal(t, store.Secret{}, store.NewSecret(""))
}

func TestBrandBoundaries(t *testing.T) {
	t.Parallel()
	for prefix, want := range map[string]store.Brand{
		"2199": "", "2200": store.Mir, "2204": store.Mir, "2205": "", "2220": "", "2221": store.Mastercard,
		"2720": store.Mastercard, "2721": "", "50": store.Maestro, "51": store.Mastercard, "55": store.Mastercard,
		"56": store.Maestro, "59": "", "299": "", "300": store.Diners, "305": store.Diners, "306": "",
		"33": "", "34": store.Amex, "35": "", "3527": "", "3528": store.JCB, "3589": store.JCB, "3590": "",
		"36": store.Diners, "37": store.Amex, "38": store.Diners, "39": store.Diners, "6010": "",
		"6011": store.Discover, "6012": "", "62": store.UnionPay, "643": "", "644": store.Discover,
		"65": store.Discover, "66": "", "67": store.Maestro, "809": "", "810": store.UnionPay,
		"817": store.UnionPay, "818": "", "1800": store.JCB, "2131": store.JCB,
	} {
		pan, err := store.ParsePAN(withCheckDigit(prefix + strings.Repeat("0", 15-len(prefix))))
		require.NoError(t, err, prefix)
		require.Equal(t, want, pan.Brand(), prefix)
	}
}

func TestBrandFacts(t *testing.T) {
	t.Parallel()
	require.Equal(t, []int{4, 10}, store.Amex.Gaps())
	require.Equal(t, []int{4, 8, 12, 16}, store.Visa.Gaps())
	require.Equal(t, 4, store.Amex.CodeSize())
	require.Equal(t, 3, store.Mir.CodeSize())
	require.Zero(t, store.Brand("").CodeSize())
	least, most := store.Mastercard.Lengths()
	require.Equal(t, [2]int{16, 16}, [2]int{least, most})
}

// withCheckDigit appends the digit that makes the Luhn check pass.
func withCheckDigit(text string) string {
	for d := range 10 {
		if _, err := store.ParsePAN(text + strconv.Itoa(d)); err == nil {
			return text + strconv.Itoa(d)
		}
	}
	return text
}

func FuzzParsePAN(f *testing.F) {
	for _, text := range notCardNumbers {
		f.Add(text[:min(len(text), 64)])
	}
	f.Add("4111111111111111")
	f.Add("378282246310005")
	shape := regexp.MustCompile(`^[0-9]{12,19}$`)
	f.Fuzz(func(t *testing.T, text string) {
		pan, err := store.ParsePAN(text)
		require.Equal(t, shape.MatchString(text) && strings.Trim(text, "0") != "" && slowLuhn(text), err == nil)
		if err != nil {
			require.Equal(t, store.ErrPAN, err)
			return
		}
		require.Regexp(t, `^[0-9]{6}\*{6}[0-9]{4}$`, pan.Mask())
		require.True(t, strings.HasPrefix(text, pan.Mask()[:6]) && strings.HasSuffix(text, pan.Mask()[12:]))
		_, err = store.ParsePAN(pan.Mask())
		require.Error(t, err, "a mask is not masked again")
		require.Equal(t, pan.Mask(), fmt.Sprintf("%v", pan))
		pan.Brand()
	})
}

// slowLuhn does the Luhn check by a table of doubled digits.
func slowLuhn(text string) bool {
	sum := 0
	for i := range text {
		row := "0123456789"
		if (len(text)-i)%2 == 0 {
			row = "0246813579"
		}
		sum += strings.IndexByte("0123456789", row[text[i]-'0'])
	}
	return sum%10 == 0
}

func TestParseSecurityCode(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"000", "123", "9999"} {
		code, err := store.ParseSecurityCode(text)
		require.NoError(t, err)
		require.Equal(t, text, code.Digits())
	}
	for _, text := range []string{
		"", "12", "12345", "12a", "１２３", "٣٢١", " 12", "-12", "12\n", strings.Repeat("1", 1<<20),
	} {
		code, err := store.ParseSecurityCode(text)
		require.ErrorIs(t, err, store.ErrSecurityCode, "%.40q", text)
		require.EqualError(t, err, "Invalid security code")
		require.True(t, code.IsZero())
	}
}

func TestParseExpiry(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"02/38": "02/2038", "2/38": "02/2038", "02/2038": "02/2038", "2/2038": "02/2038", "0238": "02/2038",
		"022038": "02/2038", "2038-02": "02/2038", "2038/02": "02/2038", "2038-2": "02/2038",
		"203802": "02/2038", "02-38": "02/2038", "02-2038": "02/2038", "12/99": "12/2099", "01/00": "01/2000",
		"1220": "12/2020", "122020": "12/2020", "202012": "12/2020",
	} {
		e, err := store.ParseExpiry(text)
		require.NoError(t, err, text)
		require.Equal(t, want, e.String(), text)
	}
	for _, text := range []string{
		"", "00/30", "13/30", "0/30", "/30", "12/", "12/3", "12/203", "12/20300", "12/1999", "12/2100", "1230 ",
		"12 30", "12/ 30", "-1/30", "+1/30", "1/+30", "12//30", "12.30", "123", "12345", "201330", "200030",
		"２０/30", "12/٣٠", "2030-00", "2030-13", "1299-12", "12/30/1", strings.Repeat("1", 1<<20),
	} {
		e, err := store.ParseExpiry(text)
		require.ErrorIs(t, err, store.ErrExpiry, "%.40q", text)
		require.EqualError(t, err, "The expiration date of card is expired and not valid.")
		require.Equal(t, store.Expiry{}, e)
	}
}

func TestExpired(t *testing.T) {
	t.Parallel()
	e := store.Expiry{Year: 2028, Month: 2}
	last := time.Date(2028, 2, 29, 23, 59, 59, 999999999, time.UTC)
	require.False(t, e.Expired(last))
	require.NoError(t, e.Check(last))
	require.True(t, e.Expired(last.Add(1)))
	require.ErrorIs(t, e.Check(last.Add(1)), store.ErrExpiry)
	east := time.FixedZone("east", 14*60*60)
	require.False(t, e.Expired(time.Date(2028, 3, 1, 13, 59, 59, 0, east)), "the month ends in UTC")
	december := store.Expiry{Year: 2027, Month: 12}
	require.False(t, december.Expired(time.Date(2027, 12, 31, 23, 0, 0, 0, time.UTC)))
	require.True(t, december.Expired(time.Date(2028, 1, 1, 0, 0, 0, 0, time.UTC)))
	require.True(t, store.Expiry{}.Expired(last))
	require.NoError(t, store.Expiry{Year: 2078, Month: 12}.Check(last))
	for _, bad := range []store.Expiry{{}, {Year: 2079, Month: 1}, {Year: 2030}, {Year: 2030, Month: 13}} {
		require.ErrorIs(t, bad.Check(last), store.ErrExpiry, bad.String())
	}
}

func TestExpiryInRecords(t *testing.T) {
	t.Parallel()
	for text, e := range map[string]store.Expiry{`"02/2038"`: {Year: 2038, Month: 2}, `""`: {}} {
		packed, err := json.Marshal(e)
		require.NoError(t, err)
		require.Equal(t, text, string(packed))
		back := store.Expiry{Year: 1, Month: 1}
		require.NoError(t, json.Unmarshal(packed, &back))
		require.Equal(t, e, back)
	}
	var e store.Expiry
	require.ErrorIs(t, json.Unmarshal([]byte(`"13/2038"`), &e), store.ErrExpiry)
	require.Error(t, json.Unmarshal([]byte(`122038`), &e))
}

func FuzzParseExpiry(f *testing.F) {
	for _, text := range []string{"02/38", "2/38", "0238", "022038", "2038-02", "203802", "00/30", "13/30", "12/99"} {
		f.Add(text)
	}
	shape := regexp.MustCompile(`^((0?[1-9]|1[0-2])[/-](20)?[0-9]{2}|(0[1-9]|1[0-2])(20)?[0-9]{2}|` +
		`20[0-9]{2}([/-](0?[1-9]|1[0-2])|(0[1-9]|1[0-2])))$`)
	f.Fuzz(func(t *testing.T, text string) {
		e, err := store.ParseExpiry(text)
		require.Equal(t, shape.MatchString(text), err == nil, "%q", text)
		if err != nil {
			return
		}
		require.True(t, e.Month >= 1 && e.Month <= 12 && e.Year >= 2000 && e.Year <= 2099)
		again, err := store.ParseExpiry(e.String())
		require.NoError(t, err)
		require.Equal(t, e, again)
	})
}

func TestFoldDigits(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"٤١١١ ١١١١": "41111111", "۴۱۱۱-۱۱۱۱": "41111111", "４１１１": "4111", "४१११": "4111",
		"\u200e4111\u00a01111\u202f1111\u20661111\u2069": "4111111111111111",
		"4111–1111—1111\u22121111\t\n":                   "4111111111111111",
		"0123456789":                                     "0123456789", "٠٩۰۹०९０９": "09090909", "12/30": "12/30",
		"abc": "abc", "": "",
		"\u0659\u066a\uff1a①": "\u0659\u066a\uff1a①",
	} {
		require.Equal(t, want, store.FoldDigits(text), "%q", text)
		require.Equal(t, want, store.FoldDigits(want), "folding twice changes nothing")
	}
}

func TestSecretFromConfiguration(t *testing.T) {
	t.Parallel()
	var m store.Merchant
	require.NoError(t, json.Unmarshal([]byte(`{"id":"m","password":"p4ss\u0022"}`), &m))
	require.Equal(t, `p4ss"`, m.Password.Reveal())
	_, err := json.Marshal(m)
	require.ErrorIs(t, err, store.ErrSecret)
	m.Password = store.Secret{}
	packed, err := json.Marshal(m)
	require.NoError(t, err, "without its password a merchant may be written")
	require.NotContains(t, string(packed), "password")
	require.NoError(t, json.Unmarshal([]byte(`{"password":null}`), &m))
	for _, bad := range []string{
		`{"password":73737373}`, `{"password":["p4ssw0rd"]}`, `{"password":{"text":"p4ssw0rd"}}`, `{"password":true}`,
	} {
		err := json.Unmarshal([]byte(bad), &m)
		require.Error(t, err, bad)
		require.NotContains(t, err.Error(), "73737373")
		require.NotContains(t, err.Error(), "p4ssw0rd")
	}
	require.True(t, m.Password.IsZero())
}

func TestCardDataIsNotUnmarshalled(t *testing.T) {
	t.Parallel()
	for _, text := range []string{`"4111111111111111"`, `4111111111111111`, `{"text":"4111111111111111"}`} {
		var pan store.PAN
		var code store.SecurityCode
		for _, err := range []error{json.Unmarshal([]byte(text), &pan), json.Unmarshal([]byte(text), &code)} {
			require.ErrorIs(t, err, store.ErrSecret)
			require.NotContains(t, err.Error(), "4111")
		}
		require.True(t, pan.IsZero() && code.IsZero())
	}
}
