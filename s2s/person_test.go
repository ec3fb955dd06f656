package s2s

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"
)

// The names under which a person is read are those of the documents' parameters. Payees have no ip, which is read all
// the same: an action without such a parameter has none.
func TestNamesOfAPerson(t *testing.T) {
	t.Parallel()
	for prefix, names := range map[string]*personNames{payer: payerNames, payee: payeeNames} {
		known := map[string]bool{payee + "ip": true}
		for _, f := range (person{prefix: prefix}).fields() {
			known[f.Path] = true
		}
		all := map[string]bool{}
		for _, name := range reflect.ValueOf(names).Elem().Fields() {
			require.True(t, known[name.String()], name.String())
			all[name.String()] = true
		}
		require.Len(t, all, 16)
	}
}
