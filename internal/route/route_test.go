package route

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store"
)

func account(id string, change func(*Account)) Account {
	a := Account{MID: store.MID{ID: id}, Holds: true, ZeroAmount: true}
	if change != nil {
		change(&a)
	}
	return a
}

func sale(change func(*Request)) Request {
	r := Request{Kind: store.Purchase, Method: "card", Currency: "USD"}
	if change != nil {
		change(&r)
	}
	return r
}

// SPEC1, "Routing by the purchase parameter auth".
func TestModeByAuth(t *testing.T) {
	t.Parallel()
	mids := []Account{
		account("dms", func(a *Account) { a.Mode = store.DMS }),
		account("either", func(a *Account) { a.Mode = store.SMSDMS }),
		account("none", nil),
		account("sms", func(a *Account) { a.Mode = store.SMS }),
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
			got, why := Choose(sale(func(r *Request) { r.Hold = c.hold }), mids)
			require.Equal(t, None, why)
			var ids []string
			for _, candidate := range got {
				ids = append(ids, candidate.ID)
				require.Equal(t, c.op, candidate.Operation)
			}
			require.Equal(t, c.want, ids)
		})
	}
}

func barred(why Refusal) func(*Request) { return func(r *Request) { r.Barred = why } }

func TestRefusals(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name string
		req  Request
		mid  *Account
		want Refusal
	}{
		{"no MID at all", sale(nil), nil, NoMID},
		{"disabled", sale(nil), new(account("a", func(a *Account) { a.Disabled = true })), NoMID},
		{"live key, test MID", sale(nil), new(account("a", func(a *Account) { a.Test = true })), UseTestKey},
		{"test key, live MID", sale(func(r *Request) { r.Test = true }), new(account("a", nil)), NoMID},
		{"other channel", sale(func(r *Request) { r.ChannelID = "x" }), new(account("a", nil)), NoChannel},
		{"live key, channel of a test MID", sale(func(r *Request) { r.ChannelID = "test" }), new(account("a", func(a *Account) { a.ChannelID = "t" })), UseTestKey},
		{"test key, channel of a live MID", sale(func(r *Request) { r.Test, r.ChannelID = true, "t" }), new(account("a", func(a *Account) { a.ChannelID = "t" })), NoChannel},
		{"method of no MID", sale(nil), new(account("a", func(a *Account) { a.Methods = []string{"ips"} })), MethodNotFound},
		{"method of another MID", sale(func(r *Request) { r.ChannelID = "x" }), new(account("a", func(a *Account) { a.Methods, a.ChannelID = []string{"ips"}, "x" })), NoMethod},
		{"method of a MID of the other key", sale(nil), new(account("a", func(a *Account) { a.Methods, a.ChannelID = []string{"ips"}, "t" })), MethodNotFound},
		{"unknown method", sale(barred(MethodNotFound)), new(account("a", nil)), MethodNotFound},
		{"unknown method that a MID names", sale(barred(MethodNotFound)), new(account("a", func(a *Account) { a.Methods = []string{"card"} })), MethodNotFound},
		{"method of another protocol", sale(barred(NoMethod)), new(account("a", nil)), NoMethod},
		{"method of another protocol and of no MID", sale(barred(NoMethod)), new(account("a", func(a *Account) { a.Methods = []string{"ips"} })), MethodNotFound},
		{"operation of no MID", sale(nil), new(account("a", func(a *Account) { a.Operations = []store.Operation{store.OpCredit} })), ActionNotFound},
		{"operation of another MID", sale(func(r *Request) { r.ChannelID = "x" }), new(account("a", func(a *Account) { a.Operations, a.ChannelID = []store.Operation{store.OpCredit}, "x" })), NoAction},
		{"operation that the method does not serve", sale(barred(NoAction)), new(account("a", nil)), NoAction},
		{"currency that the method does not take", sale(barred(NoCurrency)), new(account("a", nil)), NoCurrency},
		{"other currency", sale(nil), new(account("a", func(a *Account) { a.Currencies = []string{"EUR"} })), NoCurrency},
		{"hold on SMS", sale(func(r *Request) { r.Hold = true }), new(account("a", func(a *Account) { a.Mode = store.SMS })), TypeNotFound},
		{"hold on SMS, where another MID holds", sale(func(r *Request) { r.Hold, r.ChannelID = true, "x" }), new(account("a", func(a *Account) { a.Mode, a.ChannelID = store.SMS, "x" })), NoType},
		{"hold on a connector without holds", sale(func(r *Request) { r.Hold = true }), new(account("a", func(a *Account) { a.Holds = false })), TypeNotFound},
		{"brand", sale(func(r *Request) { r.Brand = store.Visa }), new(account("a", func(a *Account) { a.Brands = []store.Brand{store.Amex} })), BrandNotFound},
		{"brand of another MID", sale(func(r *Request) { r.Brand, r.ChannelID = store.Visa, "x" }), new(account("a", func(a *Account) { a.Brands, a.ChannelID = []store.Brand{store.Amex}, "x" })), NoBrand},
		{"MOTO", sale(func(r *Request) { r.MOTO = true }), new(account("a", nil)), NoMOTO},
		{"zero amount", sale(func(r *Request) { r.Zero = true }), new(account("a", nil)), NoZeroValue},
	}
	told := map[Refusal]bool{}
	for _, c := range cases {
		told[c.want] = true
	}
	for _, refusal := range Refusals() {
		require.True(t, told[refusal], "no case for %q", refusal)
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var mids []Account
			if c.mid != nil {
				mids = []Account{*c.mid}
			}
			if c.mid != nil && c.mid.ChannelID == "t" {
				mids = append(mids, account("b", func(a *Account) { a.Test, a.ChannelID = true, "test" }))
			}
			if c.mid != nil && c.mid.ChannelID == "x" { // a MID that does not fit stands beside one that would
				mids = append(mids, account("b", func(a *Account) { a.Disabled = true }))
			}
			got, why := Choose(c.req, mids)
			require.Equal(t, c.want, why)
			require.Empty(t, got)
		})
	}
}

// Decision s: a DMS MID that is chosen in another way authorizes.
func TestDMSReachedAnotherWay(t *testing.T) {
	t.Parallel()
	dms := []Account{account("dms", func(a *Account) { a.Mode, a.ChannelID = store.DMS, "c1" })}
	for _, r := range []Request{
		sale(func(r *Request) { r.ChannelID = "c1" }),
		sale(func(r *Request) { r.Kind = store.Debit }),
	} {
		got, why := Choose(r, dms)
		require.Equal(t, None, why)
		require.Equal(t, store.OpAuth, got[0].Operation)
	}
}

func TestPriorityThenID(t *testing.T) {
	t.Parallel()
	got, _ := Choose(sale(nil), []Account{
		account("b", nil), account("c", func(a *Account) { a.Priority = -1 }), account("a", nil)})
	require.Equal(t, "c", got[0].ID)
	require.Equal(t, "a", got[1].ID)
	require.Equal(t, "b", got[2].ID)
}

func TestEveryKindHasACharge(t *testing.T) {
	t.Parallel()
	for _, kind := range store.Kinds() {
		require.NotEmpty(t, charges[kind], kind)
	}
}

func TestDisabledLiveMIDBesideATestMID(t *testing.T) {
	t.Parallel()
	_, why := Choose(sale(nil), []Account{
		account("live", func(a *Account) { a.Disabled = true }), account("test", func(a *Account) { a.Test = true })})
	require.Equal(t, NoMID, why, "the live key is the right one; its MID is switched off")
}

// A refusal is later if the request passed more filters.
func TestLaterRefusals(t *testing.T) {
	t.Parallel()
	order := []Refusal{None, NoMID, UseTestKey, NoChannel, MethodNotFound, NoMethod, ActionNotFound, NoAction, NoCurrency,
		BrandNotFound, NoBrand, TypeNotFound, NoType, NoMOTO, NoZeroValue}
	require.Len(t, order, len(Refusals())+1)
	for i, why := range order {
		for j, than := range order {
			require.Equal(t, i > j, why.Later(than), "%q later than %q", why, than)
		}
	}
}
