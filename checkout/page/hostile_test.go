package page_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/store"
)

// hostile are texts of a merchant that try to inject markup.
var hostile = []string{
	`</script><img src=x onerror=alert(1)>`, `{{.}}`, `{{template "content"}}`, `${7*7}`,
	`" onfocus=alert(1) autofocus x="`,
	`' onclick='alert(1)`, "\u2028alert(1)\u2029", `<svg/onload=alert(1)>`, `--><script>alert(1)</script><!--`,
	`</title><script>alert(1)</script>`, `</bdi></p></section><form action=//evil.example>`, `javascript:alert(1)`,
	`&lt;script&gt;alert(1)&lt;/script&gt;`, `&#x3c;img src=x&#x3e;`, "\x00<b>", "\xff\xfe<i>", "a\u202egnp.exe",
	"\u2066\u2069\u2069<u>",
	`<![CDATA[<b>]]>`, `<?xml version="1.0"?>`, "`<img src=x>`", `%3Cscript%3E`, `<base href=//evil.example>`,
	`<meta http-equiv=refresh content=0;url=//evil.example>`, "line\r\nSet-Cookie: a=b",
	`</style><link rel=stylesheet href=//evil.example>`,
	`<textarea><plaintext>`, strings.Repeat("<", 300),
	`<script>alert(1)</script>`, `</option></select><b>`, `</label><input name=cvv>`,
	`</fieldset></form><form action=/x>`, `</dd></dl><hr>`,
	`<noscript><p title="</noscript><img src=x onerror=alert(1)>">`,
	`<math><mi//xlink:href="data:x,<script>alert(1)</script>">`,
	`<iframe srcdoc="&lt;script&gt;alert(1)&lt;/script&gt;">`, `<object data=data:text/html,x>`,
	`<embed src=//evil.example>`,
	`<a href="&#106;avascript:alert(1)">x</a>`, `<input autofocus onfocus=alert(1)>`, `<template><b>`,
	`<details open ontoggle=alert(1)>`,
	`data:text/html,<script>alert(1)</script>`, `{{define "content"}}x{{end}}`, `{{.T.Pay}}`, `%s%d%!v(MISSING)`,
	`' or 1=1 --`, `\"><b>`,
	`\u003cb\u003e`, "\u200f\u200e\u061c<b>", "\ufeff<b>", "\x1b[31m<b>", "\x7f\u0085<b>",
	"Z\u0351\u0362\u035b\u0321<b>", "\U000e0041<b>", "&#0;&#x202e;<b>",
	`<select><option>`, `<button form=pay formaction=//evil.example>`, `<img src='x' srcset=//evil.example>`,
	`<!--[if IE]><b><![endif]-->`,
}

func TestEnoughHostileStrings(t *testing.T) {
	t.Parallel()
	seen := slices.Compact(slices.Sorted(slices.Values(hostile)))
	require.GreaterOrEqual(t, len(seen), 50)
}

// skeleton returns the tree of elements with the names of their attributes, without any text.
func skeleton(t *testing.T, page string) string {
	t.Helper()
	root, err := html.Parse(strings.NewReader(page))
	require.NoError(t, err)
	var b strings.Builder
	var walk func(n *html.Node)
	walk = func(n *html.Node) {
		if n.Type == html.ElementNode {
			b.WriteString("(" + n.Data)
			for _, attribute := range n.Attr {
				b.WriteString(" " + attribute.Key)
			}
		}
		if n.Type == html.CommentNode {
			b.WriteString("(comment)")
		}
		for child := n.FirstChild; child != nil; child = child.NextSibling {
			walk(child)
		}
		if n.Type == html.ElementNode {
			b.WriteString(")")
		}
	}
	walk(root)
	return b.String()
}

// readable returns what a payer reads: every text, and the attributes that are read out or shown. It leaves out
// names and values that are only sent back to us or on to the acquirer.
func readable(t *testing.T, page string) string {
	t.Helper()
	root, err := html.Parse(strings.NewReader(page))
	require.NoError(t, err)
	var b strings.Builder
	for n := range root.Descendants() {
		if n.Type == html.TextNode {
			b.WriteString(n.Data + "\n")
		}
		for _, a := range n.Attr {
			if a.Key != "name" && a.Key != "value" && a.Key != "pattern" {
				b.WriteString(a.Val + "\n")
			}
		}
	}
	return b.String()
}

func TestHostileTexts(t *testing.T) {
	t.Parallel()
	for name, next := range map[string]gateway.NextAction{
		"form": formAction(), "wait": with(func(t *gateway.NextAction) { t.Kind = gateway.ActionPoll }),
		"forward": with(func(t *gateway.NextAction) {
			t.Kind, t.Redirect = gateway.ActionRedirect, &store.Redirect{Method: "POST", URL: "https://acs.example/",
				Params: []store.RedirectParam{{Name: "a", Value: "b"}}}
		}),
		"leave": with(func(t *gateway.NextAction) {
			t.Kind, t.URL, t.Target = gateway.ActionReturn, "https://shop.example/?x=", "_top"
		}),
		"result": left(gateway.ReturnPaid),
		"choice": choiceAction(), "one method": methodAction(papara()), "code": codeAction(), "ask": askAction(),
		"declined":  with(func(t *gateway.NextAction) { t.Declined = "An acquirer's words" }),
		"ask again": with(func(t *gateway.NextAction) { *t = askAction(); t.PromptedAgain = true }),
		"fields":    fieldAction(), "transfer": transferAction(), "payout": payoutAction(), "saved": savedAction(),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			plain := skeleton(t, bodyOf(show(t, fill(next, "Plain"))))
			for _, text := range hostile {
				w := show(t, fill(next, "P"+text))
				require.Equal(t, 200, w.Code)
				require.Equal(t, plain, skeleton(t, bodyOf(w)), "%q", text)
				require.NotContains(t, readable(t, bodyOf(w)), "\u202e")
				requireCleanHeaders(t, w.Header())
			}
		})
	}
}

// fill writes a text into every field of a merchant or an acquirer.
func fill(action gateway.NextAction, text string) gateway.NextAction {
	action.Merchant, action.Language, action.Default = text, text, text
	action.Order = store.Order{Number: text, Amount: text, Currency: text, Description: text}
	if action.Payee != "" {
		action.Payee = text
	}
	for i := range action.Cards {
		action.Cards = slices.Clone(action.Cards)
		action.Cards[i].Mask, action.Cards[i].Brand = text+"1111", text
	}
	action.Country, action.FormID = text, text
	action.Origins, action.FormOrigins = []string{text}, []string{text}
	if action.Declined != "" {
		action.Declined = text
	}
	action.Methods = slices.Clone(action.Methods)
	for i, method := range action.Methods {
		action.Methods[i] = gateway.MethodChoice{Code: text, Name: text, Kind: method.Kind,
			Prompts: fillAsks(method.Prompts, text),
			Fields:  fillFields(method.Fields, text)}
	}
	action.Prompts = fillAsks(action.Prompts, text)
	if action.Display != nil {
		action.Display = &store.Display{QR: text, Details: []store.Detail{{Label: text, Value: text}},
			Until: action.Display.Until}
	}
	if action.Redirect != nil {
		next := *action.Redirect
		next.Params = []store.RedirectParam{{Name: text, Value: text}}
		action.Redirect = &next
	}
	return action
}

func fillAsks(asks []store.Prompt, text string) []store.Prompt {
	filled := make([]store.Prompt, len(asks))
	for i := range asks {
		filled[i] = store.Prompt{Name: text, Label: text, Pattern: text}
	}
	return filled
}

// fillFields adds a field that the page does not know.
func fillFields(fields []gateway.PayerField, text string) []gateway.PayerField {
	if len(fields) == 0 {
		return nil
	}
	return append(slices.Clone(fields), gateway.PayerField{Path: text, Required: true})
}

// A payer's input is shown again as text too.
func TestHostilePayers(t *testing.T) {
	t.Parallel()
	submit := func(next gateway.NextAction, text string) string {
		form := fieldForm()
		for _, field := range next.Methods[0].Fields {
			form.Set("payer.card."+field.Path, text)
		}
		for name, value := range map[string]string{"amount": text, "payee_card": text, "name": text, "expiry": text,
			"card_number": text, "saved": "0", "payer.card.billing_address.country": "US"} {
			form.Set(name, value)
		}
		w := call(&kernel{next: next}, "POST", "/auth/"+token, form.Encode())
		require.Equal(t, 422, w.Code)
		requireCleanHeaders(t, w.Header())
		return bodyOf(w)
	}
	next := transferAction()
	next.Methods = fieldAction().Methods
	drawn := func(body string) string { // faults in values are another test
		return strings.NewReplacer("(li(a href))", "", " aria-invalid", "").Replace(skeleton(t, body))
	}
	plain := drawn(submit(next, "+"))
	for _, text := range hostile {
		body := submit(next, "+"+text)
		require.True(t, plain == drawn(body), "%q", text)
		require.NotContains(t, readable(t, body), "\u202e")
	}
}

func requireCleanHeaders(t *testing.T, header map[string][]string) {
	t.Helper()
	for name, values := range header {
		for _, value := range values {
			require.False(t, strings.ContainsAny(name+value, "\r\n\x00"), "%s: %q", name, value)
		}
	}
	require.NotContains(t, header, "Set-Cookie")
}

func TestHostileURLs(t *testing.T) {
	t.Parallel()
	for _, text := range append([]string{
		"javascript:alert(1)", "data:text/html,x", "//evil.example", "https:evil.example", "https://", "https://a@b.example/",
		"https://shop.example\\@evil.example/", "https://shop.example/\r\nX: y", "ftp://shop.example/",
		" https://shop.example/", "https://[::1/",
	}, hostile...) {
		w := show(t, with(func(t *gateway.NextAction) {
			t.Kind, t.URL, t.Status = gateway.ActionReturn, text, gateway.ReturnPaid
		}))
		require.Equal(t, 200, w.Code, "%q", text)
		require.Contains(t, bodyOf(w), "Payment complete")
		requireCleanHeaders(t, w.Header())
	}
	for _, text := range hostile {
		w := show(t, with(func(t *gateway.NextAction) {
			t.Kind, t.URL = gateway.ActionReturn, "https://shop.example/?x="+text
		}))
		requireCleanHeaders(t, w.Header())
		require.Contains(t, []int{200, 303}, w.Code)
	}
}

func FuzzTexts(f *testing.F) {
	for _, text := range hostile {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		w := show(t, fill(formAction(), "P"+text))
		require.Equal(t, skeleton(t, bodyOf(show(t, fill(formAction(), "Plain")))), skeleton(t, bodyOf(w)))
		requireCleanHeaders(t, w.Header())
	})
}
