package merchant_test

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/store"
)

// nonsense is a value of a field that means nothing, with what the refusal says.
type nonsense[T any] struct {
	field string
	set   func(*T)
	want  string
}

// number is a text that holds the number of a card.
const number = "card 4111 1111 1111 1111"

func merchantNonsense() []nonsense[store.Merchant] {
	type m = store.Merchant
	password := func(text string) func(*m) { return func(m *m) { m.Password = store.NewSecret(text) } }
	next := func(text string) func(*m) {
		return func(m *m) { m.NextPassword, m.RotatesAt = store.NewSecret(text), time.Now() }
	}
	return []nonsense[m]{
		{"ID", func(m *m) { m.ID = "" }, "id: 1 to 64 bytes"},
		{"ID", func(m *m) { m.ID = strings.Repeat("m", 65) }, "id: 1 to 64 bytes"},
		{"Name", func(m *m) { m.Name = "Shop\x1b[2J" }, "name: up to 255 characters, and no control characters"},
		{"Name", func(m *m) { m.Name = number }, "name: "},
		{"Key", func(m *m) { m.Key = "" }, "key: 1 to 255 bytes"},
		{"TestKey", func(m *m) { m.TestKey = m.Key }, "test_key: up to 255 bytes, and not the live key"},
		{"Password", password(""), "password: at least 16 characters"},
		{"Password", password("pässword-of-the-shop"), "password: printable ASCII"},
		{"Password", password("the-key-of-the-shop"), "password: must not be a key of the merchant"},
		{"Password", password("THE-KEY-OF-THE-SHOP"), "password: must not be a key of the merchant"},
		{"Password", password("test-key-of-the-shop"), "password: must not be a key of the merchant"},
		{"NextPassword", next("short"), "next_password: at least 16 characters"},
		{"NextPassword", next("password-of-the-shop"), "next_password: must not be the password"},
		{"NextPassword", next("Password-of-the-shop"), "next_password: must not be the password"},
		{"NextPassword", next("the-key-of-the-shop"), "next_password: must not be a key of the merchant"},
		{"NextKey", func(m *m) { m.NextKey, m.RotatesAt = m.Key, time.Now() }, "each another one"},
		{"NextTestKey", func(m *m) { m.NextTestKey = strings.Repeat("k", 256) }, "next_key, next_test_key: up to 255 bytes"},
		{"RotatesAt", func(m *m) { m.RotatesAt = time.Now() }, "rotates_at: required with a next password or key"},
		{"NotificationURL", func(m *m) { m.NotificationURL = "javascript:alert(1)" }, "notification_url: must be"},
		{"NotificationURL", func(m *m) { m.NotificationURL = "https://user:pass@shop.example/" }, "notification_url: must be"},
		{"TestNotificationURL", func(m *m) { m.TestNotificationURL = "shop.example" }, "test_notification_url: must be"},
		{"Origins", func(m *m) { m.Origins = []string{"*"} }, "origins: "},
		{"Origins", func(m *m) { m.Origins = []string{"https://*.example"} }, "origins: "},
		{"Origins", func(m *m) { m.Origins = []string{"https://shop.example/page"} }, "origins: "},
		{"Origins", func(m *m) { m.Origins = []string{"https://shop.example; script-src *"} }, "origins: "},
		{"HTTPSOnly", func(m *m) { m.HTTPSOnly, m.NotificationURL = true, "http://shop.example/" }, "must be https"},
	}
}

func mappingNonsense() []nonsense[store.Mapping] {
	type m = store.Mapping
	rule := func(change func(*store.PreRoute)) func(*m) {
		return func(m *m) {
			r := store.PreRoute{Methods: []string{"card"}}
			change(&r)
			m.PreRouting = []store.PreRoute{r}
		}
	}
	return []nonsense[m]{
		{"MerchantID", func(m *m) { m.MerchantID = "another" }, `merchant "another"`},
		{"Protocol", func(m *m) { m.Protocol = "" }, "protocol: one of"},
		{"MaxDeclines", func(m *m) { m.MaxDeclines = -1 }, "max_declines: 0..1000"},
		{"CryptoSaleSignature", func(m *m) { m.CryptoSaleSignature = "none" }, "crypto_sale_signature: "},
		{"Required", func(m *m) { m.Required = []string{"payer_zipp"} }, `required: "payer_zipp" is not one of`},
		{"TermsURL", func(m *m) { m.TermsURL = "data:text/html,x" }, "terms_url: must be an absolute"},
		{"Limits", func(m *m) { m.Limits.Day = "1e9" }, "limits: decimal numbers"},
		{"Limits", func(m *m) { m.Limits.Week = "-1" }, "limits: decimal numbers"},
		{"PreRouting", rule(func(r *store.PreRoute) { r.Methods = nil }), "pre_routing[0]: methods: at least one"},
		{"PreRouting", rule(func(r *store.PreRoute) { r.Methods = []string{"crad"} }), `pre_routing[0]: methods: "crad"`},
		{"PreRouting", rule(func(r *store.PreRoute) { r.Currencies = []string{"usd"} }), `pre_routing[0]: currencies: "usd"`},
		{"PreRouting", rule(func(r *store.PreRoute) { r.Countries = []string{"USA"} }), `pre_routing[0]: countries: "USA"`},
		{"PreRouting", rule(func(r *store.PreRoute) { r.Min = "NaN" }), "pre_routing[0]: min and max are decimal numbers"},
		{"PreRouting", rule(func(r *store.PreRoute) { r.Min, r.Max = "10.01", "10" }), "pre_routing[0]: min must not be above max"},
		{"ReturnExtras", func(m *m) { m.ReturnExtras = []string{"cvv"} }, `return_extras: "cvv" is not one of`},
	}
}

func midNonsense() []nonsense[store.MID] {
	type m = store.MID
	return []nonsense[m]{
		{"ID", func(m *m) { m.ID = "" }, "id: 1 to 64 bytes"},
		{"MerchantID", func(m *m) { m.MerchantID = "another" }, `merchant "another"`},
		{"Name", func(m *m) { m.Name = "line\nline" }, "name: up to 255 characters, and no control characters"},
		{"Name", func(m *m) { m.Name = strings.Repeat("n", 256) }, "name: up to 255 characters"},
		{"Name", func(m *m) { m.Name = number }, "name: "},
		{"Connector", func(m *m) { m.Connector = "" }, `connector: "" is not in Config.Connectors`},
		{"Mode", func(m *m) { m.Mode = "sms" }, "mode: SMS, DMS or SMS/DMS"},
		{"ChannelID", func(m *m) { m.ChannelID = strings.Repeat("c", 17) }, "channel_id: up to 16 characters"},
		{"Methods", func(m *m) { m.Methods = []string{"card", "crad"} }, `methods: "crad" is no method of the catalogue`},
		{"Brands", func(m *m) { m.Brands = []store.Brand{"Visa"} }, `brands: "Visa" is none of`},
		{"Currencies", func(m *m) { m.Currencies = []string{"EURO"} }, `currencies: "EURO" is neither`},
		{"Operations", func(m *m) { m.Operations = []store.Operation{"REFUND"} }, `operations: "REFUND" is none of`},
		{"TimeZone", func(m *m) { m.TimeZone = "Paris" }, "time_zone: an IANA name"},
		{"DayEnd", func(m *m) { m.DayEnd = "25:00" }, "day_end: HH:MM"},
		{"Limits", func(m *m) { m.Limits.Month = "1,000" }, "limits: decimal numbers"},
		{"Descriptor", func(m *m) { m.Descriptor = strings.Repeat("d", 21) }, "descriptor: up to 20 characters"},
		{"Descriptor", func(m *m) { m.Descriptor = "SHOP\r\nX" }, "descriptor: up to 20 characters, and no control"},
		{"LinkTarget", func(m *m) { m.LinkTarget = "shop" }, "link_target: _blank, _self, _parent or _top"},
		{"Settings", func(m *m) { m.Settings = map[string]string{"fee_bearer": "payer"} }, "settings: fee_bearer: must be one of"},
		{"Settings", func(m *m) { m.Settings = map[string]string{"needed_parameters": "cart.itmes"} },
			`settings: needed_parameters: "cart.itmes" is neither a parameter nor a set`},
	}
}

// anyValue are the fields of which every value means something: switches, numbers of an order, what a connector reads.
var anyValue = map[string]bool{
	"Merchant.Disabled": true, "Mapping.Disabled": true, "Mapping.SHA256": true, "Mapping.ShortAmounts": true,
	"Mapping.PartialRefundSettled": true, "Mapping.OrderAmountOnly": true, "Mapping.PendingRefunds": true,
	"Mapping.RequireName": true, "Mapping.AnyName": true, "Mapping.RequireExpected": true,
	"Mapping.MemoryRedirect": true, "Mapping.Cascade": true, "Mapping.CascadingStatus": true, "Mapping.Add": true,
	"Mapping.Language": true, // one that no page has is as none
	"MID.Disabled":     true, "MID.Test": true, "MID.Priority": true, "MID.MOTO": true, "MID.COF": true,
	"MID.ZeroAmount": true, "MID.AVS": true, "MID.ThreeDS": true, "MID.Secrets": true,
}

// A value that means nothing is refused where it is saved, with the name of its field, for every field of a merchant's
// records: none is taken for a condition that never holds.
func TestNonsenseIsRefused(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	refuses(t, merchantNonsense(), store.Merchant{ID: "m-1", Name: "Shop", Key: "the-key-of-the-shop",
		TestKey: "test-key-of-the-shop", Password: store.NewSecret("password-of-the-shop")},
		func(m store.Merchant) error { return kit.SaveMerchant(t.Context(), m) })
	refuses(t, mappingNonsense(), store.Mapping{MerchantID: gatewaytest.MerchantID, Protocol: store.Checkout},
		func(m store.Mapping) error { return kit.SaveMapping(t.Context(), m) })
	refuses(t, midNonsense(), store.MID{ID: "main", MerchantID: gatewaytest.MerchantID, Connector: "vcard"},
		func(m store.MID) error { return kit.SaveMID(t.Context(), m) })
}

func refuses[T any](t *testing.T, rows []nonsense[T], sound T, save func(T) error) {
	t.Helper()
	require.NoError(t, save(sound))
	of := reflect.TypeFor[T]()
	covered := map[string]bool{}
	for _, row := range rows {
		covered[of.Name()+"."+row.field] = true
		changed := sound
		row.set(&changed)
		require.ErrorContains(t, save(changed), row.want, "%s.%s", of.Name(), row.field)
	}
	for i := range of.NumField() {
		name := of.Name() + "." + of.Field(i).Name
		require.NotEqual(t, anyValue[name], covered[name], "%s needs a row, or is one of anyValue", name)
	}
}
