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

func card() gateway.MethodChoice {
	return gateway.MethodChoice{Code: "card", Name: "Card", Kind: methods.KindCard}
}

func ips() gateway.MethodChoice {
	return gateway.MethodChoice{Code: "ips", Name: "IPS", Kind: methods.KindQR}
}

func papara() gateway.MethodChoice {
	return gateway.MethodChoice{Code: "papara", Name: "Papara", Kind: methods.KindRedirect, Prompts: []store.Prompt{
		{Name: "member.id", Label: "Member number", Pattern: "[0-9]{6,10}"}, {Name: "Email", Label: "E-mail"}, {Name: "login_otp"},
	}}
}

func methodAction(list ...gateway.MethodChoice) gateway.NextAction {
	return with(func(t *gateway.NextAction) { t.Methods = list })
}

func choiceAction() gateway.NextAction { return methodAction(card(), ips(), papara()) }

func paparaForm() url.Values {
	return url.Values{"attempt": {"2"}, "method": {"papara"}, "ask.papara.member.id": {" 123-456 "},
		"ask.papara.Email": {"a@b.example"}, "ask.papara.login_otp": {"77x"}}
}

func TestChoiceIsShown(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name     string
		next     gateway.NextAction
		has, not []string
	}{
		{
			name: "several", next: choiceAction(),
			has: []string{
				"<legend>How would you like to pay?</legend>",
				`<input type="radio" id="method-0" name="method" value="card" checked>`,
				`<input type="radio" id="method-1" name="method" value="ips">`, `<label for="method-1"><bdi>IPS</bdi></label>`,
				`<label for="ask-2-0">Member number</label>`, `<label for="ask-2-2">login_otp</label>`,
				`id="ask-2-0" name="ask.papara.member.id" type="text" inputmode="numeric" autocomplete="off" pattern="[0-9]{6,10}"`,
				`name="ask.papara.Email" type="text" inputmode="email" autocomplete="email" required`,
				`name="ask.papara.login_otp" type="text" inputmode="text" autocomplete="one-time-code"`,
				"You finish the payment on the page of Papara.", "You get a QR code to scan.", "Your bank may ask",
				"Pay €1,284.50</button>",
			},
			not: []string{"Card details", `type="hidden" name="method"`},
		},
		{
			name: "the card alone", next: methodAction(card()),
			has: []string{"<h2>Card details</h2>", `<input type="hidden" name="method" value="card">`, `name="card_number"`},
			not: []string{"<legend>", `type="radio"`},
		},
		{
			name: "another alone", next: methodAction(papara()),
			has: []string{"<h2><bdi>Papara</bdi></h2>", `<input type="hidden" name="method" value="papara">`,
				`name="ask.papara.Email"`, "Pay €1,284.50</button>"},
			not: []string{"card_number", "cvv", `type="radio"`, "Your bank may ask"},
		},
		{
			name: "no name", next: methodAction(gateway.MethodChoice{Code: "c0de", Kind: methods.KindLink}),
			has: []string{"<h2><bdi>c0de</bdi></h2>", "You get a link"},
		},
		{
			name: "two take cards, one set of fields", next: methodAction(card(), gateway.MethodChoice{Code: "vcard", Name: "V",
				Kind: methods.KindCard}),
			has: []string{`class="method with-card"`, `class="method other-card"`},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			body := bodyOf(show(t, c.next))
			for _, text := range c.has {
				require.Equal(t, 1, strings.Count(body, text), text)
			}
			for _, text := range c.not {
				require.NotContains(t, body, text)
			}
			require.LessOrEqual(t, strings.Count(body, ` id="card_number"`), 1)
			require.Equal(t, 1, strings.Count(body, `class="button"`))
		})
	}
}

func TestMethodIsSent(t *testing.T) {
	t.Parallel()
	both := paparaForm()
	for name, values := range goodForm() {
		both[name] = values
	}
	pay := func(next gateway.NextAction, form url.Values) gateway.Submission {
		k := &kernel{next: next}
		w := call(k, "POST", "/auth/"+token, form.Encode())
		require.Equal(t, 303, w.Code, bodyOf(w))
		require.Len(t, k.paid, 1)
		return k.paid[0]
	}
	got := pay(choiceAction(), both)
	require.Equal(t, "papara", got.Method)
	require.Equal(t, methods.Card{}, got.Card, "a card typed before the choice is not sent")
	require.Equal(t, map[string]string{"member.id": "123456", "Email": "a@b.example", "login_otp": "77x"}, got.Answers)

	both.Set("method", "card")
	got = pay(choiceAction(), both)
	require.Equal(t, "card", got.Method)
	require.Equal(t, "4111111111111111", got.Card.PAN.Digits())
	require.Empty(t, got.Answers)

	both.Del("method")
	require.Equal(t, "card", pay(choiceAction(), both).Method)
	require.Empty(t, pay(formAction(), both).Method)
	got = pay(methodAction(ips(), card()), url.Values{"attempt": {"2"}})
	require.Equal(t, "ips", got.Method)
	require.Equal(t, methods.Card{}, got.Card)
}

func TestAnswersOfAMethod(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, field, value, id, fault string }{
		{"blank", "ask.papara.Email", "", "ask-2-1", "E-mail: please fill this in."},
		{"nothing to see", "ask.papara.Email", " \u200b\u202e ", "ask-2-1", "E-mail: please fill this in."},
		{"255 characters", "ask.papara.Email", strings.Repeat("é", 255), "", ""},
		{"256 characters", "ask.papara.Email", strings.Repeat("é", 256), "ask-2-1", "E-mail: at most 255 characters."},
		{"pattern", "ask.papara.member.id", "12345", "ask-2-0", "Member number: this is not valid."},
		{"pattern of the whole value", "ask.papara.member.id", "x123456", "ask-2-0", "Member number: this is not valid."},
		{"other digits", "ask.papara.member.id", "١٢٣٤٥٦", "", ""},
		{"unknown method", "method", "<other>", "method-0", "Please choose how to pay."},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			k, form := &kernel{next: choiceAction()}, paparaForm()
			form.Set(c.field, c.value)
			w := call(k, "POST", "/auth/"+token, form.Encode())
			body := bodyOf(w)
			if c.fault == "" {
				require.Equal(t, 303, w.Code, body)
				return
			}
			require.Equal(t, 422, w.Code)
			require.Empty(t, k.paid)
			require.Contains(t, body, `<a href="#`+c.id+`">`+c.fault+`</a>`)
			require.Equal(t, 1, strings.Count(body, " autofocus"))
			require.NotContains(t, body, "77x")
			require.NotContains(t, body, "<other>")
			if c.field != "method" {
				require.Contains(t, body, `<p class="error" id="`+c.id+`-error">`+c.fault+`</p>`)
				require.Contains(t, body, `value="papara" checked>`)
			}
		})
	}
}

func TestNeverEchoesACardTypedAsAnAnswer(t *testing.T) {
	t.Parallel()
	form := paparaForm()
	form.Set("ask.papara.Email", "4111 1111 1111 1111")
	form.Set("ask.papara.login_otp", "")
	body := bodyOf(call(&kernel{next: choiceAction()}, "POST", "/auth/"+token, form.Encode()))
	require.Contains(t, body, "login_otp: please fill this in.")
	require.Contains(t, body, `value="123456"`)
	require.NotContains(t, body, "4111")
}

func TestKernelRefusesAnAnswer(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, path string
		has, not   string
	}{
		{"by name", "Email", `id="ask-2-1-error">E-mail: this is not valid.<`, "Refused"},
		{"by path", "parameters.papara.member.id", `id="ask-2-0-error">Member number: this is not valid.<`, "E-mail: this is not valid.</p>"},
		{"in brackets", "parameters[papara][Email]", `id="ask-2-1-error">E-mail: this is not valid.<`, "Member number: this is not valid.</p>"},
		{"a longer name", "OtherEmail", "This payment cannot be made this way.", "E-mail: this is not valid.</p>"},
		{"no field of the card", "card_number", "This payment cannot be made this way.", "Invalid card number</p>"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			k := &kernel{next: choiceAction(), payErr: gateway.ErrInvalid.Fields(gateway.Fault{Path: c.path, Text: "no"})}
			w := call(k, "POST", "/auth/"+token, paparaForm().Encode())
			require.Equal(t, 422, w.Code)
			require.Contains(t, bodyOf(w), c.has)
			require.NotContains(t, bodyOf(w), c.not)
			require.Contains(t, bodyOf(w), `value="a@b.example"`)
			require.NotContains(t, bodyOf(w), "77x")
		})
	}
}

// A question with a few possible answers is a list to choose from, and accepts no other answer.
func TestAnswersToChooseFrom(t *testing.T) {
	t.Parallel()
	next := methodAction(gateway.MethodChoice{Code: "hayvn", Name: "Hayvn", Kind: methods.KindCrypto,
		Prompts: []store.Prompt{
			{Name: "payment_currency", Label: "Asset", Options: []string{"BTC", "ETH"}}}})
	k := &kernel{next: next}
	body := bodyOf(call(k, "GET", "/auth/"+token, ""))
	for _, part := range []string{
		`<select class="ask" id="ask-0-0" name="ask.hayvn.payment_currency"`, `<label for="ask-0-0">Asset</label>`,
		`<option value="BTC">BTC</option>`, `<option value="ETH">ETH</option>`,
	} {
		require.Contains(t, body, part)
	}
	form := url.Values{"attempt": {"2"}, "method": {"hayvn"}, "ask.hayvn.payment_currency": {"DOGE"}}
	w := call(k, "POST", "/auth/"+token, form.Encode())
	require.Equal(t, 422, w.Code)
	require.Contains(t, bodyOf(w), "Asset: this is not valid.")
	require.Empty(t, k.paid)
	form.Set("ask.hayvn.payment_currency", "ETH")
	require.Equal(t, 303, call(k, "POST", "/auth/"+token, form.Encode()).Code)
	require.Equal(t, map[string]string{"payment_currency": "ETH"}, k.paid[0].Answers)
}
