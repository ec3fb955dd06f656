package methodstest

import (
	"slices"
	"testing"

	"github.com/tollgatepay/gateway/methods"
)

// Run checks the whole contract, each part as a subtest.
func Run(t *testing.T, s Subject) {
	t.Helper()
	if s.New == nil || s.Approve == nil {
		t.Fatal("methodstest: Subject.New and Subject.Approve are required")
	}
	if err := methods.CheckPowers(s.New(t)); err != nil {
		t.Fatal(err)
	}
	for _, c := range checks() {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := newProbe(t, s)
			if missing := c.needs.missing(p); missing != "" {
				t.Skip("skipped: " + missing)
			}
			c.run(p)
		})
	}
}

// checks are all parts of the contract, in the order in which they run.
func checks() []check {
	return slices.Concat(chargeChecks(), findChecks(), followChecks(), payerChecks(), moneyChecks(), storedChecks(),
		noteChecks(), faultChecks(), lostChecks())
}
