package sessionjson

import (
	"time"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/callback/signature"
	"github.com/tollgatepay/gateway/internal/strictjson"
	"github.com/tollgatepay/gateway/store"
)

// common is the session request as received (SPEC1, "Checkout session request"). Unknown fields are ignored
// (decision j); notification_url is one of them.
type common struct {
	MerchantKey   string         `json:"merchant_key"`
	Operation     string         `json:"operation"`
	SuccessURL    string         `json:"success_url"`
	CancelURL     string         `json:"cancel_url"`
	ExpiryURL     string         `json:"expiry_url"`
	ErrorURL      string         `json:"error_url"`
	URLTarget     string         `json:"url_target"`
	SessionExpiry strictjson.Int `json:"session_expiry" fault:"must be within 1..720"`
	ChannelID     string         `json:"channel_id"`
	Hash          string         `json:"hash"`
	Methods       []string       `json:"methods"`

	Order struct {
		Number      string `json:"number"`
		Amount      string `json:"amount"`
		Currency    string `json:"currency"`
		Description string `json:"description"`
	} `json:"order" empty:"refused"`
	Billing    Address           `json:"billing_address"`
	Parameters strictjson.Object `json:"parameters"`
	CustomData strictjson.Object `json:"custom_data"`

	Auth                  strictjson.Flag `json:"auth"`
	ReqToken              strictjson.Flag `json:"req_token"`
	RecurringInit         strictjson.Flag `json:"recurring_init"`
	VATCalc               strictjson.Flag `json:"vat_calc"`
	CardToken             []string        `json:"card_token"`
	ScheduleID            string          `json:"schedule_id"`
	ScheduleStartDate     string          `json:"schedule_start_date"`
	PaymentScheduleAmount string          `json:"payment_schedule_amount"`
	MOTOType              string          `json:"moto_type"`
	FormID                string          `json:"form_id"`
	Crypto                struct {
		Network string `json:"network"`
	} `json:"crypto"`
	Payee struct {
		Name  string `json:"name"`
		Email string `json:"email"`
	} `json:"payee"`
	PayeeBilling Address `json:"payee_billing_address"`
}

// customer is the payer of either request.
type customer struct {
	Name      string `json:"name"`
	Email     string `json:"email"`
	BirthDate string `json:"birth_date"`
}

// request returns the gateway's form of the body.
func (b *common) request(c customer) gateway.SessionRequest {
	order := store.Order{Number: b.Order.Number, Amount: b.Order.Amount, Currency: b.Order.Currency,
		Description: b.Order.Description}
	r := gateway.SessionRequest{
		Operation: b.Operation, Order: order, Methods: b.Methods,
		ChannelID: b.ChannelID, Hold: b.Auth.On, SuccessURL: b.SuccessURL, CancelURL: b.CancelURL,
		ExpiryURL: b.ExpiryURL, ErrorURL: b.ErrorURL, URLTarget: b.URLTarget,
		Customer: gateway.Customer{Name: c.Name, Email: c.Email, BirthDate: c.BirthDate},
		Billing:  b.Billing.Store(), Language: b.Billing.Language,
		Parameters: Object(b.Parameters), CustomData: Object(b.CustomData),
		Extra: store.SessionExtra{
			ReqToken: b.ReqToken.On, CardTokens: b.CardToken, RecurringInit: b.RecurringInit.On,
			ScheduleID: b.ScheduleID, ScheduleStartDate: b.ScheduleStartDate,
			PaymentScheduleAmount: b.PaymentScheduleAmount, VATCalc: b.VATCalc.On, MOTOType: b.MOTOType,
			CryptoNetwork: b.Crypto.Network, FormID: b.FormID,
		},
		Proof: &gateway.Proof{Formula: signature.CheckoutSession, Hash: b.Hash, Inputs: signature.Inputs{
			OrderNumber: order.Number, Amount: order.Amount, Currency: order.Currency, Description: order.Description,
		}},
	}
	payee := store.Payer{Name: b.Payee.Name, Email: b.Payee.Email, Address: b.PayeeBilling.Store()}
	if payee != (store.Payer{}) {
		r.Extra.Payee = &payee
	}
	if b.SessionExpiry.Set {
		r.Expiry = time.Duration(max(min(b.SessionExpiry.Value, 1<<20), -1)) * time.Minute
		if r.Expiry == 0 { // which is the default only where nothing was sent
			r.Expiry = -1
		}
	}
	return r
}
