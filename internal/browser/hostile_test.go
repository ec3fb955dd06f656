package browser_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/methods"
)

// hostile are texts that browsers read in special ways. The long list is in checkout/page.
func hostile() []string {
	return []string{
		`</script><img src=x onerror=alert(1)>`, `"><svg/onload=alert(1)>`,
		`' onmouseover='alert(1)' autofocus onfocus='alert(1)`,
		`<noscript><p title="</noscript><img src=x onerror=alert(1)>">`, `</title><style>*{display:none}</style>`,
		`<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">`,
		`</bdi></p></section></main></body><form action=//evil.example><button>`,
		`<template><iframe srcdoc="<script>alert(1)</script>">`,
		`<meta http-equiv=refresh content="0;url=//evil.example">`,
		`<base href=//evil.example><link rel=stylesheet href=//evil.example>`,
		`</textarea></select></option><plaintext>`, "`${alert(1)}`{{.}}\u2028<b>", `&lt;img src=x onerror=alert(1)&gt;`,
		`<details open ontoggle=alert(1)>`,
	}
}

// elements are all elements of a page with the names of their attributes, in order.
const elements = `Array.from(document.querySelectorAll("*")).map(function (e) {
	return e.localName + " " + Array.from(e.attributes).map(function (a) { return a.name; }).join(" ");
}).join("\n")`

// testHostile: a merchant's text stays text in the browser.
func testHostile(t *testing.T, b *chromium) {
	for _, d := range []device{desktop(), desktop().without()} {
		for _, c := range []struct {
			name   string
			change change
			deed   deed
			ready  string // is there when the scripts of the page are done
		}{
			{"form", choice, nil, `#pay`},
			{"details", by("sepa", "EUR"), submits(methods.Card{}), `#show .copy`},
		} {
			t.Run(d.name+"/"+c.name, func(t *testing.T) {
				t.Parallel()
				p, plain := b.tab(t, d), ""
				for _, text := range append([]string{""}, hostile()...) {
					s := newSite(t)
					custom, err := json.Marshal(map[string]string{"note": text})
					require.NoError(t, err)
					p.open(s.ready("en", func(r *gateway.SessionRequest) {
						c.change(r)
						r.Order.Description, r.Order.Number, r.CustomData = "Plain"+text, "ORD"+text, custom
					}, c.deed))
					if !d.noScript {
						p.until(`document.querySelector(` + quote(c.ready) + `)`)
					}
					if plain == "" {
						plain = read[string](p, elements)
					}
					require.Equal(t, plain, read[string](p, elements), text)
				}
				p.quiet()
			})
		}
	}
}
