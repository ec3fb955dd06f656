package page_test

import (
	"bytes"
	"errors"
	"image/png"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"rsc.io/qr"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/store"
)

func showAction(s *store.Display) gateway.NextAction {
	return with(func(t *gateway.NextAction) { t.Kind, t.Display = gateway.ActionDisplay, s })
}

func codeAction() gateway.NextAction {
	return showAction(&store.Display{QR: "K:PR|V:01\nN:<b>", Until: noon.Add(5 * time.Minute),
		Details: []store.Detail{{Label: "IBAN", Value: "RS35 2600"}}})
}

func TestShow(t *testing.T) {
	t.Parallel()
	details := func(value string) *store.Display {
		return &store.Display{Details: []store.Detail{{Label: "Where", Value: value}}}
	}
	for _, c := range []struct {
		name     string
		show     *store.Display
		has, not []string
	}{
		{
			name: "code", show: codeAction().Display,
			has: []string{"<h1>Scan to pay</h1>", `src="./` + token +
				`/qr.png" alt="QR code of this payment" width="264" height="264"`,
				"K:PR|V:01\nN:&lt;b&gt;</pre>", "<summary>", `<time id="until" datetime="2026-03-14T12:05:00Z"`,
				">12:05 UTC</time>",
				"About 5 minutes left", "<dt>IBAN</dt>", `<bdi class="value">RS35 2600</bdi>`, `data-turn="show" data-shown="`,
				`<noscript><meta http-equiv="refresh" content="10"></noscript>`, `role="status"`, "This page goes on by itself"},
			not: []string{"<button", "data:", "Open the link"},
		},
		{
			name: "details", show: details("RS35"), has: []string{"<h1>Payment details</h1>",
				`<bdi class="value whole">RS35</bdi>`},
			not: []string{"qr.png", "<summary>", "<time", "left<"},
		},
		{
			name: "link", show: details("https://bank.example/a?b=1&c=2"),
			has: []string{`<a class="value" href="https://bank.example/a?b=1&amp;c=2" target="_blank" rel="noopener noreferrer">https://bank.example/a?b=1&amp;c=2</a>`},
		},
		{name: "no script", show: details("javascript:alert(1)"), not: []string{`href="javascript`, `<a class="value"`}},
		{name: "no credentials", show: details("https://a@b.example/"), not: []string{`<a class="value"`}},
		{name: "no turned text", show: details("https://b.example/\u202egpj"), not: []string{`<a class="value"`, "\u202e"}},
		{
			name: "code with a link", show: &store.Display{QR: "https://pay.example/1"},
			has: []string{`<a class="button" href="https://pay.example/1" target="_blank" rel="noopener noreferrer">`},
		},
		{
			name: "too long for a code", show: &store.Display{QR: strings.Repeat("x", 4000)},
			has: []string{`<details class="content" open>`, strings.Repeat("x", 4000)}, not: []string{"qr.png"},
		},
		{name: "neither", show: &store.Display{}, has: []string{"<h1>Confirm the payment</h1>"}},
		{name: "nothing", show: nil, has: []string{"<h1>Confirm the payment</h1>"}},
		{name: "a minute", show: &store.Display{QR: "x", Until: noon.Add(time.Minute)}, has: []string{"About a minute left"}},
		{name: "seconds", show: &store.Display{QR: "x", Until: noon.Add(59 * time.Second)}, has: []string{"Less than a minute left"}},
		{
			name: "days", show: &store.Display{QR: "x", Until: noon.Add(72 * time.Hour)},
			has: []string{">2026-03-17 12:00 UTC</time>"}, not: []string{"minutes left"},
		},
		{
			name: "over", show: &store.Display{QR: "K:PR", Until: noon, Details: []store.Detail{{Label: "IBAN", Value: "RS35"}}},
			has: []string{"<h1>Time is over</h1>", `<noscript><meta http-equiv="refresh" content="5"></noscript>`},
			not: []string{"qr.png", "K:PR", "RS35"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := show(t, showAction(c.show))
			require.Equal(t, 200, w.Code)
			require.Equal(t, openPolicy+"form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
				w.Header().Get("Content-Security-Policy"))
			for _, text := range c.has {
				require.Contains(t, bodyOf(w), text)
			}
			for _, text := range c.not {
				require.NotContains(t, bodyOf(w), text)
			}
		})
	}
}

// The script reloads the page when the mark has changed, and only then.
func TestMarkOfWhatIsShown(t *testing.T) {
	t.Parallel()
	mark := func(next gateway.NextAction) string {
		_, rest, _ := strings.Cut(bodyOf(show(t, next)), `data-shown="`)
		return rest[:12]
	}
	require.Equal(t, mark(codeAction()), mark(codeAction()))
	seen := map[string]bool{mark(codeAction()): true}
	for _, change := range []func(*store.Display){
		func(s *store.Display) { s.QR = "other" }, func(s *store.Display) { s.Until = noon.Add(time.Hour) },
		func(s *store.Display) { s.Until = noon }, func(s *store.Display) { s.Details = nil },
	} {
		next := codeAction()
		change(next.Display)
		require.False(t, seen[mark(next)])
		seen[mark(next)] = true
	}
}

func TestPictureOfTheCode(t *testing.T) {
	t.Parallel()
	const content = "K:PR|V:01|C:1|R:845000000040484987|N:NORTHWIND|I:RSD1284,50|SF:289"
	w := call(&kernel{next: showAction(&store.Display{QR: content})}, "GET", "/auth/"+token+"/qr.png", "")
	require.Equal(t, 200, w.Code)
	require.Equal(t, "image/png", w.Header().Get("Content-Type"))
	require.Equal(t, "no-store", w.Header().Get("Cache-Control"))
	require.Equal(t, "nosniff", w.Header().Get("X-Content-Type-Options"))
	picture, err := png.Decode(bytes.NewReader(w.Body.Bytes()))
	require.NoError(t, err)
	want, err := qr.Encode(content, qr.M)
	require.NoError(t, err)
	modules := want.Size + 8
	side := picture.Bounds().Dx()
	require.Equal(t, side, picture.Bounds().Dy())
	require.GreaterOrEqual(t, side, 480, "two pixels for each of the 240 on the page")
	require.Zero(t, side%modules)
	for y := range modules {
		for x := range modules {
			r, _, _, _ := picture.At(x*side/modules+1, y*side/modules+1).RGBA()
			require.Equal(t, want.Black(x-4, y-4), r == 0, "module %d, %d", x, y)
		}
	}
}

func TestNoPicture(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, target string
		k            *kernel
		status       int
	}{
		{"unknown link", "/auth/other/qr.png", &kernel{next: codeAction()}, 404},
		{"odd link", "/auth/%3Cb%3E/qr.png", &kernel{next: codeAction()}, 404},
		{"another turn", "/auth/" + token + "/qr.png", &kernel{next: formAction()}, 404},
		{"nothing to show", "/auth/" + token + "/qr.png", &kernel{next: showAction(nil)}, 404},
		{"details only", "/auth/" + token + "/qr.png", &kernel{next: showAction(&store.Display{})}, 404},
		{"too long", "/auth/" + token + "/qr.png", &kernel{next: showAction(&store.Display{QR: strings.Repeat("x", 4000)})}, 404},
		{"over", "/auth/" + token + "/qr.png", &kernel{next: showAction(&store.Display{QR: "x", Until: noon})}, 404},
		{"a fault", "/auth/" + token + "/qr.png", &kernel{turnErr: errors.New("hunter2")}, 500},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := call(c.k, "GET", c.target, "")
			require.Equal(t, c.status, w.Code)
			require.Equal(t, "no-store", w.Header().Get("Cache-Control"))
			require.NotContains(t, bodyOf(w), "hunter2")
		})
	}
}
