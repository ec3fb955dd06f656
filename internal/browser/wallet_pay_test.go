package browser_test

import (
	"testing"

	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store"
)

// testWalletPays: paid, declined and then paid, closed, and what a real shop gets.
func testWalletPays(t *testing.T, b *chromium) {
	eachWallet(t, func(t *testing.T, name, button string) {
		t.Run("paid", func(t *testing.T) {
			t.Parallel()
			s := newWalletSite(t, appleChoice(), googleChoice(), cardChoice())
			p := s.wallets(b, desktop(), true)
			p.open(s.link("en"))
			p.shows(button)                  // which moves the card's fields down
			p.enter(numberField, testNumber) // a card that is typed and not used
			p.pressWallet(button)
			p.opens()
			p.pressWallet(button) // a second press opens nothing
			p.authorise("settles")
			p.arrived(s.site, "success")
			require.Equal(t, store.Settled, s.payment().Status)
			require.Equal(t, 1, s.booked())
			p.quiet()
			got := s.got.all()
			require.Len(t, got, 1)
			require.Equal(t, "true", got[0].Browser["javascript_enabled"])
			require.NotEmpty(t, got[0].Browser["screen_width"])
			require.Empty(t, got[0].Card.PAN.Digits())
			p.open(s.pages + "/page/nothing") // where the notes are kept
			p.completed("success")
			require.Len(t, p.noted("opened"), 1)
			want := `{"apiVersion":2,"apiVersionMinor":0,"paymentMethodData":{"type":"CARD",` +
				`"tokenizationData":{"type":"PAYMENT_GATEWAY","token":"{\"signedMessage\":\"settles\"}"}}}`
			if button == appleButton {
				want = `{"paymentData":{"data":"settles","version":"EC_v1"},"paymentMethod":{"network":"Visa"},` +
					`"transactionIdentifier":"A1"}`
				require.JSONEq(t, `{"merchantIdentifier":"merchant.example.shop","displayName":"Test Shop",
					"initiative":"web","initiativeContext":"127.0.0.1","certificate":"merchant.example.shop"}`,
					p.noted("merchant")[0])
				require.JSONEq(t, `{"countryCode":"DE","currencyCode":"USD","merchantCapabilities":["supports3DS"],
					"supportedNetworks":["visa","masterCard"],
					"total":{"label":"Test Shop","amount":"10.00","type":"final"}}`, p.noted("asked")[0])
			} else {
				require.JSONEq(t, `{"methods":[{"supportedMethods":"https://google.com/pay","data":{
					"environment":"TEST","apiVersion":2,"apiVersionMinor":0,
					"merchantInfo":{"merchantName":"Test Shop"},
					"allowedPaymentMethods":[{"type":"CARD","parameters":{
					"allowedAuthMethods":["PAN_ONLY","CRYPTOGRAM_3DS"],"allowedCardNetworks":["VISA","MASTERCARD"]},
					"tokenizationSpecification":{"type":"PAYMENT_GATEWAY","parameters":{
					"gateway":"tollgate","gatewayMerchantId":"key-1"}}}],
					"transactionInfo":{"currencyCode":"USD","countryCode":"DE","totalPriceStatus":"FINAL","totalPrice":"10.00"}}}],
					"details":{"total":{"label":"Test Shop","amount":{"currency":"USD","value":"10.00"}}}}`, p.noted("asked")[0])
			}
			require.JSONEq(t, want, got[0].WalletToken)
		})
		t.Run("declined, then paid", func(t *testing.T) {
			t.Parallel()
			s := newWalletSite(t, cardChoice(), appleChoice(), googleChoice())
			p := s.wallets(b, phone(), true)
			p.open(s.link("en"))
			p.pressWallet(button)
			p.opens()
			p.authorise("declined")
			p.until(`document.querySelector('[role="alert"]')`)
			require.Contains(t, read[string](p, `document.querySelector('[role="alert"]').textContent`), "Declined")
			p.completed("fail")
			p.pressWallet(button)
			p.opens()
			p.authorise("settles")
			p.arrived(s.site, "success")
			require.Equal(t, 1, s.booked())
			require.Len(t, s.got.all(), 2)
			p.quiet()
		})
		t.Run("closed, then paid by card", func(t *testing.T) {
			t.Parallel()
			s := newWalletSite(t, appleChoice(), googleChoice(), cardChoice())
			p := s.wallets(b, desktop(), true)
			p.open(s.link("en"))
			p.pressWallet(button)
			p.opens()
			read[bool](p, `sheet.dismiss() === undefined`)
			p.until(`!document.querySelector("#pay").getAttribute("aria-busy")`)
			require.False(t, p.inSight(`#wallet-problem`))
			p.pressWallet(button)
			p.until(`JSON.parse(sessionStorage.getItem("notes")).filter(function (n) {
				return n.what === "opened";
			}).length === 2`)
			read[bool](p, `sheet.dismiss() === undefined`)
			p.pay("01/38")
			p.arrived(s.site, "success")
			require.Len(t, s.got.all(), 1)
			p.quiet()
		})
		t.Run("refused before it starts", func(t *testing.T) {
			t.Parallel()
			s := newWalletSite(t, appleChoice(), googleChoice(), cardChoice())
			p := s.wallets(b, desktop(), true)
			p.open(s.link("en"))
			p.pressWallet(button)
			p.opens()
			read[bool](p, `sheet.authorise("refused") === undefined`)
			p.until(`document.activeElement.id === "wallet-problem"`)
			require.Contains(t, read[string](p, `document.activeElement.textContent`), "another way to pay")
			p.completed("fail")
			p.inspect("wallet, refused "+name, "en")
			p.pressWallet(button)
			p.opens()
			p.authorise("settles")
			p.arrived(s.site, "success")
			p.quiet()
		})
		t.Run("on to the bank", func(t *testing.T) {
			t.Parallel()
			s := newWalletSite(t, appleChoice(), googleChoice())
			p := s.wallets(b, desktop(), true)
			p.open(s.link("en"))
			p.pressWallet(button)
			p.opens()
			p.authorise("bank")
			p.onward()
			p.arrived(s.site, "success")
		})
		t.Run("with keys alone", func(t *testing.T) {
			t.Parallel()
			s := newWalletSite(t, appleChoice(), googleChoice(), cardChoice())
			p := s.wallets(b, desktop(), true)
			p.open(s.link("en"))
			p.shows(googleButton)
			p.tabTo(button)
			p.typeText(kb.Enter)
			p.opens()
			p.authorise("settles")
			p.arrived(s.site, "success")
			p.quiet()
		})
	})
}
