package roomplan

import (
	"cmp"
	"fmt"
	"html"
	"slices"
	"strings"
)

// style is readable on a light page and on a dark one.
const style = `<style>
text { font: 12.5px ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, sans-serif }
text { fill: #1f2328; text-anchor: middle }
rect { fill: #f6f8fa; stroke: #8c959f; rx: 7px }
.public rect { fill: #ddf4ff; stroke: #54aeff }
.root rect { fill: #0969da; stroke: #0969da }
.root text { fill: #ffffff; font-weight: 600 }
path { fill: none; stroke: #8c959f; stroke-width: 1.1 }
marker path { fill: #8c959f; stroke: none }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3 }
rect { fill: #21262d; stroke: #6e7681 }
.public rect { fill: #0c2d6b; stroke: #388bfd }
.root rect { fill: #388bfd; stroke: #388bfd }
.root text { fill: #0d1117 }
path { stroke: #6e7681 }
marker path { fill: #6e7681 }
}
</style>
<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">` +
	`<path d="M0 0L8 4L0 8z"/></marker></defs>
`

// head takes width and height twice.
const head = `<!-- Written by go generate ./internal/roomplan from the table in arrows_test.go. Do not edit. -->
<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%.0f" viewBox="0 0 %.0f %.0f" role="img">
<title>The packages of Tollgate: each may import those that its arrows lead to, and what is below them</title>
`

func svg(p *plan) string {
	var b strings.Builder
	fmt.Fprintf(&b, head, p.width, p.height, p.width, p.height)
	b.WriteString(style)
	for _, a := range p.arrows {
		b.WriteString(curve(a))
	}
	for _, layer := range p.layers {
		for _, n := range layer {
			b.WriteString(box(n))
		}
	}
	b.WriteString("</svg>\n")
	return b.String()
}

func box(n *node) string {
	if n.names == nil {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "<g class=%q><rect x=\"%.0f\" y=\"%.0f\" width=\"%.0f\" height=\"%.0f\"/>",
		class(n), n.x-n.w/2, n.y, n.w, n.h)
	for i, name := range n.names {
		y := n.y + margin + 9 + float64(lineGap*i)
		fmt.Fprintf(&b, "<text x=\"%.0f\" y=\"%.0f\">%s</text>", n.x, y, html.EscapeString(label(name)))
	}
	b.WriteString("</g>\n")
	return b.String()
}

// class tells the root from packages that a host may import, and those from the others.
func class(n *node) string {
	switch {
	case n.names[0] == ".":
		return "root"
	case strings.HasPrefix(n.names[0], "internal/"), strings.Contains(n.names[0], "/internal/"):
		return "inside"
	}
	return "public"
}

func label(name string) string {
	if name == "." {
		return "gateway"
	}
	return strings.TrimPrefix(name, "internal/")
}

// curve leaves a box at its lower edge, passes layers straight, and ends at the upper edge of the other.
func curve(a arrow) string {
	var b strings.Builder
	x, y := end(a[0], a[0].below, a[1]), a[0].y+a[0].h
	fmt.Fprintf(&b, "<path marker-end=\"url(#tip)\" d=\"M%.0f %.0f", x, y)
	for i, n := range a[1:] {
		toX := n.x
		if n.names != nil {
			toX = end(n, n.above, a[i])
		}
		half := (y + n.y) / 2
		fmt.Fprintf(&b, "C%.0f %.0f %.0f %.0f %.0f %.0f", x, half, toX, half, toX, n.y)
		x, y = toX, n.y+n.h
		if n.names == nil {
			fmt.Fprintf(&b, "V%.0f", y)
		}
	}
	return b.String() + "\"/>\n"
}

// end is where at the edge of a box the arrow to a neighbour is: side by side, in the order of the neighbours.
func end(n *node, near []*node, to *node) float64 {
	sorted := slices.Clone(near)
	slices.SortStableFunc(sorted, func(a, b *node) int { return cmp.Compare(a.x, b.x) })
	return n.x + port*(float64(slices.Index(sorted, to))-float64(len(sorted)-1)/2)
}
