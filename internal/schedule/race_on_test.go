//go:build race

package schedule_test

// slowdown is what the race detector adds to the time of a call.
const slowdown = 10
