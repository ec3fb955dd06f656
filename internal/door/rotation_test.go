package door_test

import (
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/callback"
	"github.com/tollgatepay/gateway/callback/signature"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/store"
)

// nextPassword is the password that takes the place of the first in these tests, a day after they begin.
const nextPassword = "the-next-password-of-the-shop"

// rotating saves the merchant with secrets that change in a day, and returns when.
func rotating(t testing.TB, s *kerneltest.SignedShop, change func(*store.Merchant)) time.Time {
	t.Helper()
	at := s.Clock.Now().Add(kerneltest.Day)
	s.SetMerchant(t, func(m *store.Merchant) {
		m.RotatesAt = at
		change(m)
	})
	return at
}

func toNextPassword(m *store.Merchant) { m.NextPassword = store.NewSecret(nextPassword) }

// signedDoors are all requests that a merchant signs: those whose signature covers an order, and the others.
func signedDoors() []kerneltest.SignedDoor {
	card := kerneltest.FormDoor("action", "SALE", "card_number", "4111111111111111", "card_exp_month", "01",
		"card_exp_year", "2038", "card_cvv2", "123", "payer_first_name", "John", "payer_last_name", "Doe",
		"payer_address", "Big street", "payer_country", "US", "payer_city", "City", "payer_zip", "123456",
		"payer_phone", "199999999", "term_url_3ds", "https://shop.example/return")
	withEmail := func(a kerneltest.SignedRequest) any {
		a.Email = "doe@example.com"
		form := card(a).(url.Values)
		return form
	}
	return append(kerneltest.SignedDoors(),
		kerneltest.SignedDoor{Name: "SALE by card", Path: "/post", Currency: "USD", Formula: signature.Card1,
			Body: withEmail},
		kerneltest.SignedDoor{Name: "refund", Path: "/api/v1/payment/refund", Formula: signature.CheckoutAmount,
			Body: func(a kerneltest.SignedRequest) any {
				return map[string]any{"merchant_key": a.Key, "payment_id": a.Chain.ID, "amount": a.Amount, "hash": a.Hash}
			}},
		kerneltest.SignedDoor{Name: "status", Path: "/api/v1/payment/status", Formula: signature.CheckoutPayment,
			Body: func(a kerneltest.SignedRequest) any {
				return map[string]any{"merchant_key": a.Key, "payment_id": a.Chain.ID, "hash": a.Hash}
			}})
}

// signedWith makes a request that is signed with a password.
func signedWith(s *kerneltest.SignedShop, d *kerneltest.SignedDoor, number, password string) kerneltest.SignedRequest {
	a := d.Of(number, "0.10")
	a.Chain = s.Chain
	if d.Name == "recurring" {
		a.Currency = ""
	}
	in := a.Inputs(d)
	in.PaymentID = a.Chain.ID
	if d.Formula == signature.Card1 {
		in.Email = "doe@example.com"
	}
	a.Hash = signature.Sign(d.Formula, signature.MD5, in, password)
	return a
}

// Until the date requests are signed with either password, and from then on with the next alone, at every door.
func TestPasswordsRotate(t *testing.T) {
	t.Parallel()
	for _, d := range signedDoors() {
		t.Run(d.Name, func(t *testing.T) {
			t.Parallel()
			s := kerneltest.OpenDoors(t)
			s.Chain = kerneltest.Charged(t, s.Kit, "CHAIN", gatewaytest.Settles, kerneltest.BeginsChain).Payment
			s.Refuses(t, &d, signedWith(s, &d, "ORD-0", nextPassword), "ash is not valid", "before it is saved")
			at := rotating(t, s, toNextPassword)
			s.Takes(t, &d, signedWith(s, &d, "ORD-1", gatewaytest.Password), "the present password")
			s.Takes(t, &d, signedWith(s, &d, "ORD-2", nextPassword), "the next password")
			s.Refuses(t, &d, signedWith(s, &d, "ORD-3", "some-other-password-0001"), "ash is not valid")
			s.Clock.Set(at.Add(-time.Microsecond))
			s.Takes(t, &d, signedWith(s, &d, "ORD-4", gatewaytest.Password), "just before the date")
			s.Clock.Set(at)
			s.Refuses(t, &d, signedWith(s, &d, "ORD-5", gatewaytest.Password), "ash is not valid", "its time has ended")
			s.Takes(t, &d, signedWith(s, &d, "ORD-6", nextPassword), "alone")
			s.SetMerchant(t, func(m *store.Merchant) { m.Password = store.NewSecret(nextPassword) })
			s.Clock.Set(at.Add(kerneltest.Day))
			s.Takes(t, &d, signedWith(s, &d, "ORD-7", nextPassword), "saved as the password")
			s.Refuses(t, &d, signedWith(s, &d, "ORD-8", gatewaytest.Password), "ash is not valid")
		})
	}
}

// Callbacks are signed with the password that is current when they are made.
func TestCallbacksOfARotation(t *testing.T) {
	t.Parallel()
	s := kerneltest.OpenDoors(t)
	at := rotating(t, s, toNextPassword)
	signed := func(order, password string) {
		p := kerneltest.Charged(t, s.Kit, order, gatewaytest.Settles).Payment
		s.Work(t)
		all := s.Inbox.Fields(t)
		require.Equal(t, callback.CheckoutHash(&p, &store.Mapping{}, store.NewSecret(password)),
			all[len(all)-1].Get("hash"))
	}
	signed("ORD-1", gatewaytest.Password)
	s.Clock.Set(at)
	signed("ORD-2", nextPassword)
}

// What a signature has paid out it does not pay out again when the next password takes its place, or is saved as the
// password.
func TestMarksOfARotation(t *testing.T) {
	t.Parallel()
	s := kerneltest.OpenDoors(t)
	d := kerneltest.DoorNamed(t, "card credit")
	at := rotating(t, s, toNextPassword)
	paid := signedWith(s, d, "ORD-1", nextPassword)
	s.Takes(t, d, paid)
	again := func(why string) {
		s.Clock.Set(s.Clock.Now().Add(time.Hour))
		s.Refuses(t, d, paid, kerneltest.DuplicateMessage, why)
	}
	again("before the date")
	s.Clock.Set(at)
	again("after the date")
	s.SetMerchant(t, func(m *store.Merchant) { m.Password = store.NewSecret(nextPassword) })
	again("saved as the password")
}

// A merchant's next keys are accepted beside the present ones until the date, and from then on in their place.
func TestKeysRotate(t *testing.T) {
	t.Parallel()
	const next, nextTest = "the-next-key", "the-next-test-key"
	s := kerneltest.OpenDoors(t)
	at := rotating(t, s, func(m *store.Merchant) { m.NextKey, m.NextTestKey = next, nextTest })
	d := kerneltest.DoorNamed(t, "session purchase")
	asks := func(number, key string) kerneltest.SignedRequest {
		a := d.Of(number, "10.00")
		a.Key = key
		return a
	}
	for i, key := range []string{gatewaytest.MerchantKey, next, gatewaytest.TestKey, nextTest} {
		s.Takes(t, d, asks("ORD-A"+string(rune('0'+i)), key), key)
	}
	require.False(t, kerneltest.Charged(t, s.As(next), "ORD-L", gatewaytest.Settles).Payment.Test)
	require.True(t, kerneltest.Charged(t, s.As(nextTest), "ORD-T", gatewaytest.Settles).Payment.Test)
	require.Equal(t, s.Payment(t, "ORD-L"), s.As(next).Payment(t, "ORD-L"), "one merchant")

	s.Clock.Set(at)
	for i, key := range []string{gatewaytest.MerchantKey, gatewaytest.TestKey} {
		s.Refuses(t, d, asks("ORD-B"+string(rune('0'+i)), key), "merchant_key: This value is not valid.", key)
		_, err := s.Merchant(key).Charge(t.Context(), kerneltest.ChargeOf("ORD-C", gatewaytest.Settles))
		require.ErrorIs(t, err, gateway.ErrInvalid, key)
	}
	for i, key := range []string{next, nextTest} {
		s.Takes(t, d, asks("ORD-D"+string(rune('0'+i)), key), key)
	}
	require.True(t, kerneltest.Charged(t, s.As(nextTest), "ORD-U", gatewaytest.Settles).Payment.Test)
}

// A rotation that cannot be is refused when the merchant is saved, and the merchant stays as it was.
func TestRotationsAreChecked(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		change func(*store.Merchant)
		fault  string
	}{
		{"no date", func(m *store.Merchant) { m.RotatesAt = time.Time{} }, "rotates_at: required"},
		{"a date alone", func(m *store.Merchant) { m.NextPassword = store.Secret{} }, "rotates_at: required"},
		{"too short", func(m *store.Merchant) { m.NextPassword = store.NewSecret("short") }, "next_password: at least 16"},
		{"not ASCII", func(m *store.Merchant) { m.NextPassword = store.NewSecret("пароль-пароль-пароль") },
			"next_password: printable ASCII"},
		{"the password", func(m *store.Merchant) { m.NextPassword = m.Password }, "next_password: must not be"},
		{"the key", func(m *store.Merchant) { m.NextKey = m.Key }, "each another one"},
		{"the test key", func(m *store.Merchant) { m.NextKey = m.TestKey }, "each another one"},
		{"two next keys", func(m *store.Merchant) { m.NextKey, m.NextTestKey = "next", "next" }, "each another one"},
		{"another merchant's key", func(m *store.Merchant) { m.NextKey = kerneltest.OtherKey }, "another merchant"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := kerneltest.OpenDoors(t)
			kerneltest.SaveOtherMerchant(t, s.Kit)
			m := store.Merchant{ID: gatewaytest.MerchantID, Name: "Test Shop", Key: gatewaytest.MerchantKey,
				TestKey: gatewaytest.TestKey, Password: store.NewSecret(gatewaytest.Password),
				NextPassword: store.NewSecret(nextPassword), RotatesAt: s.Clock.Now().Add(time.Hour)}
			c.change(&m)
			before := kerneltest.EveryKey(t, s.Store)
			require.ErrorContains(t, s.SaveMerchant(t.Context(), m), c.fault)
			require.Equal(t, before, kerneltest.EveryKey(t, s.Store))
		})
	}
}

// A password whose time has ended is a former one, although the merchant was not saved since; so is a next password
// that was given up.
func TestEndedPasswords(t *testing.T) {
	t.Parallel()
	s := kerneltest.OpenDoors(t)
	m := store.Merchant{ID: gatewaytest.MerchantID, Key: gatewaytest.MerchantKey,
		Password: store.NewSecret(gatewaytest.Password), NextPassword: store.NewSecret(nextPassword),
		RotatesAt: s.Clock.Now().Add(time.Hour)}
	require.NoError(t, s.SaveMerchant(t.Context(), m))
	require.NoError(t, s.SaveMerchant(t.Context(), m), "as often as one likes")
	for _, key := range kerneltest.EveryKey(t, s.Store) {
		require.NotContains(t, key+string(kerneltest.RawOf(t, s.Kit, key)), nextPassword, "it is stored sealed only")
	}
	s.Clock.Set(m.RotatesAt)
	require.ErrorContains(t, s.SaveMerchant(t.Context(), m), "this merchant had it before")
	m.Password, m.NextPassword, m.RotatesAt = m.NextPassword, store.Secret{}, time.Time{}
	require.NoError(t, s.SaveMerchant(t.Context(), m))

	given := store.NewSecret("a-password-that-is-given-up")
	m.NextPassword, m.RotatesAt = given, s.Clock.Now().Add(time.Hour)
	require.NoError(t, s.SaveMerchant(t.Context(), m))
	m.NextPassword, m.RotatesAt = store.Secret{}, time.Time{}
	require.NoError(t, s.SaveMerchant(t.Context(), m))
	m.NextPassword, m.RotatesAt = given, s.Clock.Now().Add(time.Hour)
	require.ErrorContains(t, s.SaveMerchant(t.Context(), m), "this merchant had it before")
}

// The marks of both passwords stay until the date; from then on those of the first age, although nothing was saved.
func TestHashMarksOfARotationAge(t *testing.T) {
	t.Parallel()
	const hashes = 40 * kerneltest.Day
	s := kerneltest.OpenDoors(t, func(c *gateway.Config) { c.Retention.Hashes = hashes })
	at := rotating(t, s, toNextPassword)
	d := kerneltest.DoorNamed(t, "session purchase")
	s.Takes(t, d, signedWith(s, d, "ORD-1", gatewaytest.Password))
	s.Takes(t, d, signedWith(s, d, "ORD-2", nextPassword))
	require.Equal(t, 2, marksOf(t, s.Kit, gatewaytest.MerchantID))
	kerneltest.LapAt(t, s.Kit, at.Add(-time.Hour))
	require.Equal(t, 2, marksOf(t, s.Kit, gatewaytest.MerchantID), "both passwords sign")
	kerneltest.LapAt(t, s.Kit, at.Add(hashes-time.Second))
	require.Equal(t, 2, marksOf(t, s.Kit, gatewaytest.MerchantID))
	kerneltest.LapAt(t, s.Kit, at.Add(hashes))
	require.Equal(t, 1, marksOf(t, s.Kit, gatewaytest.MerchantID), "those of the next password")
	kerneltest.LapAt(t, s.Kit, at.AddDate(2, 0, 0))
	require.Equal(t, 1, marksOf(t, s.Kit, gatewaytest.MerchantID))
}
