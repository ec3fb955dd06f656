package browser_test

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"github.com/chromedp/chromedp"
)

//go:embed testdata/axe/axe.min.js
var axeSource string

// wcag are the rules that every page has to pass: WCAG 2.2, levels A and AA. The states of the payment page also
// follow the best-practice rules.
const (
	wcag     = `"wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"`
	practice = "best-practice"
)

// violation is a broken rule, and where.
type violation struct {
	ID    string
	Help  string
	Tags  []string
	Nodes []string // selector and why
}

func (v violation) String() string {
	return fmt.Sprintf("%s (%s)\n  %s", v.ID, v.Help, strings.Join(v.Nodes, "\n  "))
}

// axe checks the page by the rules. Scripts have to be allowed.
func (p *tab) axe() (failing, told []violation) {
	p.t.Helper()
	if !read[bool](p, `"axe" in window`) { // the page may have it from the time before
		read[bool](p, axeSource+`; true`)
	}
	found := read[[]violation](p, `axe.run(document, {
		runOnly: {type: "tag", values: [`+wcag+`, "`+practice+`"]}, resultTypes: ["violations"]
	}).then(function (result) {
		return result.violations.map(function (v) {
			return {ID: v.id, Help: v.help, Tags: v.tags, Nodes: v.nodes.map(function (n) {
				return n.target.join(" ") + ": " + n.failureSummary.replace(/\s+/g, " ");
			})};
		});
	})`, chromedp.EvalAwaitPromise)
	for _, v := range found {
		if slices.Contains(v.Tags, practice) {
			told = append(told, v)
		} else {
			failing = append(failing, v)
		}
	}
	return failing, told
}

func names(list []violation) (ids []string) {
	for _, v := range list {
		ids = append(ids, v.ID)
	}
	return ids
}

// overflow is how many CSS pixels of the page lie outside the width of the device. A phone shrinks a page that is
// too wide, so the width is the device's, not the one that the page sees.
func (p *tab) overflow() int {
	p.t.Helper()
	width := p.number(`Math.max(document.documentElement.scrollWidth, document.body.scrollWidth, innerWidth)`)
	return width - int(p.device.width)
}
