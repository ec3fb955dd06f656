package fields_test

import (
	"net/netip"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/store"
)

// fieldModel is the rule of one field, written once more: an expression over characters, and what no
// expression says.
type fieldModel struct {
	path  string
	set   func(*gateway.SessionRequest, string)
	shape *regexp.Regexp
	also  func(string) bool
}

// anything is a line of so many characters, whatever they are (decision ca).
func anything(shortest, longest int) *regexp.Regexp {
	const any = `[^\x00-\x1f\x7f-\x{9f}\x{202a}-\x{202e}\x{2066}-\x{2069}]`
	if longest > 1000 { // as far as expressions count
		return regexp.MustCompile(`\A` + any + `{` + strconv.Itoa(shortest) + `,1000}(?:` + any + `{0,` +
			strconv.Itoa(longest-1000) + `})?\z`)
	}
	return regexp.MustCompile(`\A` + any + `{` + strconv.Itoa(shortest) + `,` + strconv.Itoa(longest) + `}\z`)
}

const (
	emailName  = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
	emailLabel = `[A-Za-z0-9](?:[A-Za-z0-9.~-]*[A-Za-z0-9])?`
	emailTop   = `[A-Za-z](?:[A-Za-z0-9.~-]*[A-Za-z])?`
)

// isoCountries are the codes of ISO 3166-1, and XK, which the library knows too.
const isoCountries = "AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN " +
	"BO BQ BR BS BT BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE " +
	"EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU " +
	"ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY " +
	"MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM " +
	"PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS " +
	"ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS " +
	"YE YT ZA ZM ZW XK"

func isCountryCode(text string) bool { return slices.Contains(strings.Fields(isoCountries), text) }

// isPastDay counts days as the calendar has them, up to the clock of the kit and 150 years back.
func isPastDay(text string) bool {
	year, _ := strconv.Atoi(text[:4])
	month, _ := strconv.Atoi(text[5:7])
	day, _ := strconv.Atoi(text[8:])
	if month < 1 || month > 12 || day < 1 {
		return false
	}
	last := []int{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31}[month-1]
	if month == 2 && (year%4 == 0 && year%100 != 0 || year%400 == 0) {
		last++
	}
	return day <= last && year > 2027-150 && text <= "2027-03-10"
}

func isAddress(text string) bool {
	address, err := netip.ParseAddr(text)
	return err == nil && address.Zone() == ""
}

var fieldModels = []fieldModel{
	{"customer.name", func(r *gateway.SessionRequest, v string) { r.Customer.Name = v }, regexp.MustCompile(`\A[A-Za-z '.-]{2,200}\z`), nil},
	{"customer.email", func(r *gateway.SessionRequest, v string) { r.Customer.Email = v },
		regexp.MustCompile(`\A` + emailName + `(?:\.` + emailName + `)*@(?:` + emailLabel + `\.)+` + emailTop + `\z`),
		func(v string) bool { return len(v) <= 255 && !strings.Contains(v, "..") }},
	{"customer.birth_date", func(r *gateway.SessionRequest, v string) { r.Customer.BirthDate = v }, regexp.MustCompile(`\A[0-9]{4}-[0-9]{2}-[0-9]{2}\z`), isPastDay},
	{"customer.ip", func(r *gateway.SessionRequest, v string) { r.Customer.IP = v }, regexp.MustCompile(`\A[0-9a-fA-F.:]{2,45}\z`), isAddress},
	{"billing_address.country", func(r *gateway.SessionRequest, v string) { r.Billing.Country = v }, regexp.MustCompile(`\A[A-Z]{2}\z`), isCountryCode},
	{"billing_address.city", func(r *gateway.SessionRequest, v string) { r.Billing.City = v }, anything(2, 40), nil},
	{"billing_address.address", func(r *gateway.SessionRequest, v string) { r.Billing.Address = v }, anything(2, 255), nil},
	{"billing_address.district", func(r *gateway.SessionRequest, v string) { r.Billing.District = v }, anything(2, 32), nil},
	{"billing_address.house_number", func(r *gateway.SessionRequest, v string) { r.Billing.HouseNumber = v }, regexp.MustCompile(`\A[\p{L}\p{Nd}/ -]{1,9}\z`), nil},
	{"billing_address.zip", func(r *gateway.SessionRequest, v string) { r.Billing.Zip = v }, anything(2, 10), nil},
	{"billing_address.phone", func(r *gateway.SessionRequest, v string) { r.Billing.Phone = v }, regexp.MustCompile(`\A[0-9+()-]{1,32}\z`), nil},
	{"billing_address.phone_country_code", func(r *gateway.SessionRequest, v string) { r.Billing.PhoneCountryCode = v },
		regexp.MustCompile(`\A[0-9]+(?:-[0-9]+)*\z`), func(v string) bool { return len(v) <= 10 }},
	{"billing_address.language", func(r *gateway.SessionRequest, v string) { r.Language = v }, anything(1, 1024), nil},
	{"form_id", func(r *gateway.SessionRequest, v string) { r.Extra.FormID = v }, regexp.MustCompile(`\A[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}\z`), nil},
	{"channel_id", func(r *gateway.SessionRequest, v string) { r.ChannelID = v }, anything(1, 16), nil},
	{"order.number", func(r *gateway.SessionRequest, v string) { r.Order.Number = v }, anything(3, 255), nil},
	{"order.description", func(r *gateway.SessionRequest, v string) { r.Order.Description = v }, anything(2, 1024), nil},
	{"payee.name", func(r *gateway.SessionRequest, v string) {
		r.Operation, r.Extra.Payee = "transfer", &store.Payer{Name: v}
	}, regexp.MustCompile(`\A[A-Za-z '.-]{2,32}\z`), nil},
}

// cardLike finds what free text may not hold; whether it passes as a card is the business of another target.
var cardLike = regexp.MustCompile(`[0-9](?:[ -]?[0-9]){11}`)

// FuzzFields: name, e-mail, birth date, IP, country, city, zip, phone, language, UUID and the other texts of a
// session request are taken exactly where an expression written a second time takes them; lengths count
// characters, and what is taken is never longer in bytes than four for each of them.
func FuzzFields(f *testing.F) {
	for _, text := range []string{
		"John O'Neil-Smith Jr.", "John_Doe", "Zz", "ZA", "Zoë", "Аlice", "Ａlice", "A\u200blice", "\u202eecilA", "A", strings.Repeat("a", 200), strings.Repeat("a", 201), strings.Repeat("é", 255),
		"a@b", "a@b.cc", "\"x y\"@ex.com", "a@b.c\r\nBcc: x@y.zz", strings.Repeat("a", 251) + "@b.cc", "a@ｂ.com", "a@-b.cc", "a.@b.cc", "a@b..cc", "a@b.cc.",
		"1990-01-31", "2023-02-29", "2024-02-29", "0000-01-01", "2027-03-10", "2027-03-11", "1877-12-31", "1878-01-01", "2027-1-5", "２０２０-01-01",
		"203.0.113.7", "::ffff:1.2.3.4", "fe80::1%eth0", "1.2.3.04", "US", "us", "UK", "XX", "USA", "U\u017f", "XK",
		"+1(234)-5", "+1 (234)", "1-809", "+1-809", "1-", "-1", strings.Repeat("1", 32), "17/2", "12Ω", "12A-3\n",
		"019580e4-0000-7000-8000-000000000000", "019580E4-0000-7000-8000-00000000000G", "{019580e4-0000-7000-8000-000000000000}", "urn:uuid:019580e4-0000-7000-8000-000000000000",
		strings.Repeat("😀", 1024), strings.Repeat("😀", 1025), "\x00\x00", "4111 1111 1111 1111", "zh-TW", "<script>", "a\u0085b", "a\u2069b", "a\u200eb",
	} {
		f.Add(text)
	}
	kit := gatewaytest.New(f)
	f.Fuzz(func(t *testing.T, text string) {
		if !utf8.ValidString(text) || text == "" {
			t.Skip() // no protocol lets it in; an empty text is an absent field
		}
		r := gatewaytest.Request("ORD-1", "10.00")
		r.SuccessURL = "" // so that nothing is ever stored
		for _, model := range fieldModels {
			model.set(&r, text)
		}
		_, err := kit.Shop().CreateSession(t.Context(), r)
		require.ErrorIs(t, err, gateway.ErrInvalid)
		faults := map[string]string{}
		for _, fault := range gateway.AsError(err).Faults() {
			require.NotContains(t, faults, fault.Path, "one fault a field")
			faults[fault.Path] = fault.Text
		}
		require.Contains(t, faults, "success_url")
		for _, model := range fieldModels {
			if cardLike.MatchString(text) && faults[model.path] == "must not hold a card number" {
				continue
			}
			want := model.shape.MatchString(text) && (model.also == nil || model.also(text))
			require.Equal(t, want, faults[model.path] == "", "%s %q: %s", model.path, text, faults[model.path])
			require.True(t, !want || len(text) <= 4*1024)
		}
	})
}

// FuzzBirthDate walks through days, of which random texts form few.
func FuzzBirthDate(f *testing.F) {
	for _, day := range []int32{0, 59, 60, 365, -1, 36524, 54000, 54126, 54127} {
		f.Add(day)
	}
	kit := gatewaytest.New(f)
	f.Fuzz(func(t *testing.T, day int32) {
		text := time.Date(1878, 12, 31, 0, 0, 0, 0, time.UTC).AddDate(0, 0, int(day)%80_000).Format(time.DateOnly)
		r := gatewaytest.Request("ORD-1", "10.00")
		r.SuccessURL, r.Customer.BirthDate = "", text
		_, err := kit.Shop().CreateSession(t.Context(), r)
		require.Equal(t, isPastDay(text), !slices.Contains(kerneltest.FaultPaths(err), "customer.birth_date"), text)
	})
}
