package gateway_test

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/callback/signature"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// hashOfLink is the hash in the return link of a paid session.
func hashOfLink(t testing.TB, turn *gateway.Turn) string {
	t.Helper()
	u, err := url.Parse(turn.URL)
	require.NoError(t, err)
	require.Equal(t, gateway.TurnLeave, turn.Kind)
	require.NotEmpty(t, u.Query().Get("hash"))
	return u.Query().Get("hash")
}

// forgeries are the orders that the text of a return link can be read as, at every door that signs such a text.
func forgeries(d *signedDoor, p store.Payment, hash string) (list []asked) {
	if d.formula != signature.CheckoutSession && d.formula != signature.CheckoutCredit {
		return nil
	}
	for _, borders := range [][2]string{{p.ID + "ORD-1", "10.00"}, {p.ID + "ORD-", "110.00"}, {strings.ToUpper(p.ID) + "ord-1", "10.00"}} {
		a := d.of(borders[0], borders[1])
		a.hash = hash
		list = append(list, a)
	}
	return list
}

var hostsIDs = []string{"", "%d", "%010d", "%064d", "A~b.C_d-%d", "ORD-%d"}

func withIDs(format string) gatewaytest.Option {
	return func(c *gateway.Config) {
		if format != "" {
			c.NewID = idsNumbered(format, 1)
		}
	}
}

// What we have signed in a return link and in a callback signs nothing for those who read it: at no door, whatever
// the host's identifiers look like, before and after the payment is deleted.
func TestLinkAndCallbackSignNothing(t *testing.T) {
	t.Parallel()
	silent := func(m *store.Merchant) { m.NotificationURL = "" }
	byLink := func(t *testing.T, s *signedShop) string {
		return hashOfLink(t, s.Pay(t, s.Session(t, "ORD-1", "10.00"), gatewaytest.Settles))
	}
	byCallback := func(t *testing.T, s *signedShop) string {
		charged(t, s.Kit, "ORD-1", gatewaytest.Settles)
		return told(t, s.Kit, "ORD-1")[0].Get("hash")
	}
	byFields := func(t *testing.T, s *signedShop) string {
		params, err := s.ReturnParams(t.Context(), payHosted(t, s.Kit, hostedToken(t, s.Kit, "ORD-1", gatewaytest.Settles)))
		require.NoError(t, err)
		at := slices.IndexFunc(params, func(p store.NextParam) bool { return p.Name == "hash" })
		return params[at].Value
	}
	for _, c := range []struct {
		name   string
		change func(*store.Merchant)
		learn  func(*testing.T, *signedShop) string
	}{
		{"callback and link", func(*store.Merchant) {}, byLink}, {"callback only", func(*store.Merchant) {}, byCallback},
		{"link only", silent, byLink}, {"answer to hosted fields only", silent, byFields},
	} {
		for _, ids := range hostsIDs {
			t.Run(c.name+" "+ids, func(t *testing.T) {
				t.Parallel()
				s := openDoors(t, withIDs(ids), keeps(gateway.MinPayments))
				s.merchant(t, c.change)
				hash := c.learn(t, s)
				p := s.Payment(t, "ORD-1")
				s.signsNothing(t, p, hash)
				lapAt(t, s.Kit, s.Clock.Now().AddDate(3, 0, 0))
				lapAt(t, s.Kit, s.Clock.Now().AddDate(0, 0, 2)) // the payment waits for its session
				_, err := s.Transactions(t.Context(), p.ID)
				require.ErrorIs(t, err, gateway.ErrNoPayment)
				s.signsNothing(t, p, hash)
			})
		}
	}
}

// signsNothing tries a hash at every door, and that orders which only look alike are taken.
func (s *signedShop) signsNothing(t testing.TB, p store.Payment, hash string) {
	t.Helper()
	tried := 0
	for _, d := range signedDoors() {
		for _, a := range forgeries(&d, p, hash) {
			require.Equal(t, d.sign(a), hash, "it is the hash of that order too")
			s.refuses(t, &d, a, hashUsed, d.name)
			tried++
		}
	}
	require.Equal(t, 3*7, tried)
	for _, d := range signedDoors() {
		if d.name == "recurring" {
			continue
		}
		for _, number := range []string{p.ID + "--", p.ID + "-R", p.ID + "ORD-1-" + strings.ToLower(d.name[:4]), "50a1361a-7c2e-11f1-b8d4-0242ac120002-1"} {
			s.Clock.Set(s.Clock.Now().Add(gateway.DuplicateWindow))
			a := d.of(number, "10.00")
			a.Description = fmt.Sprint("Order at ", d.name, " in ", s.Clock.Now().Year())
			if d.path == "/post-va" { // an order number is good for one payment there
				a.Number += d.name + fmt.Sprint(s.Clock.Now().Unix())
			}
			s.takes(t, &d, a, d.name, number)
		}
	}
}

func (s *signedShop) merchant(t testing.TB, change func(*store.Merchant)) {
	t.Helper()
	m := store.Merchant{
		ID: gatewaytest.MerchantID, Name: "Test Shop", Key: gatewaytest.MerchantKey, TestKey: gatewaytest.TestKey,
		Password: store.NewSecret(gatewaytest.Password), NotificationURL: gatewaytest.CallbackURL,
	}
	change(&m)
	require.NoError(t, s.SaveMerchant(t.Context(), m))
}

// A link that is looked at again once the merchant has another password, or another digest, has another hash. It is
// known as ours as well.
func TestLinkLookedAtAgain(t *testing.T) {
	t.Parallel()
	const password = "another-password-of-the-shop"
	for _, c := range []struct {
		name   string
		change func(t *testing.T, s *signedShop)
		mode   signature.Mode
		secret string
	}{
		{"another password", func(t *testing.T, s *signedShop) {
			s.merchant(t, func(m *store.Merchant) { m.Password = store.NewSecret(password) })
		}, signature.MD5, password},
		{"another digest", func(t *testing.T, s *signedShop) {
			require.NoError(t, s.SaveMapping(t.Context(), store.Mapping{MerchantID: gatewaytest.MerchantID, Protocol: store.Checkout, SHA256: true}))
		}, signature.SHA256, gatewaytest.Password},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := openDoors(t)
			link := s.Session(t, "ORD-1", "10.00")
			first := hashOfLink(t, s.Pay(t, link, gatewaytest.Settles))
			c.change(t, s)
			turn, err := s.Turn(t.Context(), link)
			require.NoError(t, err)
			hash := hashOfLink(t, turn)
			require.NotEqual(t, first, hash)
			d := doorNamed(t, "card credit")
			for _, a := range forgeries(d, s.Payment(t, "ORD-1"), hash) {
				require.Equal(t, signature.Sign(d.formula, c.mode, a.inputs(d), c.secret), hash)
				s.refuses(t, d, a, hashUsed)
			}
			marks := len(keysUnder(t, s.Store, "hs"))
			_, err = s.Turn(t.Context(), link)
			require.NoError(t, err)
			require.Len(t, keysUnder(t, s.Store, "hs"), marks, "looked at once more it is marked already")
		})
	}
}

// With identifiers that only count, the callback of one payment reads as a later payment of the chain of another.
func TestCallbackSignsNoLaterPayment(t *testing.T) {
	t.Parallel()
	s := openDoors(t, withIDs("%d"))
	s.chain = charged(t, s.Kit, "CHAIN", gatewaytest.Settles, inits).Payment // payment 1, transaction 2, chain 3
	for n := 4; n < 13; n++ {
		_, err := s.CreateSchedule(t.Context(), gatewaytest.MerchantKey, days(1, 1))
		require.NoError(t, err)
	}
	p := charged(t, s.Kit, "ORD-1", gatewaytest.Settles).Payment
	require.Equal(t, []string{"1", "3", "13"}, []string{s.chain.ID, s.chain.RecurringToken, p.ID})
	hash := told(t, s.Kit, "ORD-1")[0].Get("hash")
	d := doorNamed(t, "recurring")
	a := d.of("ORD-1", "10.00")
	a.Description, a.hash, a.chain, a.Currency = "USDImportant gift", hash, s.chain, ""
	require.Equal(t, d.sign(a), hash)
	s.refuses(t, d, a, hashUsed)
}

// The callback of a purchase in crypto may sign an e-mail and the payment's id (decision bv), where that of a card's
// request signs an e-mail and ten digits of the card. Where identifiers have ten digits too, one is the other turned round.
func TestCallbackSignsNoCard(t *testing.T) {
	t.Parallel()
	byCard := []string{"order_id", "ORD-2", "card_number", "4111111111111111", "card_exp_month", "01", "card_exp_year", "2038", "brand", ""}
	payer := []string{"card_cvv2", "123", "payer_first_name", "John", "payer_last_name", "Doe", "payer_phone", "199999999", "term_url_3ds", "https://shop.example/back"}
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
			"payer_card_exp_month", "01", "payer_card_exp_year", "2038", "payer_card_cvv", "123", "payee_card_number", "4111111111111111", "term_url_3ds", "https://shop.example/back"}},
	} {
		t.Run(c.action+" "+c.email, func(t *testing.T) {
			t.Parallel()
			s := openDoors(t, idsBy(idsNumbered("%010d", 1111111114)), keeps(gateway.MinPayments))
			byEmail := store.Mapping{MerchantID: gatewaytest.MerchantID, Protocol: store.S2SAPM, CryptoSaleSignature: store.SignedByEmail}
			require.NoError(t, s.SaveMapping(t.Context(), byEmail))
			coins := &signedDoor{name: "crypto SALE", path: "/post-va", currency: "USDT", formula: signature.APMSale,
				body: formDoor("action", "SALE", "brand", "crypto-currency", "identifier", "payer", "return_url", "https://shop.example/back", "parameters[cryptoCurrency]", "USDT")}
			bought := coins.of("ORD-1", "10.00")
			bought.email = c.email
			s.takes(t, coins, bought)
			hash := told(t, s.Kit, "ORD-1")[0].Get("hash")
			form := formDoor(slices.Concat([]string{"action", c.action}, byCard, c.more)...)
			forged := &signedDoor{name: c.action, path: "/post", currency: "USD", formula: c.formula, body: func(a asked) any {
				sent := form(a).(url.Values)
				for name := range sent {
					if sent.Get(name) == "" {
						sent.Del(name)
					}
				}
				return sent
			}}
			a := forged.of("ORD-2", "10.00")
			a.hash, a.email = hash, c.email
			require.Equal(t, signature.Sign(c.formula, signature.MD5, signature.Inputs{Email: c.email, Card: "4111111111111111"}, gatewaytest.Password), hash)
			s.refuses(t, forged, a, hashUsed)
			require.NoError(t, s.Vcard.Pay(t.Context(), key(t, s.Kit), store.MustAmount("10.00")))
			s.Advance(t, time.Hour)
			lapAt(t, s.Kit, s.Clock.Now().AddDate(3, 0, 0))
			lapAt(t, s.Kit, s.Clock.Now().AddDate(0, 0, 2))
			require.Empty(t, keysUnder(t, s.Store, "p"))
			s.refuses(t, forged, a, hashUsed, "deleted")
		})
	}
}

// The callback of S2S APM is signed over its values from last to first. Where a host registers a currency of the name
// of an action it ends like a payout: with an amount and a currency.
func TestCallbackSignsNoPayout(t *testing.T) {
	t.Parallel()
	s := openDoors(t, func(c *gateway.Config) { c.Crypto = []methods.Currency{{Code: "SALE", Exponent: 2}} })
	sale := doorNamed(t, "SALE")
	s.takes(t, sale, sale.of("ORD-1", "10.00"))
	form := told(t, s.Kit, "ORD-1")[0]
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
	d := *doorNamed(t, "CREDIT2CRYPTO")
	d.currency = "SALE"
	a := d.of(number, "10.00")
	a.hash = form.Get("hash")
	require.True(t, signature.Verify(d.formula, signature.MD5, a.inputs(&d), strings.ToUpper(gatewaytest.Password), a.hash), text)
	s.refuses(t, &d, a, hashUsed)
}

// A sale has as many marks as it has hashes that can be mistaken: its request's, and that of its callbacks on Checkout.
func TestMarksOfASale(t *testing.T) {
	t.Parallel()
	card := &signedDoor{"SALE by card", "/post", "SALE", "USD", signature.Card1, formDoor("action", "SALE", "card_number", "4111111111111111",
		"card_exp_month", "01", "card_exp_year", "2038", "card_cvv2", "123", "payer_first_name", "John", "payer_last_name", "Doe",
		"payer_phone", "199999999", "payer_email", "doe@example.com", "term_url_3ds", "https://shop.example/back")}
	for _, c := range []struct {
		door  *signedDoor
		marks int
	}{
		{doorNamed(t, "session purchase"), 1}, {doorNamed(t, "token purchase"), 1}, {doorNamed(t, "card credit"), 2}, {doorNamed(t, "recurring"), 3},
		{doorNamed(t, "SALE"), 1}, {doorNamed(t, "DEBIT2VIRTUAL"), 1}, {doorNamed(t, "CREDIT2VIRTUAL"), 1}, {card, 0},
	} {
		t.Run(c.door.name, func(t *testing.T) {
			t.Parallel()
			s := openDoors(t)
			if c.door.name == "recurring" {
				s.chain = charged(t, s.Kit, "CHAIN", gatewaytest.Settles, inits).Payment // has one of its own
			}
			a := c.door.of("ORD-1", "10.00")
			a.email = "doe@example.com"
			if c.door.path == "/post-va" {
				a.email = ""
			}
			s.takes(t, c.door, a)
			s.Work(t)
			require.Len(t, keysUnder(t, s.Store, "hs"), c.marks)
		})
	}
	t.Run("a paid session", func(t *testing.T) {
		t.Parallel()
		s := openDoors(t)
		d := doorNamed(t, "session purchase")
		r := gatewaytest.Request("ORD-1", "10.00")
		a := d.of("ORD-1", "10.00")
		r.Proof = &gateway.Proof{Formula: d.formula, Inputs: a.inputs(d), Hash: d.sign(a)}
		hashOfLink(t, s.Pay(t, s.SessionOf(t, r), gatewaytest.Settles))
		_, err := s.CreditVoid(t.Context(), of(s.Payment(t, "ORD-1"), "1.00"))
		require.NoError(t, err)
		s.Work(t)
		require.Len(t, s.Inbox.Fields(t), 2)
		require.Len(t, keysUnder(t, s.Store, "hs"), 2, "both callbacks and the link have one hash")
	})
}
