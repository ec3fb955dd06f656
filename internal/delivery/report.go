package delivery

import (
	"cmp"
	"net/url"
	"strings"
	"time"

	"github.com/tollgatepay/gateway/callback"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/observe"
)

// attempt is a try of a callback that is recorded.
type attempt struct {
	c            *records.Callback
	receipt      callback.Receipt
	done         callback.Finished
	began, ended time.Time
}

// endpoints returns what became of the endpoints of a try.
func (a *attempt) endpoints() (list []observe.Event) {
	for _, e := range a.done.Moved {
		if until, blocked := e.Blocked(a.ended); blocked {
			list = append(list, observe.EndpointBlocked{Endpoint: Shown(e.URL), Until: until, At: a.ended})
		} else {
			list = append(list, observe.EndpointFreed{Endpoint: Shown(e.URL), At: a.ended})
		}
	}
	return list
}

// event returns what became of the callback.
func (a *attempt) event() observe.Event {
	c, r := a.c, &a.receipt
	of := observe.Delivery{
		MerchantID: c.MerchantID, PaymentID: c.PaymentID, TransactionID: c.TransactionID, CallbackID: c.ID, Type: c.Type,
		Attempt: c.Tries, Status: r.Status, Detail: r.Detail,
		Took: a.ended.Sub(a.began), Age: a.ended.Sub(c.CreatedAt), At: a.ended,
	}
	if u, err := url.Parse(c.URL); err == nil {
		of.Host = cmp.Or(u.Host, u.Scheme+":")
	}
	switch {
	case r.Verdict == callback.Accepted:
		return observe.CallbackDelivered{Delivery: of}
	case a.done.Dead:
		return observe.CallbackDead{Delivery: of, TimedOut: r.Verdict == callback.TimedOut}
	default:
		return observe.CallbackRefused{Delivery: of, TimedOut: r.Verdict == callback.TimedOut}
	}
}

// Shown returns the URL of an endpoint for a log: without user and query, which may hold a secret of the merchant.
func Shown(endpoint string) string {
	u, err := url.Parse(endpoint)
	if err == nil && u.Host != "" {
		return u.Scheme + "://" + u.Host + u.EscapedPath()
	}
	name, _, _ := strings.Cut(endpoint, "?")
	if scheme, _, ok := strings.Cut(name, "://"); ok { // it cannot be told where a password would be
		return scheme + "://"
	}
	return name
}
