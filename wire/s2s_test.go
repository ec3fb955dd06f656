package wire_test

import (
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/s2sclient"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/wire"
)

// keeping keeps the newest request.
type keeping struct {
	path string
	form url.Values
}

func (k *keeping) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	k.path = r.URL.Path
	if k.form, err = url.ParseQuery(string(body)); err != nil {
		return nil, err
	}
	return answers{200, `{}`}.RoundTrip(r)
}

const (
	number = "4111111111111111"
	masked = "411111******1111"
)

// Each action of both protocols is signed as a client signs that was written from the documents alone.
func TestSignatures(t *testing.T) {
	t.Parallel()
	card := s2sclient.TestCard("01", "2038")
	of := s2sclient.FollowUp
	plan := func(action string) s2sclient.Fields { return s2sclient.Schedule(action, "plan-1") }
	for _, row := range []struct {
		name string
		apm  bool
		form s2sclient.Fields
		kept s2sclient.Payment // what the other client knows of the payment
		of   *wire.Original
	}{
		{name: "SALE", form: s2sclient.Sale("o-1", "10.00", "USD", card)},
		{name: "SALE by token", form: s2sclient.SaleByToken("o-1", "10.00", "USD", "tok-1")},
		{name: "SALE by wallet", form: s2sclient.SaleByWallet("o-1", "10.00", "USD", "googlepay", "{}")},
		{name: "SALE by card, beside a wallet", form: s2sclient.Sale("o-1", "10.00", "USD", card).With("payment_token", "{}")},
		{name: "AUTH", form: s2sclient.Auth("o-1", "10.00", "USD", card)},
		{name: "DEBIT", form: s2sclient.Debit("o-1", "10.00", "USD", card)},
		{name: "CARD2CARD", form: s2sclient.Card2Card("o-1", "10.00", "USD", card, "5555555555554444")},
		{name: "CREDIT2CARD", form: s2sclient.Credit2Card("o-1", "10.00", "USD", number)},
		{name: "CREDIT2CARD by token", form: s2sclient.Credit2Card("o-1", "10.00", "USD", "").With("card_token", "tok-1",
			"payer_email", "doe@example.com")},
		{name: "CREATE_SCHEDULE", form: s2sclient.CreateSchedule("Monthly", "1", "month", "12")},
		{name: "UPDATE_SCHEDULE", form: plan("UPDATE_SCHEDULE")}, {name: "PAUSE_SCHEDULE", form: plan("PAUSE_SCHEDULE")},
		{name: "PAUSE", form: plan("PAUSE")}, {name: "RUN", form: plan("RUN")},
		{name: "RUN_SCHEDULE", form: plan("RUN_SCHEDULE")}, {name: "DELETE_SCHEDULE", form: plan("DELETE_SCHEDULE")},
		{name: "SCHEDULE_INFO", form: plan("SCHEDULE_INFO")}, {name: "DESCHEDULE", form: s2sclient.Deschedule("chain-1", "plan-1")},

		{name: "SALE", apm: true, form: s2sclient.SaleAPM("o-1", "10.00", "USD", "cup", "id-1")},
		{name: "DEBIT2VIRTUAL", apm: true, form: s2sclient.Debit2Virtual("o-1", "10.00", "USD", "cup", "id-1")},
		{name: "DEBIT2VIRTUAL_CALC", apm: true, form: s2sclient.Debit2VirtualCalc("o-1", "10.00", "USD", "cup", "id-1")},
		{name: "CREDIT2VIRTUAL", apm: true, form: s2sclient.Credit2Virtual("o-1", "10.00", "USD", "cup")},
		{name: "CREDIT2CRYPTO", apm: true, form: s2sclient.Credit2Crypto("o-1", "10.00", "USDT", "cup")},

		{name: "CAPTURE", form: of("CAPTURE", "t-1"), kept: onCard("SALE"), of: byCard},
		{name: "CREDITVOID", form: of("CREDITVOID", "t-1"), kept: onCard("SALE"), of: byCard},
		{name: "VOID", form: of("VOID", "t-1"), kept: onCard("SALE"), of: byMask},
		{name: "GET_TRANS_STATUS", form: of("GET_TRANS_STATUS", "t-1"), kept: onCard("SALE"), of: byCard},
		{name: "GET_TRANS_STATUS of a payout", form: of("GET_TRANS_STATUS", "t-1"), kept: onCard("CREDIT2CARD"), of: payout},
		{name: "GET_TRANS_DETAILS", form: of("GET_TRANS_DETAILS", "t-1"), kept: onCard("SALE"), of: byMask},
		{name: "GET_TRANS_DETAILS of a payout", form: of("GET_TRANS_DETAILS", "t-1"), kept: onCard("CREDIT2CARD"), of: payout},
		{name: "GET_TRANS_STATUS_BY_ORDER", form: s2sclient.StatusByOrder("o-1"), kept: onCard("SALE"), of: byCard},
		{name: "STOP_SCHEDULE", form: of("STOP_SCHEDULE", "t-1"), kept: onCard("SALE"), of: byCard},
		{name: "RETRY", form: of("RETRY", "t-1"), kept: onCard("SALE"), of: byCard},
		{name: "RECURRING_SALE", form: s2sclient.RecurringSale("o-2", "10.00", "t-1", "chain-1"), kept: onCard("SALE"), of: byCard},
		{name: "RECURRING_DEBIT", form: s2sclient.RecurringDebit("o-2", "10.00", "t-1", "chain-1"), kept: onCard("SALE"), of: byCard},

		{name: "CAPTURE", apm: true, form: of("CAPTURE", "t-1"), kept: onAPM()},
		{name: "CREDITVOID", apm: true, form: of("CREDITVOID", "t-1"), kept: onAPM()},
		{name: "VOID", apm: true, form: of("VOID", "t-1"), kept: onAPM()},
		{name: "DEBIT2VIRTUAL_COMPLETE", apm: true, form: of("DEBIT2VIRTUAL_COMPLETE", "t-1"), kept: onAPM()},
		{name: "GET_TRANS_STATUS", apm: true, form: of("GET_TRANS_STATUS", "t-1"), kept: onAPM()},
		{name: "GET_TRANS_DETAILS", apm: true, form: of("GET_TRANS_DETAILS", "t-1"), kept: onAPM()},
		{name: "GET_TRANS_STATUS_BY_ORDER", apm: true, form: s2sclient.StatusByOrder("o-1"), kept: onAPM(),
			of: &wire.Original{Email: "doe@example.com"}},
	} {
		for mode, sha256 := range map[string]bool{"MD5": false, "SHA-256": true} {
			path, protocol := "/post", "CARD "
			if row.apm {
				path, protocol = "/post-va", "APM "
			}
			t.Run(protocol+row.name+", "+mode, func(t *testing.T) {
				t.Parallel()
				other := &s2sclient.Client{URL: "https://pay.example" + path, Key: "k", Password: "a-Password-1", SHA256: sha256}
				other.Remember(row.kept)
				kept := &keeping{}
				shop, err := wire.New("https://pay.example", wire.Options{Key: "k", Password: store.NewSecret("a-Password-1"),
					SHA256: sha256, Transport: kept})
				require.NoError(t, err)
				send := shop.Card
				if row.apm {
					send = shop.APM
				}
				_, err = send(t.Context(), wire.Form(row.form), row.of)
				require.NoError(t, err)
				require.Equal(t, path, kept.path)
				want := url.Values{}
				for name, value := range other.Sign(row.form) {
					want.Set(name, value)
				}
				require.NotEmpty(t, want.Get("hash"))
				require.Equal(t, want, kept.form)
				require.Empty(t, row.form["hash"], "the caller's form stays as it is")
			})
		}
	}
}

var (
	byCard = &wire.Original{Email: "doe@example.com", Card: number}
	byMask = &wire.Original{Email: "doe@example.com", Card: masked}
	payout = &wire.Original{Email: "doe@example.com", Card: number, Payout: true}
)

func onCard(action string) s2sclient.Payment {
	return s2sclient.Payment{Protocol: s2sclient.CARD, Action: action, TransID: "t-1", OrderID: "o-1",
		Email: "doe@example.com", Card: number}
}

func onAPM() s2sclient.Payment {
	return s2sclient.Payment{Protocol: s2sclient.APM, Action: "SALE", TransID: "t-1", OrderID: "o-1",
		Email: "doe@example.com"}
}

// A sale, its status and its refund, and a sale by a method of a bank, over HTTP.
func TestS2S(t *testing.T) {
	inBothModes(t, store.S2SCard, func(t *testing.T, site *gatewaytest.Site, shop *wire.Client) {
		ctx := t.Context()
		a, err := shop.Card(ctx, wire.Form(s2sclient.Sale("ORD-1", "10.00", "USD", s2sclient.TestCard("01", "2038"))), nil)
		require.NoError(t, err)
		require.Equal(t, []string{"SUCCESS", "SETTLED", "10.00"},
			[]string{a.Text("result"), a.Text("status"), a.Text("amount")})
		id := a.Text("trans_id")
		a, err = shop.Card(ctx, wire.Form{"action": "GET_TRANS_STATUS", "trans_id": id}, byMask)
		require.NoError(t, err)
		require.Equal(t, "SETTLED", a.Text("status"))
		a, err = shop.Card(ctx, wire.Form{"action": "CREDITVOID", "trans_id": id, "amount": "4.00"}, byCard)
		require.NoError(t, err)
		require.Equal(t, "ACCEPTED", a.Text("result"))
		require.Equal(t, "4.00", site.Payment(t, "ORD-1").Refunded.String())
		another := &wire.Original{Email: "other@example.com", Card: number}
		_, err = shop.Card(ctx, wire.Form{"action": "VOID", "trans_id": id}, another)
		require.ErrorContains(t, err, "Hash is not valid")

		a, err = shop.Card(ctx, wire.Form(s2sclient.Sale("ORD-2", "10.00", "USD", s2sclient.TestCard("05", "2038"))), nil)
		require.NoError(t, err)
		next, ok := a.Redirect()
		require.True(t, ok, a.Body)
		require.True(t, strings.HasPrefix(next.URL, site.URL), next.URL)
		_, err = shop.Card(ctx, wire.Form{"action": "SELL"}, nil)
		require.EqualError(t, err, `wire: "SELL" is no action of S2S CARD`)
		_, err = shop.APM(ctx, wire.Form{"action": "AUTH"}, nil)
		require.EqualError(t, err, `wire: "AUTH" is no action of S2S APM`)
	})
}

// Whether a refund whose answer was lost is done or under way is told by GET_TRANS_DETAILS, not by the status.
func TestRefundThatIsUnsure(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		fault gatewaytest.Fault
		doubt bool
		known bool // by GET_TRANS_DETAILS
	}{
		"its answer is lost":            {gatewaytest.LoseAnswer(), false, true},
		"and it is in doubt":            {gatewaytest.LoseAnswer(), true, true},
		"it did not reach the platform": {gatewaytest.LoseRequest(), false, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			site := gatewaytest.Serve(t)
			ctx, shop := t.Context(), site.Wire(t)
			a, err := shop.Card(ctx, wire.Form(s2sclient.Sale("ORD-1", "10.00", "USD", s2sclient.TestCard("01", "2038"))), nil)
			require.NoError(t, err)
			id := a.Text("trans_id")
			if row.doubt {
				site.Vcard.Next(vcard.UnknownAfter())
			}
			site.Next(row.fault)
			_, err = shop.Card(ctx, wire.Form{"action": "CREDITVOID", "trans_id": id, "amount": "4.00"}, byCard)
			require.ErrorIs(t, err, wire.ErrUnsure)
			a, err = shop.Card(ctx, wire.Form{"action": "GET_TRANS_DETAILS", "trans_id": id}, byCard)
			require.NoError(t, err)
			require.Equal(t, row.known, a.Text("transactions", "1", "type") == "REFUND", a.Body)
		})
	}
}
