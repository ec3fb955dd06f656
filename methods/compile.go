package methods

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Checker is a compiled set. It never changes and may be shared.
type Checker struct {
	set       Set
	rows      []compiledRow
	root      node  // the parameters, as a tree of patterns
	request   []int // rows about fields of the request
	operators []compiledOperator
}

type compiledRow struct {
	*Row
	path   Path
	checks []check
	words  bool // free text by people
}

// node is one step in the patterns of a set: an object with children, a list with elements, or a value.
type node struct {
	key      string
	row      *compiledRow // nil for a container without a row
	index    int          // of the row
	element  *node        // of a list
	children []*node
	optional bool // nothing at or below it is required, unless the MID lists it
}

// Compile checks a set and prepares it for use. The error names every row that is wrong.
func Compile(set Set) (*Checker, error) { return compileSet(set, newTags()) }

func compileSet(set Set, t *tags) (*Checker, error) {
	set.Rows, set.Operators = slices.Clone(set.Rows), slices.Clone(set.Operators)
	c := &Checker{set: set, rows: make([]compiledRow, len(set.Rows))}
	var errs []error
	if !isName(set.Name) {
		errs = append(errs, errors.New("the name must be lower-case letters, digits and dashes"))
	}
	if len(set.Rows) == 0 {
		errs = append(errs, errors.New("it has no rows"))
	}
	errs = append(errs, c.compileOperators())
	for i := range set.Rows {
		if err := c.compileRow(i, t); err != nil {
			errs = append(errs, fmt.Errorf("row %q: %w", set.Rows[i].Path, err))
		}
	}
	if err := errors.Join(errs...); err != nil {
		return nil, fmt.Errorf("set %q: %w", set.Name, err)
	}
	if err := errors.Join(c.sensible()...); err != nil {
		return nil, fmt.Errorf("set %q: %w", set.Name, err)
	}
	c.root.markOptional()
	return c, nil
}

func isName(text string) bool {
	return len(text) <= 64 && isKey(text) && strings.ToLower(text) == text && !strings.Contains(text, "_")
}

// Set returns the set that was compiled.
func (c *Checker) Set() Set {
	set := c.set
	set.Rows, set.Operators = slices.Clone(set.Rows), slices.Clone(set.Operators)
	return set
}

func (c *Checker) compileRow(i int, t *tags) error {
	row := &c.set.Rows[i]
	c.rows[i].Row, c.rows[i].words = row, row.isWords()
	var errs []error
	var err error
	if c.rows[i].checks, err = row.Rule.compile(t); err != nil {
		errs = append(errs, err)
	}
	if !slices.Contains(requirements(), row.Requirement) {
		errs = append(errs, fmt.Errorf("requirement %q is not known", row.Requirement))
	}
	if conditional := row.Requirement == Conditional; conditional != (row.When != "") ||
		conditional && !slices.Contains(conditions(), row.When) {
		errs = append(errs, fmt.Errorf("condition %q does not fit requirement %q", row.When, row.Requirement))
	}
	if row.Option != "" && !isOption(row.Option) {
		errs = append(errs, fmt.Errorf("option %q is not known", row.Option))
	}
	if row.Beside != "" && !row.hasBeside(c.set.Rows) {
		errs = append(errs, errors.New("beside must name another parameter at the top level"))
	}
	return errors.Join(append(errs, row.Where.check(row, c.set.Rows), c.place(i))...)
}

// hasBeside reports whether the set has the parameter that a row is sent beside.
func (r *Row) hasBeside(rows []Row) bool {
	return !r.Request && slices.ContainsFunc(rows, func(other Row) bool {
		return other.Path == r.Beside && other.Path != r.Path && isKey(other.Path) && !other.Request
	})
}

// check reports what is wrong with the binding of a row, given the rows of its set.
func (w *Where) check(row *Row, rows []Row) error {
	if w.Path == "" && w.Values == nil {
		return nil
	}
	plain := slices.ContainsFunc(rows, func(r Row) bool {
		return r.Path == w.Path && r.Path != row.Path && isKey(r.Path) && r.Rule.Kind != RuleList &&
			!r.Request && r.Default == "" && r.Option == "" && r.Alias == ""
	})
	var errs []error
	if !plain {
		errs = append(errs,
			errors.New("where must name another parameter at the top level, without default, option and alias"))
	}
	if row.Request {
		errs = append(errs, errors.New("fields of the request cannot have a where"))
	}
	if len(w.Values) == 0 || slices.Contains(w.Values, "") {
		errs = append(errs, errors.New("where needs values"))
	}
	return errors.Join(errs...)
}

// place adds a row to the tree of patterns.
func (c *Checker) place(i int) error {
	row := &c.rows[i]
	for j := range i {
		if c.set.Rows[j].Path == row.Path {
			return errors.New("the path occurs twice")
		}
	}
	if row.Request {
		return c.placeRequest(i)
	}
	path, err := ParsePath(row.Path)
	if err != nil {
		return err
	}
	if row.Alias != "" && (!isKey(row.Alias) || path[len(path)-1].Key == "") {
		return fmt.Errorf("alias %q is not a key", row.Alias)
	}
	row.path = path
	at := &c.root
	for _, step := range path {
		if at = at.step(step); at == nil {
			return errors.New("a step is both an object and a list, or names one element of a list")
		}
	}
	at.row, at.index = row, i
	return nil
}

func (c *Checker) placeRequest(i int) error {
	row := &c.rows[i]
	switch {
	case !slices.Contains(RequestFields(), row.Path):
		return errors.New("the request has no such field for which a set may have rules")
	case row.Default != "" || row.Option != "" || row.Alias != "":
		return errors.New("fields of the request cannot have a default, option or alias")
	}
	row.path = Path{{Key: row.Path}}
	c.request = append(c.request, i)
	return nil
}

// step returns the node one step further, and makes it if needed. It returns nil when the step does not fit.
func (n *node) step(step Step) *node {
	if step.Key == "" {
		if step.Index != Any || n.children != nil {
			return nil
		}
		if n.element == nil {
			n.element = &node{}
		}
		return n.element
	}
	if n.element != nil {
		return nil
	}
	for _, child := range n.children {
		if child.key == step.Key {
			return child
		}
	}
	child := &node{key: step.Key}
	n.children = append(n.children, child)
	return child
}

// markOptional sets optional of a node and of all below it.
func (n *node) markOptional() bool {
	n.optional = n.row == nil || n.row.Requirement == Optional || n.row.When == WhenListed
	if n.element != nil && !n.element.markOptional() {
		n.optional = false
	}
	for _, child := range n.children {
		if !child.markOptional() {
			n.optional = false
		}
	}
	return n.optional
}

func (n *node) isValue() bool { return n.element == nil && n.children == nil }

// sensible checks rows together: containers against values, and examples and defaults against their own rules.
func (c *Checker) sensible() (errs []error) {
	errs = c.root.shapes(nil)
	for i := range c.rows {
		row := &c.rows[i]
		if row.Rule.With != "" && !c.names(row.Rule.With) {
			errs = append(errs, fmt.Errorf("row %q: with %q names no row of the set", row.Path, row.Rule.With))
		}
		for _, value := range []string{row.Default, row.Example} {
			if value != "" && !row.alone() {
				continue
			}
			if value != "" && row.firstFault(value) != "" {
				errs = append(errs, fmt.Errorf("row %q: %q breaks the row's own rule", row.Path, value))
			}
		}
	}
	return errs
}

// shapes reports rows whose rule does not fit the rows below them.
func (n *node) shapes(errs []error) []error {
	if n.row != nil && (n.row.Rule.Kind == RuleList) != (n.element != nil) || n.row != nil && n.children != nil {
		errs = append(errs, fmt.Errorf("row %q: a list has rule list and rows below it, a value has neither", n.row.Path))
	}
	if n.element != nil {
		errs = n.element.shapes(errs)
	}
	for _, child := range n.children {
		errs = child.shapes(errs)
	}
	return errs
}

func (c *Checker) names(path string) bool {
	return slices.ContainsFunc(c.set.Rows, func(r Row) bool { return r.Path == path })
}

// alone reports whether the rule reads only the value itself.
func (r *compiledRow) alone() bool {
	switch r.Rule.Kind {
	case RuleJoined, RuleOperator, RuleOperatorNumber, RuleOperatorCurrency, RuleOperatorAmount, RuleCurrency:
		return false
	}
	return true
}

func (r *compiledRow) firstFault(value string) string {
	for _, check := range r.checks {
		if text := check.fail(value, nil); text != "" {
			return text
		}
	}
	return ""
}

// compileOperators reads the amounts and patterns of the operators.
func (c *Checker) compileOperators() error {
	var errs []error
	for i, o := range c.set.Operators {
		compiled, err := o.compile()
		if err != nil {
			errs = append(errs, fmt.Errorf("operator %q: %w", o.Slug, err))
		}
		if slices.ContainsFunc(c.set.Operators[:i], func(p Operator) bool { return p.Slug == o.Slug }) {
			errs = append(errs, fmt.Errorf("operator %q occurs twice", o.Slug))
		}
		c.operators = append(c.operators, compiled)
	}
	return errors.Join(errs...)
}
