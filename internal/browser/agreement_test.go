package browser_test

import (
	"context"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/store"
)

// testAgreement: what payers read before they agree to pay, and where they read it.
func testAgreement(t *testing.T, b *chromium) {
	t.Run("before the button", func(t *testing.T) { t.Parallel(); testBeforeTheButton(t, b) })
	t.Run("looks", func(t *testing.T) { t.Parallel(); testLooks(t, b) })
	t.Run("errors in focus", func(t *testing.T) { t.Parallel(); testErrorInFocus(t, b) })
	t.Run("declined", func(t *testing.T) { t.Parallel(); testDeclineKeeps(t, b) })
}

// subscribing begins a subscription on a schedule whose dates are limited to a month's last day.
func subscribing(s *site, r *gateway.SessionRequest) {
	s.t.Helper()
	set, err := s.Merchant(gatewaytest.TestKey).CreateSchedule(s.t.Context(), store.Schedule{
		Name: "Monthly", IntervalLength: 3, IntervalUnit: store.Month, DayOfMonth: 31, PaymentsCount: 12,
	})
	require.NoError(s.t, err)
	r.Order.Currency, r.Order.Amount = "EUR", "1234.50"
	r.Extra.RecurringInit, r.Extra.ScheduleID, r.Extra.PaymentScheduleAmount = true, set.ID, "2345.00"
}

func subscribingForNothing(s *site, r *gateway.SessionRequest) {
	subscribing(s, r)
	r.Order.Amount = "0.00"
}

// broken is a gateway whose next actions are of no kind.
type broken struct{ *gateway.Gateway }

// NextAction makes the gateway's useless.
func (b broken) NextAction(ctx context.Context, token string) (*gateway.NextAction, error) {
	next, err := b.Gateway.NextAction(ctx, token)
	if err == nil {
		next.Kind = "?"
	}
	return next, err
}

// takesNothing allows payments of zero on the MIDs.
func (s *site) takesNothing() { s.account(func(m *store.MID) { m.ZeroAmount = true }) }

// pocket is a phone as most payers have one.
func pocket() device {
	d := phone()
	d.name, d.width, d.height = "pocket", 390, 844
	return d
}

// The terms come before the button in reading order, and are read with it.
func testBeforeTheButton(t *testing.T, b *chromium) {
	for _, d := range []device{desktop(), pocket(), pocket().without()} {
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			s, p := newSite(t), b.tab(t, d)
			r := s.request()
			subscribing(s, &r)
			p.open(s.session(r))
			told := read[string](p, `document.getElementById("subscription").innerText.replace(/\u00a0/g, " ")`)
			for _, text := range []string{"Today\n€1,234.50", "€2,345.00\nevery 3 months · 12 payments", "contact Test Shop"} {
				require.Contains(t, told, text)
			}
			require.True(t, read[bool](p, `(function () {
				var told = document.getElementById("subscription"), button = document.querySelector("#pay > .button");
				var after = told.compareDocumentPosition(button) & Node.DOCUMENT_POSITION_FOLLOWING;
				return Boolean(after) && told.getBoundingClientRect().bottom <= button.getBoundingClientRect().top &&
					button.getAttribute("aria-describedby") === "subscription";
			})()`))
			require.Equal(t, "Subscribe and pay €1,234.50",
				read[string](p, `document.querySelector("#pay > .button").textContent`))
			p.quiet()
		})
	}
}

// testLooks shows the pages that a payer reads before paying in several languages, sizes and colours. Each fits and
// can be used; TOLLGATE_SHOTS writes pictures.
func testLooks(t *testing.T, b *chromium) {
	for _, language := range []string{"en", "de", "ar", "ja"} {
		for _, d := range lookedAt(language) {
			t.Run(language+"/"+d.name, func(t *testing.T) {
				t.Parallel()
				for _, state := range append(looks(), formStates()[len(formStates())-4:]...) {
					d.noScript, d.language = state.noScript, language
					s, p := newSite(t), b.tab(t, d)
					state.reach(s, p, language)
					p.inspect("look "+state.name, language)
					p.quiet()
				}
			})
		}
	}
}

// lookedAt are the devices of a language: all of them for pictures, otherwise those that no other test has.
func lookedAt(language string) []device {
	switch {
	case os.Getenv("TOLLGATE_SHOTS") != "":
		return []device{pocket(), pocket().dark(), desktop(), desktop().dark()}
	case language == "ja":
		return []device{pocket().dark()}
	}
	return nil
}

func looks() []state {
	return []state{
		{"form", false, "form", numberField, opens(nil, nil)},
		{"declined", false, "form", `[role="alert"]`, opens(nil, submits(gatewaytest.Declines))},
		{"faults", true, "form", `[aria-invalid="true"]`, faults(``)},
		{"problem", false, "problem", `#problem`, func(s *site, p *tab, language string) {
			p.open(s.base + "/broken/auth/" + s.token(s.ready(language, nil, nil)))
		}},
	}
}

// A wrong field looks wrong while it has the focus: on the payment page its edge and its ring have the colour of
// errors, in both colour schemes.
func testErrorInFocus(t *testing.T, b *chromium) {
	for _, d := range []device{desktop(), desktop().dark()} {
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			s, p := newSite(t), b.tab(t, d)
			p.open(s.session(s.request()))
			const ring = `(function () {
				var style = getComputedStyle(document.querySelector("#card_number"));
				return [style.outlineColor, style.borderTopColor].join(" ");
			})()`
			p.press(numberField)
			calm := read[string](p, ring)
			p.enter(numberField, "4111 1111 1111 1112")
			p.press(payButton)
			p.until(`document.activeElement.id === "card_number" &&
				document.activeElement.getAttribute("aria-invalid") === "true"`)
			wrong := read[string](p, `getComputedStyle(document.querySelector("#card_number-error")).color`)
			require.Equal(t, wrong+" "+wrong, read[string](p, ring))
			require.NotEqual(t, calm, read[string](p, ring))
			p.quiet()
		})
	}
}

// A decline keeps what was typed except number and code, and says what to do next.
func testDeclineKeeps(t *testing.T, b *chromium) {
	for _, d := range []device{desktop(), pocket().without()} {
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			s, p := newSite(t), b.tab(t, d)
			named(s, "")
			r := s.request()
			r.Customer.Name = ""
			p.open(s.session(r))
			p.enter(`#name`, "Jane Doe")
			p.pay("02/2038")
			require.Equal(t, "form", p.turn(), p.where())
			require.Equal(t, []string{"", "02/38", "", "Jane Doe"},
				read[[]string](p, `["card_number", "expiry", "cvv", "name"].map(function (id) {
					return document.getElementById(id).value;
				})`))
			require.Contains(t, read[string](p, `document.querySelector('[role="alert"]').innerText`),
				"use another card or ask your bank")
			p.clear(expiryField)
			p.pay("01/2038")
			p.arrived(s, "success")
			require.Equal(t, "Jane Doe", s.payment().Payer.Name)
			p.quiet()
		})
	}
}

// clear empties a field.
func (p *tab) clear(selector string) {
	p.t.Helper()
	read[string](p, `document.querySelector(`+quote(selector)+`).value = ""`)
}
