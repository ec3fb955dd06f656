package form

import (
	"encoding/json"
	"net/url"
	"strings"
)

// fieldWallet is the field with the token of a wallet, JSON text.
const fieldWallet = "wallet_token"

// maxWalletToken bounds the token of a wallet, in bytes: they are about 4 KiB.
const maxWalletToken = 32 << 10

// walletToken reads the token of a wallet; ok is false unless it is a JSON object.
func walletToken(form url.Values) (token string, ok bool) {
	token = strings.TrimSpace(form.Get(fieldWallet))
	return token, len(token) <= maxWalletToken && strings.HasPrefix(token, "{") && json.Valid([]byte(token))
}
