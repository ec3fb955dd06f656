package door_test

import (
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/callback/signature"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// hashOfLink is the hash in the return link of a paid session.
func hashOfLink(t testing.TB, next *gateway.NextAction) string {
	t.Helper()
	u, err := url.Parse(next.URL)
	require.NoError(t, err)
	require.Equal(t, gateway.ActionReturn, next.Kind)
	require.NotEmpty(t, u.Query().Get("hash"))
	return u.Query().Get("hash")
}

var hostsIDs = []string{"", "%d", "%010d", "%064d", "A~b.C_d-%d", "ORD-%d"}

func withIDs(format string) gatewaytest.Option {
	return func(c *gateway.Config) {
		if format != "" {
			c.NewID = kerneltest.IDsNumbered(format, 1)
		}
	}
}

// The hashes in our return links and callbacks sign no request for their readers: on any protocol, for any form of
// host ids, before and after the payment is deleted.
func TestLinkAndCallbackSignNothing(t *testing.T) {
	t.Parallel()
	silent := func(m *store.Merchant) { m.NotificationURL = "" }
	byLink := func(t *testing.T, s *kerneltest.SignedShop) string {
		return hashOfLink(t, s.Pay(t, s.Session(t, "ORD-1", "10.00"), gatewaytest.Settles))
	}
	byCallback := func(t *testing.T, s *kerneltest.SignedShop) string {
		kerneltest.Charged(t, s.Kit, "ORD-1", gatewaytest.Settles)
		return kerneltest.FormsOf(t, s.Kit, "ORD-1")[0].Get("hash")
	}
	byFields := func(t *testing.T, s *kerneltest.SignedShop) string {
		params, err := s.HostedFields().ReturnParams(t.Context(),
			kerneltest.PayHosted(t, s.Kit, kerneltest.HostedToken(t, s.Kit, "ORD-1", gatewaytest.Settles)))
		require.NoError(t, err)
		at := slices.IndexFunc(params, func(p store.RedirectParam) bool { return p.Name == "hash" })
		return params[at].Value
	}
	for _, c := range []struct {
		name   string
		change func(*store.Merchant)
		learn  func(*testing.T, *kerneltest.SignedShop) string
	}{
		{"callback and link", func(*store.Merchant) {}, byLink}, {"callback only", func(*store.Merchant) {}, byCallback},
		{"link only", silent, byLink}, {"answer to hosted fields only", silent, byFields},
	} {
		for _, ids := range hostsIDs {
			t.Run(c.name+" "+ids, func(t *testing.T) {
				t.Parallel()
				s := kerneltest.OpenDoors(t, withIDs(ids), kerneltest.KeepsPayments(gateway.MinPayments))
				s.SetMerchant(t, c.change)
				hash := c.learn(t, s)
				p := s.Payment(t, "ORD-1")
				s.SignsNothing(t, p, hash)
				kerneltest.LapAt(t, s.Kit, s.Clock.Now().AddDate(3, 0, 0))
				kerneltest.LapAt(t, s.Kit, s.Clock.Now().AddDate(0, 0, 2)) // the payment waits for its session
				_, err := s.Operator().Transactions(t.Context(), p.ID)
				require.ErrorIs(t, err, gateway.ErrNoPayment)
				s.SignsNothing(t, p, hash)
			})
		}
	}
}

// A return link that is opened again after the merchant changed the password or the digest has another hash, which
// signs nothing either.
func TestLinkLookedAtAgain(t *testing.T) {
	t.Parallel()
	const password = "another-password-of-the-shop"
	for _, c := range []struct {
		name   string
		change func(t *testing.T, s *kerneltest.SignedShop)
		mode   signature.Mode
		secret string
	}{
		{"another password", func(t *testing.T, s *kerneltest.SignedShop) {
			s.SetMerchant(t, func(m *store.Merchant) { m.Password = store.NewSecret(password) })
		}, signature.MD5, password},
		{"another digest", func(t *testing.T, s *kerneltest.SignedShop) {
			require.NoError(t, s.SaveMapping(t.Context(),
				store.Mapping{MerchantID: gatewaytest.MerchantID, Protocol: store.Checkout, SHA256: true}))
		}, signature.SHA256, gatewaytest.Password},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := kerneltest.OpenDoors(t)
			link := s.Session(t, "ORD-1", "10.00")
			first := hashOfLink(t, s.Pay(t, link, gatewaytest.Settles))
			c.change(t, s)
			next, err := s.NextAction(t.Context(), link)
			require.NoError(t, err)
			hash := hashOfLink(t, next)
			require.NotEqual(t, first, hash)
			d := kerneltest.DoorNamed(t, "card credit")
			for _, a := range kerneltest.Forgeries(d, s.Payment(t, "ORD-1"), hash) {
				require.Equal(t, signature.Sign(d.Formula, c.mode, a.Inputs(d), c.secret), hash)
				s.Refuses(t, d, a, kerneltest.HashUsedMessage)
			}
		})
	}
}

// With ids that a text does not show the hash of a return link is marked when it is first looked at.
func TestLinkIsMarkedOnce(t *testing.T) {
	t.Parallel()
	s := kerneltest.OpenDoors(t, withIDs("A~b.C_d-%d"))
	s.SetMerchant(t, func(m *store.Merchant) { m.NotificationURL = "" })
	link := s.Session(t, "ORD-1", "10.00")
	for range 2 {
		hashOfLink(t, s.Pay(t, link, gatewaytest.Settles))
		require.Len(t, kerneltest.KeysUnder(t, s.Store, "hs"), 1)
	}
}

// With ids that only count up, the callback of one payment has the text of a later payment in another chain.
func TestCallbackSignsNoLaterPayment(t *testing.T) {
	t.Parallel()
	s := kerneltest.OpenDoors(t, withIDs("%d"))
	s.Chain = kerneltest.Charged(t, s.Kit, "CHAIN", gatewaytest.Settles,
		kerneltest.BeginsChain).Payment // payment 1, transaction 2, chain 3
	for n := 4; n < 13; n++ {
		_, err := s.Shop().CreateSchedule(t.Context(), kerneltest.EveryDays(1, 1))
		require.NoError(t, err)
	}
	p := kerneltest.Charged(t, s.Kit, "ORD-1", gatewaytest.Settles).Payment
	require.Equal(t, []string{"1", "3", "13"}, []string{s.Chain.ID, s.Chain.RecurringToken, p.ID})
	hash := kerneltest.FormsOf(t, s.Kit, "ORD-1")[0].Get("hash")
	d := kerneltest.DoorNamed(t, "recurring")
	a := d.Of("ORD-1", "10.00")
	a.Description, a.Hash, a.Chain, a.Currency = "USDImportant gift", hash, s.Chain, ""
	require.Equal(t, d.Sign(a), hash)
	s.Refuses(t, d, a, kerneltest.HashUsedMessage)
}

// The callback of a crypto purchase may sign an e-mail and the payment's id (decision bv); a card request signs an
// e-mail and ten digits of the card. If ids have ten digits too, one is the reverse of the other.
func TestCallbackSignsNoCard(t *testing.T) {
	t.Parallel()
	byCard := []string{"order_id", "ORD-2", "card_number", "4111111111111111", "card_exp_month", "01", "card_exp_year",
		"2038", "brand", ""}
	payer := []string{"card_cvv2", "123", "payer_first_name", "John", "payer_last_name", "Doe", "payer_phone",
		"199999999", "term_url_3ds", "https://shop.example/back"}
	for _, c := range []struct {
		action, email string
		formula       signature.Formula
		more          []string
	}{
		{"SALE", "doe@example.com", signature.Card1, payer},
		{"DEBIT", "doe@example.com", signature.Card1, payer},
		{"DEBIT", "", signature.Card1, payer},
		{"CREDIT2CARD", "", signature.Card5, nil},
		{"CARD2CARD", "doe@example.com", signature.Card1, []string{"card_number", "", "payer_card_number", "4111111111111111",
			"payer_card_exp_month", "01", "payer_card_exp_year", "2038", "payer_card_cvv", "123", "payee_card_number",
			"4111111111111111", "term_url_3ds", "https://shop.example/back"}},
	} {
		t.Run(c.action+" "+c.email, func(t *testing.T) {
			t.Parallel()
			s := kerneltest.OpenDoors(t, kerneltest.IDsBy(kerneltest.IDsNumbered("%010d", 1111111114)),
				kerneltest.KeepsPayments(gateway.MinPayments))
			byEmail := store.Mapping{MerchantID: gatewaytest.MerchantID, Protocol: store.S2SAPM,
				CryptoSaleSignature: store.SignedByEmail}
			require.NoError(t, s.SaveMapping(t.Context(), byEmail))
			coins := &kerneltest.SignedDoor{Name: "crypto SALE", Path: "/post-va", Currency: "USDT", Formula: signature.APMSale,
				Body: kerneltest.FormDoor("action", "SALE", "brand", "crypto-currency", "identifier", "payer", "return_url",
					"https://shop.example/back", "parameters[cryptoCurrency]", "USDT")}
			bought := coins.Of("ORD-1", "10.00")
			bought.Email = c.email
			s.Takes(t, coins, bought)
			hash := kerneltest.FormsOf(t, s.Kit, "ORD-1")[0].Get("hash")
			form := kerneltest.FormDoor(slices.Concat([]string{"action", c.action}, byCard, c.more)...)
			forged := &kerneltest.SignedDoor{Name: c.action, Path: "/post", Currency: "USD", Formula: c.formula,
				Body: func(a kerneltest.SignedRequest) any {
					sent := form(a).(url.Values)
					for name := range sent {
						if sent.Get(name) == "" {
							sent.Del(name)
						}
					}
					return sent
				}}
			a := forged.Of("ORD-2", "10.00")
			a.Hash, a.Email = hash, c.email
			require.Equal(t, signature.Sign(c.formula, signature.MD5,
				signature.Inputs{Email: c.email, Card: "4111111111111111"}, gatewaytest.Password), hash)
			s.Refuses(t, forged, a, kerneltest.HashUsedMessage)
			require.NoError(t, s.Vcard.Pay(t.Context(), kerneltest.AcquirerKey(t, s.Kit), store.MustAmount("10.00")))
			s.Advance(t, time.Hour)
			kerneltest.LapAt(t, s.Kit, s.Clock.Now().AddDate(3, 0, 0))
			kerneltest.LapAt(t, s.Kit, s.Clock.Now().AddDate(0, 0, 2))
			require.Empty(t, kerneltest.KeysUnder(t, s.Store, "p"))
			s.Refuses(t, forged, a, kerneltest.HashUsedMessage, "deleted")
		})
	}
}

// An S2S APM callback is signed over its values from last to first. If a host registers a currency with the name of
// an action, the text ends like a payout's: with an amount and a currency.
func TestCallbackSignsNoPayout(t *testing.T) {
	t.Parallel()
	s := kerneltest.OpenDoors(t, func(c *gateway.Config) { c.Crypto = []methods.Currency{{Code: "SALE", Exponent: 2}} })
	sale := kerneltest.DoorNamed(t, "SALE")
	s.Takes(t, sale, sale.Of("ORD-1", "10.00"))
	form := kerneltest.FormsOf(t, s.Kit, "ORD-1")[0]
	names := make([]string, 0, len(form))
	for name := range form {
		if name != "hash" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	slices.Reverse(names)
	text := ""
	for _, name := range names {
		text += form.Get(name)
	}
	number, ends := strings.CutSuffix(text, "10.00SALE")
	require.True(t, ends, text)
	d := *kerneltest.DoorNamed(t, "CREDIT2CRYPTO")
	d.Currency = "SALE"
	a := d.Of(number, "10.00")
	a.Hash = form.Get("hash")
	require.True(t, signature.Verify(d.Formula, signature.MD5, a.Inputs(&d), strings.ToUpper(gatewaytest.Password),
		a.Hash), text)
	s.Refuses(t, &d, a, kerneltest.HashUsedMessage)
}

// A sale has the mark of its request. The hash of its callbacks needs one only where ids are not found in a text.
func TestMarksOfASale(t *testing.T) {
	t.Parallel()
	card := &kerneltest.SignedDoor{Name: "SALE by card", Path: "/post", Kind: "SALE", Currency: "USD",
		Formula: signature.Card1, Body: kerneltest.FormDoor("action", "SALE", "card_number", "4111111111111111",
			"card_exp_month", "01", "card_exp_year", "2038", "card_cvv2", "123", "payer_first_name", "John", "payer_last_name",
			"Doe",
			"payer_phone", "199999999", "payer_email", "doe@example.com", "term_url_3ds", "https://shop.example/back")}
	for _, c := range []struct {
		door  *kerneltest.SignedDoor
		marks int // of requests; callbacks have none
	}{
		{kerneltest.DoorNamed(t, "session purchase"), 1},
		{kerneltest.DoorNamed(t, "token purchase"), 1},
		{kerneltest.DoorNamed(t, "card credit"), 1},
		{kerneltest.DoorNamed(t, "recurring"), 1},
		{kerneltest.DoorNamed(t, "SALE"), 1},
		{kerneltest.DoorNamed(t, "DEBIT2VIRTUAL"), 1},
		{kerneltest.DoorNamed(t, "CREDIT2VIRTUAL"), 1},
		{card, 0},
	} {
		t.Run(c.door.Name, func(t *testing.T) {
			t.Parallel()
			s := kerneltest.OpenDoors(t)
			if c.door.Name == "recurring" {
				s.Chain = kerneltest.Charged(t, s.Kit, "CHAIN", gatewaytest.Settles,
					kerneltest.BeginsChain).Payment // has one of its own
			}
			a := c.door.Of("ORD-1", "10.00")
			a.Email = "doe@example.com"
			if c.door.Path == "/post-va" {
				a.Email = ""
			}
			s.Takes(t, c.door, a)
			s.Work(t)
			require.Len(t, kerneltest.KeysUnder(t, s.Store, "hs"), c.marks)
		})
	}
	t.Run("a paid session", func(t *testing.T) {
		t.Parallel()
		s := kerneltest.OpenDoors(t, withIDs("A~b.C_d-%d"))
		d := kerneltest.DoorNamed(t, "session purchase")
		r := gatewaytest.Request("ORD-1", "10.00")
		a := d.Of("ORD-1", "10.00")
		r.Proof = &gateway.Proof{Formula: d.Formula, Inputs: a.Inputs(d), Hash: d.Sign(a)}
		hashOfLink(t, s.Pay(t, s.SessionOf(t, r), gatewaytest.Settles))
		_, err := s.Shop().CreditVoid(t.Context(), kerneltest.FollowUpOf(s.Payment(t, "ORD-1"), "1.00"))
		require.NoError(t, err)
		s.Work(t)
		require.Len(t, s.Inbox.Fields(t), 2)
		require.Len(t, kerneltest.KeysUnder(t, s.Store, "hs"), 2, "both callbacks and the link have one hash")
	})
}
