//go:build !race

package gateway_test

// raced: the race detector watches, and everything takes ten times as long.
const raced = false
