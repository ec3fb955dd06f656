// Package fieldcases holds a table of every field of every request, transcribed only from the protocol documents:
// its longest and shortest values, its allowed values, and values just beyond. It holds tests only. Each value is
// sent alone in an otherwise valid request, through the handlers that a host mounts. The program has to accept what
// the table accepts. Anything else has to be refused by name, without a write to the store and without a call to
// the acquirer.
//
// The table is independent of the code and must not be made from it: it is a second reading of the documents. If a
// value follows from a decision, the decision is cited beside it.
package fieldcases
