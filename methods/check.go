package methods

import (
	"slices"

	"github.com/tollgatepay/gateway/internal/fault"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// Fault is a parameter that breaks a rule of its set: its place as the caller spells it, and the rule in words,
// without the value. Merchants get it as "<path>: <text>".
type Fault = refusal.Fault

// MaxFaults bounds the faults of one check, which ends there: a list of thousands of elements can break thousands
// of rules.
const MaxFaults = 1000

const (
	textBlank  = fault.Blank
	textValue  = "must be a single value"
	textObject = fault.Object
	textList   = fault.List
)

// visit is a walk through a tree along one set after the other.
type visit struct {
	beside
	spelling Spelling
	path     Path             // the place of the walk
	steps    [usualDepth]Step // of path, while it is no deeper
	listed   []bool           // by row: whether the MID lists it
	faults   []Fault
}

// usualDepth is how deep most parameters are.
const usualDepth = 6

func newVisit(tree map[string]any, spelling Spelling, ctx Context) *visit {
	v := &visit{beside: beside{ctx: ctx, tree: tree}, spelling: spelling}
	v.path = v.steps[:0]
	return v
}

// Check checks parameters against the set and reports every fault, in the order of the rows; a value that breaks
// several rules has several faults. tree is what was sent for the method: map[string]any, []any, string, bool,
// json.Number and nil. Parameters that the set does not know are no faults. The tree is neither changed nor kept.
func (c *Checker) Check(tree map[string]any, spelling Spelling, ctx Context) []Fault {
	return newVisit(tree, spelling, ctx).along(c)
}

// along walks along a set and returns its faults, which the next walk overwrites.
func (v *visit) along(c *Checker) []Fault {
	v.operators, v.listed, v.faults = c.operators, c.listed(v.ctx.MID.Needed), v.faults[:0]
	v.children(&c.root, v.tree)
	for _, i := range c.request {
		v.requestField(&c.rows[i], i)
	}
	return v.faults
}

// listed returns which rows the MID lists; nil when it lists none.
func (c *Checker) listed(needed []string) []bool {
	if len(needed) == 0 {
		return nil
	}
	listed := make([]bool, len(c.rows))
	for i := range c.rows {
		listed[i] = slices.Contains(needed, c.rows[i].Path)
	}
	return listed
}

func (v *visit) children(n *node, object map[string]any) {
	for _, child := range n.children {
		v.path = append(v.path, Step{Key: child.key})
		v.value(child, v.named(child, object))
		v.path = v.path[:len(v.path)-1]
	}
}

// named returns the value of a child, read under its alias when it is absent under its name. The path follows.
func (v *visit) named(child *node, object map[string]any) any {
	value := object[child.key]
	if child.row == nil || child.row.Alias == "" || !isAbsent(value) || isAbsent(object[child.row.Alias]) {
		return value
	}
	v.path[len(v.path)-1].Key = child.row.Alias
	return object[child.row.Alias]
}

func (v *visit) value(n *node, value any) {
	switch {
	case len(v.faults) >= MaxFaults:
	case n.row != nil && v.ctx.MID.value(n.row.Option) != "": // the MID sets the value, and that one counts
	case isAbsent(value), // a form has no empty containers except as JSON (decision ap)
		!n.isValue() && v.spelling == Form && (value == "[]" || value == "{}"):
		v.absent(n)
	case n.isValue():
		v.scalar(n.row, value)
	case n.element != nil:
		v.list(n, value)
	default:
		if object, ok := value.(map[string]any); ok {
			v.children(n, object)
		} else {
			v.fault(textObject)
		}
	}
}

func (v *visit) list(n *node, value any) {
	elements, ok := value.([]any)
	if !ok {
		v.fault(textList)
		return
	}
	for i, element := range elements {
		v.path = append(v.path, Step{Index: i})
		v.value(n.element, element)
		v.path = v.path[:len(v.path)-1]
	}
}

// absent reports a missing parameter. For a missing list it names the first element, unless the list has a row of
// its own.
func (v *visit) absent(n *node) {
	switch {
	case n.optional && v.listed == nil:
	case n.row != nil:
		if v.required(n.row, n.index) {
			v.fault(textBlank)
		}
	case n.element != nil:
		v.path = append(v.path, Step{})
		v.absent(n.element)
		v.path = v.path[:len(v.path)-1]
	default:
		v.children(n, nil)
	}
}

// required reports whether an absent parameter is a fault.
func (v *visit) required(row *compiledRow, index int) bool {
	if !row.Where.holds(v.tree) || row.Default != "" || row.Option != "" && v.ctx.MID.value(row.Option) != "" {
		return false
	}
	listed := v.listed != nil && v.listed[index]
	if v.ctx.Stage == Hosted && slices.ContainsFunc(v.ctx.asks, func(a Prompt) bool { return a.Name == row.Path }) {
		return false
	}
	switch row.When {
	case WhenNotAsked:
		return v.ctx.Stage != Hosted
	case WhenNotExempt:
		return v.ctx.Stage != Hosted && !v.ctx.MID.exempt(v.ctx.field("payer_country"))
	case WhenAnswered:
		return v.ctx.Stage == Collected
	case WhenListed:
		return listed
	}
	return row.Requirement == Required || listed
}

func (v *visit) scalar(row *compiledRow, value any) {
	text, ok := textOf(value)
	if !ok {
		v.fault(textValue)
		return
	}
	if row.ignored(v.tree) {
		return
	}
	v.run(row, text)
	v.words(row, text)
}

// words refuses a card number in a text.
func (v *visit) words(row *compiledRow, text string) {
	if row.words && store.HoldsPAN(text) {
		v.fault(textCard)
	}
}
func (v *visit) run(row *compiledRow, text string) {
	if row.Where.forbids(v.tree) {
		v.say(row, row.Where.text())
	}
	for i := range row.checks {
		if fault := row.checks[i].fail(text, &v.beside); fault != "" {
			v.say(row, fault)
		}
	}
}

func (v *visit) requestField(row *compiledRow, index int) {
	text := v.ctx.field(row.Path)
	switch {
	case text != "":
		v.run(row, text)
	case v.required(row, index):
		v.say(row, textBlank)
	}
}

func (v *visit) say(row *compiledRow, text string) {
	if row.Request {
		v.faults = append(v.faults, Fault{Path: spellRequest(row.Path, v.spelling), Text: text})
		return
	}
	v.fault(text)
}

func (v *visit) fault(text string) {
	v.faults = append(v.faults, Fault{Path: v.path.Spell(v.spelling, v.ctx.Code), Text: text})
}
