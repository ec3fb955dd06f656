package browser_test

import (
	"strings"
	"testing"

	"github.com/chromedp/cdproto/runtime"
	"github.com/stretchr/testify/require"
)

// raw opens a page of the shop with a card's frame that has got no message yet. Without the library, the first
// sender of the right message controls the frame.
func (s *fieldsSite) raw(b *chromium, address string) *tab {
	s.t.Helper()
	p := b.tab(s.t, desktop())
	p.open(address)
	return p
}

// attempt is one attempt on the first frame of a window, by the window to which the function belongs.
func (s *fieldsSite) attempt(by, window string) string {
	return by + `.attack(` + window + `.frames[0], ` + quote(s.base) + `, ` + quote(fieldsToken(fieldsSession)) + `)`
}

// testFieldsHostile: only the page right above a frame, of an origin of the session, with its token, and only the
// first time, gets anything from the frame. If that page may still begin, it does so afterwards, which shows that
// the attempts had enough time.
func testFieldsHostile(t *testing.T, b *chromium) {
	for _, c := range []struct{ name, by string }{
		{"wrong source: sibling frame", `frames[1]`},
		{"wrong source: nested frame", `frames[1].frames[0]`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := newFieldsSite(t)
			p := s.raw(b, s.shop+"/raw")
			read[bool](p, s.attempt(c.by, "window")+` === undefined`)
			s.pageStillBegins(p, "window")
			require.Empty(t, read[[]string](p, c.by+`.got`))
		})
	}
	t.Run("opener and popup", func(t *testing.T) { t.Parallel(); testFieldsOpener(t, b) })
	t.Run("wrong origin", func(t *testing.T) { t.Parallel(); testFieldsWrongOrigin(t, b) })
	t.Run("wrong messages", func(t *testing.T) { t.Parallel(); testFieldsWrongMessages(t, b) })
	t.Run("replay", func(t *testing.T) { t.Parallel(); testFieldsReplay(t, b) })
	t.Run("forged results", func(t *testing.T) { t.Parallel(); testFieldsForged(t, b) })
	t.Run("siblings are closed to others", func(t *testing.T) {
		t.Parallel()
		s := newFieldsSite(t)
		p := s.pay(b, desktop(), "HostedFields", "")
		require.Equal(t, "SecurityError", read[string](p,
			`(function () { try { return String(frames[0].hostedField); } catch (e) { return e.name; } })()`))
	})
}

// pageStillBegins makes the page right above begin, and waits for the frame's answer.
func (s *fieldsSite) pageStillBegins(p *tab, window string) {
	s.t.Helper()
	read[bool](p, s.attempt(window, window)+` === undefined`)
	p.until(window + `.got.includes("ready")`)
}

// withGesture lets a script do what a click lets it do.
func withGesture(p *runtime.EvaluateParams) {
	yes := true
	p.UserGesture = &yes
}

// A window that opened the shop's page, or was opened by it, has the right origin but still gets nothing.
func testFieldsOpener(t *testing.T, b *chromium) {
	s := newFieldsSite(t)
	p := s.raw(b, s.shop+"/raw")
	read[bool](p, `(window.opened = open("/raw"), true)`, withGesture)
	p.until(`opened && opened.document.readyState === "complete" && opened.location.pathname === "/raw"`)
	read[bool](p, s.attempt("window", "opened")+` === undefined`)
	s.pageStillBegins(p, "opened")
	require.Empty(t, read[[]string](p, `got`), "the opener")
	read[bool](p, `(opened.got.length = 0, true)`)
	read[bool](p, s.attempt("opened", "window")+` === undefined`)
	s.pageStillBegins(p, "window")
	require.Empty(t, read[[]string](p, `opened.got`), "what was opened")
}

// A page of another origin is kept out twice: by the policy of the frame, and by the frame's own check of the
// origin.
func testFieldsWrongOrigin(t *testing.T, b *chromium) {
	t.Run("policy", func(t *testing.T) {
		t.Parallel()
		s := newFieldsSite(t)
		p := s.raw(b, s.stranger+"/raw")
		read[bool](p, s.attempt("window", "window")+` === undefined`)
		p.until(`performance.now() > 500`)
		require.Empty(t, read[[]string](p, `got`))
		require.Contains(t, strings.Join(p.seen.all(), "\n"), "frame-ancestors")
	})
	t.Run("frame", func(t *testing.T) {
		t.Parallel()
		s := newFieldsSite(t)
		attempt := strings.Replace(s.attempt("window", "window"), s.base, s.lax, 1)
		p := s.raw(b, s.stranger+"/rawlax")
		read[bool](p, attempt+` === undefined`)
		frame := s.inside(p, s.lax)
		require.True(t, read[bool](frame, `document.getElementById("card") !== null`), "the frame is there")
		require.False(t, read[bool](frame,
			`hostedField.belongs("0123456789abcdef0123456789abcdef", `+quote(fieldsSession)+`)`))
		require.Empty(t, read[[]string](p, `got`))

		p = s.raw(b, s.shop+"/rawlax")
		read[bool](p, attempt+` === undefined`)
		p.until(`got.includes("ready")`) // the shop, the same way
	})
}

// Messages of the right page that are not the right message.
func testFieldsWrongMessages(t *testing.T, b *chromium) {
	s := newFieldsSite(t)
	p := s.raw(b, s.shop+"/raw")
	good := `{ hostedFields: 1, field: "card", instance: "0123456789abcdef0123456789abcdef", token: ` +
		quote(fieldsToken(fieldsSession)) + `, styles: [] }`
	for _, wrong := range []string{
		`null`, `"collect"`, `{}`, `{ type: "collect", id: 1 }`,
		`Object.assign(` + good + `, { hostedFields: 2 })`,
		`Object.assign(` + good + `, { field: "cvv" })`,
		`Object.assign(` + good + `, { instance: "" })`,
		`Object.assign(` + good + `, { token: "" })`,
		`Object.assign(` + good + `, { token: ` + quote(fieldsToken("another-session")) + ` })`,
	} {
		read[bool](p, `(function () {
			const c = new MessageChannel();
			c.port1.onmessage = function () { got.push("wrong"); };
			frames[0].postMessage(`+wrong+`, `+quote(s.base)+`, [c.port2]);
			return true;
		})()`)
	}
	read[bool](p, `frames[0].postMessage(`+good+`, `+quote(s.base)+`) === undefined`) // without a port
	s.pageStillBegins(p, "window")
	require.Equal(t, []string{"ready"}, read[[]string](p, `got`))
}

// The first message, repeated, gets no port and no answer.
func testFieldsReplay(t *testing.T, b *chromium) {
	s := newFieldsSite(t)
	p := s.raw(b, s.shop+"/raw")
	s.pageStillBegins(p, "window")
	read[bool](p, `(window.first = port, window.before = got, window.got = [], true)`)
	read[bool](p, s.attempt("window", "window")+` === undefined`)
	read[bool](p, `(port.postMessage({ type: "collect", id: 1 }), true)`)
	read[bool](p, `(first.onmessage = function (event) { before.push(event.data.type); },
		first.postMessage({ type: "collect", id: 2 }), true)`)
	p.until(`before.includes("result")`)
	require.Equal(t, []string{"ready", "result"}, read[[]string](p, `before`))
	require.Empty(t, read[[]string](p, `got`))
}

// The page believes no other window: forged answers, even repeated true ones, change nothing.
func testFieldsForged(t *testing.T, b *chromium) {
	s := newFieldsSite(t)
	p := s.pay(b, desktop(), "HostedFields", "")
	read[bool](p, `(function () {
		const leaf = document.createElement("iframe");
		leaf.src = "/leaf";
		leaf.onload = function () { window.leafUp = true; };
		return Boolean(document.body.append(leaf)) || true;
	})()`)
	p.until(`window.leafUp`)
	forge := `[
		{ type: "result", id: 1, result: "success", message: "" }, { type: "ready" },
		{ type: "input", valid: true }, { type: "focus" }
	].forEach(function (m) {
		window.postMessage(m, location.origin);
		frames[3].eval("parent.postMessage(" + JSON.stringify(m) + ", " + JSON.stringify(location.origin) + ")");
	})`
	read[bool](p, `(fields.collectIframesData(), `+forge+`, true)`)
	p.until(`results.length > 0`)
	read[bool](p, `(`+forge+`, true)`)
	p.until(`heard.filter(function (m) { return m.includes('"success"'); }).length === 4`)
	require.Equal(t, []outcomeOf{{"undefined", "Invalid card number"}}, read[[]outcomeOf](p, `results`))
	require.NotContains(t, read[[]string](p, `log`), `card input {"valid":true}`)
	require.Empty(t, s.kept())
}
