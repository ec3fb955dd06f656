package kerneltest

import (
	"context"
	"strconv"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

// InstantConnector is an acquirer that approves at once and stores nothing, so that only the gateway is measured.
type InstantConnector struct{}

// Perform implements methods.Connector.
func (InstantConnector) Perform(_ context.Context, op methods.Operation) methods.Answer {
	return methods.Approved(op, "ref-"+op.TransactionID)
}

// Capabilities implements methods.Declarer.
func (InstantConnector) Capabilities() methods.Capabilities {
	return methods.Capabilities{Holds: true, InProcess: true}
}

// SaleRequest is the n-th sale of a benchmark.
func SaleRequest(n int64) gateway.ChargeRequest {
	card := gatewaytest.Settles
	return gateway.ChargeRequest{
		Kind: store.Purchase, Card: &card,
		Order: store.Order{Number: "ORD-" + strconv.FormatInt(n, 10), Amount: "10.00", Currency: "USD",
			Description: "Important gift"},
		Payer: store.Payer{Name: "John Doe", Email: "doe@example.com", IP: "203.0.113.7"},
	}
}
