package strictjson

import "fmt"

// Limits bounds what one document may hold. A zero field means the default of this package.
type Limits struct {
	MaxBytes int // length of the body; 1 MiB
	MaxDepth int // nested objects and lists, the outermost one included; 16, at most 256
	MaxKeys  int // keys of one object; 200, at most 1000
	MaxItems int // entries of one list; 1000
	MaxPairs int // keys of all objects and entries of all lists together; 10,000
}

// checked fills in the defaults. MaxKeys has a ceiling because the search for repeated keys is quadratic in the
// keys of one object; MaxDepth because each level takes stack.
func (l Limits) checked() Limits {
	if l.MaxDepth > 256 || l.MaxKeys > 1000 || min(l.MaxBytes, l.MaxDepth, l.MaxKeys, l.MaxItems, l.MaxPairs) < 0 {
		panic(fmt.Sprintf("strictjson: limits out of range: %+v", l))
	}
	l.MaxBytes = orDefault(l.MaxBytes, 1<<20)
	l.MaxDepth = orDefault(l.MaxDepth, 16)
	l.MaxKeys = orDefault(l.MaxKeys, 200)
	l.MaxItems = orDefault(l.MaxItems, 1000)
	l.MaxPairs = orDefault(l.MaxPairs, 10_000)
	return l
}

func orDefault(n, usual int) int {
	if n == 0 {
		return usual
	}
	return n
}
