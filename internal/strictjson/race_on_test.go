//go:build race

package strictjson_test

// slowdown is what the race detector adds to the time of a call.
const slowdown = 20
