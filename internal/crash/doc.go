// Package crash kills gateways. It holds tests only.
//
// The test process starts itself again, three times: as a gateway with its HTTP handlers on a file of
// store/bolt, as the acquirer (vcard behind a small protocol on loopback, with a ledger in its own file),
// and as the merchant, who writes every callback to the end of a file before he answers. The payers and the
// merchant's backend are its own, and so is the journal of what they asked for, what was answered, and what
// never was. The load is payments on the page of Checkout and by hosted fields, captures, refunds and voids,
// and chains on a schedule.
//
// It kills the gateway with SIGKILL, at random moments or at named points, starts the next one on the same
// file, moves the clocks past every recovery and redelivery, and then judges by the books of others: the
// acquirer's ledger, the merchant's file, what clients were told, and the answers of the API. At the end it
// moves the clocks as far once more: nothing may come then, or something was still to be done.
//
// The clocks are the machine's, moved ahead: the lead is in a file that the gateway reads whenever it looks at
// its clock. So a day goes by between two children, and scheduled payments fall due. Some children are stopped
// with SIGSTOP, past the deadline of their calls and the lease of what they claimed, and go on.
//
//	TOLLGATE_KILLS=2000 go test ./internal/crash -run TestKills -timeout 60m -v
//	go test ./internal/crash -run TestKillAtEveryPoint -v
//	TOLLGATE_SEED=7     plays the dice of that seed; the scheduling stays the machine's
//	TOLLGATE_SHARE=20   divides the number of kills, down to 20, and leaves out three of four points
//
// TestKills ends with its figures in one line: crash: kills=... points=... lost=0 charged_twice=0 ...
//
// A killed process leaves what it wrote in the cache of the operating system: this is no test of
// fsync.
package crash
