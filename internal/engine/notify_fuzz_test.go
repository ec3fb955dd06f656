package engine_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/methods"
)

// FuzzNotify sends notifications to arbitrary links with arbitrary signatures and bodies, and the genuine
// notifications of three payments to each link, repeatedly: nothing stored changes. One payment is paid, one
// is declined, and one waits for a payer at their bank.
func FuzzNotify(f *testing.F) {
	kit, spy := kerneltest.Spied(f, kerneltest.Powers(true, time.Minute), true)
	var links []string
	var notes []methods.Note
	for i, card := range []methods.Card{gatewaytest.Settles, gatewaytest.Declines, gatewaytest.ThreeDSPasses} {
		order := "ORD-" + string(rune('1'+i))
		kit.Pay(f, kit.Session(f, order, "10.00"), card)
		op := spy.Sends(kit.Payment(f, order).Transactions[0].ID)[0]
		link, ok := strings.CutPrefix(op.NotificationURL, gatewaytest.PublicURL+"/notify/")
		require.True(f, ok)
		note, err := kit.Vcard.Notify(f.Context(), op.Key)
		require.NoError(f, err)
		links, notes = append(links, link), append(notes, note)
	}
	before := kerneltest.ReadBooks(f, kit)
	for i := range 3 {
		for j := range 4 {
			f.Add(uint8(i), "", uint8(j), "", []byte(nil), "POST")
		}
		f.Add(uint8(i), "", uint8(3), notes[(i+1)%3].Header["Vcard-Signature"][0], notes[i].Body, "POST")
		f.Add(uint8(i), "", uint8(i), "", []byte(nil), "GET")
	}
	f.Add(uint8(3), links[0]+"x", uint8(0), "", []byte(nil), "POST")
	f.Add(uint8(3), links[0][:len(links[0])-1], uint8(0), "", []byte(nil), "POST")
	f.Add(uint8(3), "../"+links[0], uint8(0), "", []byte(nil), "POST")
	f.Add(uint8(2), "", uint8(3), "0", []byte(`{"state":"approved","key":"tg-x"}`), "POST")
	f.Fuzz(func(t *testing.T, to uint8, link string, which uint8, signature string, body []byte, method string) {
		if to %= 4; to < 3 {
			link = links[to]
		}
		note := methods.Note{Method: method, Header: map[string][]string{"Vcard-Signature": {signature}}, Body: body}
		if which %= 4; which < 3 {
			note = notes[which]
			note.Method = method
		}
		err := kit.Notify(t.Context(), link, note)
		if !slices.Contains(links, link) {
			require.ErrorIs(t, err, gateway.ErrNoSession)
		} else {
			require.NoError(t, err, "the acquirer is not asked to try again")
		}
		after := kerneltest.ReadBooks(t, kit)
		if link == links[2] && which == 2 { // the acquirer reports that it still waits, which is only noted
			for i := range after.Payments {
				after.Payments[i].Version, after.Payments[i].UpdatedAt = before.Payments[i].Version, before.Payments[i].UpdatedAt
				before.Payments[i].Transactions = after.Payments[i].Transactions
				before.Payments[i].Payment.Transactions = after.Payments[i].Payment.Transactions
			}
			before.Transactions = after.Transactions
		}
		require.Equal(t, before.Payments, after.Payments)
		require.Equal(t, before.Transactions, after.Transactions)
		require.Equal(t, before.Callbacks, after.Callbacks)
		require.Equal(t, before.Ledger, after.Ledger)
		before = kerneltest.ReadBooks(t, kit)
	})
}
