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

func showTurn(s *store.Show) gateway.Turn {
	return with(func(t *gateway.Turn) { t.Kind, t.Show = gateway.TurnShow, s })
}

func codeTurn() gateway.Turn {
	return showTurn(&store.Show{QR: "K:PR|V:01\nN:<b>", Until: noon.Add(5 * time.Minute),
		Details: []store.Detail{{Label: "IBAN", Value: "RS35 2600"}}})
}

func TestShow(t *testing.T) {
	t.Parallel()
	details := func(value string) *store.Show {
		return &store.Show{Details: []store.Detail{{Label: "Where", Value: value}}}
	}
	for _, c := range []struct {
		name     string
		show     *store.Show
		has, not []string
	}{
		{
			name: "code", show: codeTurn().Show,
			has: []string{"<h1>Scan to pay</h1>", `src="./` + token + `/qr.png" alt="QR code of this payment" width="264" height="264"`,
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
			name: "code with a link", show: &store.Show{QR: "https://pay.example/1"},
			has: []string{`<a class="button" href="https://pay.example/1" target="_blank" rel="noopener noreferrer">`},
		},
		{
			name: "too long for a code", show: &store.Show{QR: strings.Repeat("x", 4000)},
			has: []string{`<details class="content" open>`, strings.Repeat("x", 4000)}, not: []string{"qr.png"},
		},
		{name: "neither", show: &store.Show{}, has: []string{"<h1>Confirm the payment</h1>"}},
		{name: "nothing", show: nil, has: []string{"<h1>Confirm the payment</h1>"}},
		{name: "a minute", show: &store.Show{QR: "x", Until: noon.Add(time.Minute)}, has: []string{"About a minute left"}},
		{name: "seconds", show: &store.Show{QR: "x", Until: noon.Add(59 * time.Second)}, has: []string{"Less than a minute left"}},
		{
			name: "days", show: &store.Show{QR: "x", Until: noon.Add(72 * time.Hour)},
			has: []string{">2026-03-17 12:00 UTC</time>"}, not: []string{"minutes left"},
		},
		{
			name: "over", show: &store.Show{QR: "K:PR", Until: noon, Details: []store.Detail{{Label: "IBAN", Value: "RS35"}}},
			has: []string{"<h1>Time is over</h1>", `<noscript><meta http-equiv="refresh" content="5"></noscript>`},
			not: []string{"qr.png", "K:PR", "RS35"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := show(t, showTurn(c.show))
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

// The script goes on when the mark is another, and only then.
func TestMarkOfWhatIsShown(t *testing.T) {
	t.Parallel()
	mark := func(turn gateway.Turn) string {
		_, rest, _ := strings.Cut(bodyOf(show(t, turn)), `data-shown="`)
		return rest[:12]
	}
	require.Equal(t, mark(codeTurn()), mark(codeTurn()))
	seen := map[string]bool{mark(codeTurn()): true}
	for _, change := range []func(*store.Show){
		func(s *store.Show) { s.QR = "other" }, func(s *store.Show) { s.Until = noon.Add(time.Hour) },
		func(s *store.Show) { s.Until = noon }, func(s *store.Show) { s.Details = nil },
	} {
		turn := codeTurn()
		change(turn.Show)
		require.False(t, seen[mark(turn)])
		seen[mark(turn)] = true
	}
}

func TestPictureOfTheCode(t *testing.T) {
	t.Parallel()
	const content = "K:PR|V:01|C:1|R:845000000040484987|N:NORTHWIND|I:RSD1284,50|SF:289"
	w := call(&kernel{turn: showTurn(&store.Show{QR: content})}, "GET", "/auth/"+token+"/qr.png", "")
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
		{"unknown link", "/auth/other/qr.png", &kernel{turn: codeTurn()}, 404},
		{"odd link", "/auth/%3Cb%3E/qr.png", &kernel{turn: codeTurn()}, 404},
		{"another turn", "/auth/" + token + "/qr.png", &kernel{turn: formTurn()}, 404},
		{"nothing to show", "/auth/" + token + "/qr.png", &kernel{turn: showTurn(nil)}, 404},
		{"details only", "/auth/" + token + "/qr.png", &kernel{turn: showTurn(&store.Show{})}, 404},
		{"too long", "/auth/" + token + "/qr.png", &kernel{turn: showTurn(&store.Show{QR: strings.Repeat("x", 4000)})}, 404},
		{"over", "/auth/" + token + "/qr.png", &kernel{turn: showTurn(&store.Show{QR: "x", Until: noon})}, 404},
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
