package page_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
)

// payerPaths are the fields that the kernel can ask for, in its own order.
var payerPaths = []string{
	"customer.name", "customer.email", "customer.birth_date", "billing_address.country", "billing_address.state",
	"billing_address.city", "billing_address.address", "billing_address.zip", "billing_address.phone_country_code",
	"billing_address.phone",
}

func fieldAction() gateway.NextAction {
	method := card()
	for _, path := range payerPaths {
		optional := path == "billing_address.state" || path == "billing_address.phone_country_code"
		method.Fields = append(method.Fields, gateway.PayerField{Path: path, Required: !optional})
	}
	return methodAction(method)
}

func fieldForm() url.Values {
	form := goodForm()
	for path, value := range map[string]string{
		"customer.name": " Ann  O'Lee ", "customer.email": "ann@shop.example", "customer.birth_date": "1980-02-29",
		"billing_address.country": "US", "billing_address.state.US": "NY", "billing_address.state.CA": "ON",
		"billing_address.city": "New York", "billing_address.address": "1 Main St", "billing_address.zip": "10001",
		"billing_address.phone_country_code": "+1", "billing_address.phone": "(212) 555-01.00",
	} {
		form.Set("payer.card."+path, value)
	}
	return form
}

func TestPayerFieldsAreShown(t *testing.T) {
	t.Parallel()
	body := bodyOf(show(t, fieldAction()))
	for i, c := range []struct{ path, label, autocomplete, more string }{
		{"customer.name", "Full name", "name", `maxlength="200"`},
		{"customer.email", "E-mail", "email", `maxlength="255"`},
		{"customer.birth_date", "Date of birth", "bday", `type="date"`},
		{"billing_address.country", "Country", "country", `required`},
		{}, // the states: five lists
		{"billing_address.address", "Address", "address-line1", `maxlength="255"`},
		{"billing_address.zip", "Zip code", "postal-code", `maxlength="10"`},
		{"billing_address.city", "City", "address-level2", `maxlength="40"`},
		{"billing_address.phone_country_code", "Country calling code (optional)", "tel-country-code", `inputmode="tel"`},
		{"billing_address.phone", "Phone number", "tel-national", `inputmode="tel"`},
	} {
		if c.path == "" {
			continue
		}
		id := fmt.Sprintf("payer-0-%d", i)
		require.Contains(t, body, `<label for="`+id+`">`+c.label+`</label>`)
		found := attributes(t, body, "id", id)
		require.Equal(t, "payer.card."+c.path, found["name"])
		require.Equal(t, c.autocomplete, found["autocomplete"])
		require.Equal(t, id+"-error", strings.Fields(found["aria-describedby"])[0])
		require.Contains(t, body, c.more)
	}
	require.Equal(t, "email", attributes(t, body, "id", "payer-0-1")["inputmode"])
	require.Equal(t, "2026-03-14", attributes(t, body, "id", "payer-0-2")["max"])
	require.Contains(t, body, `<option value="DE">Germany</option>`)
	require.Contains(t, bodyOf(show(t, in("ja", fieldAction()))), `<option value="DE">ドイツ</option>`)
	require.Contains(t, bodyOf(show(t, in("ar", fieldAction()))), `<option value="DE">ألمانيا</option>`)
	require.NotContains(t, bodyOf(show(t, formAction())), "payer-0-")
}

// While the country is not known the page has the states of all countries, and the stylesheet shows one list.
func TestStates(t *testing.T) {
	t.Parallel()
	body := bodyOf(show(t, fieldAction()))
	style, _, _ := strings.Cut(body[strings.Index(body, "page/assets/page."):], `"`)
	css := bodyOf(call(&kernel{}, "GET", "/"+style, ""))
	for _, country := range []string{"AU", "CA", "IN", "JP", "US"} {
		require.Contains(t, body, `<div class="field state state-`+country+`">`)
		require.Equal(t, "address-level1", attributes(t, body, "id", "payer-0-4-"+country)["autocomplete"])
		require.Contains(t, css, `.own:has(option[value="`+country+`"]:checked) .state-`+country)
	}
	require.Contains(t, body, `<option value="NSW">New South Wales</option>`)

	known := methodAction(card())
	known.Country = "CA"
	known.Methods[0].Fields = []gateway.PayerField{{Path: "billing_address.state"}}
	body = bodyOf(show(t, known))
	require.Contains(t, body, `id="payer-0-0-CA" name="payer.card.billing_address.state.CA"`)
	require.NotContains(t, body, "state-CA")
	require.NotContains(t, body, "payer-0-0-US")
	k, form := &kernel{next: known}, goodForm()
	form.Set("payer.card.billing_address.state.CA", "QC")
	require.Equal(t, 303, call(k, "POST", "/auth/"+token, form.Encode()).Code)
	require.Equal(t, map[string]string{"billing_address.state": "QC"}, k.paid[0].Fields)
}

// In every language an empty expiry date is reported as required, with and without the script.
func TestBlankExpiry(t *testing.T) {
	t.Parallel()
	form := goodForm()
	form.Del("expiry")
	for language, want := range map[string]string{
		"en": "Expiry date is required.", "de": "Gültig bis: Bitte füllen Sie dieses Feld aus.",
		"ar": "\u2068تاريخ انتهاء الصلاحية\u2069",
	} {
		body := bodyOf(call(&kernel{next: in(language, formAction())}, "POST", "/auth/"+token, form.Encode()))
		said := attributes(t, body, "id", "expiry")["data-blank"]
		require.Contains(t, said, want)
		require.Contains(t, body, `<p class="error" id="expiry-error">`+said+`</p>`)
	}
}

func TestPayerFieldsAreSent(t *testing.T) {
	t.Parallel()
	k := &kernel{next: fieldAction()}
	w := call(k, "POST", "/auth/"+token, fieldForm().Encode())
	require.Equal(t, 303, w.Code, bodyOf(w))
	require.Equal(t, map[string]string{
		"customer.name": "Ann O'Lee", "customer.email": "ann@shop.example", "customer.birth_date": "1980-02-29",
		"billing_address.country": "US", "billing_address.state": "NY", "billing_address.city": "New York",
		"billing_address.address": "1 Main St", "billing_address.zip": "10001",
		"billing_address.phone_country_code": "1", "billing_address.phone": "(212)555-0100",
	}, k.paid[0].Fields)

	form := fieldForm()
	form.Set("payer.card.billing_address.country", "DE") // its states are not asked for
	require.Equal(t, 303, call(k, "POST", "/auth/"+token, form.Encode()).Code)
	require.Empty(t, k.paid[1].Fields["billing_address.state"])
}

func TestPayerFieldFaults(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ path, value, id, fault string }{
		{"customer.name", "", "payer-0-0", "Full name is required."},
		{"customer.name", "Müller", "payer-0-0", "Please enter a valid Full name"},
		{"customer.name", "A", "payer-0-0", "Please enter a valid Full name"},
		{"customer.name", strings.Repeat("a", 201), "payer-0-0", "Please enter a valid Full name"},
		{"customer.email", "", "payer-0-1", "E-mail is required."},
		{"customer.email", "ann", "payer-0-1", "Please enter a valid E-mail"},
		{"customer.birth_date", "1980-02-30", "payer-0-2", "Please enter a valid Date of birth"},
		{"customer.birth_date", "2026-03-15", "payer-0-2", "Please enter a valid Date of birth"},
		{"customer.birth_date", "1870-01-01", "payer-0-2", "Please enter a valid Date of birth"},
		{"customer.birth_date", "١٩٨٠-٠٢-٢٩", "", ""},
		{"billing_address.country", "", "payer-0-3", "Country is required."},
		{"billing_address.country", "XX", "payer-0-3", "Please enter a valid Country"},
		{"billing_address.country", "us", "", ""},
		{"billing_address.state.US", "", "", ""},
		{"billing_address.state.US", "ON", "payer-0-4-US", "Please enter a valid State"},
		{"billing_address.address", " ", "payer-0-5", "Address is required."},
		{"billing_address.address", "1", "payer-0-5", "Please enter a valid Address"},
		{"billing_address.zip", "12345678901", "payer-0-6", "Please enter a valid Zip code"},
		{"billing_address.city", strings.Repeat("é", 40), "", ""},
		{"billing_address.city", strings.Repeat("é", 41), "payer-0-7", "Please enter a valid City"},
		{"billing_address.phone_country_code", "", "", ""},
		{"billing_address.phone_country_code", "0049", "", ""},
		{"billing_address.phone_country_code", "de", "payer-0-8", "Please enter a valid Country calling code"},
		{"billing_address.phone", "٠٣٠ ١٢٣", "", ""},
		{"billing_address.phone", "call me", "payer-0-9", "Please enter a valid Phone number"},
	} {
		t.Run(c.path+" "+c.value, func(t *testing.T) {
			t.Parallel()
			k, form := &kernel{next: fieldAction()}, fieldForm()
			form.Set("payer.card."+c.path, c.value)
			w := call(k, "POST", "/auth/"+token, form.Encode())
			body := bodyOf(w)
			if c.fault == "" {
				require.Equal(t, 303, w.Code, body)
				return
			}
			require.Equal(t, http.StatusUnprocessableEntity, w.Code)
			require.Empty(t, k.paid)
			require.Contains(t, body, `<p class="error" id="`+c.id+`-error">`+c.fault+`</p>`)
			require.Contains(t, body, `<a href="#`+c.id+`">`+c.fault+`</a>`)
			require.Equal(t, 1, strings.Count(body, `aria-invalid="true"`))
			require.Equal(t, 1, strings.Count(body, " autofocus"))
			require.NotContains(t, body, "4111")
			if !strings.HasPrefix(c.path, "billing_address.country") {
				require.Contains(t, body, `<option value="US" selected>`)
			}
			if c.path != "billing_address.zip" {
				require.Contains(t, body, `value="10001"`)
			}
		})
	}
}

func TestKernelRefusesAField(t *testing.T) {
	t.Parallel()
	for path, fault := range map[string]string{
		"customer.name":         `payer-0-0-error">Please enter a valid Full name<`,
		"billing_address.state": `payer-0-4-US-error">Please enter a valid State<`,
		"billing_address.phone": `payer-0-9-error">Please enter a valid Phone number<`,
		"billing_address.zip":   `payer-0-6-error">Please enter a valid Zip code<`,
	} {
		k := &kernel{next: fieldAction(), payErr: gateway.ErrInvalid.Fields(gateway.Fault{Path: path, Text: "no"})}
		body := bodyOf(call(k, "POST", "/auth/"+token, fieldForm().Encode()))
		require.Contains(t, body, fault)
		require.Equal(t, 1, strings.Count(body, `aria-invalid="true"`), path)
		require.Contains(t, body, `value="Ann O&#39;Lee"`)
		require.Contains(t, body, `<option value="NY" selected>`)
		require.NotContains(t, body, "4111")
	}
}

// The fields of a method that was not chosen are not read. A field that the page does not know is shown as a line
// of text.
func TestFieldsOfTheMethodThatIsChosen(t *testing.T) {
	t.Parallel()
	next := fieldAction()
	other := ips()
	other.Fields = []gateway.PayerField{{Path: "customer.nickname", Required: true}}
	next.Methods = append(next.Methods, other)
	require.Contains(t, bodyOf(show(t, next)), `<label for="payer-1-0">customer.nickname</label>`)
	form := url.Values{"attempt": {"2"}, "method": {"ips"}}
	k := &kernel{next: next}
	require.Contains(t, bodyOf(call(k, "POST", "/auth/"+token, form.Encode())),
		`payer-1-0-error">customer.nickname is required.<`)
	form.Set("payer.ips.customer.nickname", "Al")
	require.Equal(t, 303, call(k, "POST", "/auth/"+token, form.Encode()).Code)
	require.Equal(t, map[string]string{"customer.nickname": "Al"}, k.paid[0].Fields)
}

func TestNeverEchoesACardTypedAsAField(t *testing.T) {
	t.Parallel()
	form := fieldForm()
	for _, path := range payerPaths {
		form.Set("payer.card."+path, "5555 4444 3333 1111")
	}
	require.NotContains(t, bodyOf(call(&kernel{next: fieldAction()}, "POST", "/auth/"+token, form.Encode())), "5555")
}
