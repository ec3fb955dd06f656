package sdk_test

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/hpf/sdk"
)

// FuzzCard writes any three texts into the card's frame. A card is accepted if and only if the number is 12 to 19
// ASCII digits that pass the Luhn check, the expiry has one of its forms, and the code is three or four digits, or
// absent when the kernel says that it may be. The frame sends no spaces or dashes, and none are accepted. The
// accepted card is the one that was sent, and no answer holds the number or the code.
func FuzzCard(f *testing.F) {
	for _, number := range []string{
		"4111111111111111", "4111 1111 1111 1111", "4111-1111-1111-1111", "4111111111111112", "378282246310005",
		"000000000000", "41111111111", "41111111111111111111",
		"\u0664\u0661\u0661\u0661", "４１１１１１１１１１１１１１１１", " 4111111111111111", "4111111111111111\n", "+4111111111111111",
		"4.111111111111111e15", "6304000000000000", "",
	} {
		f.Add(number, "01/30", "123")
	}
	for _, expiry := range []string{"1/30", "0130", "012030", "2030-01", "203001", "00/30", "13/30", "01/1930", "01/2130",
		"1/3", "01\u2044 30", ""} {
		f.Add("4111111111111111", expiry, "1234")
	}
	for _, code := range []string{"12", "12345", "abc", "１２３", "", "-12", "123\x00"} {
		f.Add("5555555555554444", "12/2038", code)
	}
	expiries := regexp.MustCompile(`\A(?:(?:0?[1-9]|1[0-2])[/-](?:20)?[0-9]{2}|(?:0[1-9]|1[0-2])(?:20)?[0-9]{2}|` +
		`20[0-9]{2}(?:[/-](?:0?[1-9]|1[0-2])|(?:0[1-9]|1[0-2])))\z`)
	codes := regexp.MustCompile(`\A(?:[0-9]{3,4})?\z`)
	f.Fuzz(func(t *testing.T, number, expiry, code string) {
		body, err := json.Marshal(map[string]string{"card_number": number, "expiry": expiry, "cvv": code})
		require.NoError(t, err)
		if len(body) > 1<<10 || strings.ToValidUTF8(number+expiry+code, "\x00") != number+expiry+code ||
			strings.Contains(number+expiry+code, "\x00") {
			t.Skip() // our frames never send it
		}
		kernel := &fake{}
		w := serve(sdk.Handler(kernel, sdk.Options{}), post(string(body)))
		want := luhn(number) && expiries.MatchString(expiry) && codes.MatchString(code)
		require.Equal(t, map[bool]int{true: 200, false: 422}[want], w.Code, "%s", w.Body)
		if want {
			require.Len(t, kernel.cards, 1)
			require.Equal(t, number, kernel.cards[0].Number.Digits())
			require.Equal(t, code, kernel.cards[0].Code.Digits())
		} else {
			require.Empty(t, kernel.cards)
		}
		require.False(t, len(number) > 3 && strings.Contains(w.Body.String(), number))
		require.False(t, code != "" && codes.MatchString(code) && strings.Contains(w.Body.String(), code))
	})
}

var numbers = regexp.MustCompile(`\A[0-9]{12,19}\z`)

// luhn returns the check of ISO/IEC 7812, from the last digit to the first.
func luhn(number string) bool {
	if !numbers.MatchString(number) || strings.Trim(number, "0") == "" {
		return false
	}
	sum := 0
	for i := range len(number) {
		digit := int(number[len(number)-1-i] - '0')
		if i%2 == 1 {
			digit = []int{0, 2, 4, 6, 8, 1, 3, 5, 7, 9}[digit]
		}
		sum += digit
	}
	return sum%10 == 0
}
