// Package qrcode owns the picture of a QR code: its redundancy, its margin and its size.
package qrcode

import "rsc.io/qr"

// quiet is the empty margin of a QR code on each side, in modules (ISO/IEC 18004).
const quiet = 4

// Code is a QR code.
type Code struct{ modules *qr.Code }

// Of returns a QR code with suitable redundancy. It returns false for content that does not fit.
func Of(content string) (Code, bool) {
	for _, level := range []qr.Level{qr.M, qr.L} {
		if code, err := qr.Encode(content, level); err == nil {
			return Code{code}, true
		}
	}
	return Code{}, false
}

// Side is at least 240 CSS pixels for code and margin, with whole pixels for every module.
func (c Code) Side() int {
	modules := c.modules.Size + 2*quiet
	return (240 + modules - 1) / modules * modules
}

// PNG returns the picture with twice the resolution. The encoder draws the margin itself.
func (c Code) PNG() []byte {
	c.modules.Scale = 2 * c.Side() / (c.modules.Size + 2*quiet)
	return c.modules.PNG()
}
