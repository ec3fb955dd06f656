package roomplan

import (
	"cmp"
	"slices"
)

// untangle looks for an order of the nodes in each layer in which arrows cross little, and keeps the best one.
func (p *plan) untangle() {
	best, least := p.orders(), p.crossings()
	for i := range sweeps {
		p.order(i%2 == 0)
		for p.swap() {
		}
		if n := p.crossings(); n < least {
			best, least = p.orders(), n
		}
	}
	p.layers = best
	p.number()
}

func (p *plan) orders() (layers [][]*node) {
	for _, layer := range p.layers {
		layers = append(layers, slices.Clone(layer))
	}
	return layers
}

// number makes the place of a node in its layer its x.
func (p *plan) number() {
	for _, layer := range p.layers {
		for at, n := range layer {
			n.x = float64(at)
		}
	}
}

// order sorts the layers by the positions of their neighbours in the layer before.
func (p *plan) order(down bool) {
	for i := range p.layers {
		layer := p.layers[i]
		if !down {
			layer = p.layers[len(p.layers)-1-i]
		}
		p.number()
		slices.SortStableFunc(layer, func(a, b *node) int { return cmp.Compare(a.wants(down), b.wants(down)) })
	}
	p.number()
}

// swap changes neighbours if fewer arrows then cross, and reports whether it did.
func (p *plan) swap() (swapped bool) {
	for _, layer := range p.layers {
		for i := range len(layer) - 1 {
			a, b := layer[i], layer[i+1]
			now := crossing(a.above, b.above) + crossing(a.below, b.below)
			if now > crossing(b.above, a.above)+crossing(b.below, a.below) {
				layer[i], layer[i+1] = b, a
				a.x, b.x = b.x, a.x
				swapped = true
			}
		}
	}
	return swapped
}

// crossings counts the arrows that cross between all layers.
func (p *plan) crossings() (sum int) {
	p.number()
	for _, layer := range p.layers {
		for i, a := range layer {
			for _, b := range layer[i+1:] {
				sum += crossing(a.below, b.below)
			}
		}
	}
	return sum
}

// crossing counts the arrows that cross between the neighbours of a node and those of one to its right.
func crossing(left, right []*node) (sum int) {
	for _, a := range left {
		for _, b := range right {
			if a.x > b.x {
				sum++
			}
		}
	}
	return sum
}
