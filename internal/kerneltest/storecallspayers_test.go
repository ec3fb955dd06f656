package kerneltest_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// eachTry is why a call of the Go API reads its merchant again when its session has changed before the call could
// write.
const eachTry = "the call begins anew: its next try is judged by the session and the merchant as they are then"

// payerEntries are the methods of Gateway that the page and Hosted Payment Fields ask.
var payerEntries = []entry{
	{name: "Gateway.NextAction", asked: asked{Views: 2, Revision: 1},
		make: onPage(func(s *countedShop, t *testing.T, token string) error {
			_, err := s.NextAction(t.Context(), token)
			return err
		})},
	{name: "Gateway.PaySession", asked: asked{Views: 5, Updates: 2, Revision: 1},
		make: onPage(func(s *countedShop, t *testing.T, token string) error {
			_, err := s.PaySession(t.Context(), token, gateway.Submission{Card: gatewaytest.Settles})
			return err
		})},
	{name: "Gateway.PaySession, a payout that was paid", asked: asked{Views: 5, Updates: 1, Revision: 1},
		make: call(paidOut)},
	{name: "Gateway.LeaveSession", asked: asked{Views: 3, Updates: 1, Revision: 1},
		make: onPage(func(s *countedShop, t *testing.T, token string) error {
			_, err := s.LeaveSession(t.Context(), token)
			return err
		})},
	{name: "Gateway.AnswerSession", asked: asked{Views: 5, Updates: 2, Revision: 1},
		make: calls(func(t testing.TB, s *countedShop) func() error {
			s.script = asksForCode()
			s.open(t, s.script.Option)
			token := prompted(t, s)
			return func() error {
				_, err := s.AnswerSession(t.Context(), token, map[string]string{"otp": "123456"})
				return err
			}
		})},
	{name: "Gateway.AppleIdentity", asked: asked{Views: 2, Revision: 1},
		make: calls(func(t testing.TB, s *countedShop) func() error {
			token := offersApplePay(t, s)
			return func() error {
				_, err := s.AppleIdentity(t.Context(), token)
				return err
			}
		})},
	{name: "Gateway.Return", asked: asked{Views: 5, Updates: 2, Revision: 1},
		make: calls(func(t testing.TB, s *countedShop) func() error {
			s.script = sendsAway()
			s.open(t, s.script.Option)
			token := away(t, s)
			return func() error {
				_, err := s.Return(t.Context(), token, methods.Return{Method: "GET"})
				return err
			}
		})},
	{name: "Gateway.Return, in a cascade", asked: asked{Views: 8, Updates: 3, Revision: 1},
		make: calls(func(t testing.TB, s *countedShop) func() error {
			s.script = kerneltest.Truthful()
			s.open(t, s.script.Option)
			kerneltest.AddMIDs(t, s.Kit, "second")
			kerneltest.SwitchCascading(t, s.Kit, store.Checkout)
			token := away(t, s)
			return func() error {
				_, err := s.Return(t.Context(), token, kerneltest.GenuineReturn)
				require.Len(t, s.script.Sent, 2)
				return err
			}
		})},
	{name: "Gateway.ReturnPage", asked: asked{Views: 1},
		make: calls(func(t testing.TB, s *countedShop) func() error {
			s.script = sendsAway()
			s.open(t, s.script.Option)
			token := away(t, s)
			return func() error {
				_, err := s.ReturnPage(t.Context(), token)
				return err
			}
		})},
	{name: "Gateway.Notify", asked: asked{Views: 3, Updates: 1, Revision: 1},
		make: calls(func(t testing.TB, s *countedShop) func() error {
			token, note := noticed(t, s)
			return func() error { return s.Notify(t.Context(), token, note) }
		})},

	{name: "Merchant.CreateHosted", asked: asked{Views: 2, Updates: 1, Key: 1, Revision: 1},
		make: call(func(t testing.TB, s *countedShop) func() error {
			return func() error {
				_, err := s.Shop().CreateHosted(t.Context(), kerneltest.HostedRequest("ORD-1"))
				return err
			}
		})},
	{name: "HostedFields.Check", asked: asked{Views: 1},
		make: onFields(func(s *countedShop, t *testing.T, token string) error {
			return s.HostedFields().Check(t.Context(), token)
		})},
	{name: "HostedFields.Collect", asked: asked{Views: 3, Updates: 1, Revision: 1},
		make: onFields(func(s *countedShop, t *testing.T, token string) error {
			return s.HostedFields().Collect(t.Context(), token, gatewaytest.Settles)
		})},
	{name: "HostedFields.Origins", asked: asked{Views: 2, Revision: 1},
		make: onFields(func(s *countedShop, t *testing.T, _ string) error {
			_, err := s.HostedFields().Origins(t.Context(), s.fields)
			return err
		})},
	{name: "HostedFields.Code", asked: asked{Views: 1},
		make: onFields(func(s *countedShop, t *testing.T, _ string) error {
			_, err := s.HostedFields().Code(t.Context(), s.fields)
			return err
		})},
	{name: "HostedFields.Update", asked: asked{Views: 3, Updates: 1, Revision: 1},
		make: onFields(func(s *countedShop, t *testing.T, token string) error {
			amount := "12.00"
			return s.HostedFields().Update(t.Context(), token, gateway.HostedUpdate{Amount: &amount})
		})},
	{name: "HostedFields.Pay", asked: asked{Views: 4, Updates: 2, Revision: 1},
		make: onFields(func(s *countedShop, t *testing.T, token string) error {
			return kerneltest.PayFields(t.Context(), s.Kit, token)
		})},
	{name: "HostedFields.Pay, of a session that changes", again: eachTry, asked: asked{Views: 7, Updates: 3, Revision: 2},
		make: changedMeanwhile(
			func(s *countedShop, t *testing.T, token string) error {
				return kerneltest.PayFields(t.Context(), s.Kit, token)
			})},
	{name: "HostedFields.Update, of a session that changes", again: eachTry, asked: asked{Views: 6, Updates: 2, Revision: 2},
		make: changedMeanwhile(
			func(s *countedShop, t *testing.T, token string) error {
				amount := "12.00"
				return s.HostedFields().Update(t.Context(), token, gateway.HostedUpdate{Amount: &amount})
			})},
	{name: "HostedFields.ReturnParams", asked: asked{Views: 1, Revision: 1},
		make: call(func(t testing.TB, s *countedShop) func() error {
			r := kerneltest.PayHosted(t, s.Kit, hosted(t, s, "purchase"))
			return func() error {
				_, err := s.HostedFields().ReturnParams(t.Context(), r)
				return err
			}
		})},
}

// onPage is a call at the page of a new session.
func onPage(act func(*countedShop, *testing.T, string) error) making {
	return call(func(t testing.TB, s *countedShop) func() error {
		token := s.Session(t, "ORD-1", "10.00")
		return func() error { return act(s, t.(*testing.T), token) }
	})
}

// onFields is a call about a session of Hosted Payment Fields that holds a card.
func onFields(act func(*countedShop, *testing.T, string) error) making {
	return call(func(t testing.TB, s *countedShop) func() error {
		token := hosted(t, s, "purchase")
		return func() error { return act(s, t.(*testing.T), token) }
	})
}

// paidOut pays a session of a payout that another session of the same signature has paid.
func paidOut(t testing.TB, s *countedShop) func() error {
	t.Helper()
	shop := &kerneltest.SignedShop{Kit: s.Kit, Handler: s.mux}
	links := []string{shop.CreditLink(t), shop.CreditLink(t)}
	require.Equal(t, gateway.ReturnPaid, s.Pay(t, links[0], gatewaytest.Settles).Status)
	return func() error {
		next, err := s.PaySession(t.Context(), links[1], gateway.Submission{Card: gatewaytest.Settles})
		require.Equal(t, gateway.ReturnCancelled, next.Status)
		return err
	}
}

// changedMeanwhile is a call about a session of Hosted Payment Fields that changes once before the call can write.
func changedMeanwhile(act func(*countedShop, *testing.T, string) error) making {
	return calls(func(t testing.TB, s *countedShop) func() error {
		late := &lateChange{}
		s.open(t, late.option)
		token := hosted(t, s, "purchase")
		return func() error {
			late.change = s.changesFields
			err := act(s, t.(*testing.T), token)
			require.Nil(t, late.change, "it was made")
			return err
		}
	})
}

// changesFields stores another version of the session of Hosted Payment Fields.
func (s *countedShop) changesFields(tx store.Tx) error {
	session, err := records.Sessions.Get(tx, s.fields)
	if err != nil {
		return err
	}
	session.Version++
	return records.Sessions.Put(tx, session, session.ID)
}

// lateChange is a store that changes something before the next transaction writes.
type lateChange struct {
	store.Store
	change func(store.Tx) error
}

func (l *lateChange) option(c *gateway.Config) { l.Store, c.Store = c.Store, l }

func (l *lateChange) Update(ctx context.Context, fn func(store.Tx) error) error {
	if change := l.change; change != nil {
		l.change = nil
		if err := l.Store.Update(ctx, change); err != nil {
			return err
		}
	}
	return l.Store.Update(ctx, fn)
}
