// Package crash kills gateways. It holds tests only.
//
// The test process starts itself again, three times: as a gateway with its HTTP handlers on a file of
// store/bolt, as the acquirer (vcard behind a small protocol on loopback, with a ledger in its own file),
// and as the merchant, which appends every callback to a file before it answers. The test process itself
// plays the payers and the merchant's backend, and keeps a journal of every request, its answer, or its
// missing answer. The load is payments on the page of Checkout and by hosted fields, captures, refunds and
// voids, and chains on a schedule.
//
// It kills the gateway with SIGKILL, at random moments or at named points, starts the next one on the same
// file, moves the clock past every recovery and redelivery, and then compares the gateway with the books of
// the others: the acquirer's ledger, the merchant's file, the journal, and the answers of the API. At the
// end it moves the clock as far once more: nothing may happen then, otherwise something was still due.
//
// The clock is the machine's, moved ahead: the lead is in a file that the gateway reads whenever it reads
// its clock. So a day passes between two children, and scheduled payments are due. Some children are stopped
// with SIGSTOP, past the deadline of their calls and the lease of what they claimed, and resumed.
//
//	TOLLGATE_KILLS=2000 go test ./internal/crash -run TestKills -timeout 60m -v
//	go test ./internal/crash -run TestKillAtEveryPoint -v
//	TOLLGATE_SEED=7     repeats the random choices of that seed; the scheduling stays the machine's
//	TOLLGATE_SHARE=20   divides the number of kills, down to 20, and skips three of four points
//
// TestKills ends with its figures in one line: crash: kills=... points=... lost=0 charged_twice=0 ...
//
// store/postgres runs the same tests on a database that two gateways share (TestCrash); records_test.go is the file in
// which they differ.
//
// A killed process leaves what it wrote in the cache of the operating system: this is no test of
// fsync.
package crash
