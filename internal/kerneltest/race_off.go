//go:build !race

package kerneltest

// Raced reports whether the race detector is on: everything then takes ten times as long.
const Raced = false
