package gateway_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// puppet is an acquirer that says what a test wants, and notes what it was told.
type puppet struct {
	perform  func(methods.Operation) methods.Answer
	complete func(methods.Operation, methods.Return) methods.Answer
	find     func(methods.Operation) methods.Answer

	needsCode       bool // when the payer comes back
	onlyWithCode    bool // takes a charge
	mu              sync.Mutex
	sent, completed []methods.Operation
}

func (p *puppet) option(c *gateway.Config) { c.Connectors["vcard"] = p }

func (p *puppet) Capabilities() methods.Capabilities {
	return methods.Capabilities{Holds: true, ZeroAmount: true, IdempotentByKey: true, ResendWithoutCode: !p.onlyWithCode, Lateness: time.Minute,
		CodeAtReturn: p.needsCode}
}

func (p *puppet) Perform(_ context.Context, op methods.Operation) methods.Answer {
	p.mu.Lock()
	p.sent = append(p.sent, op)
	p.mu.Unlock()
	return p.perform(op)
}

func (p *puppet) Complete(_ context.Context, op methods.Operation, back methods.Return) methods.Answer {
	p.mu.Lock()
	p.completed = append(p.completed, op)
	p.mu.Unlock()
	return p.complete(op, back)
}

func (p *puppet) Find(_ context.Context, op methods.Operation) methods.Answer {
	if p.find == nil {
		return methods.Unknown(op, "nobody knows")
	}
	return p.find(op)
}

// comeBack is the payer at the return link of the last operation sent; it answers where he goes then.
func (p *puppet) comeBack(t testing.TB, kit *gatewaytest.Kit) string {
	t.Helper()
	p.mu.Lock()
	op := p.sent[len(p.sent)-1]
	p.mu.Unlock()
	token, ok := strings.CutPrefix(op.ReturnURL, gatewaytest.PublicURL+"/return/")
	require.True(t, ok)
	location, err := kit.Return(t.Context(), token, methods.Return{Method: "GET"})
	require.NoError(t, err)
	return location
}

func toIssuer(op methods.Operation) methods.Answer {
	return methods.Redirected(op, store.Next{ThreeDS: true, URL: "https://acs.example/go", Method: "POST",
		Params: []store.NextParam{{Name: "TermUrl", Value: op.ReturnURL}}}, []byte("issuer"))
}

func toBank(op methods.Operation) methods.Answer {
	return methods.Redirected(op, store.Next{URL: "https://bank.example/go", Method: "GET"}, []byte("bank"))
}

func approves(op methods.Operation) methods.Answer { return methods.Approved(op, "ref-"+op.Key) }

// firstAway sends whoever comes first to the issuer, where he is declined softly, and approves the rest.
func firstAway() *puppet {
	p := &puppet{}
	p.perform = func(op methods.Operation) methods.Answer {
		if len(p.sent) == 1 {
			return toIssuer(op)
		}
		return approves(op)
	}
	p.complete = func(op methods.Operation, _ methods.Return) methods.Answer {
		return methods.SoftDeclined(op, "Try elsewhere")
	}
	return p
}
