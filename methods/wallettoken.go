package methods

import "github.com/tollgatepay/gateway/store"

// Wallet is what a connector gets of a wallet's token (SPEC2, "Wallet tokens"): either the token as the wallet
// made it, or what the gateway decrypted from it. No connector gets the keys that decrypt tokens.
type Wallet struct {
	Method string // code of the catalogue: applepay or googlepay

	// Token is the token as it was sent, JSON, for a connector that opens it itself: in the virtual flow and for
	// WalletStored. The operation then has no card. Never print an Operation with a token.
	Token []byte

	// Of a token that the gateway opened. The card itself is Operation.Card, and Cryptogram is empty beside
	// a Token.
	Cryptogram store.Secret // base64, as the wallet made it; empty for PAN_ONLY
	ECI        string       // as the wallet made it; may be empty
	PANType    string       // dpan or fpan; empty when not known
	AuthMethod string       // CRYPTOGRAM_3DS or PAN_ONLY; empty when not known
	Network    string       // in the wallet's words; not signed
}

// WalletSupport is the form in which a connector accepts a wallet's token.
type WalletSupport string

// The kinds of support. The zero value is the virtual flow alone.
const (
	// WalletVirtual accepts tokens unopened. Their card is not stored, nothing recurs, and holds need WalletHolds.
	WalletVirtual WalletSupport = ""
	// WalletStored accepts tokens unopened too, but the acquirer stores their card, so that it can be held and
	// charged again. There is no routing and no cascade: the token is for this one provider.
	WalletStored WalletSupport = "stored"
	// WalletDecrypted accepts the card and its cryptogram, like any card.
	WalletDecrypted WalletSupport = "decrypted"
)

// WalletSupports returns every kind of support.
func WalletSupports() []WalletSupport {
	return []WalletSupport{WalletVirtual, WalletStored, WalletDecrypted}
}
