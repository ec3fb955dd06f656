package gateway

import (
	"context"

	"github.com/tollgatepay/gateway/internal/engine"
	"github.com/tollgatepay/gateway/internal/merchant"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/internal/recurring"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// paySlot charges the card of a chain for its next date.
func (gw *Gateway) paySlot(ctx context.Context, chain *records.Chain) error {
	profile, err := gw.merchants.ByID(ctx, chain.MerchantID)
	if err != nil {
		return err
	}
	first, _, err := gw.agreements.Find(ctx, chain.Owner(), chain.PaymentID, chain.Token)
	if err != nil {
		return err
	}
	if err := profile.Readable(first); err != nil {
		return err
	}
	if profile.Off(first.Protocol) {
		return refusal.ErrNoMID
	}
	c := dueCharge(profile, first, chain)
	if c.card, _, err = gw.seals.OpenCard(ctx, chain.MerchantID, chain.Token, chain.SealedCard); err != nil {
		return err
	}
	_, err = gw.charges.charge(ctx, c)
	return err
}

// dueCharge is the scheduled payment of a chain: what its first one was, for the amount of the schedule.
func dueCharge(profile *merchant.Profile, first *store.Payment, chain *records.Chain) *charge {
	p := store.Payment{
		Protocol: first.Protocol, Action: recurringActions[first.Kind], Kind: first.Kind, Test: first.Test,
		Order:  first.Order,
		Method: first.Method, Payer: first.Payer, Payee: first.Payee, Identifier: first.Identifier,
		CustomData: first.CustomData,
		Language:   first.Language, ScheduleID: chain.ScheduleID, RecurringInitID: first.ID, RecurringToken: chain.Token,
		OfWallet: first.Wallet != nil, VATCalc: first.VATCalc,
		NotificationURL: first.NotificationURL, OwnURL: first.OwnURL,
	}
	if now := notificationURL(profile.Record(), first.Test, ""); now != "" && !first.OwnURL { // it may have moved
		p.NotificationURL = now
	}
	if chain.Amount != "" {
		p.Order.Amount = chain.Amount
	}
	if !first.Protocol.S2S() {
		p.Action = ""
	}
	return &charge{
		Operation: engine.Operation{Payment: p}, profile: profile, recurring: true, pinned: first.MIDID,
		credentials: chain.Credentials,
		due:         &recurring.Date{Merchant: chain.MerchantID, Token: chain.Token, Plan: *chain.Plan},
	}
}

// recurringActions are what S2S callbacks call scheduled payments (s2s_card.md, RECURRING_SALE).
var recurringActions = map[store.Kind]string{store.Purchase: "RECURRING_SALE", store.Debit: "RECURRING_DEBIT"}
