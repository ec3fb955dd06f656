package gateway_test

import (
	"context"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/store"
)

// readers are the methods of a client that a protocol needs before it can check a signature: they find what the
// signature is about.
const readers = "Payment Newest Schedule Chain Current"

// TestNoVerbWithoutASignature: a client that no proof and no Admit has let in reaches no verb, whether the merchant
// exists or not, and nothing is stored. The same calls of the host get further.
func TestNoVerbWithoutASignature(t *testing.T) {
	t.Parallel()
	session := gatewaytest.Request("ORD-1", "10.00")
	hosted := session
	hosted.ReturnURL = "https://shop.example/return"
	verbs := map[string]func(context.Context, *gateway.Client) error{
		"Charge": func(ctx context.Context, c *gateway.Client) error {
			_, err := c.Charge(ctx, gateway.ChargeRequest{})
			return err
		},
		"Recur": func(ctx context.Context, c *gateway.Client) error {
			_, err := c.Recur(ctx, gateway.RecurRequest{})
			return err
		},
		"CreateSession": func(ctx context.Context, c *gateway.Client) error {
			_, err := c.CreateSession(ctx, session)
			return err
		},
		"CreateHosted": func(ctx context.Context, c *gateway.Client) error {
			_, err := c.CreateHosted(ctx, hosted)
			return err
		},
		"Status": func(ctx context.Context, c *gateway.Client) error {
			_, err := c.Status(ctx, gateway.Lookup{PaymentID: "p"})
			return err
		},
		"CreateSchedule": func(ctx context.Context, c *gateway.Client) error {
			_, err := c.CreateSchedule(ctx, store.Schedule{})
			return err
		},
		"UpdateSchedule": func(ctx context.Context, c *gateway.Client) error {
			_, err := c.UpdateSchedule(ctx, "s", func(*store.Schedule) error { return nil })
			return err
		},
		"PauseSchedule": func(ctx context.Context, c *gateway.Client) error { return c.PauseSchedule(ctx, "s") },
		"RunSchedule":   func(ctx context.Context, c *gateway.Client) error { return c.RunSchedule(ctx, "s") },
		"DeleteSchedule": func(ctx context.Context, c *gateway.Client) error {
			return c.DeleteSchedule(ctx, "s")
		},
		"Deschedule":   func(ctx context.Context, c *gateway.Client) error { return c.Deschedule(ctx, "t", "s") },
		"StopSchedule": func(ctx context.Context, c *gateway.Client) error { return c.StopSchedule(ctx, "p") },
	}
	for name, verb := range map[string]func(*gateway.Client, context.Context, gateway.FollowUp) (*gateway.Result, error){
		"Capture": (*gateway.Client).Capture, "Void": (*gateway.Client).Void, "Retry": (*gateway.Client).Retry,
		"CreditVoid": (*gateway.Client).CreditVoid, "CompleteDebit": (*gateway.Client).CompleteDebit,
	} {
		verbs[name] = func(ctx context.Context, c *gateway.Client) error {
			_, err := verb(c, ctx, gateway.FollowUp{PaymentID: "p"})
			return err
		}
	}
	client := reflect.TypeFor[*gateway.Client]()
	for i := range client.NumMethod() {
		method := client.Method(i)
		if takesContext(method.Type) && !strings.Contains(" "+readers+" ", " "+method.Name+" ") {
			require.Contains(t, verbs, method.Name, "a verb without a row")
		}
	}
	kit := gatewaytest.New(t)
	for name, verb := range verbs {
		for _, key := range []string{gatewaytest.MerchantKey, gatewaytest.TestKey, "unknown"} {
			c, err := kit.Client(t.Context(), key)
			require.NoError(t, err)
			require.ErrorContains(t, verb(t.Context(), c), "has no proof", "%s for %s", name, key)
		}
	}
	require.Empty(t, kit.Charges(t))
	_, err := kit.Shop().CreateSession(t.Context(), session)
	require.NoError(t, err)
	_, err = kit.Shop().Capture(t.Context(), gateway.FollowUp{PaymentID: "p"})
	require.ErrorIs(t, err, gateway.ErrNoPayment)
}

func takesContext(method reflect.Type) bool {
	return method.NumIn() > 1 && method.In(1) == reflect.TypeFor[context.Context]()
}
