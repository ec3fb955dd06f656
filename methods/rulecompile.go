package methods

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Words returns the rule in words, for people.
func (r Rule) Words() string {
	if k := kindOf(r.Kind); k != nil {
		return k.words(r)
	}
	return string(r.Kind)
}

// Sample returns a value that satisfies the rule. It is empty when the rule alone does not tell one: for patterns,
// and for rules that depend on other parameters.
func (r Rule) Sample() string {
	if k := kindOf(r.Kind); k != nil && k.sample != nil {
		return k.sample(r)
	}
	return ""
}

// Checks returns the names of the rule's conditions, such as "characters" and "long", each of which can fail
// alone. It is empty when the rule does not compile.
func (r Rule) Checks() []string {
	checks, err := r.compile(newTags())
	if err != nil {
		return nil
	}
	names := make([]string, len(checks))
	for i, c := range checks {
		names[i] = c.name
	}
	return names
}

// compile makes the checks of a rule, or returns everything that is wrong with it.
func (r Rule) compile(t *tags) ([]check, error) {
	k := kindOf(r.Kind)
	if k == nil {
		return nil, fmt.Errorf("kind %q is not known", r.Kind)
	}
	if err := errors.Join(r.unread(k.reads), r.bounds(), r.values(k)); err != nil {
		return nil, err
	}
	return k.checks(r, t)
}

// unread reports fields that are set although the kind does not read them: most likely a mistake.
func (r Rule) unread(reads string) error {
	var errs []error
	for _, f := range []struct {
		name string
		set  bool
	}{
		{"min", r.Min != 0}, {"max", r.Max != 0}, {"decimals", r.Decimals != 0},
		{"values", r.Values != nil}, {"pattern", r.Pattern != ""}, {"with", r.With != ""},
	} {
		if f.set && !slices.Contains(strings.Fields(reads), f.name) {
			errs = append(errs, fmt.Errorf("%s is not used by kind %s", f.name, r.Kind))
		}
	}
	return errors.Join(errs...)
}

func (r Rule) bounds() error {
	if r.Min < 0 || r.Max < 0 || r.Decimals < 0 || r.Max > 0 && r.Min > r.Max {
		return errors.New("min, max and decimals must be 0 or more, and min not above max")
	}
	return nil
}

// values reports values that the kind requires and that are missing, and values that cannot be told apart.
func (r Rule) values(k *ruleKind) error {
	var errs []error
	for _, need := range strings.Fields(k.needs) {
		if need == "values" && len(r.Values) == 0 || need == "max" && r.Max == 0 ||
			need == "pattern" && r.Pattern == "" || need == "with" && r.With == "" {
			errs = append(errs, fmt.Errorf("kind %s needs %s", r.Kind, need))
		}
	}
	for i, value := range r.Values {
		if value == "" || slices.Contains(r.Values[:i], value) {
			errs = append(errs, fmt.Errorf("value %q is empty or occurs twice", value))
		}
	}
	return errors.Join(errs...)
}
