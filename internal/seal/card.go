package seal

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/tollgatepay/gateway/internal/vault"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/keys"
)

// sealedCard is a card without its security code, as it is sealed for a transaction.
type sealedCard struct {
	Number string       `json:"n"`
	Expiry store.Expiry `json:"e"`
	Holder string       `json:"h,omitempty"`
	Payee  string       `json:"p,omitempty"` // number of a transfer's payee card
}

// Card seals a card without its security code, and the number of a transfer's payee card; nil for none.
func (s *Sealer) Card(ctx context.Context, merchant, record string, card, payee *methods.Card) (*store.Sealed, error) {
	if card == nil {
		return nil, nil
	}
	open := sealedCard{Number: card.PAN.Digits(), Expiry: card.Expiry, Holder: card.Holder}
	if payee != nil {
		open.Payee = payee.PAN.Digits()
	}
	plain, err := open.encode()
	if err != nil {
		return nil, err
	}
	defer vault.Wipe(plain)
	return s.Seal(ctx, vault.Card, merchant, record, plain)
}

// encode returns what encoding/json does. Most cards need nothing that would be escaped, and then no copy of the number
// is left in the encoder's buffers.
func (c *sealedCard) encode() ([]byte, error) {
	size := len(`{"n":"","e":"MM/YYYY","h":"","p":""}`) // all in one piece of memory, which is wiped
	for _, text := range [...]string{c.Number, c.Holder, c.Payee} {
		if strings.ContainsFunc(text, isEscaped) {
			return json.Marshal(c)
		}
		size += len(text)
	}
	plain := append(append(make([]byte, 0, size), `{"n":"`...), c.Number...)
	plain = append(append(plain, `","e":"`...), c.Expiry.String()...)
	if c.Holder != "" {
		plain = append(append(plain, `","h":"`...), c.Holder...)
	}
	if c.Payee != "" {
		plain = append(append(plain, `","p":"`...), c.Payee...)
	}
	return append(plain, `"}`...), nil
}

func isEscaped(r rune) bool { return r < ' ' || r > '~' || strings.ContainsRune(`"\<>&`, r) }

// OpenCard opens a card, and the payee's if there is one.
func (s *Sealer) OpenCard(ctx context.Context, merchant, record string,
	sealed *store.Sealed) (card, payee *methods.Card, err error) {
	if sealed == nil {
		return nil, nil, nil
	}
	plain, err := s.OpenBytes(ctx, vault.Card, merchant, record, sealed)
	if err != nil {
		return nil, nil, err
	}
	defer vault.Wipe(plain)
	var open sealedCard
	if json.Unmarshal(plain, &open) != nil {
		return nil, nil, keys.ErrBroken
	}
	pan, err := store.ParsePAN(open.Number)
	if err != nil {
		return nil, nil, keys.ErrBroken
	}
	if open.Payee != "" {
		number, err := store.ParsePAN(open.Payee)
		if err != nil {
			return nil, nil, keys.ErrBroken
		}
		payee = &methods.Card{PAN: number}
	}
	return &methods.Card{PAN: pan, Expiry: open.Expiry, Holder: open.Holder}, payee, nil
}

// MPI seals the result of an external 3-D Secure for a transaction; nil for none.
func (s *Sealer) MPI(ctx context.Context, merchant, record string, mpi *methods.MPI) (*store.Sealed, error) {
	if mpi == nil {
		return nil, nil
	}
	plain, err := json.Marshal(mpi)
	if err != nil {
		return nil, err
	}
	defer vault.Wipe(plain)
	return s.Seal(ctx, vault.Parameters, merchant, record+"/mpi", plain)
}

func (s *Sealer) openMPI(ctx context.Context, merchant, record string, sealed *store.Sealed) (*methods.MPI, error) {
	if sealed == nil {
		return nil, nil
	}
	plain, err := s.OpenBytes(ctx, vault.Parameters, merchant, record+"/mpi", sealed)
	if err != nil {
		return nil, err
	}
	defer vault.Wipe(plain)
	var mpi methods.MPI
	if json.Unmarshal(plain, &mpi) != nil {
		return nil, keys.ErrBroken
	}
	return &mpi, nil
}
