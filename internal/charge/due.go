package charge

import (
	"github.com/tollgatepay/gateway/internal/engine"
	"github.com/tollgatepay/gateway/internal/merchant"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/internal/recurring"
	"github.com/tollgatepay/gateway/store"
)

// Due returns the scheduled payment of a chain: like its first one, with the amount of the schedule.
func Due(profile *merchant.Profile, first *records.Payment, chain *recurring.Due) *Draft {
	p := records.Payment{Payment: store.Payment{
		Protocol: first.Protocol, Action: recurringActions[first.Kind], Kind: first.Kind, Test: first.Test,
		Order:  first.Order,
		Method: first.Method, Payer: first.Payer, Payee: first.Payee, Identifier: first.Identifier,
		CustomData: first.CustomData,
		Language:   first.Language, ScheduleID: chain.ScheduleID, RecurringInitID: first.ID, RecurringToken: chain.Token,
		OfWallet: first.Wallet != nil, VATCalc: first.VATCalc,
		NotificationURL: first.NotificationURL,
	}, OwnURL: first.OwnURL}
	if now := NotificationURL(profile.Record(), first.Test, ""); now != "" && !first.OwnURL { // it may have changed
		p.NotificationURL = now
	}
	if chain.Amount != "" {
		p.Order.Amount = chain.Amount
	}
	if !first.Protocol.S2S() {
		p.Action = ""
	}
	return &Draft{
		Operation: engine.Operation{Payment: p}, Profile: profile, Recurring: true, Pinned: first.MIDID,
		Credentials: chain.Credentials,
		Due:         chain,
	}
}

// recurringActions are the S2S actions of scheduled payments in callbacks (s2s_card.md, RECURRING_SALE).
var recurringActions = map[store.Kind]string{store.Purchase: "RECURRING_SALE", store.Debit: "RECURRING_DEBIT"}
