package browser_test

import (
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/audits"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// complaints are the browser's errors about the pages of a tab.
type complaints struct {
	mu   sync.Mutex
	list []string
}

func (c *complaints) add(text string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.list = append(c.list, text)
}

func (c *complaints) all() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]string(nil), c.list...)
}

// report is the name under which a page reports violations of its policy.
const report = "tellTest"

// listen collects errors: what a Content-Security-Policy blocks, in three ways, and scripts that fail. The first
// two need no JavaScript. An answer of 404 or 422 is no error.
func (p *tab) listen() {
	require.NoError(p.t, chromedp.Listen(p.ctx, func(event any) {
		switch e := event.(type) {
		case *audits.EventIssueAdded:
			if e.Issue.Code == audits.InspectorIssueCodeContentSecurityPolicyIssue {
				p.seen.add("policy: " + e.Issue.Details.ContentSecurityPolicyIssueDetails.ViolatedDirective)
			}
		case *log.EventEntryAdded:
			if e.Entry.Source == log.EntrySourceSecurity || e.Entry.Level == log.EntryLevelError &&
				e.Entry.Source != log.EntrySourceNetwork {
				p.seen.add("log: " + e.Entry.Text)
			}
		case *runtime.EventBindingCalled:
			p.seen.add("page: " + e.Payload)
		case *runtime.EventExceptionThrown:
			p.seen.add("script: " + e.ExceptionDetails.Text)
		}
	}))
	do(p, audits.Enable, cdp.Empty{})
	do(p, log.Enable, cdp.Empty{})
	do(p, runtime.AddBinding, runtime.AddBindingParams{Name: report})
	do(p, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{
		Source: `document.addEventListener("securitypolicyviolation", function (e) { ` + report +
			`(e.violatedDirective + " " + e.blockedURI); });`,
	})
}

// quiet checks that the browser has reported no error so far.
func (p *tab) quiet() {
	p.t.Helper()
	read[int](p, `1`) // the answer comes after all earlier events
	require.Empty(p.t, p.seen.all())
}

// badPage breaks every rule that the tests check.
const badPage = `<!doctype html><html><head><meta name="viewport" content="width=device-width"><title>x</title></head>
<body><img src="/x.png"><input name="a"><table width="900" style="color:red"><tr><td>wide</td></tr></table>
<script>throw new Error("never runs")</script></body></html>`

// testWatch: each check finds its fault.
func testWatch(t *testing.T, b *chromium) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Security-Policy", "default-src 'none'; img-src 'self'")
		_, _ = w.Write([]byte(badPage))
	}))
	t.Cleanup(server.Close)
	for _, c := range []struct {
		name   string
		device device
	}{
		{"with JavaScript", phone()},
		{"without JavaScript", phone().without()},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := b.tab(t, c.device)
			p.open(server.URL)
			read[int](p, `1`)
			require.NotEmpty(t, p.seen.all())
			require.Greater(t, p.overflow(), 0)
			p.allowScripts()
			failing, _ := p.axe()
			require.Contains(t, names(failing), "image-alt")
			require.Contains(t, names(failing), "label")
		})
	}
}
