//go:build !race

package bracketform_test

// slowdown is what the race detector adds to the time of a call.
const slowdown = 1
