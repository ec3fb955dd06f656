package roomplan

import (
	"cmp"
	"math"
	"slices"
)

// Sizes of the picture, in pixels.
const (
	letter  = 7.5 // of the names, on average
	margin  = 12  // within a box
	lineGap = 17  // between the names of a box
	boxGap  = 22  // between two boxes
	bendGap = 16  // beside an arrow that passes a layer
	rowGap  = 44  // between two layers
	port    = 12  // between two arrows at one box
	border  = 16
	sweeps  = 60
)

// node is a box of the plan, or a bend of an arrow that passes a layer.
type node struct {
	names        []string // none: a bend
	layer        int
	x, y, w, h   float64 // x is the middle, y the top
	above, below []*node
}

// arrow runs from a box to one below it, along its bends.
type arrow []*node

type plan struct {
	layers        [][]*node
	arrows        []arrow
	width, height float64
}

// place puts the rooms into layers, so that arrows point down and cross little.
func place(g *graph) *plan {
	p := &plan{}
	nodes := p.boxes(g)
	for _, from := range g.names() {
		for _, to := range g.below(from) {
			p.connect(nodes[from], nodes[to])
		}
	}
	for _, n := range nodes {
		n.w = max(n.w, port*float64(max(len(n.above), len(n.below)))+margin)
	}
	p.untangle()
	for i := range sweeps {
		p.shift(i%2 == 0)
	}
	p.measure()
	return p
}

func (p *plan) boxes(g *graph) map[string]*node {
	layers := layersOf(g)
	nodes := map[string]*node{}
	for _, name := range g.names() {
		n := &node{names: g.rooms[name], layer: layers[name], h: 2*margin + lineGap*float64(len(g.rooms[name])) - 8}
		for _, shown := range n.names {
			n.w = max(n.w, letter*float64(len(label(shown)))+2*margin)
		}
		nodes[name] = n
		p.add(n)
	}
	return nodes
}

func (p *plan) add(n *node) {
	for len(p.layers) <= n.layer {
		p.layers = append(p.layers, nil)
	}
	p.layers[n.layer] = append(p.layers[n.layer], n)
}

// connect makes an arrow with a bend in every layer that it passes.
func (p *plan) connect(from, to *node) {
	a := arrow{from}
	for last := from; last != to; last = a[len(a)-1] {
		next := to
		if last.layer+1 < to.layer {
			next = &node{layer: last.layer + 1}
			p.add(next)
		}
		last.below, next.above = append(last.below, next), append(next.above, last)
		a = append(a, next)
	}
	p.arrows = append(p.arrows, a)
}

// layersOf puts each room below everything that imports it. A room that nothing imports is right above what it
// imports.
func layersOf(g *graph) map[string]int {
	layers := map[string]int{}
	var depth func(string) int
	depth = func(name string) int {
		deepest := 0
		for _, from := range g.above(name) {
			deepest = max(deepest, depth(from)+1)
		}
		return deepest
	}
	for _, name := range g.names() {
		layers[name] = depth(name)
	}
	for _, name := range g.names() {
		if below := g.below(name); len(g.above(name)) == 0 && len(below) > 0 {
			highest := slices.MinFunc(below, func(a, b string) int { return cmp.Compare(layers[a], layers[b]) })
			layers[name] = layers[highest] - 1
		}
	}
	return layers
}

// wants is the middle of a node's neighbours on one side, or its own position.
func (n *node) wants(down bool) float64 {
	near := n.below
	if down {
		near = n.above
	}
	if len(near) == 0 {
		return n.x
	}
	sum := 0.0
	for _, other := range near {
		sum += other.x
	}
	return sum / float64(len(near))
}

// shift moves the nodes of each layer to their neighbours, as near as those beside them allow.
func (p *plan) shift(down bool) {
	for i := range p.layers {
		layer := p.layers[i]
		if !down {
			layer = p.layers[len(p.layers)-1-i]
		}
		spread(layer, down)
	}
}

// run is a row of nodes without room between them.
type run struct{ sum, count float64 }

func (r run) at() float64 { return r.sum / r.count }

// spread finds the places nearest to what the nodes want: runs that would overlap are joined and share the middle.
func spread(layer []*node, down bool) {
	var runs []run
	offsets, offset := make([]float64, len(layer)), 0.0
	for i, n := range layer {
		if i > 0 {
			offset += gap(layer[i-1], n)
		}
		offsets[i] = offset
		runs = append(runs, run{sum: n.wants(down) - offset, count: 1})
		for len(runs) > 1 && runs[len(runs)-2].at() > runs[len(runs)-1].at() {
			last := runs[len(runs)-1]
			runs = runs[:len(runs)-1]
			runs[len(runs)-1].sum += last.sum
			runs[len(runs)-1].count += last.count
		}
	}
	i := 0
	for _, r := range runs {
		for range int(r.count) {
			layer[i].x = r.at() + offsets[i]
			i++
		}
	}
}

// gap is how far the middles of two neighbours are apart at least.
func gap(a, b *node) float64 {
	between := float64(boxGap)
	if a.names == nil || b.names == nil {
		between = bendGap
	}
	return (a.w+b.w)/2 + between
}

// measure moves the plan to its corner and computes its size.
func (p *plan) measure() {
	y, left := float64(border), math.Inf(1)
	for _, layer := range p.layers {
		highest := 0.0
		for _, n := range layer {
			highest = max(highest, n.h)
			left = min(left, n.x-n.w/2)
		}
		for _, n := range layer {
			if n.names == nil {
				n.h = highest // an arrow passes straight
			}
			n.y = y + (highest-n.h)/2
		}
		y += highest + rowGap
	}
	for _, layer := range p.layers {
		for _, n := range layer {
			n.x += border - left
			p.width = max(p.width, n.x+n.w/2+border)
		}
	}
	p.height = y - rowGap + border
}
