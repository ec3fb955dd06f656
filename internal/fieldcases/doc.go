// Package fieldcases holds a table of every field of every request, transcribed from the protocol documents
// alone: what each may be at its longest and its shortest, which values it may have, and what is just beyond.
// It has nothing but tests. Each value is sent by itself in a request that is otherwise right, through the
// handlers a host mounts. What the table takes the program has to take; what it does not take has to be
// refused by name, with nothing written to the store and nothing asked of the acquirer.
//
// The table knows nothing of the code it judges, and is not to be made from it: it is a second reading of the
// documents. Where a value shows what a decision says, the decision stands beside it.
package fieldcases
