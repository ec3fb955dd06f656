package methods

import (
	"errors"
	"fmt"
	"slices"
	"sync"
)

//go:generate go test . -run ^TestPage$ -rewrite

// Catalogue is the payment methods of a gateway and the parameter sets that they have. It never changes and may be
// shared.
type Catalogue struct {
	methods map[string]Method
	sets    map[string]*Checker
	codes   []string // in the order of the tables, then the host's own
	names   []string // of the sets, in the same order
}

// NewCatalogue makes the default catalogue (SPEC2 and methods.md) with the host's own methods. A custom method
// whose code is one of the defaults replaces it; two with one code are an error. The error names every fault of
// every record.
func NewCatalogue(custom ...Method) (*Catalogue, error) {
	if len(custom) == 0 {
		return defaultCatalogue()
	}
	return newCatalogue(custom)
}

// defaultCatalogue is made once, because compiling its rules takes milliseconds and a catalogue never changes.
var defaultCatalogue = sync.OnceValues(func() (*Catalogue, error) { return newCatalogue(nil) })

func newCatalogue(custom []Method) (*Catalogue, error) {
	c := &Catalogue{methods: map[string]Method{}, sets: map[string]*Checker{}}
	var errs []error
	t := newTags()
	for _, set := range DefaultSets() {
		errs = append(errs, c.addSet(set, t))
	}
	for _, method := range DefaultMethods() {
		c.addMethod(method)
	}
	errs = append(errs, c.addOwn(custom, t))
	for _, code := range c.codes {
		method := c.methods[code]
		if err := method.check(c.sets); err != nil {
			errs = append(errs, fmt.Errorf("method %q: %w", code, err))
		}
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return c, nil
}

// addOwn adds the host's methods and the sets that they define.
func (c *Catalogue) addOwn(custom []Method, t *tags) error {
	var errs []error
	codes, names := map[string]bool{}, map[string]bool{}
	for _, method := range custom {
		if codes[method.Code] {
			errs = append(errs, fmt.Errorf("method %q: registered twice", method.Code))
		}
		codes[method.Code] = true
		for _, set := range method.Defines {
			if names[set.Name] {
				errs = append(errs, fmt.Errorf("set %q: defined twice", set.Name))
			}
			names[set.Name] = true
			errs = append(errs, c.addSet(set, t))
		}
		c.addMethod(method)
	}
	return errors.Join(errs...)
}

// DefaultSets returns the sets of SPEC2 and methods.md, in their order.
func DefaultSets() []Set {
	return slices.Concat(cardSets(), cartSets(), methodSets(), payoutSets(), codeSets())
}

func (c *Catalogue) addSet(set Set, t *tags) error {
	checker, err := compileSet(set, t)
	if err != nil {
		return err
	}
	if c.sets[set.Name] == nil {
		c.names = append(c.names, set.Name)
	}
	c.sets[set.Name] = checker
	return nil
}

func (c *Catalogue) addMethod(method Method) {
	if _, known := c.methods[method.Code]; !known {
		c.codes = append(c.codes, method.Code)
	}
	c.methods[method.Code] = method
}

// Lookup returns a method by its code, exactly as written. Callers must not change it.
func (c *Catalogue) Lookup(code string) (Method, bool) {
	method, ok := c.methods[code]
	return method, ok
}

// Codes returns every code, in the order of the tables.
func (c *Catalogue) Codes() []string { return slices.Clone(c.codes) }

// Set returns a compiled set by its name.
func (c *Catalogue) Set(name string) (*Checker, bool) {
	checker, ok := c.sets[name]
	return checker, ok
}

// Sets returns the names of every set, in the order of the tables.
func (c *Catalogue) Sets() []string { return slices.Clone(c.names) }

// Check checks what was sent for a method against every set that applies, and reports each fault once. A method
// that is not in the catalogue has no rules; the caller decides whether it may be used. ctx.Code is set to the
// code.
func (c *Catalogue) Check(code string, tree map[string]any, spelling Spelling, ctx Context) (faults []Fault) {
	ctx.Code, ctx.asks = code, c.methods[code].Prompts
	checkers := c.applying(make([]*Checker, 0, usualSets), tree, spelling, &ctx)
	if len(tree) == 0 && len(ctx.MID.Needed) == 0 { // nothing was sent
		checkers = slices.DeleteFunc(checkers, (*Checker).needsNothing)
	}
	if len(checkers) == 0 {
		return nil
	}
	v := newVisit(tree, spelling, ctx)
	for _, checker := range checkers {
		for _, fault := range v.along(checker) {
			if len(faults) < MaxFaults && !slices.Contains(faults, fault) {
				faults = append(faults, fault)
			}
		}
	}
	return faults
}

// needsNothing reports whether a request without parameters breaks no rule of the set, unless the MID lists one.
func (c *Checker) needsNothing() bool { return c.root.optional && len(c.request) == 0 }

// Complete returns a copy of the parameters with the defaults of every set that applies; see Checker.Complete.
func (c *Catalogue) Complete(code string, tree map[string]any, spelling Spelling, ctx Context) map[string]any {
	ctx.Code = code
	for _, checker := range c.applying(make([]*Checker, 0, usualSets), tree, spelling, &ctx) {
		tree = checker.Complete(tree, ctx.MID)
	}
	return tree
}

// Takes reports whether a set of the method has a parameter of this name at its top level.
func (c *Catalogue) Takes(code, name string) bool {
	return slices.ContainsFunc(c.methods[code].Sets, func(u Use) bool { return c.sets[u.Set].names(name) })
}

// usualSets is how many sets usually apply at most.
const usualSets = 8

// applying adds to a list the sets that a request has to satisfy. When all alternatives fail it adds the closest
// one, the first of several.
func (c *Catalogue) applying(checkers []*Checker, tree map[string]any, spelling Spelling, ctx *Context) []*Checker {
	groups := make([]string, 0, usualSets) // that of each in checkers
	for _, use := range c.methods[ctx.Code].Sets {
		if !c.applies(&use, tree, spelling, ctx) {
			continue
		}
		checker := c.sets[use.Set]
		i := -1
		if use.Group != "" {
			i = slices.Index(groups, use.Group)
		}
		switch {
		case i < 0:
			groups, checkers = append(groups, use.Group), append(checkers, checker)
		case len(checker.Check(tree, spelling, *ctx)) < len(checkers[i].Check(tree, spelling, *ctx)):
			checkers[i] = checker
		}
	}
	return checkers
}

func (c *Catalogue) applies(u *Use, tree map[string]any, spelling Spelling, ctx *Context) bool {
	return (u.Spelling == "" || u.Spelling == spelling) && serves(u.Operations, ctx.Operation) &&
		(!u.IfSent || len(tree) > 0 && c.sets[u.Set].isSent(tree) || slices.Contains(ctx.MID.Needed, u.Set))
}

// isSent reports whether any parameter of the set was sent, under its first key.
func (c *Checker) isSent(tree map[string]any) bool {
	return slices.ContainsFunc(c.root.children, func(n *node) bool {
		return !isAbsent(tree[n.key]) || n.row != nil && n.row.Alias != "" && !isAbsent(tree[n.row.Alias])
	})
}

// CheckOptions reports everything in the options of a MID that the catalogue does not know: values, and needed
// parameters that no set has.
func (c *Catalogue) CheckOptions(o MIDOptions) error {
	errs := []error{o.check()}
	for _, needed := range o.Needed {
		if !c.knows(needed) {
			errs = append(errs, fmt.Errorf("%s: %q is neither a parameter nor a set", optionNeeded, needed))
		}
	}
	return errors.Join(errs...)
}

func (c *Catalogue) knows(needed string) bool {
	if c.sets[needed] != nil {
		return true
	}
	for _, checker := range c.sets {
		if checker.names(needed) {
			return true
		}
	}
	return false
}
