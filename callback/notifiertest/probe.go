package notifiertest

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/callback"
)

// probe runs one check on one notifier. Every call goes through it and is held against the rules for all calls.
type probe struct {
	Subject
	tb       testing.TB
	notifier callback.Notifier
	merchant *merchant
	server   *httptest.Server
}

func newProbe(tb testing.TB, s Subject) *probe {
	if s.Patience == 0 {
		s.Patience = 10 * time.Second
	}
	p := &probe{Subject: s, tb: tb, notifier: s.New(tb), merchant: &merchant{}}
	if s.Posts {
		p.server = httptest.NewServer(p.merchant)
		tb.Cleanup(p.close)
	}
	return p
}

// close ends the merchant, also while a request waits for its answer.
func (p *probe) close() {
	p.merchant.leave()
	p.server.CloseClientConnections()
	p.server.Close()
}

// secrets are in every URL: they must not be in a receipt, which goes to a log.
const secrets = "token=merchant-s-own-secret"

// delivery returns a callback with an id.
func (p *probe) delivery(id string) callback.Delivery {
	base := "https://shop.example"
	if p.Posts {
		base = p.server.URL
	}
	return callback.Delivery{
		ID: id, Attempt: 1, URL: base + "/callback?" + secrets, ContentType: callback.ContentType,
		Body:       []byte("id=" + id + "&order=%D0%AE+%26+%3D&card=411111%2A%2A%2A%2A1111&hash=0123456789abcdef"),
		MerchantID: "shop", PaymentID: "payment-1", TransactionID: "transaction-1", Type: "sale",
		CreatedAt: time.Date(2027, 3, 10, 12, 0, 0, 0, time.UTC),
	}
}

// deliver makes one attempt that must end in time.
func (p *probe) deliver(d callback.Delivery) callback.Receipt {
	ctx, cancel := context.WithTimeout(context.Background(), p.Patience)
	defer cancel()
	return p.deliverIn(ctx, d)
}

// deliverIn makes one attempt, and checks what holds for all.
func (p *probe) deliverIn(ctx context.Context, d callback.Delivery) callback.Receipt {
	body, receipts, panics := slices.Clone(d.Body), make(chan callback.Receipt, 1), make(chan any, 1)
	go func() {
		defer func() {
			if fault := recover(); fault != nil {
				panics <- fault
			}
		}()
		receipts <- p.notifier.Deliver(ctx, d)
	}()
	select {
	case r := <-receipts:
		require.Equal(p.tb, body, d.Body, "Deliver changed the body of its delivery")
		p.sound(r)
		return r
	case fault := <-panics:
		require.FailNow(p.tb, fmt.Sprintf("Deliver panicked: %v", fault))
	case <-p.outlasted(ctx):
		require.FailNow(p.tb, "Deliver did not return when its context had ended")
	}
	return callback.Receipt{}
}

// outlasted is closed when a context has ended and Patience has passed since.
func (p *probe) outlasted(ctx context.Context) <-chan struct{} {
	late := make(chan struct{})
	go func() {
		<-ctx.Done()
		timer := time.NewTimer(p.Patience)
		defer timer.Stop()
		<-timer.C
		close(late)
	}()
	return late
}

var longNumber = regexp.MustCompile(`[0-9]{12,}`)

// sound checks what holds for every receipt.
func (p *probe) sound(r callback.Receipt) {
	verdicts := []callback.Verdict{callback.Accepted, callback.Refused, callback.TimedOut}
	require.Contains(p.tb, verdicts, r.Verdict, "the verdict is none of the closed set")
	require.NotContains(p.tb, r.Detail, "merchant-s-own-secret", "the receipt shows the URL's secret")
	require.False(p.tb, longNumber.MatchString(r.Detail), "the receipt shows a long number: %q", r.Detail)
	require.LessOrEqual(p.tb, len(r.Detail), maxDetail, "the receipt's detail is too long for a log")
	require.GreaterOrEqual(p.tb, r.RetryAfter, time.Duration(0), "RetryAfter is negative")
	require.LessOrEqual(p.tb, r.RetryAfter, callback.MaxRetryAfter, "RetryAfter is longer than MaxRetryAfter")
}

// maxDetail bounds a receipt's detail in bytes: it is stored with the callback.
const maxDetail = 1024

// arrived returns the messages that have arrived.
func (p *probe) arrived() []Message {
	if p.Posts {
		return p.merchant.messages()
	}
	return p.Arrived(p.tb, p.notifier)
}

// answers makes the merchant answer every request from now on.
func (p *probe) answers(status int, body string, header ...string) {
	p.merchant.answer(func(w http.ResponseWriter) {
		for i := 0; i+1 < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(status)
		_, _ = w.Write([]byte(body))
	})
}
