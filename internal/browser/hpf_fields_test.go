package browser_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/store"
)

// TestHostedFields drives the fields of a card on a merchant's page.
func TestHostedFields(t *testing.T) {
	b := start(t)
	t.Run("success", func(t *testing.T) { t.Parallel(); testFieldsSuccess(t, b) })
	t.Run("reference", func(t *testing.T) { t.Parallel(); testFieldsOfTheReference(t, b) })
	t.Run("undefined", func(t *testing.T) { t.Parallel(); testFieldsUndefined(t, b) })
	t.Run("formats", func(t *testing.T) { t.Parallel(); testFieldsFormats(t, b) })
	t.Run("autofill", func(t *testing.T) { t.Parallel(); testFieldsAutofill(t, b) })
	t.Run("phone", func(t *testing.T) { t.Parallel(); testFieldsPhone(t, b) })
	t.Run("config", func(t *testing.T) { t.Parallel(); testFieldsConfig(t, b) })
	t.Run("style", func(t *testing.T) { t.Parallel(); testFieldsStyle(t, b) })
	t.Run("looks", func(t *testing.T) { t.Parallel(); testFieldsLooks(t, b) })
	t.Run("MOTO", func(t *testing.T) { t.Parallel(); testFieldsMOTO(t, b) })
	t.Run("hostile", func(t *testing.T) { t.Parallel(); testFieldsHostile(t, b) })
}

// testFieldsSuccess: only the gateway gets the card; the page gets the state of the fields, but not their content.
func testFieldsSuccess(t *testing.T, b *chromium) {
	for _, c := range []struct{ name, make string }{
		{"class", "new HostedFields()"}, {"object", "HostedFields"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := newFieldsSite(t)
			p := s.pay(b, desktop(), c.make, "")
			frames := []*tab{s.frame(p, "card"), s.frame(p, "expiry"), s.frame(p, "cvv")}
			for _, f := range frames {
				f.listen()
			}
			p.typeInto("card", "4111111111111111")
			p.typeInto("expiry", "1/30")
			p.typeInto("cvv", "123")
			p.until(`log.includes('cvv input {"valid":true}')`)
			require.Equal(t, outcomeOf{"success", ""}, p.collect())
			require.Equal(t, "4111 1111 1111 1111",
				read[string](frames[0], `document.activeElement.value || document.getElementById("card").value`))

			cards := s.kept()
			require.Len(t, cards, 1)
			require.Equal(t, "4111111111111111", cards[0].Number.Digits())
			require.Equal(t, "01/2030", cards[0].Expiry.String())
			require.Equal(t, "123", cards[0].Code.Digits())

			log := read[[]string](p, `log`)
			for _, want := range []string{
				`card focus`, `card input {"valid":false}`, `card input {"valid":true}`, `card blur`, `expiry focus`,
				`expiry input {"valid":true}`, `expiry blur`, `cvv focus`, `cvv input {"valid":false}`, `cvv input {"valid":true}`,
			} {
				require.Contains(t, log, want)
			}
			s.nothingLeaked(p)
			p.quiet()
			for _, f := range frames {
				f.quiet()
			}
		})
	}
}

// testFieldsOfTheReference: the page that the reference shows says what is wrong with a card, and pays with the next.
func testFieldsOfTheReference(t *testing.T, b *chromium) {
	text, err := os.ReadFile("../../docs/reference/hosted-fields.md")
	require.NoError(t, err)
	_, code, found := strings.Cut(string(text), "```html\n")
	require.True(t, found)
	code, _, _ = strings.Cut(code, "```")
	s, p := newFieldsSite(t), b.tab(t, desktop())
	s.shown = `<!doctype html><html lang="en"><title>Pay</title><link rel="icon" href="data:,">` +
		strings.NewReplacer("http://localhost:8080", s.base, "TOKEN", fieldsToken(fieldsSession)).Replace(code)
	p.open(s.shop + "/shown")
	says := `document.querySelector('output').textContent`
	p.until(`document.querySelectorAll('iframe').length === 3`)
	p.until(`(document.querySelector('button').click(), ` + says + ` === 'Invalid card number')`)
	for _, field := range [][2]string{{"card", "4111111111111111"}, {"expiry", "0138"}, {"cvv", "123"}} {
		p.press("#" + field[0] + " iframe")
		p.until(`document.activeElement === document.querySelector('#` + field[0] + ` iframe')`)
		p.typeText(field[1])
	}
	p.press("button")
	p.until(`location.pathname === '/paid'`)
	require.Len(t, s.kept(), 1)
	require.Equal(t, "4111111111111111", s.kept()[0].Number.Digits())
	require.Len(t, s.holding("shop", "POST /paid"), 1)
	require.Empty(t, s.holding("shop", "411111"))
}

// nothingLeaked checks that digits of the card are in one request to the gateway, and in no message to the page.
func (s *fieldsSite) nothingLeaked(p *tab) {
	s.t.Helper()
	require.Len(s.t, s.holding("gateway", "4111111111111111"), 1)
	require.Contains(s.t, s.holding("gateway", "4111111111111111")[0], "POST /sdk/collect")
	require.Contains(s.t, s.holding("gateway", `"cvv":"123"`)[0], "POST /sdk/collect")
	require.NotEmpty(s.t, s.holding("shop", "GET /pay"), "the shop is listened to")
	require.Empty(s.t, append(s.holding("shop", "411111"), s.holding("stranger", "411111")...))
	heard := strings.Join(read[[]string](p, `heard`), "\n")
	require.Contains(s.t, heard, `"ready"`, "the page is listened to")
	for _, digits := range []string{"4111", "1111", "01/30", "1/30", "123"} {
		require.NotContains(s.t, heard, digits)
	}
}

// testFieldsUndefined: a card that cannot be saved gives an error, and the wrong field is marked.
func testFieldsUndefined(t *testing.T, b *chromium) {
	for _, c := range []struct {
		name, number, expiry, code string
		fault                      error
		message                    string
		bad                        string // field
	}{
		{"nothing typed", "", "", "", nil, "Invalid card number", "card"},
		{"check digit", "4111111111111112", "01/30", "123", nil, "Invalid card number", "card"},
		{"expired", "4111111111111111", "01/20", "123", nil, "The expiration date of card is expired and not valid.", "expiry"},
		{"short code", "4111111111111111", "01/30", "12", nil, "Invalid security code", "cvv"},
		{"gateway minds the card", "4111111111111111", "01/30", "123", store.ErrExpiry, "The expiration date of card is expired and not valid.", ""},
		{"session is over", "4111111111111111", "01/30", "123", gateway.ErrNoSession, "The payment session is not valid or has expired.", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := newFieldsSite(t)
			s.fault = c.fault
			p := s.pay(b, desktop(), "HostedFields", "")
			for _, field := range [][2]string{{"card", c.number}, {"expiry", c.expiry}, {"cvv", c.code}} {
				if field[1] != "" {
					p.typeInto(field[0], field[1])
				}
			}
			require.Equal(t, outcomeOf{"undefined", c.message}, p.collect())
			require.Empty(t, s.kept())
			if c.bad != "" {
				require.Equal(t, "true", read[string](s.frame(p, c.bad),
					`document.getElementById(`+quote(c.bad)+`).getAttribute("aria-invalid")`))
				require.Equal(t, c.message, read[string](s.frame(p, c.bad), `document.getElementById("error").textContent`))
			}
			p.quiet()
		})
	}
	t.Run("unknown session", func(t *testing.T) {
		t.Parallel()
		s, p := newFieldsSite(t), b.tab(t, desktop())
		p.open(s.shop + "/pay")
		config := strings.Replace(s.config(""), fieldsToken(fieldsSession), fieldsToken("other"), 1)
		read[bool](p, setUp+`(function () { return new HostedFields(); }, `+config+`)`)
		require.Equal(t, outcomeOf{"undefined", "The card fields are not ready."}, p.collect())
	})
}

// testFieldsFormats: what is typed or pasted is formatted as on the payment page. A frame formats by itself,
// whatever page contains it.
func testFieldsFormats(t *testing.T, b *chromium) {
	for _, c := range []struct {
		name, field, text string
		pasted            bool
		want              string
	}{
		{"number", "card", "4111111111111111", false, "4111 1111 1111 1111"},
		{"number with dashes", "card", "4111-1111-1111-1111", true, "4111 1111 1111 1111"},
		{"Amex", "card", "378282246310005", false, "3782 822463 10005"},
		{"month without a zero", "expiry", "1/30", false, "01/30"},
		{"whole year", "expiry", "01/2030", true, "01/30"},
		{"year first", "expiry", "2030-01", true, "01/30"},
		{"code", "cvv", "12a34567", false, "1234"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s, p := newFieldsSite(t), b.tab(t, desktop())
			p.open(s.base + "/sdk/frame/" + c.field + ".html?session=" + fieldsSession)
			p.press("#" + c.field)
			if c.pasted {
				p.paste(c.text)
			} else {
				p.typeText(c.text)
			}
			require.Equal(t, c.want, read[string](p, `document.activeElement.value`))
			require.Equal(t, len(c.want), read[int](p, `document.activeElement.selectionStart`))
			if c.name == "Amex" {
				require.Equal(t, "amex", read[string](p, `logo.alt`))
				p.until(`logo.naturalWidth > 0 && logo.src.includes("amex")`)
			}
			failing, _ := p.axe()
			require.Subset(t, []string{"landmark-one-main", "page-has-heading-one", "region"}, names(failing),
				"rules of whole pages do not hold a frame")
			p.quiet()
		})
	}
	t.Run("caret in the middle", func(t *testing.T) {
		t.Parallel()
		s, p := newFieldsSite(t), b.tab(t, desktop())
		p.open(s.base + "/sdk/frame/card.html?session=" + fieldsSession)
		p.press("#card")
		p.typeText("411111111111111")
		read[bool](p, `card.setSelectionRange(6, 6) === undefined`)
		p.typeText("2")
		require.Equal(t, "4111 1211 1111 1111", read[string](p, `card.value`))
		require.Equal(t, 7, read[int](p, `card.selectionStart`))
	})
}

// testFieldsAutofill: a date that the browser fills in beside the number goes into the right field, repeatedly.
func testFieldsAutofill(t *testing.T, b *chromium) {
	s := newFieldsSite(t)
	p := s.pay(b, desktop(), "HostedFields", "")
	card, expiry := s.frame(p, "card"), s.frame(p, "expiry")
	for text, want := range map[string]string{"01/2030": "01/30", "2031-02": "02/31"} {
		read[bool](card, `(relay.value = `+quote(text)+`, relay.dispatchEvent(new Event("input")))`)
		require.Equal(t, want, read[string](expiry, `document.getElementById("expiry").value`))
		require.Empty(t, read[string](card, `relay.value`))
	}
	p.until(`log.includes('expiry input {"valid":true}')`)
	p.quiet()
}

// testFieldsPhone: on the narrowest screen, in the page of a shop.
func testFieldsPhone(t *testing.T, b *chromium) {
	s := newFieldsSite(t)
	p := s.pay(b, phone(), "HostedFields", "")
	require.Zero(t, p.overflow())
	p.typeInto("card", "4111111111111111")
	p.typeInto("expiry", "0130")
	p.typeInto("cvv", "123")
	require.Equal(t, outcomeOf{"success", ""}, p.collect())
	for _, kind := range []string{"card", "expiry", "cvv"} {
		require.LessOrEqual(t, read[int](s.frame(p, kind), `document.documentElement.scrollWidth - innerWidth`), 0)
		require.Equal(t, 46, p.number(`document.querySelector("#`+kind+` iframe").clientHeight`), "as high as the element")
		require.NotEmpty(t, read[string](p, `document.querySelector("#`+kind+` iframe").title`))
	}
	p.quiet()
}

// testFieldsConfig: a wrong configuration throws at once and says what is wrong.
func testFieldsConfig(t *testing.T, b *chromium) {
	s, p := newFieldsSite(t), b.tab(t, desktop())
	p.open(s.shop + "/pay")
	token := `sessionToken: ` + quote(fieldsToken(fieldsSession))
	for config, want := range map[string]string{
		``:                                       `HostedFields: init needs a configuration object`,
		`[]`:                                     `HostedFields: init needs a configuration object`,
		`{}`:                                     `HostedFields: config.sessionToken is not a token of POST /api/v1/session/token`,
		`{ sessionToken: "<>" }`:                 `HostedFields: config.sessionToken is not a token of POST /api/v1/session/token`,
		`{ ` + token + ` }`:                      `HostedFields: config.fields is missing`,
		`{ ` + token + `, fields: { cvc: {} } }`: `HostedFields: config.fields.cvc is no field; there are card, expiry and cvv`,
		`{ ` + token + `, fields: { } }`:         `HostedFields: config.fields.card is missing`,
		`{ ` + token + `, fields: { card: {} } }`:                                                                     `HostedFields: config.fields.card.id must be the id of an element of the page`,
		`{ ` + token + `, fields: { card: { id: "nowhere" } } }`:                                                      `HostedFields: config.fields.card.id: the page has no element with the id "nowhere"`,
		`{ ` + token + `, fields: { card: { id: "card", placeholder: 1 } } }`:                                         `HostedFields: config.fields.card.placeholder must be a string`,
		`{ ` + token + `, fields: { card: { id: "card" }, expiry: { id: "card" }, cvv: { id: "cvv" } } }`:             `HostedFields: config.fields: every field needs an element of its own`,
		`{ ` + token + `, fields: { card: { id: "card", label: 1 }, expiry: { id: "expiry" }, cvv: { id: "cvv" } } }`: `HostedFields: config.fields.card.label must be a string`,
	} {
		require.Equal(t, want, read[string](p, `(function () {
			try { new HostedFields().init(`+config+`); return "no error"; } catch (e) { return e.message; }
		})()`), config)
	}
	require.Equal(t, "HostedFields: call init before collectIframesData",
		read[string](p, `(function () {
			try { HostedFields.collectIframesData(); return "no error"; } catch (e) { return e.message; }
		})()`))
	require.Zero(t, p.number(`document.querySelectorAll("iframe").length`), "nothing happens before all is checked")
	p.quiet()
}
