package s2s

// Results (s2s_card.md, "Results and statuses"; s2s_apm.md, "Actions, results, statuses").
const (
	success   = "SUCCESS"
	declined  = "DECLINED"
	redirect  = "REDIRECT"
	accepted  = "ACCEPTED"
	started   = "INIT" // in crypto: an address is ready
	undefined = "UNDEFINED"
)
