package methods

import "slices"

// check is one condition of a rule. It returns the text for a value that fails the condition.
type check struct {
	name string
	fail func(value string, b *beside) string
}

// unless makes a check of a predicate on the text alone.
func unless(name, text string, ok func(string) bool) check {
	return check{name, func(value string, _ *beside) string {
		if ok(value) {
			return ""
		}
		return text
	}}
}

// beside is what a condition reads in addition to the value: the request, the other parameters, the operators of
// the set.
type beside struct {
	ctx       Context
	tree      map[string]any
	operators []compiledOperator
}

// other returns the text of another row's value: a parameter at the top, or a field of the request.
func (b *beside) other(path string) string {
	if text, ok := textOf(b.tree[path]); ok {
		return text
	}
	return b.ctx.field(path)
}

// operator returns an operator by its slug; nil for an unknown one.
func (b *beside) operator(slug string) *compiledOperator {
	operators := b.operators
	i := slices.IndexFunc(operators, func(o compiledOperator) bool { return o.Slug == slug })
	if i < 0 {
		return nil
	}
	return &operators[i]
}

func (b *beside) slugs() (slugs []string) {
	for _, o := range b.operators {
		slugs = append(slugs, o.Slug)
	}
	return slugs
}

// operatorCurrencies returns them in the order of the table.
func (b *beside) operatorCurrencies() (currencies []string) {
	for _, o := range b.operators {
		if !slices.Contains(currencies, o.Currency) {
			currencies = append(currencies, o.Currency)
		}
	}
	return currencies
}
