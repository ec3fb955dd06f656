//go:build !race

package kerneltest

// Raced reports whether the race detector watches: everything takes ten times as long then.
const Raced = false
