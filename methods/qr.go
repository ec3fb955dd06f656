package methods

import (
	"errors"

	"rsc.io/qr"
)

// QRScale is the size, in pixels, of one module in the picture of QRCode.
const QRScale = 6

// ErrQRTooLong: the content does not fit into a QR code.
var ErrQRTooLong = errors.New("too long for a QR code")

// QRCode draws the QR code of a content as a PNG, black on white with its quiet zone. Error: ErrQRTooLong.
func QRCode(content string) ([]byte, error) {
	code, err := qr.Encode(content, qr.M)
	if err != nil {
		return nil, ErrQRTooLong
	}
	code.Scale = QRScale
	return code.PNG(), nil
}
