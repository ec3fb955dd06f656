// Package wallet opens the payment tokens of the two wallets of the catalogue (SPEC2, "Wallet tokens"): it reads
// the shape, verifies who signed it, and decrypts the card with the merchant's key.
//
// The caller passes everything that decides about a token: the trusted roots, the merchant's keys and the time.
// The package has no certificates of its own, opens no connection, and keeps no state: the caller's replay guard
// remembers Opened.MessageID until Opened.Until, and the caller compares the amount of a token of wallet A with
// the payment. Revocation of certificates is not checked.
//
// A refused token is a *Fault. Every fault has the same text, so that the answer does not show how far a forged
// token came; Fault.Cause is for the log.
package wallet

import (
	"time"

	"github.com/tollgatepay/gateway/store"
)

// The codes of the two wallets' methods in the catalogue.
const (
	ApplePay  = "applepay"  // wallet A, tokens of version EC_v1
	GooglePay = "googlepay" // wallet B, tokens of version ECv2
)

// Environment says whether keys and roots are for test or production tokens. Tokens do not say it: one of the
// other environment fails to verify, because keys and roots are configured separately.
type Environment string

// The environments of the admin settings.
const (
	Test       Environment = "TEST"
	Production Environment = "PRODUCTION"
)

// Kinds of card number, as of Opened.PANType and Shown.PANType.
const (
	DevicePAN  = "dpan" // a number of the wallet's device, used with a cryptogram
	FundingPAN = "fpan" // the number printed on the card
)

// Ways the payer was authenticated, as of Opened.AuthMethod.
const (
	Cryptogram3DS = "CRYPTOGRAM_3DS"
	PANOnly       = "PAN_ONLY"
)

// Opened is the card of a token. PAN and Cryptogram mask themselves. Expiry.Check says whether the card has
// expired.
type Opened struct {
	PAN         store.PAN
	Expiry      store.Expiry
	Holder      string       // as the wallet gave it, up to 255 bytes; often empty
	Cryptogram  store.Secret // base64 as the wallet gave it; empty for PANOnly
	ECI         string       // one or two digits as the wallet gave it; may be empty
	PANType     string       // DevicePAN with Cryptogram3DS, FundingPAN with PANOnly
	AuthMethod  string       // Cryptogram3DS or PANOnly; of wallet A always the first
	Network     string       // from outside the sealed part, not signed: informative only
	Currency    string       // wallet A: ISO 4217 numeric, "840"; empty for wallet B
	MinorAmount string       // wallet A: minor units as decimal digits, "1999"; empty for wallet B
	MessageID   string       // unique per token, one spelling: transactionId in lower hex, or messageId
	Until       time.Time    // after this time the token is refused because of its age
}

// MaxToken is the most bytes of a token, our own limit; tokens of the wallets are below 6 KiB.
const MaxToken = 16 << 10
