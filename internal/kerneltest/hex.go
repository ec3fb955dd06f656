package kerneltest

import "regexp"

// Hex64 is 64 hexadecimal digits.
var Hex64 = regexp.MustCompile(`^[0-9a-f]{64}$`)
