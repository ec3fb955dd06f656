package once_test

import (
	"context"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
)

// making is a verb that creates something. ready prepares what it needs and returns the call: what says what was made,
// with its links. The amount distinguishes two requests.
type making struct {
	name  string
	twice bool // without a key the verb makes two
	ready func(testing.TB, *gatewaytest.Kit) calling
}

type calling func(ctx context.Context, m gateway.Merchant, amount string) (made string, err error)

// verbs are all verbs that create something.
var verbs = []making{
	{"Charge", true, func(testing.TB, *gatewaytest.Kit) calling { return charging(gatewaytest.Settles) }},
	{"Charge, declined", true, func(testing.TB, *gatewaytest.Kit) calling { return charging(gatewaytest.Declines) }},
	{"Charge, a hold", true, func(testing.TB, *gatewaytest.Kit) calling {
		return charging(gatewaytest.Settles, func(r *gateway.ChargeRequest) { r.Hold = true })
	}},
	{"Charge, 3-D Secure", true, func(testing.TB, *gatewaytest.Kit) calling { return charging(gatewaytest.ThreeDSPasses) }},
	{"Charge, S2S", false, func(testing.TB, *gatewaytest.Kit) calling { return charging(gatewaytest.Settles, kerneltest.ViaCard) }},
	{"Charge, a payout", true, func(testing.TB, *gatewaytest.Kit) calling {
		return charging(gatewaytest.Settles, func(r *gateway.ChargeRequest) { r.Kind = store.Credit })
	}},
	{"Charge, in a cascade", true, func(t testing.TB, kit *gatewaytest.Kit) calling {
		kerneltest.AddMIDs(t, kit, "second")
		kerneltest.SwitchCascading(t, kit, store.Checkout)
		kit.Vcard.Next(vcard.SoftDecline("Try elsewhere"))
		return charging(gatewaytest.Settles)
	}},
	{"Capture", false, func(t testing.TB, kit *gatewaytest.Kit) calling {
		held := kerneltest.Charged(t, kit, "HOLD", gatewaytest.Settles, func(r *gateway.ChargeRequest) { r.Hold = true })
		return following(gateway.Merchant.Capture, held.Payment)
	}},
	{"Void", false, func(t testing.TB, kit *gatewaytest.Kit) calling {
		return whole(gateway.Merchant.Void, kerneltest.Charged(t, kit, "PAID", gatewaytest.Settles).Payment)
	}},
	{"CreditVoid", true, func(t testing.TB, kit *gatewaytest.Kit) calling {
		return following(gateway.Merchant.CreditVoid, kerneltest.Charged(t, kit, "PAID", gatewaytest.Settles).Payment)
	}},
	{"CompleteDebit", false, func(t testing.TB, kit *gatewaytest.Kit) calling {
		asked := kerneltest.Charged(t, kit, "DEBIT", methods.Card{}, kerneltest.ViaAPM, func(r *gateway.ChargeRequest) {
			r.Action, r.Kind, r.Calc = "DEBIT2VIRTUAL_CALC", store.Debit, true
		})
		return whole(gateway.Merchant.CompleteDebit, asked.Payment)
	}},
	{"Retry", false, func(t testing.TB, kit *gatewaytest.Kit) calling {
		first := kerneltest.Charged(t, kit, "CHAIN", gatewaytest.Settles, kerneltest.BeginsChain).Payment
		kit.Vcard.Next(vcard.SoftDecline("Insufficient funds"))
		return whole(gateway.Merchant.Retry, kerneltest.Recurred(t, kit, kerneltest.LaterOf(first, "LATER")).Payment)
	}},
	{"Recur", true, func(t testing.TB, kit *gatewaytest.Kit) calling {
		first := kerneltest.Charged(t, kit, "CHAIN", gatewaytest.Settles, kerneltest.BeginsChain).Payment
		return func(ctx context.Context, m gateway.Merchant, amount string) (string, error) {
			r := kerneltest.LaterOf(first, "LATER")
			r.Order.Amount = amount
			return made(m.Recur(ctx, r))
		}
	}},
	{"CreateSession", true, func(testing.TB, *gatewaytest.Kit) calling {
		return func(ctx context.Context, m gateway.Merchant, amount string) (string, error) {
			s, err := m.CreateSession(ctx, gatewaytest.Request("PAGE", amount))
			if err != nil {
				return "", err
			}
			return s.ID + " " + s.RedirectURL + s.ExpiresAt.String(), nil
		}
	}},
	{"CreateHosted", true, func(testing.TB, *gatewaytest.Kit) calling {
		return func(ctx context.Context, m gateway.Merchant, amount string) (string, error) {
			r := kerneltest.HostedRequest("FIELDS")
			r.Order.Amount = amount
			s, err := m.CreateHosted(ctx, r)
			if err != nil {
				return "", err
			}
			return s.ID + " " + s.Token + s.ExpiresAt.String(), nil
		}
	}},
	{"CreateSchedule", true, func(testing.TB, *gatewaytest.Kit) calling {
		return func(ctx context.Context, m gateway.Merchant, amount string) (string, error) {
			s := kerneltest.Monthly()
			s.Name = "Plan of " + amount
			set, err := m.CreateSchedule(ctx, s)
			if err != nil {
				return "", err
			}
			return set.ID + " " + set.Name, nil
		}
	}},
}

// keyless are the verbs that create nothing.
var keyless = map[string]func(context.Context, gateway.Merchant) error{
	"Payment":  func(ctx context.Context, m gateway.Merchant) error { _, err := m.Payment(ctx, "p"); return err },
	"Schedule": func(ctx context.Context, m gateway.Merchant) error { _, err := m.Schedule(ctx, "s"); return err },
	"Status": func(ctx context.Context, m gateway.Merchant) error {
		_, err := m.Status(ctx, gateway.Lookup{PaymentID: "p"})
		return err
	},
	"UpdateSchedule": func(ctx context.Context, m gateway.Merchant) error {
		_, err := m.UpdateSchedule(ctx, "s", func(*store.Schedule) error { return nil })
		return err
	},
	"PauseSchedule":  func(ctx context.Context, m gateway.Merchant) error { return m.PauseSchedule(ctx, "s") },
	"RunSchedule":    func(ctx context.Context, m gateway.Merchant) error { return m.RunSchedule(ctx, "s") },
	"DeleteSchedule": func(ctx context.Context, m gateway.Merchant) error { return m.DeleteSchedule(ctx, "s") },
	"Deschedule":     func(ctx context.Context, m gateway.Merchant) error { return m.Deschedule(ctx, "t", "s") },
	"StopSchedule":   func(ctx context.Context, m gateway.Merchant) error { return m.StopSchedule(ctx, "p") },
}

func charging(card methods.Card, change ...func(*gateway.ChargeRequest)) calling {
	return func(ctx context.Context, m gateway.Merchant, amount string) (string, error) {
		r := kerneltest.ChargeOf("ORD-1", card, change...)
		r.Order.Amount = amount
		return made(m.Charge(ctx, r))
	}
}

func following(verb func(gateway.Merchant, context.Context, gateway.FollowUp) (*gateway.Result, error),
	p store.Payment) calling {
	return func(ctx context.Context, m gateway.Merchant, amount string) (string, error) {
		return made(verb(m, ctx, kerneltest.FollowUpOf(p, amount)))
	}
}

// whole is following for a verb without an amount: the protocol makes another request.
func whole(verb func(gateway.Merchant, context.Context, gateway.FollowUp) (*gateway.Result, error),
	p store.Payment) calling {
	return func(ctx context.Context, m gateway.Merchant, amount string) (string, error) {
		f := gateway.FollowUp{PaymentID: p.ID}
		if amount != first {
			f.Protocol = store.Checkout
		}
		return made(verb(m, ctx, f))
	}
}

// made says what a result has: its records and where the payer goes.
func made(r *gateway.Result, err error) (string, error) {
	if err != nil {
		return "", err
	}
	p, tr := &r.Payment, &r.Transaction
	text := strings.Join([]string{p.ID, tr.ID, string(p.Status), string(tr.Outcome)}, " ")
	if r.Redirect != nil {
		text += " " + r.Redirect.URL
		for _, param := range r.Redirect.Params {
			text += " " + param.Name + "=" + param.Value
		}
	}
	return text, nil
}

// The amounts of a request and of another one.
const (
	first  = "4.00"
	second = "5.00"
)

// Every verb of a merchant is in one of the two tables.
func TestEveryVerbIsKnown(t *testing.T) {
	t.Parallel()
	known := map[string]bool{"Once": true}
	for _, v := range verbs {
		name, _, _ := strings.Cut(v.name, ",")
		known[name] = true
	}
	for name := range keyless {
		require.False(t, known[name], "%s is in both tables", name)
		known[name] = true
	}
	for m := range reflect.TypeFor[gateway.Merchant]().Methods() {
		require.True(t, known[m.Name], "does %s create something?", m.Name)
		delete(known, m.Name)
	}
	require.Empty(t, known, "there are no such verbs")
}
