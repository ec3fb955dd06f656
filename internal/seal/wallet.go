package seal

import (
	"context"
	"encoding/json"

	"github.com/tollgatepay/gateway/internal/vault"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/keys"
)

// sealedWallet is the connector's part of a wallet token, as it is sealed for a transaction: for the payer's
// return, and for recovery, which may have to send it again. It is deleted with the outcome.
type sealedWallet struct {
	Method     string `json:"m"`
	Token      []byte `json:"t,omitempty"`
	Cryptogram string `json:"c,omitempty"`
	ECI        string `json:"e,omitempty"`
	PANType    string `json:"p,omitempty"`
	AuthMethod string `json:"a,omitempty"`
	Network    string `json:"n,omitempty"`
}

// Wallet seals the connector's part of a wallet token; nil for none.
func (s *Sealer) Wallet(ctx context.Context, merchant, record string, w *methods.Wallet) (*store.Sealed, error) {
	if w == nil {
		return nil, nil
	}
	plain, err := json.Marshal(sealedWallet{w.Method, w.Token, w.Cryptogram.Reveal(), w.ECI, w.PANType, w.AuthMethod,
		w.Network})
	if err != nil {
		return nil, err
	}
	defer vault.Wipe(plain)
	return s.Seal(ctx, vault.Parameters, merchant, record+"/wallet", plain)
}

func (s *Sealer) openSealedWallet(ctx context.Context, merchant, record string,
	sealed *store.Sealed) (*methods.Wallet, error) {
	if sealed == nil {
		return nil, nil
	}
	plain, err := s.OpenBytes(ctx, vault.Parameters, merchant, record+"/wallet", sealed)
	if err != nil {
		return nil, err
	}
	defer vault.Wipe(plain)
	var w sealedWallet
	if json.Unmarshal(plain, &w) != nil {
		return nil, keys.ErrBroken
	}
	return &methods.Wallet{
		Method: w.Method, Token: w.Token, Cryptogram: store.NewSecret(w.Cryptogram), ECI: w.ECI,
		PANType: w.PANType, AuthMethod: w.AuthMethod, Network: w.Network,
	}, nil
}
