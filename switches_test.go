package gateway_test

import (
	"net/http/httptest"
	"reflect"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/callback"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/wire"
)

// owned is a merchant's whole configuration, with everything off.
type owned struct {
	merchant store.Merchant
	mapping  store.Mapping // of Checkout
	mid      store.MID     // the first of two
	second   bool          // a second one takes what the first does not
}

// stage is a gateway whose merchant has a configuration.
func (o *owned) stage(t testing.TB) *gatewaytest.Kit {
	t.Helper()
	kit := gatewaytest.New(t)
	o.merchant = kerneltest.HTTPSOnly(func(m *store.Merchant) {
		m.Disabled, m.HTTPSOnly = o.merchant.Disabled,
			o.merchant.HTTPSOnly
	})
	o.mapping.MerchantID, o.mapping.Protocol = gatewaytest.MerchantID, store.Checkout
	o.mid.ID, o.mid.MerchantID, o.mid.Connector = "live", gatewaytest.MerchantID, "vcard"
	require.NoError(t, kit.SaveMID(t.Context(), o.mid))
	require.NoError(t, kit.SaveMapping(t.Context(), o.mapping))
	require.NoError(t, kit.SaveMerchant(t.Context(), o.merchant))
	return kit
}

// effect reports whether a payer, a merchant or an acquirer sees the effect of a switch.
type effect func(t testing.TB, kit *gatewaytest.Kit) bool

// switches are those of a merchant's records (docs/options.md), by record and field, each with its effect.
var switches = map[string]effect{
	"Merchant.Disabled":  refusesSession(nil),
	"Merchant.HTTPSOnly": refusesSession(func(r *gateway.SessionRequest) { r.CancelURL = "http://shop.example/cancel" }),

	"Mapping.Disabled":     refusesSession(nil),
	"Mapping.ShortAmounts": not(refusesSession(func(r *gateway.SessionRequest) { r.Order.Amount = "10" })),
	"Mapping.AnyName":      not(refusesSession(func(r *gateway.SessionRequest) { r.Customer.Name = "Zoë Łódzka" })),
	"Mapping.RequireName": func(t testing.TB, kit *gatewaytest.Kit) bool {
		return firstAction(t, kit, func(r *gateway.SessionRequest) { r.Customer.Name = "" }).NeedName
	},
	"Mapping.SHA256": func(t testing.TB, kit *gatewaytest.Kit) bool {
		kerneltest.Pay(t, kit, "ORD-1", gatewaytest.Settles)
		kit.Work(t)
		p, m := kit.Payment(t, "ORD-1"), store.Mapping{SHA256: true}
		return kit.Inbox.Fields(t)[0].Get("hash") == callback.CheckoutHash(&p, &m, store.NewSecret(gatewaytest.Password))
	},
	"Mapping.PartialRefundSettled": func(t testing.TB, kit *gatewaytest.Kit) bool {
		return refunded(t, kit).Payment.Status == store.Settled
	},
	"Mapping.OrderAmountOnly": func(t testing.TB, kit *gatewaytest.Kit) bool {
		refunded(t, kit)
		kit.Work(t)
		forms := kit.Inbox.Fields(t)
		return !forms[len(forms)-1].Has("amount")
	},
	"Mapping.PendingRefunds": func(t testing.TB, kit *gatewaytest.Kit) bool {
		kit.Vcard.Next(vcard.Normal(), vcard.Pending())
		return checkoutStatus(t, kit, refunded(t, kit).Payment.ID).Text("pending_refund_amount") == "4.00"
	},
	"Mapping.RequireExpected": func(t testing.TB, kit *gatewaytest.Kit) bool {
		amount := "12.00"
		return kit.HostedFields().Update(t.Context(), kerneltest.HostedToken(t, kit, "ORD-1", gatewaytest.Settles),
			gateway.HostedUpdate{Amount: &amount}) != nil
	},
	"Mapping.MemoryRedirect": func(t testing.TB, kit *gatewaytest.Kit) bool {
		require.NotNil(t, kit.Pay(t, kit.Session(t, "ORD-1", "10.00"), gatewaytest.ThreeDSPasses).Redirect)
		return kerneltest.TransactionOf(t, kit, kit.Payment(t, "ORD-1").Transactions[0].ID).SealedRedirect == nil
	},
	"Mapping.Cascade": func(t testing.TB, kit *gatewaytest.Kit) bool {
		return cascaded(t, kit).Payment.MIDID == "second"
	},
	"Mapping.CascadingStatus": func(t testing.TB, kit *gatewaytest.Kit) bool {
		kerneltest.SwitchCascading(t, kit, store.Checkout,
			func(m *store.Mapping) { m.CascadingStatus = mappingOf(t, kit).CascadingStatus })
		newest := cascaded(t, kit).Payment
		found, err := kit.Shop().Status(t.Context(), gateway.Lookup{PaymentID: newest.Cascade})
		require.NoError(t, err)
		return found[0].Payment.ID == newest.ID
	},

	"Additions.Card":     statusHas("card"),
	"Additions.Brand":    callbackHas("brand"),
	"Additions.ARN":      callbackHas("ARN"),
	"Additions.COF":      callbackHas("initiator"),
	"Additions.Payer":    callbackHas("payer_email"),
	"Additions.Method":   callbackHas("checkout_payment_method"),
	"Additions.ThreeDS":  callbackHas("eci"),
	"Additions.Browser":  callbackHas("browser_user_agent"),
	"Additions.Extended": callbackHas("connector_name"),

	"MID.Disabled":   refusesSession(nil),
	"MID.Test":       refusesSession(nil),
	"MID.MOTO":       not(refusesSession(func(r *gateway.SessionRequest) { r.Extra.MOTOType = "phone_moto" })),
	"MID.ZeroAmount": not(refusesSession(func(r *gateway.SessionRequest) { r.Order.Amount, r.Hold = "0.00", true })),
	"MID.COF": func(t testing.TB, kit *gatewaytest.Kit) bool {
		kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Settles, kerneltest.AsksToken)
		_, _, registers := kerneltest.StoredUse(t, kit, "ORD-1")
		return registers
	},
	"MID.AVS":     asksPayerFor("billing_address.city", nil),
	"MID.ThreeDS": asksPayerFor("customer.email", func(r *gateway.SessionRequest) { r.Customer.Email = "" }),
}

// Each switch has its effect when it is on, and none when it is off.
func TestSwitches(t *testing.T) {
	t.Parallel()
	for name, seen := range switches {
		for _, on := range []bool{true, false} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				var o owned
				field := map[string]reflect.Value{
					"Merchant": reflect.ValueOf(&o.merchant), "Mapping": reflect.ValueOf(&o.mapping),
					"Additions": reflect.ValueOf(&o.mapping.Add), "MID": reflect.ValueOf(&o.mid),
				}
				record, of := splitName(name)
				field[record].Elem().FieldByName(of).SetBool(on)
				require.Equal(t, on, seen(t, o.stage(t)))
			})
		}
	}
}

// Every switch has a row.
func TestEverySwitchHasARow(t *testing.T) {
	t.Parallel()
	var all []string
	for _, record := range []any{store.Merchant{}, store.Mapping{}, store.Additions{}, store.MID{}} {
		of := reflect.TypeOf(record)
		for i := range of.NumField() {
			if f := of.Field(i); f.Type.Kind() == reflect.Bool {
				all = append(all, of.Name()+"."+f.Name)
			}
		}
	}
	for _, name := range all {
		require.Contains(t, switches, name)
	}
	require.Len(t, switches, len(all))
}

func splitName(name string) (record, field string) {
	at := slices.Index([]byte(name), '.')
	return name[:at], name[at+1:]
}

func not(e effect) effect {
	return func(t testing.TB, kit *gatewaytest.Kit) bool { return !e(t, kit) }
}

// refusesSession reports that a session request is refused.
func refusesSession(change func(*gateway.SessionRequest)) effect {
	return func(t testing.TB, kit *gatewaytest.Kit) bool {
		r := gatewaytest.Request("ORD-1", "10.00")
		if change != nil {
			change(&r)
		}
		_, err := kit.Shop().CreateSession(t.Context(), r)
		return err != nil
	}
}

func firstAction(t testing.TB, kit *gatewaytest.Kit, change func(*gateway.SessionRequest)) *gateway.NextAction {
	t.Helper()
	r := gatewaytest.Request("ORD-1", "10.00")
	if change != nil {
		change(&r)
	}
	next, err := kit.NextAction(t.Context(), kit.SessionOf(t, r))
	require.NoError(t, err)
	return next
}

func asksPayerFor(path string, change func(*gateway.SessionRequest)) effect {
	return func(t testing.TB, kit *gatewaytest.Kit) bool {
		return slices.ContainsFunc(firstAction(t, kit, change).Methods[0].Fields,
			func(f gateway.PayerField) bool { return f.Path == path })
	}
}

func refunded(t testing.TB, kit *gatewaytest.Kit) *gateway.Result {
	t.Helper()
	r, err := kit.Shop().CreditVoid(t.Context(),
		kerneltest.FollowUpOf(kerneltest.Pay(t, kit, "ORD-1", gatewaytest.Settles), "4.00"))
	require.NoError(t, err)
	return r
}

// cascaded is the newest attempt of a charge whose first MID declines softly.
func cascaded(t testing.TB, kit *gatewaytest.Kit) *gateway.Result {
	t.Helper()
	require.NoError(t, kit.SaveMID(t.Context(),
		store.MID{ID: "second", MerchantID: gatewaytest.MerchantID, Connector: "vcard", Priority: 1}))
	kit.Vcard.Next(vcard.SoftDecline("Try elsewhere"))
	return kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Settles)
}

func mappingOf(t testing.TB, kit *gatewaytest.Kit) store.Mapping {
	t.Helper()
	client, err := kit.Client(t.Context(), gatewaytest.MerchantKey)
	require.NoError(t, err)
	return client.Mapping(store.Checkout)
}

// reported3DS is a payment with everything that a callback may report: a stored card, 3-D Secure, a browser, a payer.
func reported3DS(t testing.TB, kit *gatewaytest.Kit) *gateway.Result {
	t.Helper()
	r := kerneltest.Charged(t, kit, "ORD-1", gatewaytest.ThreeDSPasses, kerneltest.AsksToken,
		func(r *gateway.ChargeRequest) { r.Browser = map[string]string{"user_agent": "Shop/1.0"} })
	kit.ComeBack(t, r.Redirect)
	kit.Work(t)
	return r
}

func callbackHas(name string) effect {
	return func(t testing.TB, kit *gatewaytest.Kit) bool {
		reported3DS(t, kit)
		forms := kit.Inbox.Fields(t)
		return forms[len(forms)-1].Has(name)
	}
}

// checkoutStatus is what Checkout answers about a payment.
func checkoutStatus(t testing.TB, kit *gatewaytest.Kit, paymentID string) *wire.Answer {
	t.Helper()
	server := httptest.NewServer(kerneltest.EveryDoor(kit))
	defer server.Close()
	client, err := wire.New(server.URL, wire.Options{Key: gatewaytest.MerchantKey,
		Password: store.NewSecret(gatewaytest.Password)})
	require.NoError(t, err)
	defer client.Close()
	a, err := client.Status(t.Context(), paymentID)
	require.NoError(t, err)
	return a
}

func statusHas(name string) effect {
	return func(t testing.TB, kit *gatewaytest.Kit) bool {
		p := reported3DS(t, kit).Payment
		client, err := kit.Client(t.Context(), gatewaytest.MerchantKey)
		require.NoError(t, err)
		now, err := client.Payment(t.Context(), p.ID)
		require.NoError(t, err)
		charge := kerneltest.TransactionOf(t, kit, now.ChargeID())
		return slices.ContainsFunc(client.Additions(now, &charge.Transaction),
			func(f callback.Field) bool { return f.Name == name })
	}
}
