package charge

import (
	"github.com/tollgatepay/gateway/internal/engine"
	"github.com/tollgatepay/gateway/internal/merchant"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/store"
)

// OfSession returns the draft of a session's payment.
func OfSession(s *store.Session, p *merchant.Profile) *Draft {
	return &Draft{
		Profile: p, Channel: s.ChannelID,
		Operation: engine.Operation{Payment: records.Payment{Payment: store.Payment{
			Protocol: store.Checkout, Kind: s.Kind, Hold: s.Hold, Test: s.Test, Order: s.Order, Payer: s.Payer,
			Payee: s.Extra.Payee, MOTOType: s.Extra.MOTOType, CryptoNetwork: s.Extra.CryptoNetwork,
			CustomData: s.CustomData, ReqToken: s.Extra.ReqToken && len(s.Extra.CardTokens) == 0,
			RecurringInit: s.Extra.RecurringInit,
			ScheduleID:    s.Extra.ScheduleID, ScheduleStartDate: s.Extra.ScheduleStartDate,
			ScheduleAmount: s.Extra.PaymentScheduleAmount, Language: s.Language, VATCalc: s.Extra.VATCalc,
			NotificationURL: NotificationURL(p.Record(), s.Test, ""),
		}}},
	}
}
