package methods

import (
	"errors"
	"fmt"
	"slices"

	"github.com/tollgatepay/gateway/store"
)

// check reports everything that is wrong with the record, given the compiled sets.
func (m *Method) check(sets map[string]*Checker) error {
	errs := []error{m.checkNames(), m.checkLists()}
	for _, use := range m.Sets {
		if err := errors.Join(use.check(sets), m.checkUse(use)); err != nil {
			errs = append(errs, fmt.Errorf("set %q: %w", use.Set, err))
		}
	}
	return errors.Join(append(errs, m.checkAsks(sets))...)
}

func (m *Method) checkNames() error {
	var errs []error
	if !isKey(m.Code) || len(m.Code) > 64 {
		errs = append(errs, errors.New("the code must be 1 to 64 letters, digits, dashes and underscores"))
	}
	if m.Name == "" || !isPrintable(m.Name) {
		errs = append(errs, errors.New("the name must be printable text"))
	}
	if !slices.Contains(MethodKinds(), m.Kind) {
		errs = append(errs, fmt.Errorf("kind %q is not known", m.Kind))
	}
	if m.Window < 0 {
		errs = append(errs, errors.New("window must be 0 or more seconds"))
	}
	return errors.Join(errs...)
}

func (m *Method) checkLists() error {
	errs := []error{checkOperations(m.Operations)}
	if len(m.Operations) == 0 {
		errs = append(errs, fmt.Errorf("operations must be some of %s", charges))
	}
	for _, p := range m.Protocols {
		if !slices.Contains(store.Protocols(), p) {
			errs = append(errs, fmt.Errorf("protocol %q is not known", p))
		}
	}
	for _, code := range m.Currencies {
		if !isCryptoCode(code) {
			errs = append(errs, fmt.Errorf("currency %q must be 3 to 6 upper-case letters and digits", code))
		}
	}
	return errors.Join(errs...)
}

func checkOperations(operations []store.Operation) error {
	var errs []error
	for _, op := range operations {
		if !slices.Contains(charges, op) {
			errs = append(errs, fmt.Errorf("operation %q is not one of %s", op, charges))
		}
	}
	return errors.Join(errs...)
}

func (u Use) check(sets map[string]*Checker) error {
	errs := []error{checkOperations(u.Operations)}
	if sets[u.Set] == nil {
		errs = append(errs, errors.New("unknown set"))
	}
	if u.Spelling != "" && u.Spelling != JSON && u.Spelling != Form {
		errs = append(errs, fmt.Errorf("spelling %q is not known", u.Spelling))
	}
	return errors.Join(errs...)
}

// checkAsks: every prompt is a parameter, and every parameter that the page should collect has a prompt.
func (m *Method) checkAsks(sets map[string]*Checker) error {
	var errs []error
	asked := map[string]bool{}
	for _, ask := range m.Prompts {
		asked[ask.Name] = true
		if !m.hasRow(sets, ask.Name) || ask.Label == "" {
			errs = append(errs, fmt.Errorf("prompt %q names no parameter of the method's sets, or has no label", ask.Name))
		}
	}
	for _, use := range m.Sets {
		if sets[use.Set] == nil || use.Spelling == Form || !m.ServesProtocol(store.Checkout) {
			continue
		}
		for _, row := range sets[use.Set].set.Rows {
			if row.collected() && !asked[row.Path] {
				errs = append(errs, fmt.Errorf("parameter %q of set %q is collected on the page, but has no prompt",
					row.Path, use.Set))
			}
		}
	}
	return errors.Join(errs...)
}

// checkUse: a set applies to operations of the method.
func (m *Method) checkUse(use Use) error {
	for _, op := range use.Operations {
		if len(m.Operations) > 0 && !slices.Contains(m.Operations, op) {
			return fmt.Errorf("operation %q is not one of the method's", op)
		}
	}
	return nil
}

func (m *Method) hasRow(sets map[string]*Checker, path string) bool {
	return slices.ContainsFunc(m.Sets, func(u Use) bool { return sets[u.Set] != nil && sets[u.Set].names(path) })
}

// collected reports whether the parameter depends on the hosted page to ask for it. The page's own form asks for
// fields of the request.
func (r Row) collected() bool {
	return !r.Request && (r.When == WhenNotAsked || r.When == WhenNotExempt)
}
