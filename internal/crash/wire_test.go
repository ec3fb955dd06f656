package crash

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net"
	"net/http"

	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
)

// question is a call of a connector on its way to the acquirer. Card data refuses to be marshalled, so the card is
// sent separately, as to any acquirer.
type question struct {
	Call      vcard.Call
	Operation methods.Operation // without card and secrets
	Card      *plainCard        `json:",omitempty"`
	Back      *methods.Return   `json:",omitempty"`
}

type plainCard struct {
	Number, Code, Holder string
	Expiry               store.Expiry
}

func ask(call vcard.Call, op methods.Operation, back *methods.Return) question {
	q := question{Call: call, Operation: op, Back: back}
	q.Operation.Card, q.Operation.MID.Secrets = nil, nil
	if c := op.Card; c != nil {
		q.Card = &plainCard{Number: c.PAN.Digits(), Code: c.Code.Digits(), Holder: c.Holder, Expiry: c.Expiry}
	}
	return q
}

// operation returns the complete operation.
func (q question) operation() (methods.Operation, error) {
	op := q.Operation
	if q.Card == nil {
		return op, nil
	}
	pan, err := store.ParsePAN(q.Card.Number)
	if err != nil {
		return op, err
	}
	code, _ := store.ParseSecurityCode(q.Card.Code) // none in a resend
	op.Card = &methods.Card{PAN: pan, Expiry: q.Card.Expiry, Holder: q.Card.Holder, Code: code}
	return op, nil
}

// connector is the child's connection to the acquirer.
type connector struct {
	url    string
	client *http.Client
}

// Capabilities returns vcard's.
func (c connector) Capabilities() methods.Capabilities {
	return methods.Capabilities{
		IdempotentByKey: true, Lateness: acquirerLateness, ResendWithoutCode: true, Holds: true, ZeroAmount: true,
	}
}

// Perform sends the operation to the acquirer.
func (c connector) Perform(ctx context.Context, op methods.Operation) methods.Answer {
	return c.send(ctx, op, ask(vcard.CallPerform, op, nil))
}

// Find asks for its outcome.
func (c connector) Find(ctx context.Context, op methods.Operation) methods.Answer {
	return c.send(ctx, op, ask(vcard.CallFind, op, nil))
}

// Complete sends what the payer brought.
func (c connector) Complete(ctx context.Context, op methods.Operation, back methods.Return) methods.Answer {
	return c.send(ctx, op, ask(vcard.CallComplete, op, &back))
}

func (c connector) send(ctx context.Context, op methods.Operation, q question) methods.Answer {
	body, err := json.Marshal(q)
	if err != nil {
		return methods.NotSent(op, "the request cannot be written")
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url, bytes.NewReader(body))
	if err != nil {
		return methods.NotSent(op, "the request cannot be made")
	}
	resp, err := c.client.Do(r)
	var refused *net.OpError
	switch {
	case errors.As(err, &refused) && refused.Op == "dial":
		return methods.NotSent(op, "no connection")
	case err != nil:
		return methods.Unknown(op, "no answer")
	}
	defer resp.Body.Close() //nolint:errcheck // read or not, it is over
	var answer methods.Answer
	if resp.StatusCode != http.StatusOK || json.NewDecoder(resp.Body).Decode(&answer) != nil {
		return methods.Unknown(op, "no usable answer")
	}
	return answer
}
