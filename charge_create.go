package gateway

import (
	"context"

	"github.com/tollgatepay/gateway/internal/door"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// Charge is Merchant.Charge for the client.
func (m *Client) Charge(ctx context.Context, r ChargeRequest) (result *Result, err error) {
	if err := m.gw.gate.Enter(); err != nil {
		return nil, err
	}
	defer m.gw.gate.Leave()
	if r.Protocol == "" {
		r.Protocol = store.Checkout
	}
	r.merchantKey = m.key
	faults := m.chargeFaults(&r)
	if r.Proof != nil && !r.Protocol.S2S() && len(faults) > 0 { // the hash comes after the fields
		return nil, refusal.ErrInvalid.Fields(faults...)
	}
	err = m.enterToMark(ctx, r.Protocol, r.Proof, func() error {
		result, err = m.charge(ctx, &r, faults)
		return err
	})
	return result, err
}

func (m *Client) charge(ctx context.Context, r *ChargeRequest, faults []refusal.Fault) (*Result, error) {
	gw, profile := m.gw, m.profile
	if err := profile.Speaks(r.Protocol); err != nil {
		return nil, err
	}
	if profile.Off(r.Protocol) {
		return nil, refusal.ErrNoMID
	}
	if faults := profile.Insecure(chargeURLs(r)); len(faults) > 0 {
		return nil, refusal.ErrInvalid.Fields(faults...)
	}
	if r.Method == "" && r.Card == nil && r.CardToken == "" {
		r.Method = r.Wallet
	}
	c := r.charge(profile, m.test)
	c.Once = m.once
	c.Sign((*door.Proof)(r.Proof))
	if err := gw.charges.UseToken(ctx, c, r.CardToken); err != nil {
		return nil, err
	}
	c.PayoutExpiry()
	faults = append(faults, gw.router.CardFaults(r.Protocol, r.Method, c.PayCard, r.Kind, gw.Now())...)
	if len(faults) > 0 {
		return nil, refusal.ErrInvalid.Fields(faults...)
	}
	if err := gw.wallets.AskWallet(c, r.Wallet, r.WalletToken); err != nil {
		return nil, err
	}
	return charged(ctx, gw.charges, c)
}

// chargeFaults checks a charge by the rules of its protocol. The merchant's mapping may allow names in every script and
// amounts with fewer decimals.
func (m *Client) chargeFaults(r *ChargeRequest) []refusal.Fault {
	faults := m.gw.form.checkCharge(r, &m.gw.form.strict)
	if len(faults) == 0 || m.profile == nil {
		return faults
	}
	if m.profile.Speaks(r.Protocol) != nil {
		return nil // which is the answer
	}
	return m.gw.form.checkCharge(r, m.profile.Mapping(r.Protocol))
}
