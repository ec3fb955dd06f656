package fields

import (
	"slices"
	"strings"

	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// Field is one row of a table: under which path the caller knows it, where it stands in the request, when it has to be
// there, and the rules that its value keeps when it is there.
type Field[R any] struct {
	Path   string
	Value  func(R) string // "" for a field that is absent
	Shape  func(R) string // what is wrong with how the field was sent, "" for nothing; nil where nothing can be
	Needed Need[R]        // the zero value: the field may be left out
	Rules  []Rule[R]
	Check  func(R) []refusal.Fault // of what is no single text, in place of all the others
	Form   Form                    // what a description says of the field, beside the forms of its rules

	Missing string   // a second fault of a blank field
	Also    []string // other names under which the field may be sent
	Numbers bool     // a number, a name or a URL, among whose digits a card number stands by chance
	Lines   bool     // a document or a digest, which is no line of text
	Unsent  bool     // only Go callers have it, and no description tells of it
	Since   string   // the release that brought it; "" for the first
}

// AddedIn is the row of a field that came in a later release than the first.
func (f Field[R]) AddedIn(version string) Field[R] {
	f.Since = version
	return f
}

// Says is the row with words for a description: what the field is.
func (f Field[R]) Says(words string) Field[R] {
	f.Form.Words = words
	return f
}

// Named is the row under another path.
func (f Field[R]) Named(path string) Field[R] {
	own, check := f.Path, f.Check
	f.Path = path
	if check != nil {
		f.Check = func(request R) []refusal.Fault {
			faults := check(request)
			for i := range faults {
				if faults[i].Path == own {
					faults[i].Path = path
				}
			}
			return faults
		}
	}
	return f
}

// Table is what is asked of the fields of a request, in the order in which their faults are reported.
type Table[R any] struct {
	Fields []Field[R]
	Every  bool // every rule that fails is a fault of its own; else the first that fails is the only one
	Cards  bool // a text that holds a card number is a fault (decision ba)
}

// Faults holds a request against every row but those that are skipped; nil skips none.
func (t *Table[R]) Faults(request R, skipped func(path string) bool) (faults []refusal.Fault) {
	for i := range t.Fields {
		if skipped == nil || !skipped(t.Fields[i].Path) {
			faults = append(faults, t.FaultsOf(&t.Fields[i], request)...)
		}
	}
	return faults
}

// Faults holds a request against a row that is in no table, or not as it stands; the first rule that fails counts.
func (f *Field[R]) Faults(request R) []refusal.Fault { return (&Table[R]{}).FaultsOf(f, request) }

// FaultsOf holds a request against one row.
func (t *Table[R]) FaultsOf(f *Field[R], request R) []refusal.Fault {
	if f.Check != nil {
		return f.Check(request)
	}
	if f.Shape != nil {
		if text := f.Shape(request); text != "" {
			return []refusal.Fault{{Path: f.Path, Text: text}}
		}
	}
	value := f.Value(request)
	switch {
	case value != "":
		return t.broken(f, request, value)
	case f.Needed.When == nil || !f.Needed.When(request):
		return nil
	case f.Missing != "":
		return []refusal.Fault{{Path: f.Path, Text: TextBlank}, {Path: f.Path, Text: f.Missing}}
	}
	return []refusal.Fault{{Path: f.Path, Text: TextBlank}}
}

// broken are the rules that a value breaks. A value that breaks one of its own is not looked at as a text.
func (t *Table[R]) broken(f *Field[R], request R, value string) (faults []refusal.Fault) {
	for _, rule := range f.Rules {
		if text := rule.Check(request, value); text != "" {
			faults = append(faults, refusal.Fault{Path: f.Path, Text: text})
			if !t.Every {
				return faults
			}
		}
	}
	switch {
	case faults != nil:
		return faults
	case t.Cards && !f.Numbers && store.HoldsPAN(value):
		return []refusal.Fault{{Path: f.Path, Text: TextCard}}
	case !f.Lines && !IsPrintable(value): // decision ca
		return []refusal.Fault{{Path: f.Path, Text: TextPrintable}}
	}
	return nil
}

// Row is the row of a path; it panics where there is none, which is a mistake in a table.
func (t *Table[R]) Row(path string) *Field[R] {
	i := slices.IndexFunc(t.Fields, func(f Field[R]) bool { return f.Path == path })
	return &t.Fields[i]
}

// Place is where in the table a fault belongs; what is of no row comes last.
func (t *Table[R]) Place(path string) int {
	path, _, _ = strings.Cut(path, "[")
	for i := range t.Fields {
		row := t.Fields[i].Path
		if row == path || strings.HasPrefix(row, path+".") || strings.HasPrefix(path, row+".") {
			return i
		}
	}
	return len(t.Fields)
}

// Rows describes the fields of a table, in its order.
func (t *Table[R]) Rows() []Row { return Rows(t.Fields) }

// Rows describes a list of fields.
func Rows[R any](list []Field[R]) []Row {
	rows := make([]Row, 0, len(list))
	for i := range list {
		f := &list[i]
		if f.Unsent {
			continue
		}
		row := Row{Path: f.Path, Also: f.Also, Numbers: f.Numbers, Since: f.Since, Forms: []Form{f.Form}}
		row.Requirement, row.Condition = f.Needed.Requirement()
		for _, rule := range f.Rules {
			row.Forms = append(row.Forms, rule.Form)
		}
		rows = append(rows, row)
	}
	return rows
}
