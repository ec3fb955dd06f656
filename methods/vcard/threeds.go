package vcard

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"

	"github.com/tollgatepay/gateway/store"
)

// The flows of 3-D Secure, as its protocol names them.
const (
	flowChallenge    = "challenge"    // the payer was on the simulated page
	flowFrictionless = "frictionless" // without the payer
)

// The reasons of a failed authentication in EMV 3-D Secure (transStatusReason).
const (
	threeDSFailed  = "01" // card authentication failed
	threeDSTimeout = "14" // the payer did not finish at the issuer
)

// threeDSFacts returns the attributes of a 3-D Secure that this acquirer did; for one that was done elsewhere it
// has none. All but the reason, which only a failure has, are always set, and all are computed from the reference.
func (e Entry) threeDSFacts() store.ThreeDSFacts {
	if e.Flow == "" || e.Flow == flowChallenge && !e.ThreeDS {
		return store.ThreeDSFacts{}
	}
	status, reason := e.authenticated()
	xid := sha256.Sum256([]byte("xid\n" + e.Reference))
	return store.ThreeDSFacts{
		ServerTransID: e.uuid("3DS server"), DSTransID: e.uuid("directory"), ACSTransID: e.uuid("issuer"),
		XID:         base64.StdEncoding.EncodeToString(xid[:20]),
		TransStatus: status, TransStatusReason: reason, ECI: eci(e.Brand, status),
		ProtocolVersion: "2.2.0", Flow: e.Flow,
	}
}

// authenticated returns the issuer's result for the payer, which is not the acquirer's result for the payment:
// 06/2038 is declined after a successful authentication.
func (e Entry) authenticated() (status, reason string) {
	switch {
	case e.Flow == flowFrictionless, e.State == StateApproved, e.Payer == payerConfirmed:
		return "Y", ""
	case e.Payer == payerFailed:
		return "N", threeDSFailed
	}
	return "N", threeDSTimeout
}

// eci returns the indicator of the scheme: Mastercard's values differ from those of all others.
func eci(brand store.Brand, status string) string {
	mastercard := brand == store.Mastercard || brand == store.Maestro
	switch {
	case mastercard && status == "Y":
		return "02"
	case mastercard:
		return "00"
	case status == "Y":
		return "05"
	}
	return "07"
}

// uuid names one party's record of the entry. It is the same each time.
func (e Entry) uuid(party string) string {
	b := sha256.Sum256([]byte(party + "\n" + e.Reference))
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:16])
}
