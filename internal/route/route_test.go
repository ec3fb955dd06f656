package route_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/internal/route"
	"github.com/tollgatepay/gateway/store"
)

func account(id string, change func(*route.Account)) route.Account {
	a := route.Account{MID: store.MID{ID: id}, Holds: true, ZeroAmount: true}
	if change != nil {
		change(&a)
	}
	return a
}

func sale(change func(*route.Request)) route.Request {
	r := route.Request{Kind: store.Purchase, Method: "card", Currency: "USD"}
	if change != nil {
		change(&r)
	}
	return r
}

// SPEC1, "Routing by the purchase parameter auth".
func TestModeByAuth(t *testing.T) {
	t.Parallel()
	mids := []route.Account{
		account("dms", func(a *route.Account) { a.Mode = store.DMS }),
		account("either", func(a *route.Account) { a.Mode = store.SMSDMS }),
		account("none", nil),
		account("sms", func(a *route.Account) { a.Mode = store.SMS }),
	}
	cases := []struct {
		name string
		hold bool
		op   store.Operation
		want []string
	}{
		{"auth false", false, store.OpSale, []string{"either", "none", "sms"}},
		{"auth true", true, store.OpAuth, []string{"dms", "either", "none"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, why := route.Choose(sale(func(r *route.Request) { r.Hold = c.hold }), mids)
			require.Equal(t, route.None, why)
			var ids []string
			for _, candidate := range got {
				ids = append(ids, candidate.ID)
				require.Equal(t, c.op, candidate.Operation)
			}
			require.Equal(t, c.want, ids)
		})
	}
}

func barred(why route.Refusal) func(*route.Request) { return func(r *route.Request) { r.Barred = why } }

func TestRefusals(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name string
		req  route.Request
		mid  *route.Account
		want route.Refusal
	}{
		{"no MID at all", sale(nil), nil, route.NoMID},
		{"disabled", sale(nil), new(account("a", func(a *route.Account) { a.Disabled = true })), route.NoMID},
		{"live key, test MID", sale(nil), new(account("a", func(a *route.Account) { a.Test = true })), route.UseTestKey},
		{"test key, live MID", sale(func(r *route.Request) { r.Test = true }), new(account("a", nil)), route.NoMID},
		{"other channel", sale(func(r *route.Request) { r.ChannelID = "x" }), new(account("a", nil)), route.NoChannel},
		{"live key, channel of a test MID", sale(func(r *route.Request) { r.ChannelID = "test" }), new(account("a", func(a *route.Account) { a.ChannelID = "t" })), route.UseTestKey},
		{"test key, channel of a live MID", sale(func(r *route.Request) { r.Test, r.ChannelID = true, "t" }), new(account("a", func(a *route.Account) { a.ChannelID = "t" })), route.NoChannel},
		{"method of no MID", sale(nil), new(account("a", func(a *route.Account) { a.Methods = []string{"ips"} })), route.MethodNotFound},
		{"method of another MID", sale(func(r *route.Request) { r.ChannelID = "x" }), new(account("a", func(a *route.Account) { a.Methods, a.ChannelID = []string{"ips"}, "x" })), route.NoMethod},
		{"method of a MID of the other key", sale(nil), new(account("a", func(a *route.Account) { a.Methods, a.ChannelID = []string{"ips"}, "t" })), route.MethodNotFound},
		{"unknown method", sale(barred(route.MethodNotFound)), new(account("a", nil)), route.MethodNotFound},
		{"unknown method that a MID names", sale(barred(route.MethodNotFound)), new(account("a", func(a *route.Account) { a.Methods = []string{"card"} })), route.MethodNotFound},
		{"method of another protocol", sale(barred(route.NoMethod)), new(account("a", nil)), route.NoMethod},
		{"method of another protocol and of no MID", sale(barred(route.NoMethod)), new(account("a", func(a *route.Account) { a.Methods = []string{"ips"} })), route.MethodNotFound},
		{"operation of no MID", sale(nil), new(account("a", func(a *route.Account) { a.Operations = []store.Operation{store.OpCredit} })), route.ActionNotFound},
		{"operation of another MID", sale(func(r *route.Request) { r.ChannelID = "x" }), new(account("a", func(a *route.Account) { a.Operations, a.ChannelID = []store.Operation{store.OpCredit}, "x" })), route.NoAction},
		{"operation that the method does not serve", sale(barred(route.NoAction)), new(account("a", nil)), route.NoAction},
		{"currency that the method does not take", sale(barred(route.NoCurrency)), new(account("a", nil)), route.NoCurrency},
		{"other currency", sale(nil), new(account("a", func(a *route.Account) { a.Currencies = []string{"EUR"} })), route.NoCurrency},
		{"hold on SMS", sale(func(r *route.Request) { r.Hold = true }), new(account("a", func(a *route.Account) { a.Mode = store.SMS })), route.TypeNotFound},
		{"hold on SMS, where another MID holds", sale(func(r *route.Request) { r.Hold, r.ChannelID = true, "x" }), new(account("a", func(a *route.Account) { a.Mode, a.ChannelID = store.SMS, "x" })), route.NoType},
		{"hold on a connector without holds", sale(func(r *route.Request) { r.Hold = true }), new(account("a", func(a *route.Account) { a.Holds = false })), route.TypeNotFound},
		{"brand", sale(func(r *route.Request) { r.Brand = store.Visa }), new(account("a", func(a *route.Account) { a.Brands = []store.Brand{store.Amex} })), route.BrandNotFound},
		{"brand of another MID", sale(func(r *route.Request) { r.Brand, r.ChannelID = store.Visa, "x" }), new(account("a", func(a *route.Account) { a.Brands, a.ChannelID = []store.Brand{store.Amex}, "x" })), route.NoBrand},
		{"MOTO", sale(func(r *route.Request) { r.MOTO = true }), new(account("a", nil)), route.NoMOTO},
		{"zero amount", sale(func(r *route.Request) { r.Zero = true }), new(account("a", nil)), route.NoZeroValue},
	}
	told := map[route.Refusal]bool{}
	for _, c := range cases {
		told[c.want] = true
	}
	for _, refusal := range route.Refusals() {
		require.True(t, told[refusal], "no case for %q", refusal)
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var mids []route.Account
			if c.mid != nil {
				mids = []route.Account{*c.mid}
			}
			if c.mid != nil && c.mid.ChannelID == "t" {
				mids = append(mids, account("b", func(a *route.Account) { a.Test, a.ChannelID = true, "test" }))
			}
			if c.mid != nil && c.mid.ChannelID == "x" { // a MID that does not fit stands beside one that would
				mids = append(mids, account("b", func(a *route.Account) { a.Disabled = true }))
			}
			got, why := route.Choose(c.req, mids)
			require.Equal(t, c.want, why)
			require.Empty(t, got)
		})
	}
}

// Decision s: a DMS MID that is chosen in another way authorizes.
func TestDMSReachedAnotherWay(t *testing.T) {
	t.Parallel()
	dms := []route.Account{account("dms", func(a *route.Account) { a.Mode, a.ChannelID = store.DMS, "c1" })}
	for _, r := range []route.Request{
		sale(func(r *route.Request) { r.ChannelID = "c1" }),
		sale(func(r *route.Request) { r.Kind = store.Debit }),
	} {
		got, why := route.Choose(r, dms)
		require.Equal(t, route.None, why)
		require.Equal(t, store.OpAuth, got[0].Operation)
	}
}

func TestPriorityThenID(t *testing.T) {
	t.Parallel()
	got, _ := route.Choose(sale(nil), []route.Account{
		account("b", nil), account("c", func(a *route.Account) { a.Priority = -1 }), account("a", nil)})
	require.Equal(t, "c", got[0].ID)
	require.Equal(t, "a", got[1].ID)
	require.Equal(t, "b", got[2].ID)
}

func TestEveryKindHasACharge(t *testing.T) {
	t.Parallel()
	for _, kind := range store.Kinds() {
		require.NotEmpty(t, route.Charge(kind), kind)
	}
}

func TestDisabledLiveMIDBesideATestMID(t *testing.T) {
	t.Parallel()
	_, why := route.Choose(sale(nil), []route.Account{
		account("live", func(a *route.Account) { a.Disabled = true }), account("test", func(a *route.Account) { a.Test = true })})
	require.Equal(t, route.NoMID, why, "the live key is the right one; its MID is switched off")
}

// A refusal is later if the request passed more filters.
func TestLaterRefusals(t *testing.T) {
	t.Parallel()
	order := []route.Refusal{route.None, route.NoMID, route.UseTestKey, route.NoChannel, route.MethodNotFound,
		route.NoMethod, route.ActionNotFound, route.NoAction, route.NoCurrency, route.BrandNotFound, route.NoBrand,
		route.TypeNotFound, route.NoType, route.NoMOTO, route.NoZeroValue}
	require.Len(t, order, len(route.Refusals())+1)
	for i, why := range order {
		for j, than := range order {
			require.Equal(t, i > j, why.Later(than), "%q later than %q", why, than)
		}
	}
}
