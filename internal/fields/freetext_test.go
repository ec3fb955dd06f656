package fields_test

import (
	"bytes"
	"encoding/json"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

const textCard = "must not hold a card number"

// reliability.md, row 84: a card number in free text is refused and stored nowhere; other numbers are fine.
// Which texts hold one is told in store.
func TestCardNumbersInFreeText(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, text string
		refused    bool
	}{
		{"a card", "4111111111111111", true},
		{"within words", "paid with 5555 5555 5555 4444 yesterday", true},
		{"unseen between", "4111\u200b1111\u00ad11111111", true},
		{"in other digits", "٤١١١ ١١١١ ١١١١ ١١١١", true},
		{"not by Luhn", "4111111111111112", false},
		{"no length of Visa", "411111111111116", false},
		{"of no network", "7992 7398 7130 0000", false},
		{"an order reference", "2027031012345678901234", false},
		{"a phone", "+49 170 1234567", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			kit := gatewaytest.New(t)
			described, custom := gatewaytest.Request("ORD-1", "10.00"), gatewaytest.Request("ORD-2", "10.00")
			described.Order.Description = c.text
			custom.CustomData = []byte(`{"note":"` + c.text + `"}`)
			_, err := kit.Shop().CreateSession(t.Context(), described)
			_, err2 := kit.Shop().CreateSession(t.Context(), custom)
			if !c.refused {
				require.NoError(t, err)
				require.NoError(t, err2)
				return
			}
			require.Equal(t, []gateway.Fault{{Path: "order.description", Text: textCard}}, gateway.AsError(err).Faults())
			require.Equal(t, []gateway.Fault{{Path: "custom_data", Text: textCard}}, gateway.AsError(err2).Faults())
		})
	}
}

// pan is a card number that fits into a post code of S2S APM, and email an address with one.
const (
	pan   = "4111.1111 1111-1111"
	email = "4111.1111.1111.1111@shop.example"
)

// sessionTexts are the free texts of a session request, with a card number in each.
var sessionTexts = map[string]func(*gateway.SessionRequest){
	"order.description":        func(r *gateway.SessionRequest) { r.Order.Description = pan },
	"customer.email":           func(r *gateway.SessionRequest) { r.Customer.Email = email },
	"billing_address.city":     func(r *gateway.SessionRequest) { r.Billing.City = pan },
	"billing_address.address":  func(r *gateway.SessionRequest) { r.Billing.Address = pan },
	"billing_address.district": func(r *gateway.SessionRequest) { r.Billing.District = pan },
	"billing_address.language": func(r *gateway.SessionRequest) { r.Language = pan },
	"crypto.network":           func(r *gateway.SessionRequest) { r.Extra.CryptoNetwork = pan },
	"payee.email": func(r *gateway.SessionRequest) {
		r.Extra.Payee = &store.Payer{Name: "Jane", Email: email}
	},
	"payee_billing_address.city":     payeeAt(store.Address{City: pan}),
	"payee_billing_address.address":  payeeAt(store.Address{Address: pan}),
	"payee_billing_address.district": payeeAt(store.Address{District: pan}),
	"custom_data": func(r *gateway.SessionRequest) {
		r.CustomData = json.RawMessage(`{"a":["` + pan + `"]}`)
	},
}

func payeeAt(a store.Address) func(*gateway.SessionRequest) {
	return func(r *gateway.SessionRequest) { r.Extra.Payee = &store.Payer{Name: "Jane", Address: a} }
}

// Objects are looked at as they are once they are decoded, names and numbers too.
var objectsWithCards = []string{
	`{"note":"\u0034111111111111111"}`, `{"note":4111111111111111}`, `{"4111111111111111":1}`,
	`{"a":{"b":[1,{"c":"4111 1111\t1111 1111"}]}}`,
	`{"note":"4111\u200b111111111111"}`, `{"note":"\uff14111111111111111"}`,
}

func TestCardNumbersInSessions(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	for path, change := range sessionTexts {
		for hosted, create := range map[bool]func(gateway.SessionRequest) error{
			false: func(r gateway.SessionRequest) error { _, err := kit.Shop().CreateSession(t.Context(), r); return err },
			true:  func(r gateway.SessionRequest) error { _, err := kit.Shop().CreateHosted(t.Context(), r); return err },
		} {
			r := gatewaytest.Request("ORD-1", "10.00")
			if hosted {
				r = kerneltest.HostedRequest("ORD-1")
			}
			change(&r)
			require.Contains(t, gateway.AsError(create(r)).Faults(), gateway.Fault{Path: path, Text: textCard}, path)
		}
	}
	for _, object := range objectsWithCards {
		r := gatewaytest.Request("ORD-1", "10.00")
		r.CustomData = json.RawMessage(object)
		_, err := kit.Shop().CreateSession(t.Context(), r)
		require.Equal(t, []gateway.Fault{{Path: "custom_data", Text: textCard}}, gateway.AsError(err).Faults(), object)
	}
	requireNoRecord(t, kit, "1111")
}

// personTexts are those of a payer or payee on S2S.
var personTexts = map[string]func(*store.Payer){
	"first_name":  func(p *store.Payer) { p.FirstName = pan },
	"middle_name": func(p *store.Payer) { p.MiddleName = pan },
	"last_name":   func(p *store.Payer) { p.LastName = pan },
	"email":       func(p *store.Payer) { p.Email = email },
	"state":       func(p *store.Payer) { p.Address.State = pan },
	"city":        func(p *store.Payer) { p.Address.City = pan },
	"district":    func(p *store.Payer) { p.Address.District = pan },
	"address":     func(p *store.Payer) { p.Address.Address = pan },
	"address2":    func(p *store.Payer) { p.Address.Address2 = pan },
	"zip":         func(p *store.Payer) { p.Address.Zip = pan },

	"name":               func(p *store.Payer) { p.Name = pan },
	"ip":                 func(p *store.Payer) { p.IP = pan },
	"house_number":       func(p *store.Payer) { p.Address.HouseNumber = pan },
	"country":            func(p *store.Payer) { p.Address.Country = pan },
	"phone_country_code": func(p *store.Payer) { p.Address.PhoneCountryCode = pan },
}

func TestCardNumbersInCharges(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	texts := map[string]func(*gateway.ChargeRequest){
		"order_description": func(r *gateway.ChargeRequest) { r.Order.Description = pan },
		"crypto_network":    func(r *gateway.ChargeRequest) { r.CryptoNetwork = pan },
		"payer_language":    func(r *gateway.ChargeRequest) { r.Language = pan },
		"payer_present":     func(r *gateway.ChargeRequest) { r.PayerPresent = pan },
		"custom_data":       func(r *gateway.ChargeRequest) { r.CustomData = json.RawMessage(objectsWithCards[0]) },
	}
	for name, put := range personTexts {
		texts["payer_"+name] = func(r *gateway.ChargeRequest) { put(&r.Payer) }
		texts["payee_"+name] = func(r *gateway.ChargeRequest) { r.Payee = &store.Payer{}; put(r.Payee) }
	}
	for name, change := range texts {
		for _, protocol := range store.Protocols() {
			_, err := kit.Shop().Charge(t.Context(),
				kerneltest.ChargeOf("ORD-1", gatewaytest.Settles, change, func(r *gateway.ChargeRequest) { r.Protocol = protocol }))
			faults := gateway.AsError(err).Faults()
			require.NotEmpty(t, faults, "%s %s", protocol, name)
			if protocol != store.Checkout {
				require.Equal(t, []gateway.Fault{{Path: name, Text: textCard}}, faults, protocol)
			}
		}
	}
	for protocol, name := range map[store.Protocol]string{
		store.S2SCard: "term_url_target", store.S2SAPM: "return_url_target", store.Checkout: "return_url_target",
	} {
		_, err := kit.Shop().Charge(t.Context(),
			kerneltest.ChargeOf("ORD-1", gatewaytest.Settles,
				func(r *gateway.ChargeRequest) { r.Protocol, r.ReturnTarget = protocol, pan }))
		require.Equal(t, []gateway.Fault{{Path: name, Text: textCard}}, gateway.AsError(err).Faults())
	}
	require.Empty(t, kit.Charges(t))
	requireNoRecord(t, kit, "1111")
}

// What comes after the first request: later payments of a chain, schedules, payments and updates of hosted
// fields, what a payer types on the page.
func TestCardNumbersInLaterTexts(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	first := kerneltest.Pay(t, kit, "ORD-1", gatewaytest.Settles,
		func(r *gateway.ChargeRequest) { r.RecurringInit = true })
	token := kerneltest.HostedToken(t, kit, "ORD-2", gatewaytest.Settles)
	recur := func(change func(*gateway.RecurRequest)) error {
		r := gateway.RecurRequest{InitID: first.ID, Token: first.RecurringToken,
			Order: store.Order{Number: "ORD-3", Amount: "5.00", Description: "Important gift"}}
		change(&r)
		_, err := kit.Shop().Recur(t.Context(), r)
		return err
	}
	payment := func(change func(*gateway.HostedPayment)) error {
		p := gateway.HostedPayment{Kind: store.Purchase, Name: "John Doe"}
		change(&p)
		_, err := kit.HostedFields().Pay(t.Context(), token, p)
		return err
	}
	_, schedule := kit.Shop().CreateSchedule(t.Context(),
		store.Schedule{Name: pan, IntervalLength: 1, IntervalUnit: store.Month, PaymentsCount: 1})
	for path, err := range map[string]error{
		"order.description": recur(func(r *gateway.RecurRequest) { r.Order.Description = pan }),
		"customer.email":    recur(func(r *gateway.RecurRequest) { r.Email = email }),
		"custom_data":       recur(func(r *gateway.RecurRequest) { r.CustomData = json.RawMessage(objectsWithCards[0]) }),
		"order_description": recur(func(r *gateway.RecurRequest) { r.Protocol, r.Order.Description = store.S2SCard, pan }),
		"name":              schedule,
		"email":             payment(func(p *gateway.HostedPayment) { p.Email = email }),
		"selected_language": payment(func(p *gateway.HostedPayment) { p.Language = pan }),

		"billing_address.city":     payment(func(p *gateway.HostedPayment) { p.Billing.City = pan }),
		"billing_address.address":  payment(func(p *gateway.HostedPayment) { p.Billing.Address = pan }),
		"billing_address.district": payment(func(p *gateway.HostedPayment) { p.Billing.District = pan }),
	} {
		require.Equal(t, []gateway.Fault{{Path: path, Text: textCard}}, gateway.AsError(err).Faults(), path)
	}
	update := kit.HostedFields().Update(t.Context(), token,
		gateway.HostedUpdate{CustomData: json.RawMessage(objectsWithCards[0])})
	require.Equal(t, []gateway.Fault{{Path: "custom_data", Text: textCard}}, gateway.AsError(update).Faults())
	requireNoRecord(t, kit, "4111.1111")
}

// What a payer types on the page where the request left it out.
func TestCardNumbersTypedAsAddress(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	require.NoError(t, kit.SaveMID(t.Context(),
		store.MID{ID: "live", MerchantID: gatewaytest.MerchantID, Connector: "vcard", ThreeDS: true}))
	r := gatewaytest.Request("ORD-1", "10.00")
	r.Customer.Email = ""
	link := kit.SessionOf(t, r)
	good := map[string]string{"customer.email": "doe@example.com", "billing_address.country": "DE",
		"billing_address.city":    "Berlin",
		"billing_address.address": "Hauptstr. 1", "billing_address.zip": "10115"}
	for path, text := range map[string]string{
		"customer.email": email, "billing_address.city": pan, "billing_address.address": pan,
	} {
		fields := map[string]string{}
		for name, value := range good {
			fields[name] = value
		}
		fields[path] = text
		_, err := kit.PaySession(t.Context(), link, gateway.Submission{Card: gatewaytest.Settles, Fields: fields})
		require.Equal(t, []gateway.Fault{{Path: path, Text: textCard}}, gateway.AsError(err).Faults())
	}
	require.Empty(t, kit.Charges(t))
}

// A browser that tells a card number of itself does not stop its payer; what it told is not kept.
func TestCardNumbersOfBrowsers(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	browser := map[string]string{"user_agent": "Shop/1.0 " + pan, "language": "en"}
	p := kerneltest.Pay(t, kit, "ORD-1", gatewaytest.Settles, func(r *gateway.ChargeRequest) { r.Browser = browser })
	list, err := kit.Operator().Transactions(t.Context(), p.ID)
	require.NoError(t, err)
	require.Equal(t, map[string]string{"language": "en"}, list[0].Browser)
	require.Len(t, browser, 2, "the caller's own stays as it is")
}

// Numbers and names of records may look as they like: what a merchant numbers with digits that pass as a
// card's is no card.
func TestNumbersThatLookLikeCards(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	r := gatewaytest.Request("4111111111111111", "10.00")
	r.SuccessURL, r.Billing.Phone = "https://shop.example/4111111111111111", "4111111111111111"
	_, err := kit.Shop().CreateSession(t.Context(), r)
	require.NoError(t, err)
	for i, protocol := range []store.Protocol{store.Checkout, store.S2SCard} {
		_, err = kit.Shop().Charge(t.Context(),
			kerneltest.ChargeOf("4111111111111111 "+strconv.Itoa(i), gatewaytest.Settles, func(r *gateway.ChargeRequest) {
				r.Protocol, r.Identifier, r.Payer.Address.Phone = protocol, "4111111111111111", "4111111111111111"
			}))
		require.NoError(t, err)
	}
}

func TestCardNumbersInConfiguration(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	require.ErrorContains(t, kit.SaveMerchant(t.Context(),
		store.Merchant{ID: "m", Key: "k", Name: pan, Password: store.NewSecret("0123456789abcdef")}), "name: "+textCard)
	require.ErrorContains(t, kit.SaveMID(t.Context(),
		store.MID{ID: "m", MerchantID: gatewaytest.MerchantID, Connector: "vcard", Name: pan}), "name: "+textCard)
	require.ErrorContains(t, kit.SaveMID(t.Context(),
		store.MID{ID: "m", MerchantID: gatewaytest.MerchantID, Connector: "vcard", Descriptor: pan}), "descriptor: "+textCard)
}

// requireNoRecord looks for a text in every record of the store.
func requireNoRecord(t testing.TB, kit *gatewaytest.Kit, text string) {
	t.Helper()
	require.NoError(t, kit.Store.View(t.Context(), func(r store.Reader) error {
		for entry := range r.Scan(store.Range{Limit: kerneltest.Everything}) {
			require.NoError(t, entry.Err)
			require.False(t, bytes.Contains(entry.Value, []byte(text)), string(entry.Value))
		}
		return nil
	}))
}

// A parameter that people write words into is a text like any other: the descriptor goes to statement, answer and
// callback.
func TestCardNumbersInParameters(t *testing.T) {
	t.Parallel()
	const (
		descriptor = `{"descriptor":"4111 1111 1111 1111"}`
		gift       = `{"cart":{"items":[{"giftMessage":"for 4111-1111-1111-1111"}]}}`
	)
	for _, c := range []struct {
		door             byDoor
		code, parameters string
		path             string // of the fault
	}{
		{byDoor{"a session", "", store.Purchase}, "card", descriptor, "parameters.card.descriptor"},
		{byDoor{"a session with a cart", "", store.Purchase}, "card", gift, "parameters.card.cart.items[0].giftMessage"},
		{byDoor{"a session of a debit", "", store.Debit}, "card", descriptor, "parameters.card.descriptor"},
		{byDoor{"a session of a transfer", "", store.Transfer}, "card", descriptor, "parameters.card.descriptor"},
		{byDoor{"a session of a payout", "", store.Credit}, "card", descriptor, "parameters.card.descriptor"},
		{byDoor{"a charge", store.Checkout, store.Purchase}, "card", descriptor, "parameters.card.descriptor"},
		{byDoor{"S2S CARD SALE", store.S2SCard, store.Purchase}, "card", descriptor, "parameters[descriptor]"},
		{byDoor{"S2S CARD SALE with a cart", store.S2SCard, store.Purchase}, "card", gift, "parameters[cart][items][0][giftMessage]"},
		{byDoor{"S2S CARD DEBIT", store.S2SCard, store.Debit}, "card", descriptor, "parameters[descriptor]"},
		{byDoor{"S2S CARD CARD2CARD", store.S2SCard, store.Transfer}, "card", descriptor, "parameters[descriptor]"},
		{byDoor{"S2S CARD CREDIT2CARD", store.S2SCard, store.Credit}, "card", descriptor, "parameters[descriptor]"},
		{byDoor{"S2S APM", store.S2SAPM, store.Credit}, "allpay",
			`{"account_uuid":"a","SecurityQuestion":"4111 1111 1111 1111?","SecurityQuestionAnswer":"word"}`,
			"parameters[SecurityQuestion]"},
	} {
		t.Run(c.door.name, func(t *testing.T) {
			t.Parallel()
			var heard []methods.Operation
			kit := eared(t, func(*store.MID) {}, &heard)
			err := c.door.pay(t, kit, "ORD-1", c.code, c.parameters)
			require.Equal(t, []gateway.Fault{{Path: c.path, Text: textCard}}, gateway.AsError(err).Faults())
			require.Empty(t, heard)
			requireNoRecord(t, kit, "1111 1111")
		})
	}
}
