package seal

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/internal/vault"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// Open fills an operation with the data that was sealed when its transaction began.
func (s *Sealer) Open(ctx context.Context, t *records.Transaction, op *methods.Operation) (err error) {
	if op.Card, op.PayeeCard, err = s.OpenCard(ctx, t.MerchantID, t.ID, t.SealedCard); err != nil {
		return fmt.Errorf("the sealed card cannot be opened: %w", err)
	}
	if op.Parameters, err = s.OpenParameters(ctx, t.MerchantID, t.ID, t.SealedParameters); err != nil {
		return fmt.Errorf("the sealed parameters cannot be opened: %w", err)
	}
	if op.MPI, err = s.openMPI(ctx, t.MerchantID, t.ID, t.SealedMPI); err != nil {
		return fmt.Errorf("the sealed mpi_data cannot be opened: %w", err)
	}
	if op.Wallet, err = s.openSealedWallet(ctx, t.MerchantID, t.ID, t.SealedWallet); err != nil {
		return fmt.Errorf("the sealed wallet token cannot be opened: %w", err)
	}
	return nil
}

// Parameters seals a method's parameters for a record; nil for none.
func (s *Sealer) Parameters(ctx context.Context, merchant, record string,
	parameters json.RawMessage) (*store.Sealed, error) {
	if len(parameters) == 0 {
		return nil, nil
	}
	return s.Seal(ctx, vault.Parameters, merchant, record, parameters)
}

// OpenParameters opens what Parameters sealed; nil for none.
func (s *Sealer) OpenParameters(ctx context.Context, merchant, record string,
	sealed *store.Sealed) (json.RawMessage, error) {
	if sealed == nil {
		return nil, nil
	}
	return s.OpenBytes(ctx, vault.Parameters, merchant, record, sealed)
}
