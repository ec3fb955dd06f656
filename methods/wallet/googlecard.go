package wallet

import "github.com/tollgatepay/gateway/store"

// readGoogleCard reads the sealed part of wallet B, and the merchant it is for.
func readGoogleCard(plain []byte) (opened *Opened, merchant string, err error) {
	v, err := readJSON(plain, "encryptedMessage", MaxToken)
	if err != nil {
		return nil, "", err
	}
	var s shape
	v = s.object(v)
	s.exact(v.at("paymentMethod"), "CARD")
	details := s.object(v.at("paymentMethodDetails"))
	opened = &Opened{
		PAN:        s.pan(details.at("pan")),
		Expiry:     s.googleExpiry(details),
		AuthMethod: s.exact(details.at("authMethod"), PANOnly, Cryptogram3DS),
		PANType:    FundingPAN,
		MessageID:  s.messageID(v.at("messageId")),
		Until:      s.millis(v.at("messageExpiration")),
	}
	if opened.AuthMethod == Cryptogram3DS {
		opened.PANType = DevicePAN
		opened.Cryptogram = s.cryptogram(details.at("cryptogram"))
		opened.ECI = s.eci(details.at("eciIndicator"))
	}
	merchant = s.optional(v.at("gatewayMerchantId"), 255)
	if s.err != nil {
		return nil, "", s.err
	}
	return opened, merchant, nil
}

func (s *shape) googleExpiry(details value) store.Expiry {
	month := s.whole(details.at("expirationMonth"), 2)
	year := s.whole(details.at("expirationYear"), 4)
	return s.expiry(details.at("expirationMonth"), year+"-"+month)
}

func (s *shape) messageID(v value) string {
	text := s.text(v)
	if !printable(text, maxMessageID) {
		s.wrong(v, "too long or not printable")
	}
	return text
}
