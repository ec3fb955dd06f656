package once_test

import (
	"cmp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
)

// atEveryVerb runs a test for each verb that creates something.
func atEveryVerb(t *testing.T, test func(*testing.T, *gatewaytest.Kit, making, calling)) {
	t.Helper()
	t.Parallel()
	for _, v := range verbs {
		t.Run(v.name, func(t *testing.T) {
			t.Parallel()
			kit := gatewaytest.New(t)
			test(t, kit, v, v.ready(t, kit))
		})
	}
}

// repeated makes a request with the key "k-1".
func repeated(t *testing.T, kit *gatewaytest.Kit, call calling, amount string) string {
	t.Helper()
	made, err := call(t.Context(), kit.Shop().Once("k-1"), amount)
	require.NoError(t, err)
	return made
}

// The same request with the same key makes nothing more, at once, later, and in another process.
func TestRepeatedRequest(t *testing.T) {
	atEveryVerb(t, func(t *testing.T, kit *gatewaytest.Kit, _ making, call calling) {
		made := repeated(t, kit, call, first)
		records, calls := kerneltest.CountRecords(t, kit.Store), len(kit.Charges(t))
		require.Equal(t, made, repeated(t, kit, call, first), "at once")
		kit.Clock.Set(kit.Clock.Now().Add(gateway.DuplicateWindow))
		require.Equal(t, made, repeated(t, kit, call, first), "after the window of an order number")
		require.Equal(t, made, repeated(t, kit.Twin(t), call, first), "in another process")
		kit.Clock.Set(kit.Clock.Now().Add(23 * time.Hour))
		require.Equal(t, before(made), before(repeated(t, kit, call, first)), "the next day")
		require.Equal(t, records, kerneltest.CountRecords(t, kit.Store))
		require.Len(t, kit.Charges(t), calls, "the acquirer was asked once")
	})
}

// before is what was made, without what may change: its links end.
func before(made string) string { return strings.Join(strings.Fields(made)[:2], " ") }

// beginning is what was made, by its first attempt: a caller who asks while a cascade goes on has the attempt that is
// under way by then. An attempt that was followed by another is never an answer's end.
func beginning(t *testing.T, kit *gatewaytest.Kit, made string) string {
	t.Helper()
	id := strings.Fields(made)[0]
	p, err := records.Read(t.Context(), kit.Store, records.Payments, id)
	if records.Absent(err) {
		return id
	}
	require.NoError(t, err)
	if p.Next != "" {
		require.NotContains(t, strings.Fields(made), string(store.Fail), "the cascade goes on")
	}
	return cmp.Or(p.Cascade, p.ID)
}

// Without a key the same request makes another, or is refused: the key is what makes the difference.
func TestRequestWithoutKey(t *testing.T) {
	atEveryVerb(t, func(t *testing.T, kit *gatewaytest.Kit, v making, call calling) {
		made := repeated(t, kit, call, first)
		kit.Clock.Set(kit.Clock.Now().Add(gateway.DuplicateWindow))
		again, err := call(t.Context(), kit.Shop(), first)
		if !v.twice {
			require.Error(t, err)
			return
		}
		require.NoError(t, err)
		require.NotEqual(t, made, again)
	})
}

// Another request with the key is refused and makes nothing, and the first one still has it.
func TestAnotherRequest(t *testing.T) {
	atEveryVerb(t, func(t *testing.T, kit *gatewaytest.Kit, _ making, call calling) {
		made := repeated(t, kit, call, first)
		records := kerneltest.CountRecords(t, kit.Store)
		_, err := call(t.Context(), kit.Shop().Once("k-1"), second)
		require.ErrorIs(t, err, gateway.ErrKeyUsed)
		require.Equal(t, refusal.Duplicate, refusal.AsError(err).Kind())
		require.Equal(t, records, kerneltest.CountRecords(t, kit.Store))
		require.Equal(t, made, repeated(t, kit, call, first))
	})
}

// Another verb with the same fields is another request.
func TestAnotherVerb(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	p := kerneltest.Charged(t, kit, "PAID", gatewaytest.Settles).Payment
	shop := kit.Shop().Once("k-1")
	_, err := shop.CreditVoid(t.Context(), kerneltest.FollowUpOf(p, "4.00"))
	require.NoError(t, err)
	_, err = shop.Capture(t.Context(), kerneltest.FollowUpOf(p, "4.00"))
	require.ErrorIs(t, err, gateway.ErrKeyUsed)
}

// Many callers at once with one key make one.
func TestRequestsAtOnce(t *testing.T) {
	atEveryVerb(t, func(t *testing.T, kit *gatewaytest.Kit, _ making, call calling) {
		const callers = 8
		var all sync.WaitGroup
		list, faults := make([]string, callers), make([]error, callers)
		for i := range callers {
			all.Go(func() { list[i], faults[i] = call(t.Context(), kit.Shop().Once("k-1"), first) })
		}
		all.Wait()
		last := repeated(t, kit, call, first)
		for i := range callers {
			require.NoError(t, faults[i])
			require.Equal(t, beginning(t, kit, last), beginning(t, kit, list[i]), "all have the same")
		}
		require.Len(t, kerneltest.KeysUnder(t, kit.Store, "ik"), 1)
		kerneltest.Audit(t, kit)
	})
}

// Of several requests at once with one key, those that differ from the one that was made are told so.
func TestRequestsThatDifferAtOnce(t *testing.T) {
	atEveryVerb(t, func(t *testing.T, kit *gatewaytest.Kit, _ making, call calling) {
		var all sync.WaitGroup
		list, faults := make([]string, 8), make([]error, 8)
		for i := range list {
			all.Go(func() { list[i], faults[i] = call(t.Context(), kit.Shop().Once("k-1"), []string{first, second}[i%2]) })
		}
		all.Wait()
		made := map[string]bool{}
		for i, err := range faults {
			if err == nil {
				made[beginning(t, kit, list[i])] = true
			}
		}
		require.Len(t, made, 1)
		require.Len(t, kerneltest.KeysUnder(t, kit.Store, "ik"), 1)
	})
}

// A key is free again after 24 hours, and its record is deleted.
func TestKeyEnds(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	call := charging(gatewaytest.Settles)
	made := repeated(t, kit, call, first)
	kit.Clock.Set(kit.Clock.Now().Add(24*time.Hour - time.Second))
	require.Equal(t, made, repeated(t, kit, call, first))
	kit.Clock.Set(kit.Clock.Now().Add(time.Second))
	other := repeated(t, kit, call, second)
	require.NotEqual(t, before(made), before(other))
	require.Equal(t, other, repeated(t, kit, call, second))
	require.Len(t, kerneltest.KeysUnder(t, kit.Store, "ik"), 1)
	kit.Advance(t, 48*time.Hour)
	require.Empty(t, kerneltest.KeysUnder(t, kit.Store, "ik"))
}

// A merchant's live and test traffic have keys of their own, and so has every merchant.
func TestKeyOfAnother(t *testing.T) {
	atEveryVerb(t, func(t *testing.T, kit *gatewaytest.Kit, v making, call calling) {
		made := repeated(t, kit, call, first)
		kerneltest.SaveOtherMerchant(t, kit)
		for _, other := range []string{gatewaytest.TestKey, kerneltest.OtherKey} {
			again, err := call(t.Context(), kit.Merchant(other).Once("k-1"), first)
			require.NotErrorIs(t, err, gateway.ErrKeyUsed, other)
			require.NotEqual(t, made, again, other)
		}
	})
}

// A refused request does not take the key: what was wrong is put right, and the request is sent again.
func TestRefusedRequest(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	call := charging(gatewaytest.Settles)
	_, err := call(t.Context(), kit.Shop().Once("k-1"), "4.001")
	require.ErrorIs(t, err, gateway.ErrInvalid)
	require.Empty(t, kerneltest.KeysUnder(t, kit.Store, "ik"))
	repeated(t, kit, call, first)
}

// A key is a text of 1 to 255 characters.
func TestForm(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	for name, key := range map[string]string{"empty": "", "long": strings.Repeat("é", 256), "no text": "a\xff"} {
		_, err := charging(gatewaytest.Settles)(t.Context(), kit.Shop().Once(key), first)
		require.ErrorIs(t, err, gateway.ErrInvalid, name)
		require.Equal(t, []string{"idempotency_key"}, kerneltest.FaultPaths(err), name)
	}
	_, err := charging(gatewaytest.Settles)(t.Context(), kit.Shop().Once(strings.Repeat("é", 255)), first)
	require.NoError(t, err)
}

// The verbs that create nothing refuse a key: it would promise what they do not do.
func TestVerbsWithoutKey(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	for name, verb := range keyless {
		err := verb(t.Context(), kit.Shop().Once("k-1"))
		require.ErrorIs(t, err, gateway.ErrInvalid, name)
		require.Equal(t, []string{"idempotency_key"}, kerneltest.FaultPaths(err), name)
	}
}

// A dispute that is reported twice by one key is one dispute.
func TestDisputeReportedTwice(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	p := kerneltest.Charged(t, kit, "PAID", gatewaytest.Settles).Payment
	d := gateway.Dispute{PaymentID: p.ID, Amount: "4.00", Reason: "10.4 Fraud", IdempotencyKey: "case-7"}
	reported, err := kit.Chargeback(t.Context(), d)
	require.NoError(t, err)
	again, err := kit.Chargeback(t.Context(), d)
	require.NoError(t, err)
	require.Equal(t, reported.Transaction, again.Transaction)
	d.Amount = "5.00"
	_, err = kit.Chargeback(t.Context(), d)
	require.ErrorIs(t, err, gateway.ErrKeyUsed)
	d.IdempotencyKey = ""
	_, err = kit.Chargeback(t.Context(), d)
	require.ErrorIs(t, err, gateway.ErrChargeback, "without a key it is another dispute")
}
