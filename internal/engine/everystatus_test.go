package engine_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
)

// Every status against every request, on every protocol, as SPEC1 ("States and transitions"), lifecycle.md
// and the decisions define it: a second table, independent of the one in the code.

// stand is a payment in a status, and the way to get there.
type stand struct {
	name   string
	status store.Status
	make   func(*standing) store.Payment
	// The result of a capture, a refund, a void, a dispute, a retry and a later payment of the chain; nil means
	// accepted.
	capture, refund, void, dispute, retry, recur error
}

// standing makes payments of one protocol.
type standing struct {
	*testing.T
	kit      *gatewaytest.Kit
	protocol store.Protocol
}

func (s *standing) pay(card methods.Card, change ...func(*gateway.ChargeRequest)) store.Payment {
	via := func(r *gateway.ChargeRequest) {
		r.Protocol, r.RecurringInit = s.protocol, s.protocol != store.S2SAPM // which has no chains
		r.ReturnURL = "https://shop.example/back"
		if s.protocol == store.S2SAPM {
			r.Method, r.Identifier, r.Card = "vcard", "success@gmail.com", nil
			if card.Expiry.Month == gatewaytest.Declines.Expiry.Month {
				r.Identifier = "fail@gmail.com"
			}
		}
	}
	return kerneltest.Charged(s, s.kit, "ORD-1", card, append([]func(*gateway.ChargeRequest){via}, change...)...).Payment
}

// after makes a request for a payment and returns the payment afterwards.
func (s *standing) after(p store.Payment, what, amount string) store.Payment {
	s.Helper()
	_, err := kerneltest.Step{What: what, Amount: amount}.Run(s.Context(), s.kit, p)
	require.NoError(s, err)
	return s.kit.Payment(s.T, "ORD-1")
}

func (s *standing) sale() store.Payment  { return s.pay(gatewaytest.Settles) }
func (s *standing) debit() store.Payment { return s.pay(gatewaytest.Settles, kerneltest.AsDebit) }
func (s *standing) hold() store.Payment  { return s.pay(gatewaytest.Settles, kerneltest.Held) }

var stands = []stand{
	{"sale", store.Settled, (*standing).sale,
		gateway.ErrCaptureStatus, nil, nil, nil, gateway.ErrRetry, nil},
	{"debit", store.Settled, (*standing).debit,
		gateway.ErrCaptureStatus, nil, nil, nil, gateway.ErrRetry, nil},
	{"hold", store.Pending, (*standing).hold,
		nil, nil, gateway.ErrVoid, gateway.ErrChargeback, gateway.ErrRetry, gateway.ErrNoChain},
	{"held debit", store.Pending, func(s *standing) store.Payment {
		return s.pay(gatewaytest.Settles, kerneltest.Held, kerneltest.AsDebit)
	},
		nil, nil, gateway.ErrVoid, gateway.ErrChargeback, gateway.ErrRetry, gateway.ErrNoChain},
	{"captured", store.Settled, func(s *standing) store.Payment { return s.after(s.hold(), "capture", "") },
		gateway.ErrCaptureStatus, nil, nil, nil, gateway.ErrRetry, nil},
	{"declined", store.Declined, func(s *standing) store.Payment { return s.pay(gatewaytest.Declines) },
		gateway.ErrCaptureStatus, gateway.ErrRefund, gateway.ErrVoid, gateway.ErrChargeback, gateway.ErrRetry,
		gateway.ErrNoChain},
	{"unknown sale", store.Prepare, func(s *standing) store.Payment { s.kit.Vcard.Next(vcard.UnknownBefore()); return s.sale() },
		gateway.ErrCaptureStatus, gateway.ErrRefund, gateway.ErrVoid, gateway.ErrChargeback, gateway.ErrRetry,
		gateway.ErrNoChain},
	{"unknown hold", store.Pending, func(s *standing) store.Payment { s.kit.Vcard.Next(vcard.UnknownBefore()); return s.hold() },
		gateway.ErrBusy, gateway.ErrBusy, gateway.ErrVoid, gateway.ErrChargeback, gateway.ErrRetry, gateway.ErrNoChain},
	{"released", store.Reversed, func(s *standing) store.Payment { return s.after(s.hold(), "refund", "") },
		gateway.ErrCaptureStatus, gateway.ErrRefund, gateway.ErrVoid, gateway.ErrChargeback, gateway.ErrRetry,
		gateway.ErrNoChain},
	{"debit that was reversed", store.Reversed, func(s *standing) store.Payment { return s.after(s.debit(), "refund", "") },
		gateway.ErrCaptureStatus, gateway.ErrRefund, gateway.ErrVoid, gateway.ErrChargeback, gateway.ErrRetry,
		gateway.ErrNoChain},
	{"refunded in part", store.Refunded, func(s *standing) store.Payment { return s.after(s.sale(), "refund", "1.00") },
		gateway.ErrCaptureStatus, nil, gateway.ErrVoid, nil, gateway.ErrRetry, nil},
	{"refunded", store.Refunded, func(s *standing) store.Payment { return s.after(s.sale(), "refund", "") },
		gateway.ErrCaptureStatus, gateway.ErrRefund, gateway.ErrVoid, gateway.ErrChargeback, gateway.ErrRetry, nil},
	{"voided", store.Voided, func(s *standing) store.Payment { return s.after(s.sale(), "void", "") },
		gateway.ErrCaptureStatus, gateway.ErrRefund, gateway.ErrVoid, gateway.ErrChargeback, gateway.ErrRetry,
		gateway.ErrNoChain},
	{"voided debit", store.Voided, func(s *standing) store.Payment { return s.after(s.debit(), "void", "") },
		gateway.ErrCaptureStatus, gateway.ErrRefund, gateway.ErrVoid, gateway.ErrChargeback, gateway.ErrRetry,
		gateway.ErrNoChain},
	{"disputed", store.Disputed, func(s *standing) store.Payment { return s.after(s.sale(), "dispute", "") },
		gateway.ErrCaptureStatus, gateway.ErrRefund, gateway.ErrVoid, gateway.ErrChargeback, gateway.ErrRetry,
		gateway.ErrNoChain},
	{"disputed in part", store.Disputed, func(s *standing) store.Payment { return s.after(s.sale(), "dispute", "1.00") },
		gateway.ErrCaptureStatus, gateway.ErrRefund, gateway.ErrVoid, gateway.ErrChargeback, gateway.ErrRetry, nil},
}

func TestWhatMayBeAsked(t *testing.T) {
	t.Parallel()
	for _, protocol := range store.Protocols() {
		for _, c := range stands {
			for what, want := range map[string]error{
				"capture": c.capture, "refund": c.refund, "void": c.void, "dispute": c.dispute, "retry": c.retry, "recur": c.recur,
			} {
				t.Run(string(protocol)+" "+what+" of "+c.name, func(t *testing.T) {
					t.Parallel()
					s := &standing{t, kerneltest.Audited(t), protocol}
					p := c.make(s)
					require.Equal(t, c.status, p.Status)
					if what == "recur" && protocol == store.S2SAPM {
						want = gateway.ErrNoChain
					}
					before := len(s.kit.Charges(t))
					err := s.ask(p, what)
					if want == nil {
						require.NoError(t, err)
						return
					}
					require.ErrorIs(t, err, want)
					require.Len(t, s.kit.Charges(t), before)
					require.Equal(t, p.Version, s.kit.Payment(t, "ORD-1").Version, "a refusal leaves the payment as it was")
				})
			}
		}
	}
}

func (s *standing) ask(p store.Payment, what string) (err error) {
	switch what {
	case "retry":
		_, err = s.kit.Shop().Retry(s.Context(), kerneltest.FollowUpOf(p, ""))
	case "recur":
		_, err = s.kit.Shop().Recur(s.Context(), kerneltest.LaterOf(p, "ORD-2"))
	default:
		_, err = kerneltest.Step{What: what}.Run(s.Context(), s.kit, p)
	}
	return err
}

// Amounts of a capture, a refund, a reversal and a dispute: a part, all, more, zero, and malformed ones.
func TestAmountsThatMayBeAsked(t *testing.T) {
	t.Parallel()
	taken := error(nil)
	for _, c := range []struct {
		name, what string
		make       func(*standing) store.Payment
		part, more error
	}{
		{"capture", "capture", (*standing).hold, taken, gateway.ErrCaptureAmount},
		{"refund", "refund", (*standing).sale, taken, gateway.ErrRefundAmount},
		{"reversal of a hold", "refund", (*standing).hold, gateway.ErrReversalPart, gateway.ErrReversalAmount},
		{"reversal of a debit", "refund", (*standing).debit, gateway.ErrReversalPart, gateway.ErrReversalAmount},
		{"dispute", "dispute", (*standing).sale, taken, gateway.ErrDisputeAmount},
	} {
		for _, protocol := range store.Protocols() {
			for amount, want := range map[string]error{
				"": taken, "10.00": taken, "9.99": c.part, "0.01": c.part, "10.01": c.more, "999999999999999.99": c.more,
				"0.00": gateway.ErrInvalid, "-1.00": gateway.ErrInvalid, "10.000": gateway.ErrInvalid, "1e1": gateway.ErrInvalid,
				"ten":   gateway.ErrInvalid,
				" 1.00": gateway.ErrInvalid, "1,00": gateway.ErrInvalid, "01.00": gateway.ErrInvalid, "٣.00": gateway.ErrInvalid,
			} {
				t.Run(string(protocol)+" "+c.name+" of "+amount, func(t *testing.T) {
					t.Parallel()
					s := &standing{t, kerneltest.Audited(t), protocol}
					p := c.make(s)
					_, err := kerneltest.Step{What: c.what, Amount: amount}.Run(t.Context(), s.kit, p)
					if want == nil {
						require.NoError(t, err)
						return
					}
					require.ErrorIs(t, err, want)
					require.Equal(t, p.Version, s.kit.Payment(t, "ORD-1").Version)
				})
			}
		}
	}
}
