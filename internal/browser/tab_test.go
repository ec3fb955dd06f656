package browser_test

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// tab is a payer's tab.
type tab struct {
	t      *testing.T
	ctx    context.Context
	device device
	left   int  // how many pages
	last   spot // what was pressed
	seen   complaints
}

// bounded is the context of one command, or of one wait.
func (p *tab) bounded() (context.Context, context.CancelFunc) {
	return context.WithTimeout(p.ctx, stepTime)
}

// do sends a command to a tab.
func do[P, R any](p *tab, cmd cdp.Command[P, R], params P) R {
	p.t.Helper()
	ctx, cancel := p.bounded()
	defer cancel()
	answer, err := chromedp.Call(ctx, cmd, params)
	require.NoError(p.t, err)
	return answer
}

// emulate makes the tab look like the device.
func (p *tab) emulate() {
	d := p.device
	p.resize(d)
	do(p, emulation.SetTouchEmulationEnabled, emulation.SetTouchEmulationEnabledParams{Enabled: d.touch})
	do(p, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: d.noScript})
	features := []*emulation.MediaFeature{{Name: "prefers-reduced-motion",
		Value: "reduce"}} // pictures are the same every time
	for name, value := range d.media {
		features = append(features, &emulation.MediaFeature{Name: name, Value: value})
	}
	do(p, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: features})
	if d.language != "" {
		do(p, emulation.SetUserAgentOverride, emulation.SetUserAgentOverrideParams{
			UserAgent: read[string](p, "navigator.userAgent"), AcceptLanguage: d.language,
		})
	}
}

// resize gives the tab the screen of a device.
func (p *tab) resize(d device) {
	p.t.Helper()
	do(p, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{
		Width: d.width, Height: d.height, DeviceScaleFactor: d.scale, Mobile: d.touch, ScreenWidth: d.width,
		ScreenHeight: d.height,
	})
}

// allowScripts lets scripts run from now on; those of the open page do not run any more.
func (p *tab) allowScripts() {
	do(p, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: false})
}

// try evaluates an expression. An error may only mean that the page was just leaving.
func try[T any](p *tab, expression string, options ...chromedp.EvaluateOption) (T, error) {
	ctx, cancel := p.bounded()
	defer cancel()
	return chromedp.Run(ctx, chromedp.Evaluate[T](expression, options...))
}

// act makes a payer's gesture.
func (p *tab) act(gesture chromedp.Action[chromedp.Void]) {
	p.t.Helper()
	ctx, cancel := p.bounded()
	defer cancel()
	require.NoError(p.t, chromedp.Do(ctx, gesture))
}

// read is the value of an expression on a page that stays.
func read[T any](p *tab, expression string, options ...chromedp.EvaluateOption) T {
	p.t.Helper()
	value, err := try[T](p, expression, options...)
	require.NoError(p.t, err)
	return value
}

// until waits until an expression is true on a loaded page, whatever page that is.
func (p *tab) until(expression string) {
	p.t.Helper()
	ctx, cancel := p.bounded()
	defer cancel()
	ticker := time.NewTicker(20 * time.Millisecond)
	defer ticker.Stop()
	for {
		ok, err := try[bool](p, `document.readyState === "complete" && Boolean(`+expression+`)`)
		if err == nil && ok {
			return
		}
		select {
		case <-ticker.C:
		case <-ctx.Done():
			p.t.Fatalf("never came true: %s; %s", expression, p.where())
		}
	}
}

// focused waits until an element has the focus: a browser applies autofocus only when it first paints the page,
// which may come after the page is loaded.
func (p *tab) focused(selector string) {
	p.t.Helper()
	p.until(`document.activeElement !== null && document.activeElement.matches(` + quote(selector) + `)`)
}

// where is the address of the tab, for messages.
func (p *tab) where() string {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(p.ctx), 2*time.Second)
	defer cancel()
	text, err := chromedp.Run(ctx,
		chromedp.Evaluate[string](`location.href + "\n" + (document.body ? document.body.innerText : "")`))
	if err != nil {
		return err.Error()
	}
	return text
}

// open goes to an address.
func (p *tab) open(address string) {
	p.t.Helper()
	answer := do(p, page.Navigate, page.NavigateParams{URL: address})
	require.Empty(p.t, answer.ErrorText, address)
	p.until(`location.href !== "about:blank"`)
}

// leave does something that leads to another page, or reloads it, and waits for that. A page from the browser's
// cache has the number of an earlier visit.
func (p *tab) leave(what func()) {
	p.t.Helper()
	p.left++
	mark := strconv.Itoa(p.left)
	read[int](p, `document.leaving = `+mark)
	what()
	p.until(`document.leaving !== ` + mark)
}

// quote is a Go text as a JavaScript one.
func quote(text string) string {
	quoted, _ := json.Marshal(text) // a string can always be marshalled
	return string(quoted)
}

// has reports whether there is such an element.
func (p *tab) has(selector string) bool {
	p.t.Helper()
	return read[bool](p, `document.querySelector(`+quote(selector)+`) !== null`)
}

// number reads a number.
func (p *tab) number(expression string) int {
	p.t.Helper()
	n, err := strconv.Atoi(strings.TrimSpace(read[string](p, `String(`+expression+`)`)))
	require.NoError(p.t, err)
	return n
}
