package store

// Wallets is what a merchant's tab Wallets holds: how the two wallets are offered on the page, and the keys that
// decrypt their tokens. Keys are kept sealed, never in this record's bytes.
type Wallets struct {
	// MerchantID is the merchant it belongs to. (ours; required)
	MerchantID string `json:"merchant"`
	// Apple is the wallet whose method is applepay. (SPEC2, Wallet tokens; default none: not offered, its tokens are
	// sent to the provider unchanged)
	Apple *AppleWallet `json:"applepay,omitempty"`
	// Google is the wallet whose method is googlepay. (SPEC2, Wallet tokens; default none: not offered, its tokens
	// are sent to the provider unchanged)
	Google *GoogleWallet `json:"googlepay,omitempty"`
}

// WalletEnvironment says whether a wallet's tokens have to be test or production tokens.
type WalletEnvironment string

// The environments of SPEC2. The zero value counts as production, which refuses test tokens.
const (
	WalletTest       WalletEnvironment = "TEST"
	WalletProduction WalletEnvironment = "PRODUCTION"
)

// AppleWallet is what SPEC2, "Wallet tokens", calls the wallet A settings.
type AppleWallet struct {
	// Environment the tokens are from: TEST or PRODUCTION. (SPEC2, Wallet tokens; default PRODUCTION)
	Environment WalletEnvironment `json:"environment,omitempty"`
	// Identifier is the merchant identifier, like merchant.example.shop. (SPEC2, Wallet tokens; required)
	Identifier string `json:"merchant_identifier"`
	// Country is the merchant's country, alpha-2. (SPEC2, Wallet tokens; required)
	Country string `json:"country"`
	// ShopName is shown on the wallet's sheet; up to 64 characters. (SPEC2, Wallet tokens; default the
	// merchant's name)
	ShopName string `json:"shop_name,omitempty"`
	// Certificate is the merchant identity certificate in PEM, which requests a merchant session. (SPEC2, Wallet
	// tokens; default none: no button on the page)
	Certificate string `json:"certificate,omitempty"`
	// PrivateKey belongs to Certificate, in PEM. (SPEC2, Wallet tokens)
	PrivateKey Secret `json:"private_key,omitzero"`
	// Capabilities of the merchant: supports3DS, supportsCredit, supportsDebit, supportsEMV.
	// (SPEC2, Wallet tokens; default supports3DS)
	Capabilities []string `json:"merchant_capabilities,omitempty"`
	// Networks are the card networks accepted, in the wallet's words: visa, masterCard, amex and others. (SPEC2,
	// Wallet tokens; default visa and masterCard)
	Networks []string `json:"supported_networks,omitempty"`
	// ProcessingKeys decrypt the tokens: the private keys, in PEM, of the payment processing certificates, the
	// newest first. (SPEC2, Wallet tokens; default none: the virtual flow)
	ProcessingKeys []Secret `json:"processing_keys,omitempty"`
}

// GoogleWallet is what SPEC2, "Wallet tokens", calls the wallet B settings. The gateway merchant id is the
// merchant's key.
type GoogleWallet struct {
	// Environment the tokens are from: TEST or PRODUCTION. (SPEC2, Wallet tokens; default PRODUCTION)
	Environment WalletEnvironment `json:"environment,omitempty"`
	// MerchantID is the merchant's id at the wallet, for PRODUCTION. (SPEC2, Wallet tokens; default none: no
	// button on the page in PRODUCTION)
	MerchantID string `json:"merchant_id,omitempty"`
	// Gateway is the gateway value that tokens are made for. (SPEC2, Wallet tokens; required)
	Gateway string `json:"gateway"`
	// AuthMethods allowed: PAN_ONLY, which leaves 3-D Secure to the acquirer, and CRYPTOGRAM_3DS.
	// (SPEC2, Wallet tokens; default both)
	AuthMethods []string `json:"allowed_auth_methods,omitempty"`
	// Networks are the card networks accepted, in the wallet's words: VISA, MASTERCARD, AMEX and others. (SPEC2,
	// Wallet tokens; default VISA and MASTERCARD)
	Networks []string `json:"allowed_card_networks,omitempty"`
	// Keys decrypt the tokens: private keys in PEM or base64 PKCS #8, the newest first. (SPEC2, Wallet tokens;
	// default none: the virtual flow)
	Keys []Secret `json:"private_keys,omitempty"`
}
