//go:build gc && (amd64 || arm64)

package store

// goroutine is the address of the runtime's record of the calling goroutine: its identity for as long
// as it runs, and no longer. It is only ever compared, never followed. The language offers no such
// thing, and the number in a stack trace costs a microsecond and more, which is what a whole
// transaction in memory costs; hence two instructions of assembly.
func goroutine() uintptr
