package once_test

import (
	"bytes"
	"context"
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
	"github.com/tollgatepay/gateway/store/memory"
)

// Wherever the store fails or the process dies, the request that is repeated afterwards makes nothing twice.
func TestFaults(t *testing.T) {
	t.Parallel()
	for _, v := range verbs {
		for _, mode := range []string{"error", "again", "unknown", "lost", "crash", "crash after"} {
			t.Run(v.name+", "+mode, func(t *testing.T) {
				t.Parallel()
				for n := 1; faultAt(t, v, mode, n); n++ {
					require.Less(t, n, 20)
				}
			})
		}
	}
}

// faultAt lets the n-th transaction of a request fail, and repeats the request. It reports whether there was one.
func faultAt(t *testing.T, v making, mode string, n int) bool {
	t.Helper()
	data, by := memory.New(), &kerneltest.Fault{Port: "store", Mode: mode, N: n}
	kit := gatewaytest.On(t, kerneltest.FaultyStore{Store: data, By: by})
	call := v.ready(t, kit)
	by.Armed = true
	done, err := call(t.Context(), kit.Shop().Once("k-1"), first)
	by.Armed = false
	later := kit
	if strings.HasPrefix(mode, "crash") && by.Fired {
		later = kit.Twin(t, func(c *gateway.Config) { c.Store = data })
		later.Store = data
	}
	made := repeated(t, later, call, first)
	if err == nil {
		require.Equal(t, before(done), before(made))
	}
	later.Work(t)
	require.Equal(t, before(made), before(repeated(t, later, call, first)))
	require.Len(t, kerneltest.KeysUnder(t, data, "ik"), 1)
	kerneltest.Audit(t, later)
	return by.Fired
}

// A payer's redirect is returned to the caller who repeats the request, and leads to the end of the payment.
func TestRedirectAgain(t *testing.T) {
	t.Parallel()
	for name, twin := range map[string]bool{"the same process": false, "another process": true} {
		kit := gatewaytest.New(t)
		r := kerneltest.ChargeOf("ORD-1", gatewaytest.ThreeDSPasses)
		sent, err := kit.Shop().Once("k-1").Charge(t.Context(), r)
		require.NoError(t, err, name)
		require.NotNil(t, sent.Redirect, name)
		later := kit
		if twin {
			later = kit.Twin(t)
		}
		again, err := later.Shop().Once("k-1").Charge(t.Context(), r)
		require.NoError(t, err, name)
		require.Equal(t, sent.Redirect, again.Redirect, name)
		later.ComeBack(t, again.Redirect)
		done, err := kit.Shop().Once("k-1").Charge(t.Context(), r)
		require.NoError(t, err, name)
		require.Equal(t, store.Settled, done.Payment.Status, name)
		require.Nil(t, done.Redirect, name)
	}
}

// A page of ours that shows a code, or asks for one, is returned again too.
func TestPageAgain(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		option gatewaytest.Option
		via    func(*gateway.ChargeRequest)
	}{
		"shows a QR code": {func(*gateway.Config) {}, kerneltest.ViaIPS},
		"asks":            {kerneltest.AsksForCode(kerneltest.Approves).Option, kerneltest.ViaAPM},
	} {
		kit := gatewaytest.New(t, c.option)
		r := kerneltest.ChargeOf("ORD-1", methods.Card{}, c.via, kerneltest.GoesBack)
		sent, err := kit.Shop().Once("k-1").Charge(t.Context(), r)
		require.NoError(t, err, name)
		require.NotNil(t, sent.Redirect, name)
		again, err := kit.Twin(t).Shop().Once("k-1").Charge(t.Context(), r)
		require.NoError(t, err, name)
		require.Equal(t, sent.Redirect, again.Redirect, name)
		next := kerneltest.NextActionOf(t, kit, kerneltest.PageToken(t, again.Redirect.URL))
		require.Contains(t, []gateway.ActionKind{gateway.ActionDisplay, gateway.ActionPrompt}, next.Kind, name)
	}
}

// The store has no secret of a link, and neither the key nor the card of a request with a key in plain.
func TestStoreHasNoSecret(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	page, err := kit.Shop().Once("page").CreateSession(t.Context(), gatewaytest.Request("PAGE", "4.00"))
	require.NoError(t, err)
	card := kerneltest.CanaryCard(t, 5, 2038)
	sent, err := kit.Shop().Once("charge").Charge(t.Context(), kerneltest.ChargeOf("ORD-1", card))
	require.NoError(t, err)
	require.NotNil(t, sent.Redirect)
	secret := page.RedirectURL[len(page.RedirectURL)-20:]
	require.NoError(t, kit.Store.View(t.Context(), func(r store.Reader) error {
		for entry := range r.Scan(store.Range{Limit: kerneltest.Everything}) {
			require.NoError(t, entry.Err)
			for _, hidden := range [][]byte{[]byte(secret), []byte(card.PAN.Digits())} {
				require.False(t, bytes.Contains(entry.Key, hidden) || bytes.Contains(entry.Value, hidden), "%q", entry.Key)
			}
		}
		return nil
	}))
}

// Two records of one key provider have links of their own.
func TestLinksDiffer(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	for _, key := range []string{"a", "b"} {
		_, err := kit.Shop().Once(key).CreateSession(t.Context(), gatewaytest.Request("PAGE-"+key, "4.00"))
		require.NoError(t, err)
	}
	hashes := map[string]bool{}
	for _, s := range kerneltest.ReadBooks(t, kit).Sessions {
		hashes[s.TokenHash] = true
	}
	require.Len(t, hashes, 2)
}

// overtaken is a store in which something else is done between what a request has read and what it writes.
type overtaken struct {
	store.Store
	by *func()
}

func (s overtaken) Update(ctx context.Context, fn func(store.Tx) error) error {
	if by := *s.by; by != nil {
		*s.by = nil
		by()
	}
	return s.Store.Update(ctx, fn)
}

// A request that another one overtakes makes nothing: it returns what the other has made, or is told that it differs.
func TestOvertakenRequest(t *testing.T) {
	t.Parallel()
	for _, v := range verbs {
		for name, amount := range map[string]string{"the same": first, "another": second} {
			t.Run(v.name+", "+name, func(t *testing.T) {
				t.Parallel()
				var by func()
				kit := gatewaytest.New(t)
				slow := kit.Twin(t, func(c *gateway.Config) { c.Store = overtaken{c.Store, &by} })
				call := v.ready(t, kit)
				var made string
				by = func() { made = repeated(t, kit, call, amount) }
				got, err := call(t.Context(), slow.Shop().Once("k-1"), first)
				require.NotEmpty(t, made)
				if amount != first {
					require.ErrorIs(t, err, gateway.ErrKeyUsed)
				} else {
					require.NoError(t, err)
					require.Equal(t, made, got)
				}
				require.Len(t, kerneltest.KeysUnder(t, kit.Store, "ik"), 1)
				kerneltest.Audit(t, kit)
			})
		}
	}
}

// What is made already is found before the request is checked: the quoter is not asked again, and a card that has
// expired since is no fault.
func TestFoundBeforeItIsChecked(t *testing.T) {
	t.Parallel()
	asked := 0
	kit := gatewaytest.New(t, func(c *gateway.Config) { c.Quoter = counting{&asked} })
	kit.Clock.Set(time.Date(2027, 3, 31, 23, 0, 0, 0, time.UTC))
	call := charging(gatewaytest.Card(3, 2027))
	made := repeated(t, kit, call, first)
	require.Equal(t, made, repeated(t, kit, call, first))
	kit.Clock.Set(kit.Clock.Now().Add(20 * time.Hour))
	_, err := call(t.Context(), kit.Shop(), first)
	require.ErrorIs(t, err, gateway.ErrInvalid, "the card has expired")
	require.Equal(t, before(made), before(repeated(t, kit, call, first)))
	require.Equal(t, 1, asked)
}

// counting is a host's quoter that quotes nothing.
type counting struct{ asked *int }

func (q counting) Quote(context.Context, gateway.QuoteRequest) (gateway.Quote, error) {
	*q.asked++
	return gateway.Quote{}, nil
}

// A retry with a key keeps the chain on the schedule that it moves to.
func TestRetryKeepsItsClaims(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	set, err := kit.Shop().CreateSchedule(t.Context(), kerneltest.Monthly())
	require.NoError(t, err)
	chain := kerneltest.Charged(t, kit, "CHAIN", gatewaytest.Settles, kerneltest.BeginsChain).Payment
	kit.Vcard.Next(vcard.SoftDecline("Insufficient funds"), vcard.Pending())
	joins := func(r *gateway.RecurRequest) { r.ScheduleID = set.ID }
	later := kerneltest.Recurred(t, kit, kerneltest.LaterOf(chain, "LATER", joins))
	_, err = kit.Shop().Once("k-1").Retry(t.Context(), kerneltest.RetryOf(later.Payment))
	require.NoError(t, err)
	require.ErrorIs(t, kit.Shop().DeleteSchedule(t.Context(), set.ID), gateway.ErrSchedule)
}
