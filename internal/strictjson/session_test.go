package strictjson_test

import (
	"errors"

	"github.com/tollgatepay/gateway/internal/strictjson"
)

// session has the shape of a session request, with one field of every type that the decoder knows.
type session struct {
	MerchantKey   string                      `json:"merchant_key"`
	Operation     string                      `json:"operation"`
	Methods       []string                    `json:"methods"`
	SessionExpiry strictjson.Int              `json:"session_expiry" fault:"must be within 1..720"`
	Size          strictjson.Int              `json:"size"`
	Auth          strictjson.Flag             `json:"auth"`
	Rate          strictjson.Number           `json:"rate"`
	RecurringInit *bool                       `json:"recurring_init"`
	Consent       bool                        `json:"consent"`
	ScheduleID    strictjson.Optional[string] `json:"schedule_id"`
	SuccessURL    string                      `json:"success_url,omitempty"`
	CancelURL     string                      `json:"cancel_url"`
	ErrorURL      *string                     `json:"error_url"`
	CardToken     []string                    `json:"card_token"`
	Order         order                       `json:"order" empty:"refused"`
	Customer      *customer                   `json:"customer"`
	Billing       *address                    `json:"billing_address"`
	Items         []item                      `json:"items"`
	Parameters    strictjson.Object           `json:"parameters"`
	CustomData    strictjson.Object           `json:"custom_data"`
	Anything      strictjson.Value            `json:"anything"`
	Color         color                       `json:"color"`
	signed
	Internal string `json:"-"`
}

type signed struct {
	Hash string `json:"hash"`
}

type order struct {
	Number      string `json:"number"`
	Amount      string `json:"amount"`
	Currency    string `json:"currency"`
	Description string `json:"description"`
}

type customer struct {
	Name      string `json:"name"`
	Email     string `json:"email"`
	BirthDate string `json:"birth_date"`
}

type address struct {
	Country string `json:"country"`
	State   string `json:"state"`
	City    string `json:"city"`
	Street  string `json:"address"`
	Zip     string `json:"zip"`
	Phone   string `json:"phone"`
}

type item struct {
	Name string `json:"name"`
	Paid bool   `json:"paid"`
}

// color is a type with a hook of encoding whose error repeats its input.
type color struct{ name string }

func (c *color) UnmarshalText(text []byte) error {
	if string(text) != "red" {
		return errors.New("no such color: " + string(text))
	}
	c.name = "red"
	return nil
}

var sessions = strictjson.For[session](strictjson.Limits{})

const sessionBody = `{
  "merchant_key": "5b6492f0-f8f5-11ea-976a-0242c0a85007",
  "operation": "purchase",
  "methods": ["card", "applepay"],
  "session_expiry": "60",
  "auth": "Y",
  "recurring_init": true,
  "schedule_id": "57fddecf-17b9-4d38-9320-a670f0c29ec0",
  "success_url": "https:\/\/shop.example\/checkout\/success?cart=7781",
  "cancel_url": "https:\/\/shop.example\/checkout\/cancel?cart=7781",
  "error_url": "https:\/\/shop.example\/checkout\/error",
  "card_token": ["f5a4c2e7c8f1b7a8f6e0c1d2b3a495867768594a3b2c1d0e9f8a7b6c5d4e3f20"],
  "order": {
    "number": "order-1234",
    "amount": "1000.55",
    "currency": "USD",
    "description": "Two tickets, row 7, seats 12 and 13"
  },
  "customer": {"name": "John Doe", "email": "john@shop.example", "birth_date": "1990-01-31"},
  "billing_address": {
    "country": "US", "state": "CA", "city": "Los Angeles",
    "address": "Moor Building 35274", "zip": "123456", "phone": "347771112233"
  },
  "custom_data": {"cart": 7781, "source": "spring \u2013 mail", "tags": ["a", "b"], "vip": false},
  "hash": "2702f0ae3c1ce1a1ed5d6a8dc4e9f1be8e1ad0a5"
}`
