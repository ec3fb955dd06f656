package route_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/wallet"
	"github.com/tollgatepay/gateway/store"
)

// numbered is a card that settles, with another number.
func numbered(t testing.TB, number string) *methods.Card {
	t.Helper()
	card := gatewaytest.Settles
	var err error
	card.PAN, err = store.ParsePAN(number)
	require.NoError(t, err)
	return &card
}

const (
	aVisa       = "4111111111111111"
	aMastercard = "5555555555554444"
	anAmex      = "378282246310005"
	unknownCard = "9999999999999995"
)

func brandsOnly(brands ...store.Brand) func(*store.MID) {
	return func(m *store.MID) { m.Brands = brands }
}

// On every protocol, a card goes to a MID that accepts its brand.
func TestBrandsAtEveryDoor(t *testing.T) {
	t.Parallel()
	type door func(*testing.T, *gatewaytest.Kit, *methods.Card) error
	charge := func(kind store.Kind, change ...func(*gateway.ChargeRequest)) door {
		return func(t *testing.T, kit *gatewaytest.Kit, card *methods.Card) error {
			r := kerneltest.ChargeOf("ORD-1", *card, change...)
			r.Kind = kind
			_, err := kit.Shop().Charge(t.Context(), r)
			return err
		}
	}
	session := func(kind store.Kind) func(*testing.T, *gatewaytest.Kit, *methods.Card) error {
		return func(t *testing.T, kit *gatewaytest.Kit, card *methods.Card) error {
			r := gatewaytest.Request("ORD-1", "10.00")
			r.Operation = string(kind)
			if kind == store.Transfer || kind == store.Credit {
				r.Extra.Payee = &store.Payer{Name: "Jane Roe"}
			}
			in := gateway.Submission{Card: *card, PayeeCard: gatewaytest.Settles.PAN, IP: "203.0.113.7"}
			_, err := kit.PaySession(t.Context(), kit.SessionOf(t, r), in)
			return err
		}
	}
	for name, pays := range map[string]func(*testing.T, *gatewaytest.Kit, *methods.Card) error{
		"Go, sale": charge(store.Purchase), "Go, debit": charge(store.Debit), "Go, hold": charge(store.Purchase,
			kerneltest.Held),
		"S2S CARD":       charge(store.Purchase, kerneltest.ViaCard),
		"page, purchase": session(store.Purchase), "page, debit": session(store.Debit),
		"page, credit": session(store.Credit), "page, transfer": session(store.Transfer),
		"hosted fields": func(t *testing.T, kit *gatewaytest.Kit, card *methods.Card) error {
			_, err := kit.HostedFields().Pay(t.Context(), kerneltest.HostedToken(t, kit, "ORD-1", *card),
				gateway.HostedPayment{Kind: store.Purchase, Name: "John Doe"})
			return err
		},
	} {
		for _, c := range []struct {
			number string
			brands []store.Brand
			want   error
		}{
			{aVisa, nil, nil}, {unknownCard, nil, nil},
			{aVisa, []store.Brand{store.Visa, store.Amex}, nil},
			{aMastercard, []store.Brand{store.Visa, store.Amex}, gateway.ErrBrandAbsent},
			{unknownCard, []store.Brand{store.Visa}, gateway.ErrBrandAbsent},
		} {
			t.Run(name+"/"+c.number, func(t *testing.T) {
				t.Parallel()
				kit := gatewaytest.New(t)
				kerneltest.ChangeLiveMID(t, kit, brandsOnly(c.brands...))
				err := pays(t, kit, numbered(t, c.number))
				if c.want == nil {
					require.NoError(t, err)
					return
				}
				require.ErrorIs(t, err, c.want)
				require.Empty(t, kit.Charges(t), "nothing was sent")
			})
		}
	}
}

// A brand that only another MID of the merchant accepts is "not supported"; the MID that accepts it is tried.
func TestBrandsOfSeveralMIDs(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	kerneltest.ChangeLiveMID(t, kit, brandsOnly(store.Visa))
	require.NoError(t, kit.SaveMID(t.Context(),
		store.MID{ID: "test", MerchantID: gatewaytest.MerchantID, Connector: "vcard", Test: true,
			Brands: []store.Brand{store.Visa}}))
	require.NoError(t, kit.SaveMID(t.Context(),
		store.MID{ID: "other", MerchantID: gatewaytest.MerchantID, Connector: "vcard", Priority: 1,
			Brands: []store.Brand{store.Mastercard}, Currencies: []string{"EUR", "USD"}}))
	for order, number := range map[string]string{"ORD-1": aVisa, "ORD-2": aMastercard} {
		want := map[string]string{"ORD-1": "live", "ORD-2": "other"}[order]
		require.Equal(t, want, kerneltest.Charged(t, kit, order, *numbered(t, number)).Payment.MIDID)
	}
	next, _ := kerneltest.FormOf(t, kit, gatewaytest.Request("ORD-3", "10.00"))
	require.Equal(t, []store.Brand{store.Visa, store.Mastercard}, next.Methods[0].Brands)

	require.NoError(t, kit.SaveMID(t.Context(),
		store.MID{ID: "other", MerchantID: gatewaytest.MerchantID, Connector: "vcard", Disabled: true,
			Brands: []store.Brand{store.Mastercard}}))
	_, err := kit.Shop().Charge(t.Context(), kerneltest.ChargeOf("ORD-4", *numbered(t, aMastercard)))
	require.ErrorIs(t, err, gateway.ErrBrandRoute, "listed, but not now")
	_, err = kit.Shop().Charge(t.Context(), kerneltest.ChargeOf("ORD-5", *numbered(t, anAmex)))
	require.ErrorIs(t, err, gateway.ErrBrandAbsent, "listed nowhere")
	kerneltest.ChangeLiveMID(t, kit, func(*store.MID) {})
	next, _ = kerneltest.FormOf(t, kit, gatewaytest.Request("ORD-6", "10.00"))
	require.Nil(t, next.Methods[0].Brands, "every brand")
}

// The card of a wallet token is known once the token is opened.
func TestBrandsOfWallets(t *testing.T) {
	t.Parallel()
	k := kerneltest.NewWalletKit(t, kerneltest.TakesWallets(methods.WalletDecrypted, false))
	for _, p := range kerneltest.Protocols {
		for brand, want := range map[store.Brand]error{store.Mastercard: gateway.ErrBrandRoute, store.Visa: nil} {
			require.NoError(t, k.SaveMID(t.Context(),
				store.MID{ID: "live", MerchantID: gatewaytest.MerchantID, Connector: "vcard", Brands: []store.Brand{brand}}))
			_, err := k.PayWith(t, p, "ORD-"+string(p)+string(brand), wallet.GooglePay,
				k.TokenFor(t, wallet.GooglePay, 12, 2030))
			if want == nil {
				require.NoError(t, err)
			} else {
				require.ErrorIs(t, err, want)
			}
		}
	}
}

func TestBrandsAreKnown(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	err := kit.SaveMID(t.Context(), store.MID{ID: "live", MerchantID: gatewaytest.MerchantID, Connector: "vcard",
		Brands: []store.Brand{"VISA"}})
	require.ErrorContains(t, err, `brands: "VISA" is none of`)
	seen := map[store.Brand]bool{}
	for _, number := range []string{
		aVisa, aMastercard, anAmex, "6011111111111117", "30569309025904", "3530111333300000", "6200000000000005",
		"6759649826438453", "2200000000000004",
	} {
		pan, err := store.ParsePAN(number)
		require.NoError(t, err)
		seen[pan.Brand()] = true
	}
	for _, brand := range store.Brands() {
		require.True(t, seen[brand], brand)
	}
	require.Len(t, seen, len(store.Brands()))
}
