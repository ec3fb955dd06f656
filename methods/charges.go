package methods

import (
	"slices"

	"github.com/tollgatepay/gateway/store"
)

// charges are the operations that a payment begins with. An authorization counts as the sale it is part of.
var charges = []store.Operation{store.OpSale, store.OpDebit, store.OpTransfer, store.OpCredit}

// serves reports whether an operation is among those listed; no list means every operation.
func serves(listed []store.Operation, op store.Operation) bool {
	return len(listed) == 0 || op == "" || slices.Contains(listed, asCharge(op))
}

// asCharge: an authorization counts as a sale.
func asCharge(op store.Operation) store.Operation {
	if op == store.OpAuth {
		return store.OpSale
	}
	return op
}
