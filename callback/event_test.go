package callback_test

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/tollgatepay/gateway/callback"
	"github.com/tollgatepay/gateway/store"
)

const password = "m3rch4ntP4ss"

// event returns the event for a callback: on S2S with every fact that an acquirer may report, so that the tables
// decide what is sent, and on Checkout with the common ones.
func event(c documented) callback.Event {
	e := callback.Event{
		Payment: payment(c), Transaction: transaction(c),
		Merchant: &store.Merchant{ID: "m1", Name: "Flower Shop", Password: store.NewSecret(password)},
		Mapping:  &store.Mapping{MerchantID: "m1", Protocol: c.protocol},
		MID:      &store.MID{ID: "mid1", Name: "Acquirer EU", Connector: "vcard"},
	}
	e.Type, e.Status = rowOf(c)
	if e.Type == "3ds" || e.Type == "redirect" {
		e.Redirect = &store.Redirect{ThreeDS: e.Type == "3ds", URL: "https://acs.example/auth?x=1", Method: "POST",
			Params: []store.RedirectParam{
				{Name: "PaReq", Value: "eJxVUtt+gg=="}, {Name: "MD", Value: e.Payment.ID}, {Name: "TermUrl", Value: "https://pay.example/back/7f"}, {Name: "Note"},
			}}
	}
	if variant := ofKind(c); variant != "" {
		variants[variant](&e)
	}
	return e
}

// rowOf returns the state table's type and status for a result of S2S.
func rowOf(c documented) (kind, status string) {
	if c.protocol == store.Checkout {
		return c.action, c.result
	}
	kind = types[c.action]
	switch c.result {
	case "SUCCESS":
		return kind, "success"
	case "DECLINED":
		return kind, "fail"
	case "INIT":
		return "init", "success"
	case "REDIRECT":
		return strings.ToLower(string(c.status)), "success"
	}
	return kind, strings.ToLower(c.result)
}

var types = map[string]string{
	"SALE": "sale", "DEBIT": "debit", "RECURRING_SALE": "recurring", "RECURRING_DEBIT": "recurring",
	"CARD2CARD": "transfer", "CREDIT2CARD": "credit", "CREDIT2VIRTUAL": "credit", "CREDIT2CRYPTO": "credit",
	"DEBIT2VIRTUAL": "debit", "DEBIT2VIRTUAL_CALC": "calc",
	"CAPTURE": "capture", "CREDITVOID": "refund", "VOID": "void", "CHARGEBACK": "chargeback",
}

var operations = map[string]store.Operation{
	"sale": store.OpSale, "recurring": store.OpSale, "debit": store.OpDebit, "transfer": store.OpTransfer,
	"credit": store.OpCredit, "calc": store.OpCalc, "capture": store.OpCapture, "refund": store.OpRefund,
	"void": store.OpVoid, "chargeback": store.OpChargeback, "3ds": store.OpSale, "redirect": store.OpSale,
	"init": store.OpSale,
}

var kinds = map[store.Operation]store.Kind{
	store.OpDebit: store.Debit, store.OpCalc: store.Debit, store.OpTransfer: store.Transfer, store.OpCredit: store.Credit,
}

// kindOf returns the kind of the payment: the one that the variant begins with, or else that of the type.
func kindOf(c documented) store.Kind {
	first, _, _ := strings.Cut(c.variant, "-")
	switch kind, ok := kinds[operations[typeOf(c)]]; {
	case slices.Contains(store.Kinds(), store.Kind(first)):
		return store.Kind(first)
	case ok:
		return kind
	case c.action == "RECURRING_DEBIT":
		return store.Debit
	}
	return store.Purchase
}

// operationOf returns the operation of the transaction: for 3ds, redirect, init and recurring it is the charge
// that the payment began with.
func operationOf(c documented) store.Operation {
	op := operations[typeOf(c)]
	switch kind := kindOf(c); {
	case op == store.OpSale && kind == store.Debit:
		return store.OpDebit
	case op == store.OpSale && kind == store.Transfer:
		return store.OpTransfer
	case op == store.OpSale && kind == store.Credit:
		return store.OpCredit
	}
	return op
}

func typeOf(c documented) string {
	if c.protocol == store.Checkout {
		return c.action
	}
	return types[c.action]
}

func payment(c documented) *store.Payment {
	p := &store.Payment{
		ID: "50a1361a-7c2e-11f1-b8d4-0242ac120002", MerchantID: "m1", Protocol: c.protocol, Kind: store.Purchase,
		Order:  store.Order{Number: "order-1234", Amount: "10.00", Currency: "USD", Description: "Important gift"},
		Status: c.status, Method: "card", MIDID: "mid1", Descriptor: "FLOWERS",
		Payer: store.Payer{
			Name: "Zoë Doe", FirstName: "Zoë", MiddleName: "Q", LastName: "Doe", Email: "doe@example.com",
			BirthDate: "1970-02-17", IP: "203.0.113.7",
			Address: store.Address{
				Country: "US", State: "CA", City: "Köln", Address: "Big street 1", Address2: "Back yard", HouseNumber: "17/2",
				Zip: "123456", Phone: "199999999", PhoneCountryCode: "1", District: "Mitte",
			},
		},
		COF:        &store.COF{Initiator: "payer", Source: "initial", Sequence: "1"},
		CustomData: json.RawMessage(`{"ref":"A-17","cart":{"items":["tulip","rose"],"gift":true}}`),
	}
	p.Kind = kindOf(c)
	instrument(p, c)
	return p
}

func instrument(p *store.Payment, c documented) {
	visa := &store.CardFacts{Mask: "411111******1111", Expiry: store.Expiry{Year: 2038, Month: 1}, Brand: "visa"}
	payee := &store.Payer{
		Name: "Ann Lee", Email: "ann@example.com",
		Address: store.Address{Country: "GB", State: "LN", City: "London", Address: "Small street 2"},
	}
	p.Card = visa
	if p.Kind == store.Transfer || p.Kind == store.Credit {
		p.Payee = payee
	}
	switch {
	case c.protocol == store.S2SAPM:
		p.Card, p.Method, p.Identifier = nil, "vcard", "success@gmail.com"
	case p.Kind == store.Transfer:
		p.PayeeCard = &store.CardFacts{Mask: "555555******4444", Brand: "mastercard"}
	case p.Kind == store.Credit:
		p.Card = &store.CardFacts{Mask: "460154******6519", Brand: "visa"}
	}
	if typeOf(c) == "recurring" {
		p.RecurringToken, p.RecurringInitID, p.ScheduleID = "e5f60b35485e", "0a1b2c3d-7c2e-11f1-b8d4-0242ac120002",
			"9d0f5cc4-f07b-11ec-abf4-0242ac120006"
	}
	if c.protocol != store.Checkout {
		p.Action = "SALE"
		if kinds[operations[typeOf(c)]] != "" || strings.HasPrefix(c.action, "RECURRING_") {
			p.Action = c.action
		}
	}
}

func transaction(c documented) *store.Transaction {
	t := &store.Transaction{
		ID: "7b7a464e-7c2e-11f1-b8d4-0242ac120003", PaymentID: "50a1361a-7c2e-11f1-b8d4-0242ac120002", MerchantID: "m1",
		Operation: operationOf(c), Amount: store.MustAmount("10.00"), Currency: "USD", MIDID: "mid1", Connector: "vcard",
		Reference: "acquirer-reference",
		Browser: map[string]string{
			"color_depth": "24", "screen_height": "1080", "screen_width": "1920", "java_enabled": "false",
			"javascript_enabled": "true",
			"language":           "en-GB", "timezone_offset": "-60", "user_agent": "Mozilla/5.0 (X11)",
			"accept_headers": "text/html,*/*;q=0.8", "platform": "Linux",
		},
		Facts: store.Facts{
			RRN: "018300000042", ApprovalCode: "A1B2C3", ARN: "74537604221431003881865", GatewayID: "gw-1",
			ExtraGatewayID: "gw-2",
			Descriptor:     "FLOWERS*1234", IssuerCountry: "US", IssuerBank: "Test Bank",
			ThreeDS: store.ThreeDSFacts{
				ServerTransID: "3f1c", DSTransID: "4a2d", ACSTransID: "5b3e", XID: "x9", TransStatus: "Y", TransStatusReason: "01",
				ECI: "05", ProtocolVersion: "2.2.0", Flow: "frictionless",
			},
		},
		CreatedAt: time.Date(2026, 1, 2, 4, 4, 5, 0, time.FixedZone("CET", 3600)),
	}
	if c.result == "fail" || c.result == "DECLINED" {
		t.Reason = "Declined by processing"
	}
	switch {
	case t.Operation == store.OpRefund &&
		(c.status == store.Reversed || c.status == store.Pending || kindOf(c) == store.Debit):
		t.Operation = store.OpReversal
	case t.Operation == store.OpChargeback:
		t.Reason, t.Facts.ReasonCode, t.Facts.BankDate = "Goods not received", "13.1", "2026-01-01 00:00:00"
	case typeOf(c) == "debit" || typeOf(c) == "calc":
		t.Facts.Commission, t.Facts.TotalAmount = "0.35", "10.35"
	}
	if c.protocol != store.Checkout {
		exchanged(t)
		t.Facts.VATAmount, t.Facts.CryptoAddress, t.Facts.CryptoNetwork = "1.90",
			"0x52908400098527886E0F7030069857D2E4169EE7", "ERC20"
	}
	return t
}

func exchanged(t *store.Transaction) {
	t.Facts.ExchangeRate, t.Facts.ExchangeRateBase = "0.92", "0.90"
	t.Facts.ExchangeCurrency, t.Facts.ExchangeAmount = "EUR", "9.20"
}

// ofKind returns the variant of a callback without the kind that it may begin with.
func ofKind(c documented) string {
	first, rest, _ := strings.Cut(c.variant, "-")
	if slices.Contains(store.Kinds(), store.Kind(first)) {
		return rest
	}
	return c.variant
}

func everything() store.Additions {
	return store.Additions{Card: true, Brand: true, ARN: true, COF: true, Payer: true, Method: true, ThreeDS: true,
		Browser: true, Extended: true}
}

var variants = map[string]func(*callback.Event){
	"additions": func(e *callback.Event) { e.Mapping.Add = everything() },
	"nothing-to-add": func(e *callback.Event) {
		e.Mapping.Add = everything()
		e.Transaction.Facts, e.Transaction.Browser, e.Transaction.Connector, e.Payment.COF = store.Facts{}, nil, "", nil
		e.Payment.Payer, e.Payment.CustomData = store.Payer{IP: "203.0.113.7"}, nil
		e.MID, e.Merchant.Name = nil, ""
	},
	"sha256": func(e *callback.Event) { e.Mapping.SHA256 = true },
	"auth": func(e *callback.Event) {
		e.Payment.Hold, e.Transaction.Operation = true, store.OpAuth
		if e.Payment.Action == "SALE" && e.Payment.Protocol == store.S2SCard {
			e.Payment.Action = "AUTH"
		}
	},
	"recurring-init": func(e *callback.Event) {
		e.Payment.RecurringInit, e.Payment.RecurringInitID = true, e.Payment.ID
		e.Payment.RecurringToken, e.Payment.ScheduleID = "e5f60b35485e", "9d0f5cc4-f07b-11ec-abf4-0242ac120006"
	},
	"card-token": func(e *callback.Event) {
		e.Payment.ReqToken, e.Payment.CardToken = true, strings.Repeat("f5d6a0ab", 8)
	},
	"wallet": func(e *callback.Event) {
		e.Payment.Wallet = &store.WalletFacts{Wallet: "googlepay", PANType: "dpan"}
	},
	"moto": func(e *callback.Event) { e.Payment.MOTOType = "phone_moto" },
	"exchange": func(e *callback.Event) {
		exchanged(e.Transaction)
		e.Transaction.Facts.VATAmount = "1.90"
	},
	"crypto": func(e *callback.Event) {
		e.Crypto, e.Payment.Card, e.Payment.Method, e.Payment.CryptoNetwork = true, nil, "crypto", "TRC20"
		e.Payment.Order.Currency, e.Transaction.Currency = "USDT", "USDT"
		e.Transaction.Facts.CryptoAddress, e.Transaction.Facts.CryptoNetwork = "TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeC", ""
	},
	"crypto-email": func(e *callback.Event) {
		e.Crypto, e.Payment.Card, e.Payment.Method, e.Payment.CryptoNetwork = true, nil, "crypto", "TRC20"
		e.Payment.Order.Currency, e.Transaction.Currency = "USDT", "USDT"
		e.Mapping.CryptoSaleSignature = store.SignedByEmail
	},
	"crypto-open": func(e *callback.Event) {
		e.Crypto, e.Payment.Method, e.Transaction.AmountOpen = true, "crypto", true
		e.Payment.Order.Amount, e.Payment.Order.Currency, e.Transaction.Amount = "", "USDT", store.MustAmount("12.345678")
	},
	"crypto-unchosen": func(e *callback.Event) {
		e.Crypto, e.Payment.Card, e.Payment.Method, e.Payment.CryptoNetwork = true, nil, "crypto", "TRC20"
		e.Payment.Order.Amount, e.Payment.Order.Currency, e.Transaction.AmountOpen = "", "USDT", true
	},
	"partial": func(e *callback.Event) {
		e.Mapping.PartialRefundSettled, e.Transaction.Amount = true, store.MustAmount("2.50")
	},
	"retry":    func(e *callback.Event) { e.Payment.Action = "RETRY" },
	"complete": func(e *callback.Event) { e.Payment.Action = "DEBIT2VIRTUAL_CALC" },
}
