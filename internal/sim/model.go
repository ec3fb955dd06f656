package sim

import "slices"

// The auditor's own reading of lifecycle.md, "Transitions", and of SPEC1, "States and transitions": how a status
// may change when a transaction gets an outcome, and which operation may begin in which status.

// edge is a change of a payment's status by one transaction.
type edge struct {
	kind      string
	operation string
	outcome   string
	from      []string
	to        string
}

var (
	undecided = []string{"PREPARE", "3DS", "REDIRECT", "PENDING"}
	charged   = []string{"SETTLED"}
)

var edges = []edge{
	{"purchase", "SALE", success, append(slices.Clone(undecided), "DECLINED"), "SETTLED"},
	{"purchase", "SALE", failed, undecided, "DECLINED"},
	{"purchase", "SALE", waiting, undecided, "3DS"},
	{"purchase", "SALE", waiting, undecided, "REDIRECT"},
	{"purchase", "SALE", waiting, undecided, "PREPARE"},
	{"purchase", "AUTH", success, append(slices.Clone(undecided), "DECLINED"), "PENDING"},
	{"purchase", "AUTH", failed, undecided, "DECLINED"},
	{"purchase", "AUTH", waiting, undecided, "3DS"},
	{"purchase", "AUTH", waiting, undecided, "REDIRECT"},
	{"purchase", "AUTH", waiting, undecided, "PREPARE"}, // but on S2S CARD
	{"purchase", "AUTH", waiting, undecided, "PENDING"}, // on S2S CARD alone
	{"purchase", "AUTH", doubt, undecided, "PENDING"},
	{"purchase", "CAPTURE", success, []string{"PENDING"}, "SETTLED"},
	{"purchase", "REVERSAL", success, []string{"PENDING"}, "REVERSAL"},
	{"purchase", "VOID", success, charged, "VOID"},
	{"purchase", "REFUND", success, charged, "REFUND"},
	{"purchase", "CHARGEBACK", success, []string{"SETTLED", "REFUND"}, "CHARGEBACK"},
	{"debit", "DEBIT", success, append(slices.Clone(undecided), "DECLINED"), "SETTLED"},
	{"debit", "DEBIT", failed, undecided, "DECLINED"},
	{"debit", "DEBIT", waiting, undecided, "3DS"},
	{"debit", "DEBIT", waiting, undecided, "REDIRECT"},
	{"debit", "DEBIT", waiting, undecided, "PREPARE"},
	{"credit", "CREDIT", success, undecided, "SETTLED"},
	{"credit", "CREDIT", failed, undecided, "DECLINED"},
	{"credit", "CREDIT", waiting, undecided, "PREPARE"},
	{"debit", "REVERSAL", success, charged, "REVERSAL"},
	{"debit", "VOID", success, charged, "VOID"},
	{"debit", "CHARGEBACK", success, charged, "CHARGEBACK"},
}

// mayMove reports whether a status may change like this on a protocol.
func mayMove(via, kind, operation, outcome, from, to string) bool {
	if kind == "purchase" && operation == "AUTH" && outcome == waiting && (to == "PREPARE" || to == "PENDING") &&
		(to == "PENDING") != (via == "s2s_card") {
		return false
	}
	return slices.ContainsFunc(edges, func(e edge) bool {
		return e.kind == kind && e.operation == operation && e.outcome == outcome && e.to == to && slices.Contains(e.from,
			from)
	})
}

// mayBegin reports whether an operation may begin on a payment of a kind and status.
func mayBegin(kind, status, operation string) bool {
	switch operation {
	case "CAPTURE":
		return kind == "purchase" && status == "PENDING"
	case "REVERSAL":
		return kind == "purchase" && status == "PENDING" || kind == "debit" && status == "SETTLED"
	case "REFUND":
		return kind == "purchase" && (status == "SETTLED" || status == "REFUND")
	case "VOID":
		return kind != "credit" && status == "SETTLED"
	case "CHARGEBACK":
		return kind != "credit" && status == "SETTLED" || kind == "purchase" && status == "REFUND"
	case "SALE", "AUTH", "DEBIT": // RETRY
		return status == "DECLINED"
	}
	return false
}

// ended reports a status that never changes again (S2).
func ended(status string) bool {
	return status == "REVERSAL" || status == "VOID" || status == "CHARGEBACK"
}

// callbackFor returns what a callback has to report of a transaction's outcome (callbacks.md).
func callbackFor(operation, outcome, status string) (kinds []string, word string) {
	names := map[string][]string{
		"SALE": {"sale", "recurring"}, "AUTH": {"sale", "recurring"}, "DEBIT": {"debit", "recurring"}, "CAPTURE": {"capture"},
		"CREDIT": {"credit"}, "REFUND": {"refund"}, "REVERSAL": {"refund"}, "VOID": {"void"}, "CHARGEBACK": {"chargeback"},
	}
	kinds = names[operation]
	switch outcome {
	case success:
		return kinds, "success"
	case failed:
		return kinds, "fail"
	case waiting:
		switch status {
		case "3DS":
			return []string{"3ds"}, "success"
		case "REDIRECT":
			return []string{"redirect"}, "success"
		}
		if operation == "CAPTURE" || operation == "VOID" {
			return kinds, "undefined"
		}
		return kinds, "waiting"
	}
	return kinds, "undefined"
}
