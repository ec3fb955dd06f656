package methods

import "github.com/tollgatepay/gateway/store"

// Wallet is what a connector gets of a wallet's token (SPEC2, "Wallet tokens"): either the token as the
// wallet gave it, or what the gateway found in it. No connector gets the keys that open tokens.
type Wallet struct {
	Method string // code of the catalogue: applepay or googlepay

	// Token is the token as it came, JSON, where the connector opens it itself: in the virtual flow and for
	// WalletStored. The operation then has no card. Print no Operation that has one.
	Token []byte

	// Of a token that the gateway opened. The card itself is Operation.Card, and Cryptogram is empty beside
	// a Token.
	Cryptogram store.Secret // base64, as the wallet gave it; empty for PAN_ONLY
	ECI        string       // as the wallet gave it; may be empty
	PANType    string       // dpan or fpan; empty where it is not known
	AuthMethod string       // CRYPTOGRAM_3DS or PAN_ONLY; empty where it is not known
	Network    string       // in the wallet's words, and not signed
}

// WalletSupport is what a connector takes of a wallet.
type WalletSupport string

// The kinds of support. The zero value is the virtual flow alone.
const (
	// WalletVirtual takes tokens as they are. No card is kept of them, nothing recurs, and holds need
	// WalletHolds.
	WalletVirtual WalletSupport = ""
	// WalletStored takes tokens as they are as well, but the card they hold is kept, so that it can be held
	// and charged again. There is no routing and no cascade: the token is for this one provider.
	WalletStored WalletSupport = "stored"
	// WalletDecrypted takes the card and its cryptogram, as a card is taken.
	WalletDecrypted WalletSupport = "decrypted"
)

// WalletSupports lists every kind of support.
func WalletSupports() []WalletSupport {
	return []WalletSupport{WalletVirtual, WalletStored, WalletDecrypted}
}
