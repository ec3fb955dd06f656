package wallet

import (
	"encoding/hex"
	"slices"
)

// The lengths of two SHA-256 values. They must be fixed: the signature covers both without a mark between them,
// and bytes moved from one to the other would change the transaction's id for the replay guard.
const (
	transactionIDSize   = 32
	applicationDataSize = 32
)

// appleToken is a decoded token of wallet A.
type appleToken struct {
	data, signature, ephemeral []byte
	keyHash                    []byte
	transactionID              []byte
	applicationData            []byte // nil when absent
	shown                      Shown
}

func readApple(token []byte) (appleToken, error) {
	var s shape
	root, err := readJSON(token, "token", MaxToken)
	if err != nil {
		return appleToken{}, err
	}
	root = s.object(root)
	method := s.object(root.at("paymentMethod"))
	s.text(root.at("transactionIdentifier"))
	t := s.applePayment(s.embedded(root.at("paymentData")))
	s.optional(method.at("type"), maxNetwork)
	t.shown = Shown{
		Network:     s.display(method.at("network"), maxNetwork),
		Description: s.display(method.at("displayName"), maxDescription),
		PANType:     DevicePAN,
	}
	if s.err != nil {
		return appleToken{}, s.err
	}
	return t, nil
}

func (s *shape) applePayment(v value) appleToken {
	s.exact(v.at("version"), "EC_v1")
	s.only(v, "version", "data", "signature", "header")
	header := s.object(v.at("header"))
	s.only(header, "ephemeralPublicKey", "publicKeyHash", "transactionId", "applicationData")
	t := appleToken{
		data:          s.base64(v.at("data")),
		signature:     s.base64(v.at("signature")),
		ephemeral:     s.base64(header.at("ephemeralPublicKey")),
		keyHash:       s.base64(header.at("publicKeyHash")),
		transactionID: s.hex(header.at("transactionId"), transactionIDSize),
	}
	if data := header.at("applicationData"); data.kind != isNothing {
		t.applicationData = s.hex(data, applicationDataSize)
	}
	return t
}

// signed returns the bytes under the signature.
func (t appleToken) signed() []byte {
	return slices.Concat(t.ephemeral, t.data, t.transactionID, t.applicationData)
}

// messageID has one spelling, whatever the token's spelling of its hexadecimal digits.
func (t appleToken) messageID() string { return hex.EncodeToString(t.transactionID) }
