package vcard

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"net/http"

	"github.com/tollgatepay/gateway/methods"
)

// errForged: what a browser sent does not fit the ledger. The page shows no details.
var errForged = errors.New("vcard: the request does not belong to a payment")

// sign makes a token for one use of one reference. Only the holder of the secret can make it.
func (c *Connector) sign(use, reference string) string {
	mac := hmac.New(sha256.New, []byte(c.secret.Reveal()))
	mac.Write([]byte(use + "\n" + reference))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

func (c *Connector) signed(use, reference, token string) bool {
	return hmac.Equal([]byte(c.sign(use, reference)), []byte(token))
}

// The uses of the pages' tokens.
const (
	useACS  = "PaReq"
	useBank = "ticket"
	usePay  = "pay"
)

func hash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}

// signatureHeader carries the HMAC-SHA256 of a notification's body.
const signatureHeader = "Vcard-Signature"

// The uses of a signature, which keep the acquirer's notes and the bank's apart.
const (
	useNotification = "notification"
	useBankNote     = "bank note"
)

// note makes a signed notification. use keeps the acquirer's and the bank's apart.
func (c *Connector) note(use string, content any) (methods.Note, error) {
	body, err := json.Marshal(content)
	return methods.Note{
		Method: http.MethodPost,
		Header: http.Header{
			"Content-Type":  {"application/json"},
			signatureHeader: {c.sign(use, string(body))},
		},
		Body: body,
	}, err
}
