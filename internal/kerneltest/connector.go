package kerneltest

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
)

// ScriptedConnector is an acquirer that answers what a test sets, and records its operations.
type ScriptedConnector struct {
	OnPerform  func(methods.Operation) methods.Answer
	OnComplete func(methods.Operation, methods.Return) methods.Answer
	OnFind     func(methods.Operation) methods.Answer

	NeedsCode       bool // at the payer's return
	OnlyWithCode    bool // accepts charges only with a code
	Mu              sync.Mutex
	Sent, Completed []methods.Operation
}

// Option replaces vcard by the connector.
func (p *ScriptedConnector) Option(c *gateway.Config) { c.Connectors["vcard"] = p }

// Capabilities implements methods.Declarer.
func (p *ScriptedConnector) Capabilities() methods.Capabilities {
	return methods.Capabilities{Holds: true, ZeroAmount: true, IdempotentByKey: true, ResendWithoutCode: !p.OnlyWithCode,
		Lateness:     time.Minute,
		CodeAtReturn: p.NeedsCode}
}

// Perform implements methods.Connector.
func (p *ScriptedConnector) Perform(_ context.Context, op methods.Operation) methods.Answer {
	p.Mu.Lock()
	p.Sent = append(p.Sent, op)
	p.Mu.Unlock()
	return p.OnPerform(op)
}

// Complete implements methods.Completer.
func (p *ScriptedConnector) Complete(_ context.Context, op methods.Operation, back methods.Return) methods.Answer {
	p.Mu.Lock()
	p.Completed = append(p.Completed, op)
	answer := p.OnComplete
	p.Mu.Unlock()
	return answer(op, back)
}

// Operation returns the n-th operation that the acquirer got.
func (p *ScriptedConnector) Operation(n int) methods.Operation {
	p.Mu.Lock()
	defer p.Mu.Unlock()
	return p.Sent[n]
}

// Find implements methods.Finder.
func (p *ScriptedConnector) Find(_ context.Context, op methods.Operation) methods.Answer {
	if p.OnFind == nil {
		return methods.Unknown(op, "the outcome is unknown")
	}
	return p.OnFind(op)
}

// Calls counts the acquirer's calls with a payer's return or answer.
func (p *ScriptedConnector) Calls() int {
	p.Mu.Lock()
	defer p.Mu.Unlock()
	return len(p.Completed)
}

// ComeBack opens the return link of the last operation; it returns where the payer goes then.
func (p *ScriptedConnector) ComeBack(t testing.TB, kit *gatewaytest.Kit) string {
	t.Helper()
	p.Mu.Lock()
	op := p.Sent[len(p.Sent)-1]
	p.Mu.Unlock()
	token, ok := strings.CutPrefix(op.ReturnURL, gatewaytest.PublicURL+"/return/")
	require.True(t, ok)
	location, err := kit.Return(t.Context(), token, methods.Return{Method: "GET"})
	require.NoError(t, err)
	return location
}

// Takes brings a payer through one step, and returns the token of the next page.
func (p *ScriptedConnector) Takes(t testing.TB, kit *gatewaytest.Kit, step, token string) string {
	t.Helper()
	if step != "asks" {
		return PageToken(t, p.ComeBack(t, kit))
	}
	require.NotEmpty(t, token, "the answer tells the page")
	require.Equal(t, gateway.ActionPrompt, NextActionOf(t, kit, token).Kind)
	_, err := kit.AnswerSession(t.Context(), token, map[string]string{"otp": "123456"})
	require.NoError(t, err)
	return token
}
