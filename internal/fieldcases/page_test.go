package fieldcases_test

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/store"
)

// The form of the hosted page (errors.md, "Checkout hosted-page (form) messages"), where the payer is asked for
// everything that a session may omit.

const (
	noCard   = "Invalid card number"
	noExpiry = "The expiration date of card is expired and not valid."
	noCode   = "Invalid security code"
	noName   = "The name on card field (must contain first and last name; hyphen, apostrophe, diacritics allowed)"
)

var pageFields = []field{
	f("card_number").required().takes("4111 1111 1111 1111", "4111-1111-1111-1111", "5555555555554444", "30569309025904",
		"4000000000000000006").
		refusing(noCard, "4111111111111112", "4222222222222", "40000000000000000002", "411111111111111a", "text"),
	f("expiry").required().takes("01/38", "01 / 38", "03/27").refusing(noExpiry, "02/27", "12/26", "13/38", "00/38", "1",
		"ab/cd", "01/3"),
	f("cvv").required().takes("123", "000").refusing(noCode, "12", "12345", "abc"),
	f("name").required().takes("John Doe", "Mary-Ann O'Neil Jr.", "José Núñez", long(99)+" "+long(100)).refusing(noName,
		"John", "1234 5678", long(100)+" "+long(100)),
	f("payer.card.customer.email").required().takes("a@b.co").refuses("plain", "a@", "a b@c.co", long(255)+"@b.co"),
	f("payer.card.billing_address.country").required().takes("GB", "de").refusing("Please enter a valid Country", "ZZ",
		"USA"),
	f("payer.card.billing_address.address").required().takes(long(255), "ab").refuses("a", long(256)),
	f("payer.card.billing_address.zip").required().takes(long(10), "ab").refuses("a", long(11)),
	f("payer.card.billing_address.city").required().takes(long(40), "ab").refuses("a", long(41)),
	f("payer.card.billing_address.state.US").takes("CA").refuses("XX", "California").
		given("payer.card.billing_address.country", "US").itself(),
	f("payer.card.billing_address.state.US").takes("XX").given("payer.card.billing_address.country", "DE").itself(),
	// not shown there
}

func TestPageFields(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for _, id := range []string{"live", "named"} {
		require.NoError(t, b.SaveMID(t.Context(), store.MID{ID: id, MerchantID: gatewaytest.MerchantID, Name: id,
			Connector: "vcard", AVS: true, ThreeDS: true}))
	}
	require.NoError(t, b.SaveMapping(t.Context(), store.Mapping{MerchantID: gatewaytest.MerchantID,
		Protocol: store.Checkout, RequireName: true}))
	require.NoError(t, b.fill(field{name: "method"}, try{value: "card", ok: true}))
	for _, x := range pageFields {
		if x.need {
			x = x.refuses("", absent)
		}
		for _, c := range x.tries {
			if err := b.fill(x, c); err != nil {
				t.Errorf("%s = %.60v: %v", x.name, c.value, err)
			}
		}
	}
}

// fill sends the form with one value, and reports what is wrong with the answer.
func (b *bench) fill(x field, c try) error {
	link := b.once(subject, func() string {
		r := gatewaytest.Request(b.order(), "10.00")
		r.Customer.Name, r.Customer.Email = "", ""
		return b.SessionOf(b.t, r)
	})
	form := body{
		"attempt": "0", "method": "card", "card_number": "4111 1111 1111 1111", "expiry": "01/38", "cvv": "123",
		"name":                      "John Doe",
		"payer.card.customer.email": email, "payer.card.billing_address.country": "DE",
		"payer.card.billing_address.address": "Way 1",
		"payer.card.billing_address.zip":     "10115", "payer.card.billing_address.city": "Berlin",
	}.with(x.with...).with(x.name, c.value)
	b.writes, b.calls = 0, 0
	status, html := b.post("POST", "/auth/"+link, formType, form.form())
	if c.ok {
		delete(b.kept, subject)
		if status != 303 {
			return fmt.Errorf("%d: %q", status, said(html))
		}
		return nil
	}
	faults := said(html)
	named := status == 422 && len(faults) == 1 && faults[x.name] != ""
	if !named || c.says != "" && faults[x.name] != c.says {
		return fmt.Errorf("%d, not %q: %q", status, c.says, faults)
	}
	if b.writes+b.calls > 0 {
		return fmt.Errorf("%d writes and %d calls for a refusal", b.writes, b.calls)
	}
	return nil
}

var (
	inputs = regexp.MustCompile(`<(?:input|select)[^>]* id="([^"]+)" name="([^"]+)"`)
	wrongs = regexp.MustCompile(`<p class="error" id="([^"]+)-error">([^<\n]+)`)
)

// said returns the page's messages by field.
func said(html string) map[string]string {
	names, faults := map[string]string{}, map[string]string{}
	for _, m := range inputs.FindAllStringSubmatch(html, -1) {
		names[m[1]] = m[2]
	}
	for _, m := range wrongs.FindAllStringSubmatch(html, -1) {
		if text := strings.TrimSpace(m[2]); text != "" {
			faults[names[m[1]]], _ = url.QueryUnescape(strings.NewReplacer("&#39;", "'", "+", "%2B").Replace(text))
		}
	}
	return faults
}
