package race_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/internal/vault"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/keys/keyfile"
)

// rotating is a kit whose keys are a key file, with a spy at the acquirer.
func rotating(t testing.TB) (*gatewaytest.Kit, *kerneltest.Spy, *keyfile.Keys) {
	t.Helper()
	keys, err := keyfile.Open(filepath.Join(t.TempDir(), "keys.json"))
	require.NoError(t, err)
	kit, spy := kerneltest.Spied(t, kerneltest.Powers(true, time.Minute), true, func(c *gateway.Config) { c.Keys = keys })
	return kit, spy, keys
}

// sealedPayment is a payment whose sealed data is opened later.
type sealedPayment struct {
	n      int
	kind   string // chain, token, hold, 3ds
	result *gateway.Result
}

var sealedKinds = []string{"chain", "token", "hold", "3ds"}

// payer is the name on the card of the n-th payment, so that cards cannot be confused.
func payer(n int) string { return fmt.Sprint("Payer ", n) }

func holderOf(text string) func(*gateway.ChargeRequest) {
	return func(r *gateway.ChargeRequest) { r.Card.Holder = text }
}

func sealedCharge(kit *gatewaytest.Kit, n int) (sealedPayment, error) {
	s := sealedPayment{n: n, kind: sealedKinds[n%len(sealedKinds)]}
	card, change := gatewaytest.Settles, map[string]func(*gateway.ChargeRequest){
		"chain": kerneltest.BeginsChain, "token": kerneltest.AsksToken, "hold": kerneltest.Held,
		"3ds": func(*gateway.ChargeRequest) {},
	}[s.kind]
	if s.kind == "3ds" {
		card = gatewaytest.ThreeDSPasses
	}
	var err error
	s.result, err = kit.Shop().Charge(context.Background(),
		kerneltest.ChargeOf(fmt.Sprint("ORD-", n), card, change, holderOf(payer(n))))
	return s, err
}

// readBack does what needs the payment's sealed data, and returns the order that shows the result.
func (s *sealedPayment) readBack(t testing.TB, kit *gatewaytest.Kit) (order string, err error) {
	t.Helper()
	order = fmt.Sprint("AGAIN-", s.n)
	switch s.kind {
	case "chain":
		_, err = kit.Shop().Recur(t.Context(), kerneltest.LaterOf(s.result.Payment, order))
	case "token":
		_, err = kit.Shop().Charge(t.Context(),
			kerneltest.ChargeOf(order, methods.Card{}, kerneltest.ByToken(s.result.Payment.CardToken)))
	case "hold":
		order = s.result.Payment.Order.Number
		_, err = kit.Shop().Capture(t.Context(), kerneltest.FollowUpOf(s.result.Payment, ""))
	case "3ds":
		order = s.result.Payment.Order.Number
		target, back := kit.Away(t, s.result.Redirect, "confirm")
		_, err = kit.Return(t.Context(), target[len(gatewaytest.PublicURL+"/return/"):], back)
	}
	return order, err
}

// sealedUnder returns the id of the key that sealed a payment's data; empty for a hold, whose capture needs none.
func (s *sealedPayment) sealedUnder(t testing.TB, kit *gatewaytest.Kit, keys *keyfile.Keys) string {
	t.Helper()
	plain, err := keys.LookupKey(t.Context())
	require.NoError(t, err)
	lookup, err := vault.NewKey(plain)
	require.NoError(t, err)
	p := s.result.Payment
	place := map[string][]string{
		"chain": {"ch", gatewaytest.MerchantID, p.RecurringToken}, "token": {"ct",
			vault.Lookup(lookup, vault.Token, p.CardToken)},
		"3ds": {"p", p.ID},
	}[s.kind]
	if place == nil {
		return ""
	}
	return keyOfRecord(t, kit, place...)
}

// keyOfRecord returns the id of the key that sealed a value of a record.
func keyOfRecord(t testing.TB, kit *gatewaytest.Kit, place ...string) (id string) {
	t.Helper()
	found := regexp.MustCompile(`"k":"([^"]+)","d"`).FindSubmatch(kerneltest.RawOf(t, kit, string(store.Key(place...))))
	require.NotNil(t, found)
	return string(found[1])
}

// rotated makes n payments while the key provider rotates three times. After each rotation another instance takes
// over, because an instance seals under its data key for up to an hour; requests under way continue on the old one.
func rotated(t testing.TB, n int) (kit *gatewaytest.Kit, spy *kerneltest.Spy, keys *keyfile.Keys,
	made []sealedPayment) {
	t.Helper()
	kit, spy, keys = rotating(t)
	made = make([]sealedPayment, n)
	var turn sync.Mutex
	instance, next := kit, []*gatewaytest.Kit{kit.Twin(t), kit.Twin(t), kit.Twin(t)}
	take := func(i int) *gatewaytest.Kit {
		turn.Lock()
		defer turn.Unlock()
		if i > 0 && i%(n/4) == 0 {
			if _, err := keys.Rotate(); err != nil {
				t.Error(err)
			}
			instance, next = next[0], next[1:]
		}
		return instance
	}
	var all sync.WaitGroup
	const workers = 8
	for w := range workers {
		all.Go(func() {
			for i := w; i < n; i += workers {
				var err error
				if made[i], err = sealedCharge(take(i), i); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	return kit, spy, keys, made
}

// plainly searches every value of a store for a card number.
func plainly(t testing.TB, kit *gatewaytest.Kit, number string) (found []string) {
	t.Helper()
	require.NoError(t, kit.Store.View(t.Context(), func(r store.Reader) error {
		found = nil
		for entry := range r.Scan(store.Range{Limit: kerneltest.Everything}) {
			require.NoError(t, entry.Err)
			if bytes.Contains(entry.Value, []byte(number)) {
				found = append(found, string(entry.Key))
			}
		}
		return nil
	}))
	return found
}

// 1,000 payments and three rotations meanwhile: an instance with an empty cache opens the data of each one.
func TestEveryPaymentReadsBackAfterRotations(t *testing.T) {
	t.Parallel()
	n := 1000
	if testing.Short() || kerneltest.Raced {
		n = 96
	}
	kit, spy, keys, made := rotated(t, n)
	used := map[string]int{}
	fresh := kit.Twin(t)
	for i := range made {
		s := &made[i]
		used[s.sealedUnder(t, kit, keys)]++
		order, err := s.readBack(t, fresh)
		require.NoError(t, err)
		p := kit.Payment(t, order)
		require.Equal(t, store.Settled, p.Status, s.kind)
		if s.kind == "chain" || s.kind == "token" {
			op := spy.Sends(p.Transactions[0].ID)[0]
			require.Equal(t, []any{"4111111111111111", payer(s.n)}, []any{op.Card.PAN.Digits(), op.Card.Holder}, "its own card")
		}
	}
	require.Len(t, used, 5, "four keys, and what needs none: %v", used)
	kit.Work(t)
	kerneltest.Quiet(t, kit)
	require.Empty(t, plainly(t, kit, "4111111111111111"))
}

// A destroyed key makes its sealed data unreadable, with its own error, and nothing else; nothing is stored in
// part.
func TestDestroyedKey(t *testing.T) {
	t.Parallel()
	kit, spy, keys, made := rotated(t, 96)
	merchant := keyOfRecord(t, kit, "m", gatewaytest.MerchantID) // without it nothing works
	under := map[string]int{}
	for i := range made {
		under[made[i].sealedUnder(t, kit, keys)]++
	}
	destroyed := ""
	for id, n := range under {
		if id != "" && id != keys.Current() && id != merchant && n > under[destroyed]*min(1,
			len(destroyed)) { // the one with most
			destroyed = id
		}
	}
	require.NotEmpty(t, destroyed, "%v", under)
	require.NoError(t, keys.Destroy(destroyed))
	fresh, shut := kit.Twin(t), 0
	for i := range made {
		s := &made[i]
		gone := s.sealedUnder(t, kit, keys) == destroyed
		before, charges := kerneltest.CountRecords(t, kit.Store), len(kit.Charges(t))
		order, err := s.readBack(t, fresh)
		if !gone {
			require.NoError(t, err)
			require.Equal(t, store.Settled, kit.Payment(t, order).Status)
			continue
		}
		shut++
		require.ErrorIs(t, err, gateway.ErrKeyGone, s.kind)
		require.NotContains(t, err.Error(), gatewaytest.Settles.PAN.Digits())
		require.Equal(t, before, kerneltest.CountRecords(t, kit.Store), "nothing is stored")
		require.Len(t, kit.Charges(t), charges)
		require.Equal(t, s.kind == "3ds", len(spy.Sends(s.result.Transaction.ID)) == 1 &&
			!kerneltest.ReadBooks(t, kit).Transactions[s.result.Transaction.ID].Outcome.Final())
	}
	require.Positive(t, shut)
	kerneltest.Audit(t, kit)
	require.Empty(t, plainly(t, kit, "4111111111111111"))
}

// A rotation, and the destruction of the old key, while cards are being read: every read gets its card, or an error
// that the key is gone. Without a destruction every read gets its card.
func TestRotationWhileRead(t *testing.T) {
	t.Parallel()
	for _, destroy := range []bool{false, true} {
		t.Run(fmt.Sprintf("destroyed %t", destroy), func(t *testing.T) {
			t.Parallel()
			for round := range trials(t) {
				kit, spy, keys := rotating(t)
				chain := kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Settles, kerneltest.BeginsChain).Payment
				token := kerneltest.TokenOf(t, kit, "ORD-2", gatewaytest.Settles)
				d := &duel{T: t, one: kit.Twin(t), two: kit.Twin(t), spy: spy, round: round}
				old := keys.Current()
				var errs [2]error
				d.atOnce(
					func() { _, errs[0] = d.one.Shop().Recur(context.Background(), kerneltest.LaterOf(chain, "ORD-3")) },
					func() {
						_, err := keys.Rotate()
						if destroy {
							err = errors.Join(err, keys.Destroy(old))
						}
						if err != nil {
							t.Error(err)
						}
					},
					func() {
						_, errs[1] = d.two.Shop().Charge(context.Background(),
							kerneltest.ChargeOf("ORD-4", methods.Card{}, kerneltest.ByToken(token)))
					},
				)
				for i, order := range []string{"ORD-3", "ORD-4"} {
					if errs[i] == nil {
						p := kit.Payment(t, order)
						require.Equal(t, store.Settled, p.Status)
						require.Equal(t, "4111111111111111", spy.Sends(p.Transactions[0].ID)[0].Card.PAN.Digits())
						continue
					}
					require.True(t, destroy)
					require.ErrorIs(t, errs[i], gateway.ErrKeyGone)
					_, err := kit.Shop().Status(t.Context(), gateway.Lookup{OrderNumber: order})
					require.ErrorIs(t, err, gateway.ErrNoOrder)
				}
				kit.Work(t)
				kerneltest.Quiet(t, kit)
			}
		})
	}
}
