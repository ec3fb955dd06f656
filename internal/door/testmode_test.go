package door_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/bolt"
)

// A return that proves nothing changes nothing: the payer stays at the issuer's page, the merchant gets no
// callback, and the real return settles.
func TestForgedReturnMovesNothing(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	token := kit.Session(t, "ORD-1", "10.00")
	next := kit.Pay(t, token, gatewaytest.ThreeDSPasses)
	target, back := kit.Away(t, next.Redirect, "confirm")
	link := strings.TrimPrefix(target, gatewaytest.PublicURL+"/return/")
	kit.Work(t)
	for _, forged := range []methods.Return{
		{Method: "GET"}, {Method: "POST", Params: map[string][]string{"MD": back.Params["MD"], "PaRes": {"Y"}}},
	} {
		_, err := kit.Return(t.Context(), link, forged)
		require.NoError(t, err)
		after, err := kit.NextAction(t.Context(), token)
		require.NoError(t, err)
		require.Equal(t, gateway.ActionRedirect, after.Kind)
		kit.Work(t)
		require.Len(t, kit.Inbox.All(), 1, "the 3ds callback and nothing else")
	}
	_, err := kit.Return(t.Context(), link, back)
	require.NoError(t, err)
	require.Equal(t, store.Settled, kit.Payment(t, "ORD-1").Status)
}

// Live and test payments are separate (decision r).
func TestKeysAreApart(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	kit.Pay(t, kit.Session(t, "ORD-1", "10.00"), gatewaytest.Settles)
	live := kit.Payment(t, "ORD-1")
	_, err := kit.Merchant(gatewaytest.TestKey).CreditVoid(t.Context(), gateway.FollowUp{PaymentID: live.ID})
	require.ErrorIs(t, err, gateway.ErrNoPayment)
	_, err = kit.Merchant(gatewaytest.TestKey).Status(t.Context(), gateway.Lookup{PaymentID: live.ID})
	require.ErrorIs(t, err, gateway.ErrNoPayment)
	_, err = kit.Merchant(gatewaytest.TestKey).Status(t.Context(), gateway.Lookup{OrderNumber: "ORD-1"})
	require.ErrorIs(t, err, gateway.ErrNoOrder)

	kit.Clock.Set(kit.Clock.Now().Add(time.Minute))
	kit.Pay(t, kit.As(gatewaytest.TestKey).Session(t, "ORD-1", "99.00"), gatewaytest.Settles)
	require.Equal(t, live.ID, kit.Payment(t, "ORD-1").ID, "the newest live payment")
}

// A Go caller's charge is validated as a session is.
func TestChargeIsChecked(t *testing.T) {
	t.Parallel()
	card := func(change func(*methods.Card)) *methods.Card {
		c := gatewaytest.Settles
		change(&c)
		return &c
	}
	strange, err := store.ParsePAN("1111222233334444")
	require.NoError(t, err)
	cases := []struct {
		name   string
		change func(*gateway.ChargeRequest)
		path   string
	}{
		{"no card", func(c *gateway.ChargeRequest) { c.Card = nil }, "card_number"},
		{"expired", func(c *gateway.ChargeRequest) { c.Card = card(func(c *methods.Card) { c.Expiry.Year = 2001 }) }, "expiry"},
		{"a card of no network", func(c *gateway.ChargeRequest) { c.Card = card(func(c *methods.Card) { c.PAN = strange }) }, "card_number"},
		{"name", func(c *gateway.ChargeRequest) { c.Payer.Name = "Аlice\x00" }, "customer.name"},
		{"custom data", func(c *gateway.ChargeRequest) { c.CustomData = json.RawMessage(`{"a"`) }, "custom_data"},
		{"custom data is a list", func(c *gateway.ChargeRequest) { c.CustomData = json.RawMessage(`[1]`) }, "custom_data"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			kit := gatewaytest.New(t)
			r := kerneltest.SaleRequest(1)
			c.change(&r)
			_, err := kit.Shop().Charge(t.Context(), r)
			require.ErrorIs(t, err, gateway.ErrInvalid)
			require.Equal(t, c.path, gateway.AsError(err).Faults()[0].Path)
			require.Empty(t, kit.Charges(t))
		})
	}
	t.Run("an unknown method", func(t *testing.T) {
		t.Parallel()
		kit := gatewaytest.New(t)
		r := kerneltest.SaleRequest(1)
		r.Method = "cheque"
		_, err := kit.Shop().Charge(t.Context(), r)
		require.ErrorIs(t, err, gateway.ErrMethodAbsent)
	})
}

// A merchant that is switched off can start nothing new, not even by sessions that were open.
func TestDisabledMerchant(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	token := kit.Session(t, "ORD-1", "10.00")
	require.NoError(t, kit.SaveMerchant(t.Context(),
		store.Merchant{ID: gatewaytest.MerchantID, Key: gatewaytest.MerchantKey,
			Password: store.NewSecret(gatewaytest.Password), Disabled: true}))
	_, err := kit.Shop().Charge(t.Context(), kerneltest.SaleRequest(2))
	require.ErrorIs(t, err, gateway.ErrNoMID)
	_, err = kit.PaySession(t.Context(), token, gateway.Submission{Card: gatewaytest.Settles})
	require.ErrorIs(t, err, gateway.ErrNoMID)
	require.Empty(t, kit.Charges(t))
}

// notingAcquirer records the operations it gets, and its first answer is lost.
type notingAcquirer struct{ asked *[]methods.Operation }

func (n notingAcquirer) Perform(_ context.Context, op methods.Operation) methods.Answer {
	*n.asked = append(*n.asked, op)
	if len(*n.asked) == 1 {
		return methods.Unknown(op, "lost")
	}
	return methods.Approved(op, "ref")
}

func (notingAcquirer) Capabilities() methods.Capabilities {
	return methods.Capabilities{IdempotentByKey: true, ResendWithoutCode: true, BrowserFields: []string{"language"}}
}

// A resent request is the same except for the security code and the return link. If a browser field that the
// connector requires is missing, nothing is sent at all (decision al).
func TestResendIsTheSameRequest(t *testing.T) {
	t.Parallel()
	var asked []methods.Operation
	kit := gatewaytest.New(t, func(c *gateway.Config) { c.Connectors["vcard"] = notingAcquirer{&asked} })
	require.NoError(t, kit.SaveMID(t.Context(),
		store.MID{ID: "live", MerchantID: gatewaytest.MerchantID, Connector: "vcard", MOTO: true}))
	r := gatewaytest.Request("ORD-1", "10.00")
	r.Extra.MOTOType = "phone_moto"
	r.Parameters = json.RawMessage(`{"card":{"descriptor":"TEA"}}`)
	token := kit.SessionOf(t, r)
	_, err := kit.PaySession(t.Context(), token,
		gateway.Submission{Card: gatewaytest.Settles, Browser: map[string]string{"language": "en"}})
	require.NoError(t, err)
	kit.Advance(t, 10*time.Minute)
	require.Equal(t, store.Settled, kit.Payment(t, "ORD-1").Status)
	require.Len(t, asked, 2)
	first, second := asked[0], asked[1]
	require.Equal(t, methods.AuthOff, second.Authentication)
	require.JSONEq(t, string(first.Parameters), string(second.Parameters))
	require.Equal(t, first.Browser, second.Browser)
	require.Equal(t, first.Key, second.Key)
	require.Equal(t, first.Card.PAN.Digits(), second.Card.PAN.Digits())
	require.True(t, second.Card.Code.IsZero())

	kit.Pay(t, kit.Session(t, "ORD-2", "10.00"), gatewaytest.Settles)
	require.Equal(t, "INVALID_REQUEST", kit.Payment(t, "ORD-2").Reason)
	require.Len(t, asked, 2)
}

// After a MID moved to another acquirer, follow-ups of an old charge go to the acquirer that made it.
func TestFollowUpsGoWhereTheMoneyIs(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t, func(c *gateway.Config) { c.Connectors["other"] = kerneltest.InstantConnector{} })
	kit.Pay(t, kit.Session(t, "ORD-1", "10.00"), gatewaytest.Settles)
	require.NoError(t, kit.SaveMID(t.Context(),
		store.MID{ID: "live", MerchantID: gatewaytest.MerchantID, Connector: "other"}))
	r, err := kit.Shop().CreditVoid(t.Context(), gateway.FollowUp{PaymentID: kit.Payment(t, "ORD-1").ID})
	require.NoError(t, err)
	require.Equal(t, "vcard", r.Transaction.Connector)
	require.Equal(t, store.Success, r.Transaction.Outcome)
	require.Len(t, kit.Charges(t), 2, "the charge and its refund, in one ledger")
}

// No byte of the file, deleted records included, contains a card number or security code in plain.
func TestNoCardInTheFile(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "gateway.db")
	s, err := bolt.Open(file)
	require.NoError(t, err)
	kit := gatewaytest.On(t, s)
	for i, month := range []int{1, 2, 5, 12} {
		token := kit.Session(t, "ORD-"+string(rune('a'+i)), "10.00")
		next, err := kit.PaySession(t.Context(), token, gateway.Submission{Card: kerneltest.CanaryCard(t, month, 2038)})
		require.NoError(t, err)
		if next.Kind == gateway.ActionRedirect && month == 5 {
			kit.ComeBack(t, next.Redirect)
		}
	}
	kit.Work(t)
	require.NoError(t, s.Close())
	content, err := os.ReadFile(file)
	require.NoError(t, err)
	require.True(t, bytes.Contains(content, []byte("460154******6519")), "it is the file of these payments")
	for _, spelling := range kerneltest.Spellings(kerneltest.CanaryPAN) {
		require.False(t, bytes.Contains(content, spelling), "%q", spelling)
	}
	require.False(t, bytes.Contains(content, []byte(`"`+kerneltest.CanaryCode+`"`)))
}

// An acquirer's reason may contain a card number; merchants and payers see it masked.
func TestReasonsShowNoCardNumbers(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	kit.Vcard.Next(vcard.Decline("card 4111 1111 1111 1111 refused"))
	kit.Pay(t, kit.Session(t, "ORD-1", "10.00"), gatewaytest.CaptureFails)
	require.Equal(t, "card ****** refused", kit.Payment(t, "ORD-1").Reason)
}
