package gateway

import (
	"github.com/tollgatepay/gateway/internal/engine"
	"github.com/tollgatepay/gateway/internal/merchant"
	"github.com/tollgatepay/gateway/store"
)

// amountChosen: a transfer of -1 leaves the amount to the payer (SPEC1, "Amount format").
func amountChosen(s *store.Session) bool {
	return s.Kind == store.Transfer && s.Order.Amount == amountOpen
}

// amountOpen is the amount of a transfer whose payer chooses it.
const amountOpen = "-1"

// sessionCharge is what a session asks for.
func sessionCharge(s *store.Session, p *merchant.Profile) *charge {
	return &charge{
		profile: p, channel: s.ChannelID,
		Operation: engine.Operation{Payment: store.Payment{
			Protocol: store.Checkout, Kind: s.Kind, Hold: s.Hold, Test: s.Test, Order: s.Order, Payer: s.Payer,
			Payee: s.Extra.Payee, MOTOType: s.Extra.MOTOType, CryptoNetwork: s.Extra.CryptoNetwork,
			CustomData: s.CustomData, ReqToken: s.Extra.ReqToken && len(s.Extra.CardTokens) == 0,
			RecurringInit: s.Extra.RecurringInit,
			ScheduleID:    s.Extra.ScheduleID, ScheduleStartDate: s.Extra.ScheduleStartDate,
			ScheduleAmount: s.Extra.PaymentScheduleAmount, Language: s.Language, VATCalc: s.Extra.VATCalc,
			NotificationURL: notificationURL(p.Record(), s.Test, ""),
		}},
	}
}
