package gateway

import (
	"cmp"
	"context"
	"strings"
	"time"

	"github.com/tollgatepay/gateway/internal/door"
	"github.com/tollgatepay/gateway/internal/fields"
	"github.com/tollgatepay/gateway/methods"
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
	c.Sign((*door.Proof)(r.Proof))
	if err := gw.charges.UseToken(ctx, c, r.CardToken); err != nil {
		return nil, err
	}
	c.PayoutExpiry()
	if faults = append(faults, gw.cardFaults(r.Method, c.PayCard, r.Kind)...); len(faults) > 0 {
		return nil, refusal.ErrInvalid.Fields(faults...)
	}
	if err := gw.wallets.AskWallet(c, r.Wallet, r.WalletToken); err != nil {
		return nil, err
	}
	result, err := gw.charges.Charge(ctx, c)
	return (*Result)(result), err
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

// cardFaults checks the card of a charge. A card method needs one; it is not expired, and its number does not begin
// with 0, 1 or 7, like that of no card network. A payout needs no expiry.
func (gw *Gateway) cardFaults(method string, card *methods.Card, kind store.Kind) []refusal.Fault {
	known, _ := gw.catalogue.Lookup(cmp.Or(method, "card"))
	if known.Kind != methods.KindCard {
		return nil
	}
	if card == nil || card.PAN.IsZero() {
		return []refusal.Fault{{Path: "card_number", Text: fields.TextBlank}}
	}
	var faults []refusal.Fault
	if strings.Contains("017", card.PAN.Digits()[:1]) {
		faults = append(faults, refusal.Fault{Path: "card_number", Text: fields.TextBrand})
	}
	if kind == store.Credit && card.Expiry == (store.Expiry{}) {
		return faults
	}
	// A card is good wherever its holder still has the last day of its month: until it ends at UTC-12.
	if err := card.Expiry.Check(gw.now().Add(-12 * time.Hour)); err != nil {
		faults = append(faults, refusal.Fault{Path: "expiry", Text: err.Error()})
	}
	return faults
}
