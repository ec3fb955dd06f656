package browser_test

import (
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store"
)

// testTwice: whatever payers do with one form, they pay once.
func testTwice(t *testing.T, b *chromium) {
	for _, d := range []device{desktop(), desktop().without()} {
		for _, c := range []struct {
			name string
			do   func(s *site, p *tab, link string)
		}{
			{"double click", func(_ *site, p *tab, link string) {
				p.open(link)
				p.fill("01/38")
				p.leave(func() { p.pressTimes(payButton, 2) })
			}},
			{"back and again", func(s *site, p *tab, link string) {
				p.open(link)
				p.pay("01/38")
				p.arrived(s, "success")
				p.back()
				p.again()
			}},
			{"back from the issuer and again", func(_ *site, p *tab, link string) {
				p.open(link)
				p.fill("05/38")
				p.leave(func() { p.press(payButton) })
				if d.noScript {
					p.leave(func() { p.press(goOn) })
				}
				p.until(`document.querySelector(` + quote(confirm) + `)`) // this page does not continue by itself
				p.back()
				p.again()
			}},
			{"two windows", func(s *site, p *tab, link string) {
				other := b.tab(t, d)
				other.t = p.t
				other.open(link)
				other.fill("01/38")
				p.open(link)
				p.pay("01/38")
				p.arrived(s, "success")
				other.leave(func() { other.press(payButton) })
				other.onward()
				other.arrived(s, "success")
			}},
		} {
			t.Run(d.name+"/"+c.name, func(t *testing.T) {
				t.Parallel()
				s, p := newSite(t), b.tab(t, d)
				link := s.session(s.request())
				c.do(s, p, link)
				p.until(`true`)
				p.onward()
				p.arrived(s, "success")
				require.Equal(t, 1, s.booked())
				entries, err := s.acquirer.Ledger(t.Context())
				require.NoError(t, err)
				require.Len(t, entries, 1, "the acquirer was asked once")
				require.Equal(t, store.Settled, s.payment().Status)
				p.quiet()
			})
		}
	}
}

// back presses the browser's back button. The page may come out of the browser's cache, as it was left.
func (p *tab) back() {
	p.t.Helper()
	history := do(p, page.GetNavigationHistory, cdp.Empty{})
	before := history.Entries[history.CurrentIndex-1]
	p.leave(func() { do(p, page.NavigateToHistoryEntry, page.NavigateToHistoryEntryParams{EntryID: before.ID}) })
}

// again pays once more if the browser still shows the form. With JavaScript an old form leaves by itself.
func (p *tab) again() {
	p.t.Helper()
	form := `document.querySelector(` + quote(numberField) + `)`
	if !p.device.noScript {
		p.until(`!` + form)
	} else if p.has(numberField) {
		read[string](p, form+`.value = ""`)
		read[string](p, `document.querySelector(`+quote(expiryField)+`).value = ""`)
		read[string](p, `document.querySelector(`+quote(codeField)+`).value = ""`)
		p.fill("01/38")
		p.leave(func() { p.press(payButton) })
	}
	p.onward()
}
