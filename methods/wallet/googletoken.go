package wallet

// protocolVersion is the only version of wallet B that is read: it has intermediate keys and expiries.
const protocolVersion = "ECv2"

const maxSignatures = 8 // of an intermediate key, our own limit

// googleToken is a decoded token of wallet B. signedKey and signedMessage are the bytes that are signed; the other
// fields are their content.
type googleToken struct {
	signedKey, signedMessage []byte
	keySignatures            [][]byte
	signature                []byte
	keyValue                 []byte // the intermediate key, SubjectPublicKeyInfo
	keyExpires               string // milliseconds since 1970
	encrypted, ephemeral     []byte
	tag                      []byte
	shown                    Shown
}

func readGoogle(token []byte) (googleToken, error) {
	var s shape
	root, err := readJSON(token, "token", MaxToken)
	if err != nil {
		return googleToken{}, err
	}
	root = s.object(root)
	inner, shown := root, Shown{}
	if root.at("paymentMethodData").kind != isNothing {
		inner, shown = s.googleMethod(root)
	}
	t := s.googleInner(inner)
	t.shown = shown
	if s.err != nil {
		return googleToken{}, s.err
	}
	return t, nil
}

// googleMethod reads what surrounds the sealed token. Other members, like an address, are allowed.
func (s *shape) googleMethod(root value) (inner value, shown Shown) {
	if s.whole(root.at("apiVersion"), 1) != "2" {
		s.wrong(root.at("apiVersion"), "must be 2")
	}
	s.whole(root.at("apiVersionMinor"), 4)
	data := s.object(root.at("paymentMethodData"))
	s.exact(data.at("type"), "CARD")
	info := s.object(data.at("info"))
	s.display(info.at("cardDetails"), maxNetwork)
	sealed := s.object(data.at("tokenizationData"))
	s.exact(sealed.at("type"), "PAYMENT_GATEWAY", "DIRECT")
	return s.embedded(sealed.at("token")), Shown{
		Network:     s.display(info.at("cardNetwork"), maxNetwork),
		Description: s.display(data.at("description"), maxDescription),
	}
}

func (s *shape) googleInner(v value) googleToken {
	s.exact(v.at("protocolVersion"), protocolVersion)
	s.only(v, "protocolVersion", "signature", "intermediateSigningKey", "signedMessage")
	intermediate := s.object(v.at("intermediateSigningKey"))
	s.only(intermediate, "signedKey", "signatures")
	key := s.embedded(intermediate.at("signedKey"))
	message := s.embedded(v.at("signedMessage"))
	s.only(message, "encryptedMessage", "ephemeralPublicKey", "tag")
	return googleToken{
		signature:     s.base64(v.at("signature")),
		signedKey:     key.raw,
		keySignatures: s.signatures(intermediate.at("signatures")),
		keyValue:      s.base64(key.at("keyValue")),
		keyExpires:    s.text(key.at("keyExpiration")),
		signedMessage: message.raw,
		encrypted:     s.base64(message.at("encryptedMessage")),
		ephemeral:     s.base64(message.at("ephemeralPublicKey")),
		tag:           s.base64(message.at("tag")),
	}
}

func (s *shape) signatures(v value) [][]byte {
	if v.kind != isList || len(v.list) == 0 || len(v.list) > maxSignatures {
		s.wrong(v, "must be a list of one to eight signatures")
		return nil
	}
	var all [][]byte
	for _, signature := range v.list {
		signature.path = v.path
		all = append(all, s.base64(signature))
	}
	return all
}
