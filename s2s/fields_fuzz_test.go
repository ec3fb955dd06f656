package s2s_test

import (
	"encoding/json"
	"net/netip"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/s2s"
)

// fieldModels are the rules of a sale's texts, written again as regular expressions.
var fieldModels = map[string]*regexp.Regexp{
	"payer_first_name": upTo(32), "payer_last_name": upTo(32), "payer_middle_name": upTo(32), "payer_address": upTo(255),
	"payer_address2": upTo(255),
	"payer_city":     upTo(40), "payer_district": upTo(32), "payer_zip": upTo(10), "payer_phone": upTo(32),
	"channel_id":               upTo(16),
	"payer_house_number":       regexp.MustCompile(`\A[\p{L}\p{Nd}/ -]{1,9}\z`),
	"payer_phone_country_code": regexp.MustCompile(`\A[0-9]+(?:-[0-9]+)*\z`),
	"payer_country":            regexp.MustCompile(`\A[A-Z]{2}\z`),
	"payer_birth_date":         regexp.MustCompile(`\A[0-9]{4}-[0-9]{2}-[0-9]{2}\z`),
	"payer_ip":                 regexp.MustCompile(`\A[0-9a-fA-F.:]+\z`),
	"payer_email":              regexp.MustCompile("\\A[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]+@[A-Za-z0-9~-]+(?:\\.[A-Za-z0-9~-]+)+\\z"),
	"card_exp_month":           regexp.MustCompile(`\A(?:0[1-9]|1[0-2])\z`),
	"card_exp_year":            regexp.MustCompile(`\A20[0-9]{2}\z`),
	"card_cvv2":                regexp.MustCompile(`\A[0-9]{3,4}\z`),
	"recurring_init":           regexp.MustCompile(`\A[YN]\z`),
	"payer_present":            regexp.MustCompile(`\A[YN]\z`),
	"moto_type":                regexp.MustCompile(`\A(?:phone_moto|email_moto|default_moto|ecommerce)\z`),
}

// upTo returns a line of at most n characters (decision ca).
func upTo(n int) *regexp.Regexp {
	return regexp.MustCompile(`\A[^\x00-\x1f\x7f-\x{9f}\x{202a}-\x{202e}\x{2066}-\x{2069}]{1,` + itoa(n) + `}\z`)
}

func itoa(n int) string { text, _ := json.Marshal(n); return string(text) }

// necessary are the fields whose expression is not the whole rule.
var necessary = map[string]func(string) bool{
	"payer_phone_country_code": func(v string) bool { return len(v) <= 10 },
	"payer_birth_date":         func(v string) bool { _, err := time.Parse(time.DateOnly, v); return err == nil },
	"payer_ip":                 func(v string) bool { _, err := netip.ParseAddr(v); return err == nil },
}

// FuzzFields writes one text into every field of a sale. Each is refused if and only if an independent expression
// refuses it. For countries and e-mail addresses, which no expression covers, only that direction is tested: a
// text that the expression refuses is refused. Lengths count characters.
func FuzzFields(f *testing.F) {
	for _, text := range []string{
		"John", "Zoë", strings.Repeat("é", 32), strings.Repeat("é", 33), strings.Repeat("😀", 255), strings.Repeat("😀", 256), "a@b.cc", "\"x y\"@ex.com", "a@b.c\r\nBcc: x@y.zz",
		"1990-01-31", "2023-02-29", "2027-1-5", "0000-01-01", "203.0.113.7", "::1", "fe80::1%eth0", "1.2.3.04", "US", "us", "XX", "+1 (234)", "1-809", "1-", "17/2", "01", "12", "13", "1",
		"2038", "1999", "20\u0663\u0668", "123", "12345", "Y", "y", "N", "phone_moto", "PHONE", "4111111111111111", "\u202e", "<script>", "\n", "a\u0085b", "a\u2069b", "a\u200eb",
	} {
		f.Add(text)
	}
	kit := gatewaytest.New(f)
	f.Fuzz(func(t *testing.T, text string) {
		if !utf8.ValidString(text) || strings.Contains(text, "\x00") || text == "" || len(text) > 1500 {
			t.Skip() // refused before fields are checked; an empty text is an absent field
		}
		form := sale("").with("order_id", "") // so that nothing is ever stored
		for name := range fieldModels {
			form[name] = text
		}
		r := s2s.Do(t.Context(), kit.Gateway,
			s2s.Request{Path: "/post", ContentType: "application/x-www-form-urlencoded", Body: []byte(form.encode())})
		require.Equal(t, 400, r.Status, "%s", r.Body)
		var refused struct {
			Errors []struct {
				Text string `json:"error_message"`
			} `json:"errors"`
		}
		require.NoError(t, json.Unmarshal(r.Body, &refused))
		faults := map[string]string{}
		for _, fault := range refused.Errors {
			name, text, _ := strings.Cut(fault.Text, ": ")
			faults[name] = text
		}
		require.Contains(t, faults, "order_id")
		for name, shape := range fieldModels {
			want, also := shape.MatchString(text), necessary[name]
			want = want && (also == nil || also(text))
			if _, refused := faults[name]; name == "payer_country" || name == "payer_email" {
				require.True(t, want || refused, "%s %q", name, text)
			} else {
				require.Equal(t, want, !refused, "%s %q: %s", name, text, faults[name])
			}
		}
	})
}
