// Package sim runs the whole gateway in a deterministic simulation (reliability.md, section 3): the real
// kernel on its public API, with outbox and recovery, on one to four instances over one store, while a
// seed decides what goes wrong: in the store, at the acquirers, at the merchants, and by crashes.
//
// A world is one seed. It lives in a bubble of testing/synctest, so that the kernel's own timers (the
// deadline of a call, the grace after it) run in virtual time as well. Every port call stops its
// goroutine before and after its effect, and so does every wake from a sleep; the scheduler lets one
// goroutine go at a time, by the seed, once all others are blocked. Two runs of a seed make the same
// decisions, which a digest of them shows. A step is one port call or one wake.
//
// A world has a safety phase, in which faults happen and the gateway may do and report nothing wrong, and a
// liveness phase, in which faults stop and everything has to end. Its judges are an acquirer with its own
// ledger, a merchant that checks each callback when it comes, and an auditor with its own reading of the
// specification that checks every commit: the records, the leases, and the timeouts that block a URL. None
// of them shares code with the kernel. The answers about one hosted session, and about the money of one
// payment, must also be linearizable: the calls look as if they had come one after another.
//
// Payers who were sent away bring genuine returns that differ, from another tab or by another method, and a return may
// lead to another page. What a connector may get of them is judged by what methods.Completer says (judgereturns.go).
//
// Some worlds have a store as several instances share it (TestSharedStore): its clock is the one that all of them tell,
// while those of their machines are an hour off, and it runs functions first over what it remembers.
//
// # Running
//
//	go test ./internal/sim                                    the seeds kept in testdata/seeds.txt, and new ones
//	go test ./internal/sim -run 'TestSeed$' -seed N -v        one seed, with the end of its trace; -without THING,THING
//	                                                          takes faults and other things out of its world
//	go test ./internal/sim -run 'TestLong$' -steps 50000000 -timeout 30m -v
//	                                                          fifty million steps on all cores
//	go test ./internal/sim -run 'TestDigests$' -digests 10000 -timeout 30m
//	                                                          ten thousand seeds run twice
//	go test ./internal/sim -run 'TestPlanted$' -v             defects planted in the ports, each found
//	go test ./internal/sim -run 'TestMutants$' -mutants -timeout 90m -v
//	                                                          defects planted in copies of the kernel's source;
//	                                                          -mutant TEXT picks those whose name contains it
//
// A failing seed is examined: its whole trace is written to a file, a smaller world is searched that fails
// the same way, with fewer kinds of fault and of request and on one instance, and the seed is appended to
// testdata/seeds.txt. The flag -hunt reports the failure only.
//
// A change of how a seed draws its world changes what every kept seed does.
//
// The flag -from sets the first seed of a run. The lines that begin with "sim:" are for machines.
package sim
