package wallet

import "github.com/tollgatepay/gateway/store"

// readAppleCard reads the sealed part of wallet A.
func readAppleCard(plain []byte) (*Opened, error) {
	v, err := readJSON(plain, "data", MaxToken)
	if err != nil {
		return nil, err
	}
	var s shape
	v = s.object(v)
	s.exact(v.at("paymentDataType"), "3DSecure") // the other value, EMV, has no cryptogram that could be passed on
	paid := s.object(v.at("paymentData"))
	s.optional(v.at("deviceManufacturerIdentifier"), maxNetwork)
	opened := &Opened{
		PAN:         s.pan(v.at("applicationPrimaryAccountNumber")),
		Expiry:      s.appleExpiry(v.at("applicationExpirationDate")),
		Holder:      s.plain(v.at("cardholderName"), maxHolder),
		Cryptogram:  s.cryptogram(paid.at("onlinePaymentCryptogram")),
		ECI:         s.eci(paid.at("eciIndicator")),
		PANType:     DevicePAN,
		AuthMethod:  Cryptogram3DS,
		Currency:    s.numericCurrency(v.at("currencyCode")),
		MinorAmount: s.minorAmount(v.at("transactionAmount")),
	}
	if s.err != nil {
		return nil, s.err
	}
	return opened, nil
}

// appleExpiry reads YYMMDD and keeps the month.
func (s *shape) appleExpiry(v value) (expiry store.Expiry) {
	text := s.text(v)
	if len(text) != len("YYMMDD") || !digits(text) || text[4:] < "01" || text[4:] > "31" {
		s.wrong(v, "must be YYMMDD")
		return expiry
	}
	return s.expiry(v, text[2:4]+"/"+text[:2])
}

func (s *shape) numericCurrency(v value) string {
	text := s.text(v)
	if len(text) != 3 || !digits(text) {
		s.wrong(v, "must be three digits")
	}
	return text
}

// minorAmount returns a number of minor units, without leading zeros as JSON has it.
func (s *shape) minorAmount(v value) string { return s.whole(v, 15) }
