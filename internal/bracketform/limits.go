package bracketform

import (
	"fmt"
)

// Sizes of bodies in bytes (protocol decision aj).
const (
	CreateBytes   = 1 << 20  // requests that create a payment or a schedule
	FollowUpBytes = 64 << 10 // requests about an existing one
)

// Limits bounds what one body may have. A zero field means the default.
type Limits struct {
	MaxBytes int // length of the body; CreateBytes
	MaxPairs int // fields, repeated ones included; 10,000
	MaxDepth int // brackets after one name; 6, at most 16
	// Objects are names, the part before the first bracket, whose trees have objects and no lists: every key there is
	// the key of an object, even one that reads as a number. They are for data of any shape.
	Objects []string
}

// checked fills in the defaults. MaxDepth has a ceiling because each level takes stack and a node of its own.
func (l Limits) checked() Limits {
	if l.MaxDepth > 16 || min(l.MaxBytes, l.MaxPairs, l.MaxDepth) < 0 {
		panic(fmt.Sprintf("bracketform: limits out of range: %+v", l))
	}
	l.MaxBytes = orDefault(l.MaxBytes, CreateBytes)
	l.MaxPairs = orDefault(l.MaxPairs, 10_000)
	l.MaxDepth = orDefault(l.MaxDepth, 6)
	return l
}

func orDefault(n, usual int) int {
	if n == 0 {
		return usual
	}
	return n
}
