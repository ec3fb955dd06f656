package kerneltest_test

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
	"github.com/tollgatepay/gateway/store"
)

// call makes a call of the Go API ready, in a shop with the test acquirer.
func call(ready func(testing.TB, *countedShop) func() error) making {
	return func(t testing.TB, s *countedShop) func() {
		s.open(t)
		return succeeds(t, ready(t, s))
	}
}

// calls is call in a shop that the test opens.
func calls(ready func(testing.TB, *countedShop) func() error) making {
	return func(t testing.TB, s *countedShop) func() { return succeeds(t, ready(t, s)) }
}

func succeeds(t testing.TB, act func() error) func() {
	return func() { require.NoError(t, act()) }
}

// followUp is a call about a payment.
func followUp(payment func(testing.TB, *countedShop) string,
	verb func(*countedShop, *testing.T, gateway.FollowUp) (*gateway.Result, error)) making {
	return call(func(t testing.TB, s *countedShop) func() error {
		id := payment(t, s)
		return func() error {
			_, err := verb(s, t.(*testing.T), kerneltest.FollowUpOf(store.Payment{ID: id}, ""))
			return err
		}
	})
}

// scheduled is a call about a new schedule.
func scheduled(act func(*countedShop, *testing.T, string) error) making {
	return call(func(t testing.TB, s *countedShop) func() error {
		id := kerneltest.Scheduled(t, s.Kit).ID
		return func() error { return act(s, t.(*testing.T), id) }
	})
}

// deposited is a debit of two steps, after the first.
func deposited(t testing.TB, s *countedShop) string {
	t.Helper()
	return kerneltest.Charged(t, s.Kit, "ORD-1", methods.Card{}, kerneltest.ViaAPM, func(r *gateway.ChargeRequest) {
		r.Action, r.Kind, r.Calc = "DEBIT2VIRTUAL_CALC", store.Debit, true
	}).Payment.ID
}

// doubted is a transaction without a known outcome.
func doubted(t testing.TB, s *countedShop) string {
	t.Helper()
	s.Vcard.Next(vcard.UnknownAfter())
	return kerneltest.Charged(t, s.Kit, "ORD-1", gatewaytest.Settles).Transaction.ID
}

var verbEntries = []entry{
	{name: "Gateway.Client", asked: asked{Views: 1, Key: 1, Revision: 1},
		make: call(func(t testing.TB, s *countedShop) func() error {
			return func() error {
				_, err := s.Client(t.Context(), gatewaytest.MerchantKey)
				return err
			}
		})},
	{name: "Merchant.CreateSession", asked: asked{Views: 2, Updates: 1, Key: 1, Revision: 1},
		make: call(func(t testing.TB, s *countedShop) func() error {
			return func() error {
				_, err := s.Shop().CreateSession(t.Context(), gatewaytest.Request("ORD-1", "10.00"))
				return err
			}
		})},
	{name: "Merchant.Charge", asked: asked{Views: 3, Updates: 2, Key: 1, Revision: 1},
		make: call(func(t testing.TB, s *countedShop) func() error {
			return func() error { return kerneltest.Tries(t, s.Kit, "ORD-1") }
		})},
	{name: "Merchant.Once, a charge", asked: asked{Views: 4, Updates: 2, Key: 1, Revision: 1},
		make: call(func(t testing.TB, s *countedShop) func() error {
			return func() error {
				_, err := s.Shop().Once("k-1").Charge(t.Context(), kerneltest.ChargeOf("ORD-1", gatewaytest.Settles))
				return err
			}
		})},
	{name: "Merchant.Once, a charge that is made already", asked: asked{Views: 3, Key: 1, Revision: 1},
		make: call(func(t testing.TB, s *countedShop) func() error {
			charge := func() error {
				_, err := s.Shop().Once("k-1").Charge(t.Context(), kerneltest.ChargeOf("ORD-1", gatewaytest.Settles))
				return err
			}
			require.NoError(t, charge())
			return charge
		})},
	{name: "Merchant.Charge, in a cascade", asked: asked{Views: 5, Updates: 3, Key: 1, Revision: 1},
		make: call(func(t testing.TB, s *countedShop) func() error {
			kerneltest.AddMIDs(t, s.Kit, "second")
			kerneltest.SwitchCascading(t, s.Kit, store.Checkout)
			require.NoError(t, kerneltest.Tries(t, s.Kit, "ORD-1")) // reads the merchant
			s.Vcard.Next(vcard.SoftDecline("Try elsewhere"))
			return func() error { return kerneltest.Tries(t, s.Kit, "ORD-2") }
		})},
	{name: "Merchant.Recur", asked: asked{Views: 4, Updates: 2, Key: 1, Revision: 1},
		make: call(func(t testing.TB, s *countedShop) func() error {
			first := kerneltest.Charged(t, s.Kit, "ORD-1", gatewaytest.Settles, kerneltest.BeginsChain).Payment
			return func() error {
				_, err := s.Shop().Recur(t.Context(), kerneltest.LaterOf(first, "ORD-2"))
				return err
			}
		})},
	{name: "Merchant.Capture", asked: asked{Views: 4, Updates: 2, Key: 1, Revision: 1},
		make: followUp(held,
			func(s *countedShop, t *testing.T, f gateway.FollowUp) (*gateway.Result, error) {
				return s.Shop().Capture(t.Context(), f)
			})},
	{name: "Merchant.Void", asked: asked{Views: 4, Updates: 2, Key: 1, Revision: 1},
		make: followUp(paid,
			func(s *countedShop, t *testing.T, f gateway.FollowUp) (*gateway.Result, error) {
				return s.Shop().Void(t.Context(), f)
			})},
	{name: "Merchant.CreditVoid", asked: asked{Views: 4, Updates: 2, Key: 1, Revision: 1},
		make: followUp(paid,
			func(s *countedShop, t *testing.T, f gateway.FollowUp) (*gateway.Result, error) {
				return s.Shop().CreditVoid(t.Context(), f)
			})},
	{name: "Merchant.Retry", asked: asked{Views: 5, Updates: 2, Key: 1, Revision: 1},
		make: followUp(declinedLater,
			func(s *countedShop, t *testing.T, f gateway.FollowUp) (*gateway.Result, error) {
				return s.Shop().Retry(t.Context(), f)
			})},
	{name: "Merchant.CompleteDebit", asked: asked{Views: 4, Updates: 2, Key: 1, Revision: 1},
		make: followUp(deposited,
			func(s *countedShop, t *testing.T, f gateway.FollowUp) (*gateway.Result, error) {
				return s.Shop().CompleteDebit(t.Context(), f)
			})},
	{name: "Gateway.Chargeback", asked: asked{Views: 4, Updates: 1, Revision: 1},
		make: followUp(paid,
			func(s *countedShop, t *testing.T, f gateway.FollowUp) (*gateway.Result, error) {
				return s.Chargeback(t.Context(), gateway.Dispute{PaymentID: f.PaymentID, Reason: "10.4 Fraud"})
			})},
	{name: "Merchant.StopSchedule", asked: asked{Views: 2, Key: 1, Revision: 1},
		make: call(func(t testing.TB, s *countedShop) func() error {
			s.runsSchedules(t)
			id := paid(t, s)
			return func() error { return s.Shop().StopSchedule(t.Context(), id) }
		})},
	{name: "Merchant.Payment", asked: asked{Views: 2, Key: 1, Revision: 1},
		make: followUp(paid,
			func(s *countedShop, t *testing.T, f gateway.FollowUp) (*gateway.Result, error) {
				_, err := s.Shop().Payment(t.Context(), f.PaymentID)
				return nil, err
			})},
	{name: "Merchant.Status", asked: asked{Views: 2, Key: 1, Revision: 1},
		make: followUp(paid,
			func(s *countedShop, t *testing.T, f gateway.FollowUp) (*gateway.Result, error) {
				_, err := s.Shop().Status(t.Context(), gateway.Lookup{PaymentID: f.PaymentID})
				return nil, err
			})},
	{name: "Merchant.Status, by order", asked: asked{Views: 2, Key: 1, Revision: 1},
		make: followUp(paid,
			func(s *countedShop, t *testing.T, f gateway.FollowUp) (*gateway.Result, error) {
				_, err := s.Shop().Status(t.Context(), gateway.Lookup{OrderNumber: "ORD-1", Size: 10})
				return nil, err
			})},
	{name: "Operator.Transactions", asked: asked{Views: 1},
		make: followUp(paid,
			func(s *countedShop, t *testing.T, f gateway.FollowUp) (*gateway.Result, error) {
				_, err := s.Operator().Transactions(t.Context(), f.PaymentID)
				return nil, err
			})},
	{name: "Operator.ResolveDoubt", asked: asked{Views: 3, Updates: 1, Revision: 1},
		make: call(func(t testing.TB, s *countedShop) func() error {
			review := kerneltest.ReviewOf(t, s.Kit, doubted(t, s), "seen at the bank")
			return func() error {
				_, err := s.Operator().ResolveDoubt(t.Context(), review, true)
				return err
			}
		})},
	{name: "Operator.Doubts", asked: asked{Views: 1},
		make: call(func(t testing.TB, s *countedShop) func() error {
			doubted(t, s)
			return func() error {
				_, err := s.Operator().Doubts(t.Context(), 10)
				return err
			}
		})},
	{name: "Operator.Breaches", asked: asked{Views: 1},
		make: calls(func(t testing.TB, s *countedShop) func() error {
			breached(t, s)
			return func() error {
				list, err := s.Operator().Breaches(t.Context(), 10)
				require.Len(t, list, 1)
				return err
			}
		})},
	{name: "Operator.CloseBreach", asked: asked{Views: 1, Updates: 1},
		make: calls(func(t testing.TB, s *countedShop) func() error {
			review := kerneltest.ReviewOf(t, s.Kit, breached(t, s), "refunded by hand")
			return func() error { return s.Operator().CloseBreach(t.Context(), review) }
		})},

	{name: "Merchant.CreateSchedule", asked: asked{Views: 2, Updates: 1, Key: 1, Revision: 1},
		make: call(func(t testing.TB, s *countedShop) func() error {
			return func() error {
				_, err := s.Shop().CreateSchedule(t.Context(), kerneltest.Monthly())
				return err
			}
		})},
	{name: "Merchant.UpdateSchedule", asked: asked{Views: 2, Updates: 1, Key: 1, Revision: 1},
		make: scheduled(func(s *countedShop, t *testing.T, id string) error {
			_, err := s.Shop().UpdateSchedule(t.Context(), id, func(set *store.Schedule) error {
				set.Name = "Other"
				return nil
			})
			return err
		})},
	{name: "Merchant.PauseSchedule", asked: asked{Views: 2, Updates: 1, Key: 1, Revision: 1},
		make: scheduled(func(s *countedShop, t *testing.T, id string) error {
			return s.Shop().PauseSchedule(t.Context(), id)
		})},
	{name: "Merchant.RunSchedule", asked: asked{Views: 2, Updates: 1, Key: 1, Revision: 1},
		make: call(func(t testing.TB, s *countedShop) func() error {
			id := kerneltest.Scheduled(t, s.Kit).ID
			require.NoError(t, s.Shop().PauseSchedule(t.Context(), id))
			return func() error { return s.Shop().RunSchedule(t.Context(), id) }
		})},
	{name: "Merchant.DeleteSchedule", asked: asked{Views: 2, Updates: 1, Key: 1, Revision: 1},
		make: scheduled(func(s *countedShop, t *testing.T, id string) error {
			return s.Shop().DeleteSchedule(t.Context(), id)
		})},
	{name: "Merchant.Schedule", asked: asked{Views: 2, Key: 1, Revision: 1},
		make: scheduled(func(s *countedShop, t *testing.T, id string) error {
			_, err := s.Shop().Schedule(t.Context(), id)
			return err
		})},
	{name: "Merchant.Deschedule", asked: asked{Views: 2, Updates: 1, Key: 1, Revision: 1},
		make: call(func(t testing.TB, s *countedShop) func() error {
			set, first := kerneltest.Subscribed(t, s.Kit, kerneltest.Monthly())
			return func() error {
				return s.Shop().Deschedule(t.Context(), first.RecurringToken, set.ID)
			}
		})},

	{name: "Gateway.Tick", asked: asked{Views: 3, Updates: 1},
		make: call(func(t testing.TB, s *countedShop) func() error {
			return func() error {
				_, _, err := s.Kit.Tick(t.Context(), 1)
				return err
			}
		})},
	{name: "Operator.Payments", asked: asked{Views: 1},
		make: call(func(t testing.TB, s *countedShop) func() error {
			paid(t, s)
			return func() (err error) {
				for _, err = range s.Operator().Payments(t.Context(), gateway.PaymentFilter{}) {
					break
				}
				return err
			}
		})},
	{name: "Operator.Merchants", asked: asked{Views: 1, Profile: 1},
		make: call(func(t testing.TB, s *countedShop) func() error {
			return func() error {
				_, err := s.Operator().Merchants(t.Context(), "", 10)
				return err
			}
		})},
	{name: "Operator.Configuration", asked: asked{Views: 1, Profile: 5},
		make: call(func(t testing.TB, s *countedShop) func() error {
			return func() error {
				_, err := s.Operator().Configuration(t.Context(), gatewaytest.MerchantID)
				return err
			}
		})},
	{name: "Operator.Schedules", asked: asked{Views: 1},
		make: call(func(t testing.TB, s *countedShop) func() error {
			return func() error {
				_, err := s.Operator().Schedules(t.Context(), gatewaytest.MerchantID, "", 10)
				return err
			}
		})},
	{name: "Operator.Agreements", asked: asked{Views: 1},
		make: call(func(t testing.TB, s *countedShop) func() error {
			return func() error {
				_, err := s.Operator().Agreements(t.Context(), gatewaytest.MerchantID, 10)
				return err
			}
		})},
	{name: "Operator.DeadCallbacks", asked: asked{Views: 1},
		make: call(func(t testing.TB, s *countedShop) func() error {
			return func() error {
				_, err := s.Operator().DeadCallbacks(t.Context(), "", 10)
				return err
			}
		})},
	{name: "Operator.BlockedEndpoints", asked: asked{Views: 1},
		make: call(func(t testing.TB, s *countedShop) func() error {
			return func() error {
				_, err := s.Operator().BlockedEndpoints(t.Context(), 10)
				return err
			}
		})},
	{name: "Operator.Health", asked: asked{Views: 1},
		make: call(func(t testing.TB, s *countedShop) func() error {
			return func() error {
				_, err := s.Operator().Health(t.Context())
				return err
			}
		})},
	{name: "Operator.Forget", asked: asked{Views: 1, Updates: 1},
		make: call(func(t testing.TB, s *countedShop) func() error {
			id := setAside(t, s)
			return func() error { return s.Operator().Forget(t.Context(), gateway.WorkRecovery, id) }
		})},
	{name: "Operator.SetAside", asked: asked{Views: 1},
		make: call(func(t testing.TB, s *countedShop) func() error {
			return func() error {
				_, err := s.Kit.Operator().SetAside(t.Context(), 10)
				return err
			}
		})},
	{name: "Operator.Resume", asked: asked{Views: 1, Updates: 1},
		make: call(func(t testing.TB, s *countedShop) func() error {
			id := setAside(t, s)
			return func() error { return s.Operator().Resume(t.Context(), gateway.WorkRecovery, id) }
		})},
	{name: "Operator.Callbacks", asked: asked{Views: 1},
		make: call(func(t testing.TB, s *countedShop) func() error {
			id := paid(t, s)
			return func() error {
				_, err := s.Operator().Callbacks(t.Context(), id)
				return err
			}
		})},
	{name: "Operator.Resend", asked: asked{Views: 1, Updates: 1},
		make: call(func(t testing.TB, s *countedShop) func() error {
			s.Inbox.Answer(func(callback.Delivery) callback.Receipt {
				return callback.Receipt{Verdict: callback.Refused, Status: 503}
			})
			id := paid(t, s)
			s.Advance(t, 10*24*time.Hour)
			list, err := s.Operator().Callbacks(t.Context(), id)
			require.NoError(t, err)
			return func() error { return s.Operator().Resend(t.Context(), list[0].ID) }
		})},
	{name: "Operator.Unblock", asked: asked{Views: 1, Updates: 1},
		make: call(func(t testing.TB, s *countedShop) func() error {
			return func() error { return s.Operator().Unblock(t.Context(), gatewaytest.CallbackURL) }
		})},
	{name: "Operator.UnblockHost", asked: asked{Views: 1, Updates: 1},
		make: call(func(t testing.TB, s *countedShop) func() error {
			return func() error { return s.Operator().UnblockHost(t.Context(), "shop.example") }
		})},
	{name: "Operator.UnblockMerchant", asked: asked{Views: 1, Updates: 1},
		make: call(func(t testing.TB, s *countedShop) func() error {
			return func() error { return s.Operator().UnblockMerchant(t.Context(), gatewaytest.MerchantID) }
		})},
}

// breached is a transaction that took effect after it was declined.
func breached(t testing.TB, s *countedShop) string {
	t.Helper()
	kit, spy := kerneltest.Spied(t, kerneltest.Powers(false, time.Minute), true, s.count)
	s.serve(t, kit)
	s.Vcard.Next(vcard.Late(10 * time.Minute))
	id := kerneltest.Charged(t, s.Kit, "ORD-1", gatewaytest.Settles).Transaction.ID
	s.Advance(t, 15*time.Minute)
	kerneltest.NotifyOf(t, s.Kit, spy, id)
	return id
}

// setAside is a transaction whose recovery was set aside, and that can be read again.
func setAside(t testing.TB, s *countedShop) string {
	t.Helper()
	review := kerneltest.ReviewOf(t, s.Kit, doubted(t, s), "")
	key, entry := store.Key("p", review.PaymentID), review.PaymentID+"/1"
	good := kerneltest.RawOf(t, s.Kit, string(key))
	damage := func(value []byte) {
		kerneltest.DamageRecord(t.(*testing.T), s.Kit, key, func([]byte) []byte { return value })
	}
	damage([]byte("{"))
	s.Advance(t, time.Hour)
	require.Equal(t, entry, kerneltest.AsideOf(t.(*testing.T), s.Kit, gateway.WorkRecovery)[0].ID)
	damage(good)
	return entry
}
