package checkout

import (
	"context"
	"encoding/json"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/callback/signature"
	"github.com/tollgatepay/gateway/internal/strictjson"
	"github.com/tollgatepay/gateway/store"
)

// sessionBody is the session request as it comes (SPEC1, "Checkout session request"). Unknown fields
// are ignored (decision j); notification_url is one of them.
type sessionBody struct {
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
	} `json:"order"`
	Customer struct {
		Name      string `json:"name"`
		Email     string `json:"email"`
		BirthDate string `json:"birth_date"`
	} `json:"customer"`
	Billing    addressBody       `json:"billing_address"`
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
	PayeeBilling addressBody `json:"payee_billing_address"`
}

// addressBody is billing_address and payee_billing_address.
type addressBody struct {
	Country          string `json:"country"`
	State            string `json:"state"`
	City             string `json:"city"`
	Address          string `json:"address"`
	HouseNumber      string `json:"house_number"`
	Zip              string `json:"zip"`
	Phone            string `json:"phone"`
	PhoneCountryCode string `json:"phone_country_code"`
	District         string `json:"district"`
	Language         string `json:"language"`
}

var sessionDecoder = strictjson.For[sessionBody](strictjson.Limits{MaxBytes: MaxCreate})

// sessionAnswer is the answer to a session request.
type sessionAnswer struct {
	RedirectURL string `json:"redirect_url"`
}

func createSession(ctx context.Context, gw *gateway.Gateway, text []byte) (any, error) {
	body, faults := sessionDecoder.Decode(text)
	if cutShort(faults) {
		return nil, gateway.ErrInvalid.Fields(malformed(faults)...)
	}
	request := body.request()
	request.Malformed = malformed(faults)
	session, err := gw.CreateSession(ctx, request)
	if err != nil {
		return nil, err
	}
	return sessionAnswer{session.RedirectURL}, nil
}

// request is the body in the words of the gateway.
func (b *sessionBody) request() gateway.SessionRequest {
	order := store.Order{Number: b.Order.Number, Amount: b.Order.Amount, Currency: b.Order.Currency, Description: b.Order.Description}
	r := gateway.SessionRequest{
		MerchantKey: b.MerchantKey, Operation: b.Operation, Order: order, Methods: b.Methods,
		ChannelID: b.ChannelID, Hold: b.Auth.On, SuccessURL: b.SuccessURL, CancelURL: b.CancelURL,
		ExpiryURL: b.ExpiryURL, ErrorURL: b.ErrorURL, URLTarget: b.URLTarget,
		Customer: gateway.Customer{Name: b.Customer.Name, Email: b.Customer.Email, BirthDate: b.Customer.BirthDate},
		Billing:  b.Billing.address(), Language: b.Billing.Language,
		Parameters: object(b.Parameters), CustomData: object(b.CustomData),
		PayeeBilling: b.PayeeBilling.address(),
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
	if b.Payee.Name != "" || b.Payee.Email != "" {
		r.Extra.Payee = &store.Payer{Name: b.Payee.Name, Email: b.Payee.Email, Address: r.PayeeBilling}
	}
	if b.SessionExpiry.Set {
		minutes := int(min(b.SessionExpiry.Value, 1<<20))
		r.Expiry = &minutes
	}
	return r
}

func (a *addressBody) address() store.Address {
	return store.Address{
		Country: a.Country, State: a.State, City: a.City, Address: a.Address, HouseNumber: a.HouseNumber,
		Zip: a.Zip, Phone: a.Phone, PhoneCountryCode: a.PhoneCountryCode, District: a.District,
	}
}

// object is a free-form object as JSON, nil when it was not sent.
func object(o strictjson.Object) json.RawMessage {
	if o.IsZero() {
		return nil
	}
	return o.AppendJSON(nil)
}
