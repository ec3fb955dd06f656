package faults_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/callback"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/methods/wallet"
	"github.com/tollgatepay/gateway/store"
)

// chores are the scenarios beside payments.
func chores() []scenario {
	return []scenario{
		{name: "disputed, and disputed again", ends: []string{"SALE success", "CHARGEBACK success"},
			play: func(p *play) {
				id := p.charge("ORD-1", gatewaytest.Settles)
				p.follow("dispute", id, "")
				p.follow("dispute", id, "")
				p.follow("refund", id, "")
			}},
		{name: "dead callbacks, sent again", ends: []string{"SALE success", "REFUND success"},
			play: deadLetters, heal: resendDead,
			config: func(c *gateway.Config) { c.Retry = callback.Schedule{time.Minute, 10 * time.Minute} }},
		{name: "the provider's schedule, stopped", ends: []string{"SALE success", "REFUND success"},
			play: func(p *play) {
				if id := p.charge("ORD-1", gatewaytest.Settles); id != "" {
					_ = p.kit.Shop().StopSchedule(p.t.Context(), id)
					p.follow("refund", id, "1.00")
				}
			}},
		{name: "scheduled payments, taken off after the first", ends: []string{"SALE success", "SALE success"},
			off: true, play: func(p *play) {
				set, err := p.kit.Shop().CreateSchedule(p.t.Context(), kerneltest.EveryDays(1, 2))
				if err != nil {
					return
				}
				if first := p.first(kerneltest.OnSchedule(set)); first != nil {
					p.sleep(24 * time.Hour)
					_ = p.kit.Shop().Deschedule(p.t.Context(), first.RecurringToken, set.ID)
					p.sleep(24 * time.Hour)
				}
			}},
		{name: "scheduled payment, declined softly, tried again",
			ends: []string{"SALE success", "SALE fail", "SALE success", "SALE success"},
			play: scheduledRetry},
		{name: "data keys that change",
			ends: []string{"SALE success", "AUTH success", "SALE success", "SALE success", "CAPTURE success"},
			play: func(p *play) {
				first := p.first(kerneltest.BeginsChain, kerneltest.AsksToken)
				r := p.remember(p.kit.Shop().Charge(p.t.Context(),
					kerneltest.ChargeOf("ORD-2", gatewaytest.Settles, kerneltest.Held)))
				p.sleep(3 * time.Hour) // longer than a data key is used and cached
				if first != nil {
					p.charge("ORD-3", gatewaytest.Settles, kerneltest.ByToken(first.CardToken))
					p.remember(p.kit.Shop().Recur(p.t.Context(), kerneltest.LaterOf(*first, "ORD-4")))
				}
				if r != nil {
					p.follow("capture", r.Payment.ID, "6.00")
				}
			}},
		{name: "old records, deleted", ends: []string{"SALE fail", "SALE success"},
			play: ages, config: func(c *gateway.Config) { c.Retention.Sessions = 2 * time.Hour },
			after: func(t *testing.T, _ *gatewaytest.Kit, b *kerneltest.Books) {
				require.Empty(t, b.Sessions, "no fault keeps what is old")
			}},
	}
}

// deadLetters is a merchant that refuses every callback for too long, and then has all of them resent.
func deadLetters(p *play) {
	inbox := p.kit.Inbox
	inbox.Answer(func(callback.Delivery) callback.Receipt {
		return callback.Receipt{Verdict: callback.Refused, Status: 503}
	})
	defer inbox.Answer(nil)
	id := p.charge("ORD-1", gatewaytest.Settles)
	p.follow("refund", id, "4.00")
	p.sleep(time.Minute)
	p.sleep(10 * time.Minute)
	inbox.Answer(nil)
	list, _ := p.kit.Operator().Callbacks(p.t.Context(), id)
	for _, c := range list {
		_ = p.kit.Operator().Resend(p.t.Context(), c.ID)
		p.work()
	}
}

// resendDead resends the callbacks that are still dead.
func resendDead(t *testing.T, kit *gatewaytest.Kit) {
	t.Helper()
	for _, c := range kerneltest.ReadBooks(t, kit).Callbacks {
		if c.State == store.CallbackDead {
			require.NoError(t, kit.Operator().Resend(t.Context(), c.ID))
		}
	}
	kit.Advance(t, time.Hour)
}

// scheduledRetry: the first scheduled payment is declined softly, and the merchant retries it.
func scheduledRetry(p *play) {
	if p.subscribe() == nil {
		return
	}
	p.kit.Vcard.Next(vcard.SoftDecline("No funds"))
	p.sleep(24 * time.Hour)
	list, err := p.kit.Shop().Status(p.t.Context(),
		gateway.Lookup{OrderNumber: "ORD-1", Size: 10})
	if err != nil {
		return
	}
	for _, r := range list {
		if r.Payment.Occurrence > 0 && r.Payment.Status == store.Declined {
			p.remember(p.kit.Shop().Retry(p.t.Context(), kerneltest.RetryOf(r.Payment)))
			p.work()
		}
	}
	p.sleep(24 * time.Hour)
}

// ages pays by a session and lets the retention sweeper run until nothing of it is needed any more.
func ages(p *play) {
	p.session(gatewaytest.Declines, gatewaytest.Settles)
	for range 4 {
		p.sleep(25 * time.Hour)
	}
}

// byWallet pays with a wallet token, and repeats that with the same token if there was no answer.
func byWallet(t testing.TB) scenario {
	t.Helper()
	k := &kerneltest.WalletKit{}
	k.Apple, k.Google = kerneltest.IssuersOf(t)
	roots := kerneltest.TrustsInTest(t, k.Apple, k.Google)
	return scenario{
		name: "wallet", ends: []string{"SALE success", "REFUND success"}, config: roots,
		set: func(t testing.TB, kit *gatewaytest.Kit) {
			t.Helper()
			require.NoError(t, kit.SaveWallets(t.Context(), k.Settings(t)))
		},
		play: func(p *play) {
			token := k.TokenFor(p.t, wallet.GooglePay, 1, 2038)
			id := ""
			for _, order := range []string{"ORD-1", "ORD-2"} {
				id = p.charge(order, methods.Card{}, func(r *gateway.ChargeRequest) {
					r.Protocol, r.Action, r.Card = store.S2SCard, "SALE", nil
					r.Method, r.Wallet, r.WalletToken = wallet.GooglePay, wallet.GooglePay, token
				})
				if id != "" {
					break
				}
			}
			p.follow("refund", id, "4.00")
		},
		after: nothingElse(store.OpSale, store.OpRefund),
	}
}
