package fields_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

func secures(m *store.MID) { m.ThreeDS = true }

func needs(required bool, paths ...string) (list []gateway.PayerField) {
	for _, path := range paths {
		list = append(list, gateway.PayerField{Path: path, Required: required})
	}
	return list
}

// SPEC1, billing_address: what the request left out is collected on the page.
func TestPayerFields(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		mid    func(*store.MID)
		change func(*gateway.SessionRequest)
		want   []gateway.PayerField
	}{
		{"nothing", func(*store.MID) {}, func(*gateway.SessionRequest) {}, nil},
		{"address checked, nothing given", kerneltest.ChecksAddress, func(*gateway.SessionRequest) {}, append(append(
			needs(true, "billing_address.country"), needs(false, "billing_address.state")...),
			needs(true, "billing_address.city", "billing_address.address", "billing_address.zip")...)},
		{"a country with states", kerneltest.ChecksAddress, func(r *gateway.SessionRequest) { r.Billing.Country = "US" },
			append(needs(false, "billing_address.state"),
				needs(true, "billing_address.city", "billing_address.address", "billing_address.zip")...)},
		{"a country without", kerneltest.ChecksAddress, func(r *gateway.SessionRequest) { r.Billing.Country = "FR" },
			needs(true, "billing_address.city", "billing_address.address", "billing_address.zip")},
		{"all given", kerneltest.ChecksAddress, func(r *gateway.SessionRequest) {
			r.Billing = store.Address{Country: "FR", City: "Paris", Address: "Rue 1", Zip: "75001"}
		}, nil},
		{"3-D Secure wants the e-mail too", secures, func(r *gateway.SessionRequest) {
			r.Customer.Email = ""
			r.Billing = store.Address{Country: "FR", City: "Paris", Address: "Rue 1", Zip: "75001"}
		}, needs(true, "customer.email")},
		{"address checked, no e-mail", kerneltest.ChecksAddress, func(r *gateway.SessionRequest) {
			r.Customer.Email = ""
			r.Billing = store.Address{Country: "FR", City: "Paris", Address: "Rue 1", Zip: "75001"}
		}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			kit := kerneltest.Audited(t)
			kerneltest.ChangeLiveMID(t, kit, c.mid)
			r := gatewaytest.Request("ORD-1", "10.00")
			c.change(&r)
			require.Equal(t, c.want, kerneltest.NextActionOf(t, kit, kit.SessionOf(t, r)).Methods[0].Fields)
		})
	}
}

// Decision bh: the country code is asked for with a phone that is asked for, and beside one that is known, but
// only where the method needs a phone.
func TestPhoneCountryCode(t *testing.T) {
	t.Parallel()
	const phone, code = "billing_address.phone", "billing_address.phone_country_code"
	for _, c := range []struct {
		name, method string
		address      store.Address
		want         []gateway.PayerField
	}{
		{"neither", "mobile-wallet", store.Address{}, needs(true, code, phone)},
		{"a phone without it", "mobile-wallet", store.Address{Phone: "5550100"}, needs(true, code)},
		{"a code without a phone", "mobile-wallet", store.Address{PhoneCountryCode: "1"}, needs(true, phone)},
		{"both", "mobile-wallet", store.Address{Phone: "5550100", PhoneCountryCode: "1"}, nil},
		{"a method that needs none", "paypal", store.Address{Phone: "5550100"}, nil},
		{"a card", "card", store.Address{Phone: "5550100"}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			kit := kerneltest.Audited(t)
			r := gatewaytest.Request("ORD-0000001", "10.00")
			r.Methods, r.Billing = []string{c.method}, c.address
			next, link := kerneltest.FormOf(t, kit, r)
			require.Equal(t, c.want, next.Methods[0].Fields)
			if len(c.want) == 0 || c.want[0].Path != code {
				return
			}
			_, err := kit.PaySession(t.Context(), link, gateway.Submission{Fields: map[string]string{phone: "5550100"}})
			require.Equal(t, []string{code}, kerneltest.FaultPaths(err), "it is not left out")
			_, err = kit.PaySession(t.Context(), link,
				gateway.Submission{Fields: map[string]string{phone: "5550100", code: "1"}})
			require.NoError(t, err)
			require.Equal(t, []string{"1", "5550100"},
				[]string{kit.Payment(t, r.Order.Number).Payer.Address.PhoneCountryCode,
					kit.Payment(t, r.Order.Number).Payer.Address.Phone})
		})
	}
}

// What another method needs is its own affair: the address is checked for cards only.
func TestPayerFieldsOfCardsOnly(t *testing.T) {
	t.Parallel()
	kit := kerneltest.Audited(t)
	kerneltest.ChangeLiveMID(t, kit, kerneltest.ChecksAddress)
	require.Empty(t, kerneltest.NextActionOf(t, kit, kerneltest.ByMethod(kit, t, "paypal", "USD")).Methods[0].Fields)
}

func TestPayerFieldsAreTaken(t *testing.T) {
	t.Parallel()
	kit, spy := kerneltest.Spied(t, kerneltest.Powers(true, time.Minute), true)
	kerneltest.ChangeLiveMID(t, kit, kerneltest.ChecksAddress)
	link := kit.Session(t, "ORD-1", "10.00")
	pays := func(card methods.Card, fields map[string]string) (*gateway.NextAction, error) {
		return kit.PaySession(t.Context(), link,
			gateway.Submission{Attempt: kerneltest.NextActionOf(t, kit, link).Attempt, Card: card, Fields: fields})
	}
	_, err := pays(gatewaytest.Settles, nil)
	require.ErrorIs(t, err, gateway.ErrInvalid)
	require.Equal(t, []string{"billing_address.country", "billing_address.city", "billing_address.address",
		"billing_address.zip"}, kerneltest.FaultPaths(err))
	_, err = pays(gatewaytest.Settles, map[string]string{"billing_address.country": "XX", "billing_address.city": "Bonn",
		"billing_address.address": "Am Markt 1", "billing_address.zip": " ", "customer.email": "other@example.com"})
	require.ErrorIs(t, err, gateway.ErrInvalid)
	require.ElementsMatch(t, []string{"billing_address.country", "billing_address.zip"}, kerneltest.FaultPaths(err))
	require.Empty(t, kit.Charges(t))

	next, err := pays(gatewaytest.Declines,
		map[string]string{"billing_address.country": "DE", "billing_address.state": "BY",
			"billing_address.city": "Bonn", "billing_address.address": " Am Markt 1 ", "billing_address.zip": "53111", "customer.email": "other@example.com"})
	require.NoError(t, err)
	require.Equal(t, gateway.ActionCollect, next.Kind)
	require.Equal(t, needs(true, "billing_address.country"), next.Methods[0].Fields[:1], "it can be put right")
	require.Equal(t, "Am Markt 1", next.Kept.Fields["billing_address.address"])
	_, err = pays(gatewaytest.Settles, nil)
	require.NoError(t, err)
	for _, p := range kerneltest.AttemptsOf(t, kit, "ORD-1") {
		payer := spy.Sends(p.Transactions[0].ID)[0].Payer
		require.Equal(t, store.Address{Country: "DE", City: "Bonn", Address: "Am Markt 1", Zip: "53111"}, payer.Address,
			"no state where states do not count")
		require.Equal(t, "doe@example.com", payer.Email, "what was not asked for is not taken")
	}
	require.Equal(t, store.Settled, kit.Payment(t, "ORD-1").Status)
}

// Decision af: a state is two letters of a state of its country.
func TestPayerFieldState(t *testing.T) {
	t.Parallel()
	for state, good := range map[string]bool{"CA": true, "": true, "ZZ": false, "California": false} {
		kit := kerneltest.Audited(t)
		kerneltest.ChangeLiveMID(t, kit, kerneltest.ChecksAddress)
		r := gatewaytest.Request("ORD-1", "10.00")
		r.Billing.Country = "US"
		_, err := kit.PaySession(t.Context(), kit.SessionOf(t, r),
			gateway.Submission{Card: gatewaytest.Settles, Fields: map[string]string{
				"billing_address.state": state, "billing_address.city": "Springfield", "billing_address.address": "Evergreen 742", "billing_address.zip": "90701"}})
		if good {
			require.NoError(t, err, state)
			require.Equal(t, state, kit.Payment(t, "ORD-1").Payer.Address.State)
			continue
		}
		require.ErrorIs(t, err, gateway.ErrInvalid)
		require.Equal(t, []string{"billing_address.state"}, kerneltest.FaultPaths(err), state)
	}
}

func TestTerms(t *testing.T) {
	t.Parallel()
	kit := kerneltest.Audited(t)
	link := kit.Session(t, "ORD-1", "10.00")
	require.Empty(t, kerneltest.NextActionOf(t, kit, link).TermsURL)
	require.NoError(t, kit.SaveMapping(t.Context(),
		store.Mapping{MerchantID: gatewaytest.MerchantID, Protocol: store.Checkout, TermsURL: "https://shop.example/terms"}))
	require.Equal(t, "https://shop.example/terms", kerneltest.NextActionOf(t, kit, link).TermsURL)
	_, err := kit.PaySession(t.Context(), link, gateway.Submission{Card: gatewaytest.Settles})
	require.ErrorIs(t, err, gateway.ErrInvalid)
	require.Equal(t, []string{"terms"}, kerneltest.FaultPaths(err))
	require.Empty(t, kit.Charges(t))
	next := kerneltest.Submit(kit, t, link, gateway.Submission{Card: gatewaytest.Settles, Terms: true})
	require.Equal(t, gateway.ReturnPaid, next.Status)
}

// The security code: needed, optional by mail and telephone (decision t), never of a payout (decision aa).
func TestCodeNeeds(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		change func(*gateway.SessionRequest)
		need   gateway.CodeNeed
		auth   methods.Authentication
		code   string // as the acquirer gets the one that is typed
	}{
		{"purchase", func(*gateway.SessionRequest) {}, gateway.CodeNeeded, methods.AuthPlatform, "123"},
		{"ecommerce", func(r *gateway.SessionRequest) { r.Extra.MOTOType = "ecommerce" }, gateway.CodeNeeded, methods.AuthPlatform, "123"},
		{"by telephone", func(r *gateway.SessionRequest) { r.Extra.MOTOType = "phone_moto" }, gateway.CodeOptional, methods.AuthOff, "123"},
		{"payout", func(r *gateway.SessionRequest) {
			r.Operation, r.Extra.Payee = "credit", &store.Payer{Name: "Jane Roe"}
		}, gateway.CodeNone, methods.AuthPlatform, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			kit, spy := kerneltest.Spied(t, kerneltest.Powers(true, time.Minute), true)
			kerneltest.ChangeLiveMID(t, kit, func(m *store.MID) { m.MOTO = true })
			r := gatewaytest.Request("ORD-1", "10.00")
			c.change(&r)
			link := kit.SessionOf(t, r)
			require.Equal(t, c.need, kerneltest.NextActionOf(t, kit, link).Code)
			require.Equal(t, gateway.ReturnPaid, kit.Pay(t, link, gatewaytest.Settles).Status)
			op := spy.Sends(kit.Payment(t, "ORD-1").Transactions[0].ID)[0]
			require.Equal(t, c.auth, op.Authentication)
			require.Equal(t, c.code, op.Card.Code.Digits())
			r.Order.Number = "ORD-2"
			bare := gatewaytest.Settles
			bare.Code = store.SecurityCode{}
			if c.need != gateway.CodeNeeded {
				require.Equal(t, gateway.ReturnPaid, kit.Pay(t, kit.SessionOf(t, r), bare).Status, "without one")
			}
		})
	}
}

// With Memory Storage where the payer has to go is never in the store: a payer who asks another process waits.
func TestMemoryRedirect(t *testing.T) {
	t.Parallel()
	for _, memory := range []bool{false, true} {
		kit := kerneltest.Audited(t)
		require.NoError(t, kit.SaveMapping(t.Context(),
			store.Mapping{MerchantID: gatewaytest.MerchantID, Protocol: store.Checkout, MemoryRedirect: memory}))
		link := kit.Session(t, "ORD-1", "10.00")
		next := kit.Pay(t, link, gatewaytest.ThreeDSPasses)
		require.Equal(t, gateway.ActionRedirect, next.Kind)
		require.Equal(t, next.Redirect, kerneltest.NextActionOf(t, kit, link).Redirect, "he reloads")
		stored := kerneltest.TransactionOf(t, kit, kit.Payment(t, "ORD-1").Transactions[0].ID).SealedRedirect
		elsewhere := kerneltest.NextActionOf(t, kit.Twin(t), link)
		if memory {
			require.Nil(t, stored)
			require.Equal(t, gateway.ActionPoll, elsewhere.Kind)
		} else {
			require.NotNil(t, stored)
			require.Equal(t, gateway.ActionRedirect, elsewhere.Kind)
		}
		kit.ComeBack(t, next.Redirect)
		require.Equal(t, gateway.ReturnPaid, kerneltest.NextActionOf(t, kit, link).Status)
	}
}
