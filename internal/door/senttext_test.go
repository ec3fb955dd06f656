package door_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/callback/signature"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
)

// ages of a sent hash: when its callback, and then its payment, has been deleted.
var ages = []struct {
	name         string
	days         int
	callback, is int // how many are left
}{
	{"just sent", 0, 1, 1}, {"callback deleted", 91, 0, 1}, {"payment deleted", 4000, 0, 0},
}

// The hash of a callback is refused at every door, however old it is. On S2S it is the wrong one: it has other digits.
func TestSentHashAtEveryDoor(t *testing.T) {
	t.Parallel()
	card := kerneltest.SignedDoor{Name: "SALE by card", Path: "/post", Currency: "USD", Formula: signature.Card1,
		Body: kerneltest.FormDoor("action", "SALE", "card_number", "4111111111111111", "card_exp_month", "01",
			"card_exp_year", "2038", "card_cvv2", "123", "payer_first_name", "John", "payer_last_name", "Doe", "payer_phone",
			"199999999", "payer_email", "doe@example.com", "term_url_3ds", "https://shop.example/back")}
	for _, d := range append(kerneltest.SignedDoors(), card) {
		for _, age := range ages {
			t.Run(d.Name+", "+age.name, func(t *testing.T) {
				t.Parallel()
				s := kerneltest.OpenDoors(t, withIDs("ffffffff-0000-7000-8000-%012d"),
					kerneltest.KeepsPayments(gateway.MinPayments))
				chain := "ffffffff-0000-7000-8000-000000000003" // of payment 1
				a := d.Of("ORD-1", "10.00")
				switch d.Name {
				case "recurring": // the first payment's order number looks like one of a later payment
					s.Chain = kerneltest.Charged(t, s.Kit, chain+"ORD-1", gatewaytest.Settles, kerneltest.BeginsChain).Payment
					require.Equal(t, chain, s.Chain.RecurringToken)
					a.Description, a.Chain, a.Currency = "USDImportant gift", s.Chain, ""
				default:
					a.Number = kerneltest.Charged(t, s.Kit, "ORD-1", gatewaytest.Settles).Payment.ID + "ORD-1"
				}
				a.Hash = kerneltest.FormsOf(t, s.Kit, s.Payment(t, orderOf(t, s)).Order.Number)[0].Get("hash")
				if age.is == 0 && d.Name == "recurring" {
					s.Clock.Set(kerneltest.Date("2060-01-01")) // the chain is kept for years
				}
				kerneltest.LapAt(t, s.Kit, s.Clock.Now().AddDate(0, 0, age.days))
				kerneltest.LapAt(t, s.Kit, s.Clock.Now().AddDate(0, 0, age.days/50))
				require.Len(t, kerneltest.KeysUnder(t, s.Store, "cb"), age.callback)
				require.Len(t, kerneltest.KeysUnder(t, s.Store, "p"), age.is)
				switch {
				case slices.Contains([]string{"/post", "/post-va"}, d.Path):
					s.Refuses(t, &d, a, "ash is not valid")
				case d.Name == "recurring" && age.is == 0:
					s.Refuses(t, &d, a, "", "there is no such chain")
				default:
					require.Equal(t, a.Hash, d.Sign(a))
					s.Refuses(t, &d, a, kerneltest.HashUsedMessage)
				}
			})
		}
	}
}

// orderOf returns the order number of the only payment.
func orderOf(t *testing.T, s *kerneltest.SignedShop) string {
	t.Helper()
	books := kerneltest.ReadBooks(t, s.Kit)
	require.Len(t, books.Payments, 1)
	for _, p := range books.Payments {
		return p.Order.Number
	}
	return ""
}

// signsNothing requires that a text of ours, signed by a password of the merchant, asks for and makes nothing.
func signsNothing(t *testing.T, s *kerneltest.SignedShop, text, password string) {
	t.Helper()
	client, err := s.Client(t.Context(), gatewaytest.MerchantKey)
	require.NoError(t, err)
	proof := proofOf(signature.CheckoutOrder, signature.Inputs{OrderID: text}, password)
	_, err = client.Status(t.Context(), gateway.Lookup{OrderNumber: text, Proof: proof})
	require.ErrorContains(t, err, "already used for another request")

	number, fits := strings.CutSuffix(text, "10.00USDStrasse")
	if !fits {
		number = strings.TrimSuffix(text, "10.00USDStraße")
	}
	order := store.Order{Number: number, Amount: "10.00", Currency: "USD", Description: text[len(number)+len("10.00USD"):]}
	r := gatewaytest.Request(order.Number, order.Amount)
	r.Order = order
	r.Proof = proofOf(signature.CheckoutSession, signature.Inputs{OrderNumber: order.Number, Amount: order.Amount,
		Currency: order.Currency, Description: order.Description}, password)
	before := kerneltest.EveryKey(t, s.Store)
	_, err = client.CreateSession(t.Context(), r)
	require.ErrorContains(t, err, "already used for another request")
	require.Equal(t, before, kerneltest.EveryKey(t, s.Store))
}

// proofOf signs as somebody does who has a hash for capitals of every script: it is the hash of the capitals.
func proofOf(formula signature.Formula, in signature.Inputs, password string) *gateway.Proof {
	capitals := in
	for _, field := range []*string{&capitals.OrderID, &capitals.OrderNumber, &capitals.Description} {
		*field = signature.Capitals(*field)
	}
	return &gateway.Proof{Formula: formula, Inputs: in, Hash: signature.Sign(formula, signature.MD5, capitals, password)}
}

// soldInStrasse makes a payment, and returns what its callback signs.
func soldInStrasse(t *testing.T, s *kerneltest.SignedShop) string {
	t.Helper()
	p := kerneltest.Charged(t, s.Kit, "ORD-1", gatewaytest.Settles, func(r *gateway.ChargeRequest) {
		r.Order.Description = "Strasse"
	}).Payment
	text := p.ID + "ORD-1" + "10.00USDStrasse"
	hash := signature.Sign(signature.CheckoutOrder, signature.MD5, signature.Inputs{OrderID: text}, gatewaytest.Password)
	require.Equal(t, hash, kerneltest.FormsOf(t, s.Kit, "ORD-1")[0].Get("hash"))
	return text
}

// A text is found in every spelling that has the same hash.
func TestSentTextIsFoundInAnySpelling(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, was, is string }{
		{"as it was sent", "", ""}, {"id in capitals", "ffffffff", "FFFFffff"}, {"order in small letters", "ORD", "ord"},
		{"description by another script", "Strasse", "Straße"}, {"id by ligatures", "ffffffff", "ﬀffﬀFF"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := kerneltest.OpenDoors(t, withIDs("ffffffff-0000-7000-8000-%012d"),
				kerneltest.KeepsPayments(gateway.MinPayments))
			text := strings.Replace(soldInStrasse(t, s), c.was, c.is, 1)
			signsNothing(t, s, text, gatewaytest.Password)
			purged(t, s)
			signsNothing(t, s, text, gatewaytest.Password)
		})
	}
}

func purged(t *testing.T, s *kerneltest.SignedShop) {
	t.Helper()
	kerneltest.LapAt(t, s.Kit, s.Clock.Now().AddDate(3, 0, 0))
	kerneltest.LapAt(t, s.Kit, s.Clock.Now().AddDate(0, 0, 2))
	require.Empty(t, kerneltest.KeysUnder(t, s.Store, "p"))
}

// A payment that is deleted leaves its text under each password that signs requests then, and nothing under others.
func TestPurgedTextOfARotation(t *testing.T) {
	t.Parallel()
	change := func(change func(*store.Merchant)) func(*testing.T, *kerneltest.SignedShop) {
		return func(t *testing.T, s *kerneltest.SignedShop) { s.SetMerchant(t, change) }
	}
	next := func(years int) func(*testing.T, *kerneltest.SignedShop) {
		return func(t *testing.T, s *kerneltest.SignedShop) {
			s.SetMerchant(t, func(m *store.Merchant) {
				m.NextPassword, m.RotatesAt = store.NewSecret(nextPassword), s.Clock.Now().AddDate(years, 0, 0)
			})
		}
	}
	for _, c := range []struct {
		name   string
		change func(*testing.T, *kerneltest.SignedShop)
		good   []string // the passwords that sign requests after the payment is deleted
	}{
		{"one password", change(func(*store.Merchant) {}), []string{gatewaytest.Password}},
		{"another one", change(func(m *store.Merchant) { m.Password = store.NewSecret(nextPassword) }),
			[]string{nextPassword}},
		{"with the next one", next(50), []string{gatewaytest.Password, nextPassword}},
		{"the next one alone", next(1), []string{nextPassword}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := kerneltest.OpenDoors(t, kerneltest.KeepsPayments(gateway.MinPayments))
			text := soldInStrasse(t, s)
			c.change(t, s)
			for _, password := range c.good {
				if c.name != "the next one alone" {
					signsNothing(t, s, text, password)
				}
			}
			purged(t, s)
			require.Len(t, kerneltest.KeysUnder(t, s.Store, "hs"), len(c.good))
			for _, password := range c.good {
				signsNothing(t, s, text, password)
			}
		})
	}
}

// While the merchant's record cannot be read a payment is not deleted, because its text would be lost. The payments of
// others are.
func TestPurgeWaitsForTheMerchant(t *testing.T) {
	t.Parallel()
	s := kerneltest.OpenDoors(t, kerneltest.KeepsPayments(gateway.MinPayments))
	text := soldInStrasse(t, s)
	kerneltest.SaveOtherMerchant(t, s.Kit)
	kerneltest.Charged(t, s.As(kerneltest.OtherKey), "ORD-9", gatewaytest.Settles)
	s.Work(t)
	require.Len(t, kerneltest.KeysUnder(t, s.Store, "p"), 2)
	kerneltest.DamageTable(t, s.Kit, "m", nil, func(v []byte) []byte { return v[:len(v)/2] })
	kerneltest.LapAt(t, s.Kit, s.Clock.Now().AddDate(3, 0, 0))
	kerneltest.LapAt(t, s.Kit, s.Clock.Now().AddDate(0, 0, 2))
	require.Len(t, kerneltest.KeysUnder(t, s.Store, "p"), 1)
	s.SetMerchant(t, func(*store.Merchant) {})
	signsNothing(t, s, text, gatewaytest.Password)
	purged(t, s)
	signsNothing(t, s, text, gatewaytest.Password)
}

// A payer who chooses the amount makes two texts: without an amount, and with the one that was chosen.
func TestTextOfAChosenAmount(t *testing.T) {
	t.Parallel()
	for _, chosen := range []string{"", "20.000000"} {
		t.Run("chosen "+chosen, func(t *testing.T) {
			t.Parallel()
			s := &kerneltest.SignedShop{Kit: gatewaytest.New(t, kerneltest.Tether,
				kerneltest.KeepsPayments(gateway.MinPayments))}
			kerneltest.Submit(s.Kit, t, s.SessionOf(t, kerneltest.Coins("")), gateway.Submission{})
			key := kerneltest.AcquirerKey(t, s.Kit)
			if chosen == "" {
				require.NoError(t, s.Vcard.Resolve(t.Context(), key, vcard.Decline("No")))
			} else {
				require.NoError(t, s.Vcard.Pay(t.Context(), key, store.MustAmount(chosen)))
			}
			s.Advance(t, kerneltest.Day)
			p := s.Payment(t, "ORD-1")
			sent := kerneltest.FormsOf(t, s.Kit, "ORD-1")
			asks := func() {
				for _, form := range sent {
					text := p.ID + "ORD-1" + form.Get("order_amount") + "USDT" + p.Order.Description
					proof := proofOf(signature.CheckoutOrder, signature.Inputs{OrderID: text}, gatewaytest.Password)
					require.Equal(t, form.Get("hash"), proof.Hash)
					client, err := s.Client(t.Context(), gatewaytest.MerchantKey)
					require.NoError(t, err)
					_, err = client.Status(t.Context(), gateway.Lookup{OrderNumber: text, Proof: proof})
					require.ErrorContains(t, err, "already used for another request", form.Get("order_amount"))
				}
			}
			require.Equal(t, chosen, sent[len(sent)-1].Get("order_amount"))
			t.Log(len(sent), "callbacks")
			asks()
			purged(t, s)
			asks()
		})
	}
}
