//go:build !gc || !(amd64 || arm64)

package store

import (
	"runtime"
	"strconv"
	"strings"
)

// goroutine is the number of the calling goroutine, read from the head of its stack trace
// ("goroutine 7 [running]"): slow, but it works on every machine.
func goroutine() uintptr {
	var buffer [64]byte
	text := string(buffer[:runtime.Stack(buffer[:], false)])
	number, _, _ := strings.Cut(strings.TrimPrefix(text, "goroutine "), " ")
	id, err := strconv.ParseUint(number, 10, 64)
	if err != nil {
		panic("store: the runtime does not name its goroutines: " + text)
	}
	return uintptr(id)
}
