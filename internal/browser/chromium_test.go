package browser_test

import (
	"context"
	"os"
	"os/exec"
	"slices"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// stepTime bounds one command to a tab, and one wait in it. A tab as a whole has no bound: how many pages it opens is
// the test's, and how long a page takes is the machine's.
const stepTime = time.Minute

// browsers are where Chromium is looked for. Its headless shell is the same engine without the window around it, and
// loads a page in a third of the time.
var browsers = []string{
	"chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable",
}

// chromium is the one browser of the tests.
type chromium struct{ ctx context.Context }

// start starts the browser until the test ends. Without a browser the test fails.
func start(t *testing.T) *chromium {
	t.Helper()
	path := os.Getenv("TOLLGATE_CHROMIUM")
	for _, name := range browsers {
		if found, err := exec.LookPath(name); path == "" && err == nil {
			path = found
		}
	}
	if path == "" {
		t.Fatal("Chromium is missing: run apt-get install chromium-headless-shell, or name one in TOLLGATE_CHROMIUM")
	}
	options := append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]),
		chromedp.ExecPath(path), chromedp.DisableGPU, chromedp.Flag("lang", "en-US"), chromedp.WSURLReadTimeout(time.Minute))
	if os.Geteuid() == 0 { // Chromium refuses its sandbox to root
		options = append(options, chromedp.NoSandbox)
	}
	allocator, stop := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(stop)
	ctx, cancel := chromedp.NewContext(allocator)
	t.Cleanup(cancel)
	require.NoError(t, chromedp.Do(ctx),
		"Chromium at %s does not start: is it whole? apt-get install --reinstall chromium-headless-shell", path)
	return &chromium{ctx}
}

// device is a payer's device.
type device struct {
	name          string
	width, height int64
	scale         float64
	touch         bool
	noScript      bool
	language      string            // Accept-Language
	media         map[string]string // features of CSS
}

func desktop() device { return device{name: "desktop", width: 1280, height: 800, scale: 1} }

func phone() device { return device{name: "phone", width: 320, height: 640, scale: 2, touch: true} }

// without is the device with JavaScript switched off.
func (d device) without() device {
	d.name, d.noScript = d.name+" without JavaScript", true
	return d
}

// tab opens a tab with its own cookies and cache, and closes it when the test ends.
func (b *chromium) tab(t *testing.T, d device) *tab {
	t.Helper()
	ctx, cancel := chromedp.NewContext(b.ctx, chromedp.WithNewBrowserContext())
	t.Cleanup(cancel)
	require.NoError(t, chromedp.Do(ctx)) // the tab lives as long as the context of the first call
	p := &tab{t: t, ctx: ctx, device: d}
	p.listen()
	p.emulate()
	return p
}
