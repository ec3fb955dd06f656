package page_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

func payoutAction() gateway.NextAction {
	return with(func(t *gateway.NextAction) {
		t.Operation, t.Code, t.NeedName, t.Payee = store.Credit, gateway.CodeNone, false, "Ann Lee"
	})
}

func transferAction() gateway.NextAction {
	return with(func(t *gateway.NextAction) {
		t.Operation, t.NeedPayeeCard, t.NeedAmount, t.NeedName, t.Payee = store.Transfer, true, true, false, "Ann Lee"
		t.Order.Amount, t.TermsURL = "-1", "https://shop.example/terms?a=1&b=2"
	})
}

func savedAction() gateway.NextAction {
	return with(func(t *gateway.NextAction) {
		t.Cards = []gateway.SavedCard{
			{Mask: "555544******3333", Expiry: "02/2026", Brand: "mastercard"}, {Mask: "411111******1111", Expiry: "01/2038", Brand: "visa"},
			{}, {Mask: "371449******8431", Expiry: "03/2026", Brand: "amex"},
		}
	})
}

func TestOperations(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name     string
		next     gateway.NextAction
		has, not []string
	}{
		{"payout", payoutAction(), []string{
			"<title>Receive money from Northwind Ceramics</title>", "<h2>Card to receive the payment</h2>",
			"Receive €1,284.50</button>",
			"Please finish before", `name="card_number"`, `name="expiry"`,
		}, []string{"cvv", "Pay ", "Your bank may ask", "pay before"}},
		{"payout, a choice", with(func(t *gateway.NextAction) {
			t.Operation, t.Code, t.Methods = store.Credit, gateway.CodeNone, []gateway.MethodChoice{card(), ips()}
		}), []string{"How would you like to receive the money?"}, []string{"cvv", "Your bank may ask"}},
		{"transfer", transferAction(), []string{
			"<title>Send money with Northwind Ceramics</title>", "<h2>Recipient: <bdi>Ann Lee</bdi></h2>",
			"<h2>Your card</h2>", ">Send money</button>",
			`id="payee_card" name="payee_card" type="text" inputmode="numeric" autocomplete="off"`, "<bdi>EUR</bdi>",
			"For example 25.00",
			`id="amount" name="amount" type="text" inputmode="decimal"`, `name="cvv"`,
			`<input id="terms" name="terms" type="checkbox" value="yes" required`, "I agree to the Terms and Conditions</label>",
			`href="https://shop.example/terms?a=1&amp;b=2" target="_blank" rel="noopener noreferrer"`,
		}, []string{"-1 EUR", "Pay ", " checked"}},
		{"transfer of a known amount", with(func(t *gateway.NextAction) { t.Operation, t.NeedPayeeCard = store.Transfer, true }),
			[]string{"Send €1,284.50</button>", "<h2>Recipient</h2>"}, []string{`name="amount"`, `name="terms"`}},
		{"crypto without an amount", with(func(t *gateway.NextAction) {
			t.Order.Amount, t.Order.Currency = "", "USDT"
			t.Methods = []gateway.MethodChoice{{Code: "usdt", Name: "Tether", Kind: methods.KindCrypto}}
		}), []string{">USDT</data>", "You enter the amount on the next page.", ">Continue</button>"}, []string{"Pay USDT"}},
		{"by telephone", with(func(t *gateway.NextAction) { t.Code = gateway.CodeOptional }),
			[]string{`<label for="cvv">Security code (optional)</label>`}, []string{`autocomplete="cc-csc" dir="ltr" required`,
				"Your bank may ask"}},
		{"crypto, when there is an address", with(func(t *gateway.NextAction) {
			t.Kind, t.Order.Amount, t.Order.Currency, t.Display = gateway.ActionDisplay, "", "USDT", codeAction().Display
		}), []string{">USDT</data>"}, []string{"on the next page"}},
		{"saved cards", savedAction(), []string{"<legend>Choose a card</legend>"}, []string{"<h2>"}},
		{"transfer from a saved card", with(func(t *gateway.NextAction) { *t = transferAction(); t.Cards = savedAction().Cards }),
			[]string{"<h2>Your card</h2>", "<legend>Choose a card</legend>"}, nil},
		{"purchase", formAction(), []string{`autocomplete="cc-csc" dir="ltr" required`, `<label for="cvv">Security code</label>`},
			[]string{"amount-hint", "payee", "terms", `name="saved"`}},
		{"hostile terms", with(func(t *gateway.NextAction) { t.TermsURL = "javascript:alert(1)" }),
			[]string{`name="terms"`}, []string{"javascript:", `target="_blank"`}},
		{"German payout", in("de", payoutAction()), []string{"<title>Geld erhalten von Northwind Ceramics</title>", "1.284,50\u00a0€ erhalten</button>"}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			body := bodyOf(show(t, c.next))
			for _, text := range c.has {
				require.Contains(t, body, text)
			}
			for _, text := range c.not {
				require.NotContains(t, body, text)
			}
		})
	}
}

func transferForm() url.Values {
	form := goodForm()
	form.Set("amount", "12.5")
	form.Set("payee_card", "5555 5555 5555 4444")
	form.Set("terms", "yes")
	return form
}

func TestTransferIsSent(t *testing.T) {
	t.Parallel()
	k := &kernel{next: transferAction()}
	w := call(k, "POST", "/auth/"+token, transferForm().Encode())
	require.Equal(t, 303, w.Code, bodyOf(w))
	require.Equal(t, "12.50", k.paid[0].Amount)
	require.Equal(t, "5555555555554444", k.paid[0].PayeeCard.Digits())
	require.True(t, k.paid[0].Terms)
	require.Equal(t, "4111111111111111", k.paid[0].Card.PAN.Digits())

	for _, c := range []struct{ field, value, path, fault string }{
		{"amount", "", "amount", "Please enter a valid amount."},
		{"amount", "1,000", "order.amount", "Please enter a valid amount."},
		{"payee_card", "5555 5555 5555 4445", "payee.card_number", "Recipient’s card number: this is not valid."},
		{"terms", "", "terms", "Please agree to the Terms and Conditions."},
	} {
		refused := func(k *kernel, form url.Values) string {
			w := call(k, "POST", "/auth/"+token, form.Encode())
			require.Equal(t, 422, w.Code, c.field)
			require.Contains(t, bodyOf(w), `id="`+c.field+`-error">`+c.fault+`<`)
			require.Contains(t, bodyOf(w), `<a href="#`+c.field+`">`+c.fault+`</a>`)
			require.Equal(t, 1, strings.Count(bodyOf(w), ` aria-invalid="true"`))
			require.NotContains(t, bodyOf(w), "4111")
			require.NotContains(t, bodyOf(w), "5555")
			return bodyOf(w)
		}
		form := transferForm()
		form.Set(c.field, c.value)
		body := refused(&kernel{next: transferAction()}, form)
		if c.field != "amount" {
			require.Contains(t, body, `value="12.5"`)
		}
		if c.field != "terms" {
			require.Contains(t, body, `value="yes" required aria-describedby="terms-error" `+
				`data-error="Please agree to the Terms and Conditions." checked`)
		}
		refused(&kernel{next: transferAction(), payErr: gateway.ErrInvalid.Fields(gateway.Fault{Path: c.path, Text: "no"})},
			transferForm())
	}
}

func TestSecurityCodeIsNotAlwaysAskedFor(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		need   gateway.CodeNeed
		typed  string
		status int
		sent   string
	}{
		{gateway.CodeNeeded, "", 422, ""}, {gateway.CodeOptional, "", 303, ""}, {gateway.CodeOptional, "123", 303, "123"},
		{gateway.CodeOptional, "12", 422, ""}, {gateway.CodeNone, "123", 303, ""}, {gateway.CodeNone, "", 303, ""},
	} {
		k, form := &kernel{next: with(func(t *gateway.NextAction) { t.Code = c.need })}, goodForm()
		form.Set("cvv", c.typed)
		require.Equal(t, c.status, call(k, "POST", "/auth/"+token, form.Encode()).Code, c)
		if c.status == 303 {
			require.Equal(t, c.sent, k.paid[0].Card.Code.Digits(), c)
		}
	}
}

func TestSavedCards(t *testing.T) {
	t.Parallel()
	body := bodyOf(show(t, savedAction()))
	require.Contains(t, body, `id="saved-2" name="saved" value="2" data-digits="3" checked`)
	require.Contains(t, body, `alt="Visa" width="38" height="24"> <bdi dir="ltr">•••• 1111, 01/2038</bdi>`)
	require.Contains(t, body, `id="saved-4" name="saved" value="4" data-digits="4">`)
	require.Contains(t, body, `<label for="saved-0">Another card</label>`)
	require.NotContains(t, body, "3333", "expired")
	require.NotContains(t, body, "saved-3", "gone")
	require.Equal(t, 1, strings.Count(body, " checked"))

	for _, c := range []struct {
		name, saved, code string
		status, place     int
		number            string
	}{
		{"first that can be used", "", "123", 303, 2, ""},
		{"chosen", "4", "1234", 303, 4, ""},
		{"another", "0", "123", 303, 0, "4111111111111111"},
		{"without code", "2", "", 422, 0, ""},
		{"expired", "1", "123", 422, 0, ""},
		{"gone", "3", "123", 422, 0, ""},
		{"beyond", "5", "123", 422, 0, ""},
		{"negative", "-1", "123", 422, 0, ""},
		{"no number", "x", "123", 422, 0, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			k, form := &kernel{next: savedAction()}, goodForm()
			form.Set("saved", c.saved)
			form.Set("cvv", c.code)
			w := call(k, "POST", "/auth/"+token, form.Encode())
			require.Equal(t, c.status, w.Code)
			require.NotContains(t, bodyOf(w), "4111 ")
			if c.status != 303 {
				require.Empty(t, k.paid)
				return
			}
			require.Equal(t, c.place, k.paid[0].Saved)
			require.Equal(t, c.number, k.paid[0].Card.PAN.Digits())
			require.Equal(t, c.code, k.paid[0].Card.Code.Digits())
			require.Equal(t, c.place == 0, k.paid[0].Card.Holder != "")
		})
	}
	k, form := &kernel{next: savedAction()}, goodForm()
	form.Set("saved", "4")
	form.Set("cvv", "1")
	require.Contains(t, bodyOf(call(k, "POST", "/auth/"+token, form.Encode())), `value="4" data-digits="4" checked`)
}

// The kernel's faults of a saved card are not shown beside hidden fields.
func TestKernelRefusesASavedCard(t *testing.T) {
	t.Parallel()
	form := goodForm()
	form.Del("card_number")
	form.Del("expiry")
	form.Set("saved", "2")
	for path, fault := range map[string]string{
		"expiry": "This payment cannot be made with this card.", "card_number": "This payment cannot be made with this card.",
		"card_cvv2": `cvv-error">Invalid security code<`,
	} {
		k := &kernel{next: savedAction(), payErr: gateway.ErrInvalid.Fields(gateway.Fault{Path: path, Text: "no"})}
		body := bodyOf(call(k, "POST", "/auth/"+token, form.Encode()))
		require.Contains(t, body, fault)
		require.NotContains(t, body, `href="#expiry"`)
		require.NotContains(t, body, `href="#card_number"`)
		require.Contains(t, body, `value="2" data-digits="3" checked`)
	}
}

// A payout to saved cards asks for the expiry of one of them, and for nothing else of a card (decision aw).
func TestPayoutToSavedCards(t *testing.T) {
	t.Parallel()
	next := with(func(t *gateway.NextAction) {
		t.Operation, t.Payee, t.Code = store.Credit, "Jane Roe", gateway.CodeNone
		t.Cards = []gateway.SavedCard{{Mask: "411111******1111", Expiry: "01/2038", Brand: "visa"}}
	})
	k := &kernel{next: next}
	body := bodyOf(call(k, "GET", "/auth/"+token, ""))
	require.Contains(t, body, `name="saved" value="1"`)
	require.Contains(t, body, `name="expiry"`)
	for _, absent := range []string{`name="card_number"`, `name="cvv"`, `id="saved-0"`} {
		require.NotContains(t, body, absent)
	}
	for _, c := range []struct {
		name, expiry, saved string
		code                int
	}{
		{"blank", "", "1", 422}, {"expired", "01/20", "1", 422}, {"another card", "05/31", "0", 422}, {"whole", "05/31", "1", 303}, {"the only one", "05/31", "", 303},
	} {
		k := &kernel{next: next}
		form := url.Values{"attempt": {"2"}, "expiry": {c.expiry}, "saved": {c.saved}, "card_number": {"4111111111111111"},
			"cvv": {"123"}}
		require.Equal(t, c.code, call(k, "POST", "/auth/"+token, form.Encode()).Code, c.name)
		if c.code == 422 {
			require.Empty(t, k.paid, c.name)
			continue
		}
		require.Equal(t, 1, k.paid[0].Saved)
		require.Equal(t, methods.Card{Expiry: store.Expiry{Month: 5, Year: 2031}}, k.paid[0].Card, c.name)
	}
}
