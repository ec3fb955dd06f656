package faults_test

import (
	"context"
	"crypto/rand"
	"errors"
	"io"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/vcard"
)

// faultyAcquirer is an acquirer that may have a fault.
type faultyAcquirer struct {
	*vcard.Connector
	by *kerneltest.Fault
}

func (b faultyAcquirer) call(op methods.Operation, call func() methods.Answer) methods.Answer {
	switch mode := b.by.Strike("connector"); mode {
	case "":
		return call()
	case "not sent":
		return methods.NotSent(op, "injected")
	case "after", "crash after":
		call()
		return methods.Unknown(op, "injected")
	case "garbled": // the answer to another request
		answer := call()
		answer.Key = "tg-other"
		return answer
	case "panic after":
		call()
		panic("injected")
	case "panic":
		panic("injected")
	default:
		return methods.Unknown(op, "injected")
	}
}

func (b faultyAcquirer) Perform(ctx context.Context, op methods.Operation) methods.Answer {
	b.by.Keep(op)
	return b.call(op, func() methods.Answer { return b.Connector.Perform(ctx, op) })
}

func (b faultyAcquirer) Find(ctx context.Context, op methods.Operation) methods.Answer {
	return b.call(op, func() methods.Answer { return b.Connector.Find(ctx, op) })
}

func (b faultyAcquirer) Complete(ctx context.Context, op methods.Operation, back methods.Return) methods.Answer {
	return b.call(op, func() methods.Answer {
		answer := b.Connector.Complete(ctx, op, back)
		answer.Soft = answer.Soft || b.by.Softly && answer.Result == methods.ResultDeclined
		if b.by.Strict && answer.Result != methods.ResultUnverified && !b.by.Takes(op) {
			return methods.Declined(op, "Completed before")
		}
		return answer
	})
}

// Capabilities are the acquirer's, but a strict one is not idempotent.
func (b faultyAcquirer) Capabilities() methods.Capabilities {
	can := b.Connector.Capabilities()
	can.IdempotentByKey = can.IdempotentByKey && !b.by.Strict
	return can
}

func (b faultyAcquirer) Notification(ctx context.Context, op methods.Operation, note methods.Note) methods.Answer {
	return b.call(op, func() methods.Answer { return b.Connector.Notification(ctx, op, note) })
}

// StopSchedule accepts every request, even if no schedule runs.
func (b faultyAcquirer) StopSchedule(_ context.Context, op methods.Operation) methods.Answer {
	return b.call(op, func() methods.Answer { return methods.Approved(op, op.ParentReference) })
}

// faultyRandom is a random source that may have a fault.
type faultyRandom struct{ by *kerneltest.Fault }

func (b faultyRandom) Read(p []byte) (int, error) {
	switch b.by.Strike("random") {
	case "":
		return io.ReadFull(rand.Reader, p)
	case "piecemeal": // fewer bytes than requested, as a reader may return
		return io.ReadFull(rand.Reader, p[:(len(p)+1)/2])
	case "short":
		n, _ := io.ReadFull(rand.Reader, p[:len(p)/2])
		return n, kerneltest.ErrInjected
	default:
		return 0, kerneltest.ErrInjected
	}
}

// faultyKeys is a key provider that may have a fault.
type faultyKeys struct {
	gateway.KeyProvider
	by *kerneltest.Fault
}

// ask calls the provider unless the fault comes before the call; a fault after it loses the answer.
func (b faultyKeys) ask(call func() error) error {
	switch b.by.Strike("keys") {
	case "":
		return call()
	case "gone":
		return errors.Join(kerneltest.ErrInjected, gateway.ErrKeyGone)
	case "after":
		_ = call()
		return kerneltest.ErrInjected
	default:
		return kerneltest.ErrInjected
	}
}

func (b faultyKeys) Wrap(ctx context.Context, key []byte) (w gateway.WrappedKey, err error) {
	err = b.ask(func() (err error) { w, err = b.KeyProvider.Wrap(ctx, key); return err })
	return w, err
}

func (b faultyKeys) Unwrap(ctx context.Context, wrapped gateway.WrappedKey) (key []byte, err error) {
	err = b.ask(func() (err error) { key, err = b.KeyProvider.Unwrap(ctx, wrapped); return err })
	return key, err
}

func (b faultyKeys) LookupKey(ctx context.Context) (key []byte, err error) {
	err = b.ask(func() (err error) { key, err = b.KeyProvider.LookupKey(ctx); return err })
	return key, err
}
