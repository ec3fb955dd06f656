package hpf_test

import (
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/store"
)

// races returns how often an update races a payment; TOLLGATE_SHARE divides it.
func races(t testing.TB) int {
	t.Helper()
	share := 1
	if text, ok := os.LookupEnv("TOLLGATE_SHARE"); ok {
		var err error
		share, err = strconv.Atoi(text)
		require.NoError(t, err)
	}
	return max(1000/max(share, 1), 50)
}

// race is one race on two instances with one store.
type race struct {
	updater, payer *gatewaytest.Kit
	token, order   string
}

// updates are sent one after the other. They are fewer than the payment's reads of its session.
var updates = []string{"11.00", "12.00", "13.00", "14.00", "15.00", "16.00", "17.00", "18.00"}

// At any moment the charge has the values of the last accepted update, and every later update is refused.
func TestUpdateRacesPayment(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	twin := kit.Twin(t)
	seen := map[string]int{}
	for round := range races(t) {
		r := race{updater: kit, payer: twin, order: fmt.Sprintf("ORD-%d", round)}
		if round%2 == 1 {
			r.updater, r.payer = twin, kit
		}
		session, err := kit.Shop().CreateHosted(t.Context(), gateway.SessionRequest{
			Operation: "purchase", ReturnURL: "https://shop.example/return",
			Order: store.Order{Number: r.order, Amount: "10.00", Currency: "USD", Description: "Important gift"},
		})
		require.NoError(t, err)
		r.token = session.Token
		require.NoError(t, kit.HostedFields().Collect(t.Context(), r.token, gatewaytest.Settles))
		seen[r.run(t, round%len(updates))]++
	}
	t.Logf("charged: %v", seen)
	amounts := map[string]store.Amount{}
	for _, entry := range kit.Charges(t) {
		require.NotContains(t, amounts, entry.Order, "charged twice")
		amounts[entry.Order] = entry.Amount
	}
	require.Len(t, amounts, races(t))
}

// run starts the payment after a number of accepted updates, and returns the amount that was charged.
func (r *race) run(t *testing.T, after int) string {
	t.Helper()
	begin := make(chan struct{})
	accepted := "10.00"
	var all sync.WaitGroup
	all.Go(func() {
		refused := false
		for i, amount := range updates {
			if i == after {
				close(begin)
			}
			for range pause(i, after) {
				runtime.Gosched()
			}
			got := do(t, r.updater.Gateway, r.token, pathUpdate, []byte(`{"order_amount":"`+amount+`"}`))
			switch {
			case got.Status == 200 && !refused:
				accepted = amount
			case got.Status == 200:
				t.Errorf("an update was accepted after one was refused")
			default:
				refused = true
				if message := (*refusalIn(t, got.Body).Errors)[0].Message; message != noUpdate {
					t.Errorf("refused for another reason: %s", message)
				}
			}
		}
	})
	var result string
	all.Go(func() {
		<-begin
		got := do(t, r.payer.Gateway, r.token, pathPurchase, []byte(payment().text()))
		var p paid
		if err := json.Unmarshal(got.Body, &p); err != nil || got.Status != 200 {
			t.Errorf("the payment was refused: %s", got.Body)
		}
		result = p.Result
	})
	all.Wait()
	require.Equal(t, "success", result)
	p := r.payer.Payment(t, r.order)
	require.Equal(t, accepted, p.Order.Amount, "the last accepted update's")
	require.Equal(t, store.MustAmount(accepted), p.Captured)
	return accepted
}

// pause gives the payment, which reads before it writes, some time between two updates: in some rounds more than
// in others.
func pause(i, after int) int {
	if i < after {
		return 0
	}
	return 40 * (after % 4)
}

func refusalIn(t *testing.T, body []byte) (r refusal) {
	if err := json.Unmarshal(body, &r); err != nil || r.Errors == nil || len(*r.Errors) == 0 {
		t.Errorf("no refusal: %s", body)
		return refusal{Message: new(string)}
	}
	return r
}

// Of many payments at the same time one charges.
func TestPaymentsAtOnce(t *testing.T) {
	t.Parallel()
	s := open(t)
	token := s.collected(t, gatewaytest.Settles)
	statuses := make([]int, 30)
	var all sync.WaitGroup
	for i := range statuses {
		all.Go(func() { statuses[i] = do(t, s.Gateway, token, pathPurchase, []byte(payment().text())).Status })
	}
	all.Wait()
	count := map[int]int{}
	for _, status := range statuses {
		count[status]++
	}
	require.Equal(t, map[int]int{200: 1, 400: 29}, count)
	require.Len(t, s.Charges(t), 1)
}
