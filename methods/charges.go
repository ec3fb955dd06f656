package methods

import (
	"slices"

	"github.com/tollgatepay/gateway/store"
)

// charges are the operations that a payment begins with. An authorization counts as the sale it is part of.
var charges = []store.Operation{store.OpSale, store.OpDebit, store.OpTransfer, store.OpCredit}

// serves reports whether an operation is listed. An empty list means every operation.
func serves(listed []store.Operation, op store.Operation) bool {
	return len(listed) == 0 || op == "" || slices.Contains(listed, asCharge(op))
}

// asCharge returns the sale for an authorization, and any other operation unchanged.
func asCharge(op store.Operation) store.Operation {
	if op == store.OpAuth {
		return store.OpSale
	}
	return op
}
