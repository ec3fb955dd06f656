// Package crash kills gateways. It holds tests only.
//
// The test process starts itself again as a child: a whole gateway with its HTTP handlers on a file of
// store/bolt. It keeps to itself what has to outlive the child: the acquirer (vcard behind a small
// protocol on loopback, with a ledger of its own), the merchant who receives callbacks, the payers and
// the clocks. It kills the child with SIGKILL at random moments, starts the next one on the same file,
// moves the clocks past every recovery and redelivery, and then judges by the books of others: the
// acquirer's ledger, the callbacks that arrived, what clients were told, and the answers of the API.
//
//	TOLLGATE_KILLS=1000 go test ./internal/crash -run TestKills -v
//	TOLLGATE_SEED=7     plays the dice of that seed; the scheduling stays the machine's
//	TOLLGATE_SHARE=20   divides the number of kills, down to 20
//
// A killed process leaves what it wrote in the cache of the operating system: this is no test of
// fsync.
package crash
