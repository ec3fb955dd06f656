package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// The pages in Chromium, as files: at two widths, light and dark. With TOLLGATE_SHOTS=DIR pictures are written there.
func TestBrowser(t *testing.T) {
	t.Parallel()
	dir, s := t.TempDir(), pages(t)
	require.NoError(t, s.write(dir))
	b := start(t)
	for _, width := range []int64{1280, 390} {
		for _, scheme := range []string{"light", "dark"} {
			t.Run(fmt.Sprintf("%d %s", width, scheme), func(t *testing.T) {
				p := b.tab(t, dir, width, scheme)
				for _, d := range s.documents {
					p.open(d.out)
					require.Equal(t, d.title, valueOf[string](p, "document.querySelector('h1').textContent"))
					require.Equal(t, width, p.needs(), "%s is wider than the screen", d.out)
					if width == 1280 {
						require.Empty(t, valueOf[[]string](p, brokenNames), "broken names of %s", d.out)
					}
					p.shot(d.out)
				}
				p.searches()
			})
		}
	}
}

// brokenNames are the names in tables that go on in another line where document.go has not cut.
const brokenNames = `[...document.querySelectorAll('td > code:only-child:not(.long)')]
	.filter((code) => !/[\\s-]/.test(code.textContent))
	.flatMap((code) => code.firstElementChild === null ? [code] : [...code.children])
	.filter((part) => part.tagName !== 'WBR' && part.getClientRects().length > 1).map((part) => part.textContent)`

// searches types a field's name on a page, and follows the first result.
func (p *tab) searches() {
	p.open("reference/errors.html")
	p.types("payer_house_number")
	p.until("document.querySelector('#results a') !== null")
	p.shot("search")
	require.Equal(p.t, "S2S CARD: SALEpayer_house_number · text · 1..9 · no · ^[\\p{L}\\p{Nd}/ -]+$ · 0.1.0",
		valueOf[string](p, "document.querySelector('#results a').textContent"))
	require.Equal(p.t, p.width, p.needs(), "results are wider than the screen")
	p.types("\r")
	p.until("location.pathname.endsWith('s2s-card.html') && document.readyState === 'complete'")
	require.Equal(p.t, "H2", valueOf[string](p, "document.querySelector(location.hash).tagName"))

	p.types("nothing-has-this-name")
	p.until("document.querySelector('#results p') !== null")
}

// browsers are where Chromium is looked for, the one that is fastest without a window first.
var browsers = []string{
	"chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable",
}

// start starts the browser until the test ends. Without a browser the test fails.
func start(t *testing.T) *chromium {
	t.Helper()
	path := os.Getenv("TOLLGATE_CHROMIUM")
	for _, name := range browsers {
		if found, err := exec.LookPath(name); path == "" && err == nil {
			path = found
		}
	}
	require.NotEmpty(t, path,
		"Chromium is missing: run apt-get install chromium-headless-shell, or name one in TOLLGATE_CHROMIUM")
	options := append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]),
		chromedp.ExecPath(path), chromedp.DisableGPU, chromedp.WSURLReadTimeout(time.Minute))
	if os.Geteuid() == 0 { // Chromium refuses its sandbox to root
		options = append(options, chromedp.NoSandbox)
	}
	allocator, stop := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(stop)
	ctx, cancel := chromedp.NewContext(allocator)
	t.Cleanup(cancel)
	require.NoError(t, chromedp.Do(ctx))
	return &chromium{ctx}
}

type chromium struct{ ctx context.Context }

// tab shows the pages of a folder.
type tab struct {
	t      *testing.T
	ctx    context.Context
	folder string
	width  int64
	scheme string
}

func (b *chromium) tab(t *testing.T, folder string, width int64, scheme string) *tab {
	t.Helper()
	whole, cancel := chromedp.NewContext(b.ctx)
	t.Cleanup(cancel)
	require.NoError(t, chromedp.Do(whole)) // the tab lives as long as the context of the first call
	ctx, stop := context.WithTimeout(whole, 2*time.Minute)
	t.Cleanup(stop)
	p := &tab{t, ctx, folder, width, scheme}
	do(p, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{
		Width: width, Height: 900, DeviceScaleFactor: 1, Mobile: width < 600})
	do(p, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}})
	return p
}

// do sends a command to a tab.
func do[P, R any](p *tab, cmd cdp.Command[P, R], params P) R {
	p.t.Helper()
	answer, err := chromedp.Call(p.ctx, cmd, params)
	require.NoError(p.t, err)
	return answer
}

func (p *tab) open(page string) {
	p.t.Helper()
	require.NoError(p.t, chromedp.Do(p.ctx, chromedp.Navigate("file://"+filepath.Join(p.folder, page))))
}

// valueOf is the value of an expression.
func valueOf[T any](p *tab, expression string) T {
	p.t.Helper()
	value, err := chromedp.Run(p.ctx, chromedp.Evaluate[T](expression))
	require.NoError(p.t, err)
	return value
}

// needs is the width that the page has.
func (p *tab) needs() int64 { return valueOf[int64](p, "document.documentElement.scrollWidth") }

func (p *tab) types(text string) {
	p.t.Helper()
	require.NoError(p.t, chromedp.Do(p.ctx, chromedp.SendKeys(chromedp.CSS("#search input"), text)))
}

func (p *tab) until(expression string) {
	p.t.Helper()
	require.Eventually(p.t, func() bool {
		ok, err := chromedp.Run(p.ctx, chromedp.Evaluate[bool](expression))
		return err == nil && ok // an error may only mean that the page was just leaving
	}, time.Minute, 20*time.Millisecond, expression)
}

func (p *tab) shot(name string) {
	folder := os.Getenv("TOLLGATE_SHOTS")
	if folder == "" {
		return
	}
	picture, err := chromedp.Run(p.ctx, chromedp.CaptureScreenshot())
	require.NoError(p.t, err)
	file := fmt.Sprintf("%s.%d.%s.png", strings.ReplaceAll(name, "/", "-"), p.width, p.scheme)
	require.NoError(p.t, os.WriteFile(filepath.Join(folder, file), picture, 0o644))
}
