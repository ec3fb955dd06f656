package speed

import (
	"context"
	"fmt"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/store"
)

// shops is among how many merchants the chains are divided: one alone gets no more than its share of the workers.
const shops = 16

func keyOfShop(n int64) string { return fmt.Sprintf("2f1a9f0e-7b1c-4f57-9d5e-%012d", n%shops) }

// AddShops stores the merchants of Subscribe.
func AddShops(ctx context.Context, gw *gateway.Gateway) error {
	for i := range int64(shops) {
		if err := AddMerchant(ctx, gw, fmt.Sprintf("m-%d", i), keyOfShop(i)); err != nil {
			return err
		}
	}
	return nil
}

// Subscribe begins the n-th chain, on a schedule of its own: twelve payments, thirty days apart.
func Subscribe(ctx context.Context, gw *gateway.Gateway, n int64) error {
	shop := gw.Merchant(keyOfShop(n))
	set, err := shop.CreateSchedule(ctx,
		store.Schedule{Name: "Month", IntervalLength: 30, IntervalUnit: store.Day, PaymentsCount: 12})
	if err != nil {
		return err
	}
	r := kerneltest.SaleRequest(n)
	r.RecurringInit, r.ScheduleID = true, set.ID
	_, err = shop.Charge(ctx, r)
	return err
}

// Sell makes the n-th sale of the merchants of AddShops.
func Sell(ctx context.Context, gw *gateway.Gateway, n int64) error {
	_, err := gw.Merchant(keyOfShop(n)).Charge(ctx, kerneltest.SaleRequest(n))
	return err
}
