package delivery_test

import (
	"context"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/callback"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/delivery"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/observe"
	"github.com/tollgatepay/gateway/store"
)

// only is a notifier that times out for what it is not meant to get.
type only struct {
	callback.Notifier
	meant func(url string) bool
}

func (n only) Deliver(ctx context.Context, d callback.Delivery) callback.Receipt {
	if !n.meant(d.URL) {
		return callback.Receipt{Verdict: callback.TimedOut, Detail: "not for this notifier"}
	}
	return n.Notifier.Deliver(ctx, d)
}

// withQueue gives the inbox to URLs and to the sinks of a queue, each by a notifier of its own.
func withQueue(c *gateway.Config) {
	inbox := c.Notifier
	c.Notifier = only{inbox, func(url string) bool { return strings.HasPrefix(url, "http") }}
	c.Sinks = callback.Sinks{
		"queue": only{inbox, func(url string) bool { return strings.HasPrefix(url, "queue:") }},
		"amqp":  only{inbox, func(url string) bool { return strings.HasPrefix(url, "amqp:") }},
	}
}

func notifiedAt(t *testing.T, kit *gatewaytest.Kit, target string) {
	t.Helper()
	require.NoError(t, kit.SaveMerchant(t.Context(), kerneltest.MerchantNotifiedAt(target, "")))
}

// A merchant's target is a URL or begins with a scheme of Config.Sinks. Nothing is stored of a merchant with another.
func TestTargetsOfAMerchant(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		target string
		taken  bool
	}{
		{"queue:orders", true}, {"queue:a/b?c=d", true}, {"amqp://broker.example:5672/orders", true},
		{"https://shop.example/callback", true}, {"", true},
		{"queue:", false}, {"queue", false}, {"Queue:orders", false}, {"QUEUE:orders", false}, {" queue:orders", false},
		{"queues:orders", false}, {"queue :orders", false}, {"queue:or ders", false}, {"queue:orders\n", false},
		{"queue:b\u00fcro", false}, {"queue:4111111111111111", false},
		{"queue:" + strings.Repeat("a", 249), true}, {"queue:" + strings.Repeat("a", 250), false},
		{"amqp://shop:Secret-pw@broker.example/orders", false}, {"amqp://shop:Secret/pw@broker.example/orders", false},
		{"amqp://shop:Secret^pw@broker.example/orders", false}, {"amqp://shop@broker.example/orders", false},
		{"htps://shop.example/callback", false}, {"ftp://shop.example", false}, {"orders", false}, {":orders", false},
		{"https:orders", false}, {"javascript:alert(1)", false},
	} {
		for name, m := range map[string]store.Merchant{
			"live": kerneltest.MerchantNotifiedAt(row.target, ""), "test": kerneltest.MerchantNotifiedAt("", row.target),
		} {
			t.Run(name+" "+row.target, func(t *testing.T) {
				t.Parallel()
				kit := gatewaytest.New(t, withQueue)
				m.HTTPSOnly = true
				m.Name = "Changed"
				err := kit.SaveMerchant(t.Context(), m)
				if row.taken {
					require.NoError(t, err)
					return
				}
				require.ErrorContains(t, err,
					"notification_url: must be an absolute http or https URL, or begin with amqp: or queue:")
				all, err := kit.Operator().Configuration(t.Context(), m.ID)
				require.NoError(t, err)
				require.NotEqual(t, "Changed", all.Merchant.Name)
			})
		}
	}
}

// A gateway without sinks takes URLs only.
func TestNoSinks(t *testing.T) {
	t.Parallel()
	err := gatewaytest.New(t).SaveMerchant(t.Context(), kerneltest.MerchantNotifiedAt(sink, ""))
	require.EqualError(t, err, `gateway: merchant "`+gatewaytest.MerchantID+
		`": notification_url: must be an absolute http or https URL`)
}

// A request over the wire and one of a Go caller name URLs only: a shop does not choose among the host's queues.
func TestRequestsNameNoSinks(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name string
		via  func(*gateway.ChargeRequest)
	}{
		{"Go API", func(*gateway.ChargeRequest) {}}, {"S2S CARD", kerneltest.ViaCard}, {"S2S APM", kerneltest.ViaIPS},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			kit := gatewaytest.New(t, withQueue)
			before := kerneltest.CountRecords(t, kit.Store)
			_, err := kit.Shop().Charge(t.Context(), kerneltest.ChargeOf("ORD-1", gatewaytest.Settles, row.via,
				func(r *gateway.ChargeRequest) { r.CallbackURL = sink }))
			require.ErrorIs(t, err, gateway.ErrInvalid)
			require.Equal(t, before, kerneltest.CountRecords(t, kit.Store))
		})
	}
}

// New refuses sinks that could never get anything.
func TestFaultySinks(t *testing.T) {
	t.Parallel()
	for scheme, says := range map[string]string{
		"http": "is for URLs", "https": "is for URLs", "HTTPS": "is for URLs", "": "is no scheme",
		"Queue": "is no scheme", "queue:": "is no scheme", "1q": "is no scheme", "a b": "is no scheme",
		strings.Repeat("q", 33): "is no scheme",
	} {
		_, err := gateway.New(faultySinks(t, scheme, &callback.HTTPNotifier{}))
		require.ErrorContains(t, err, "Config.Sinks: ", scheme)
		require.ErrorContains(t, err, says, scheme)
	}
	_, err := gateway.New(faultySinks(t, "queue", nil))
	require.ErrorContains(t, err, `Config.Sinks: "queue" has no notifier`)
}

func faultySinks(t *testing.T, scheme string, n callback.Notifier) (faulty gateway.Config) {
	t.Helper()
	gatewaytest.New(t, func(c *gateway.Config) { faulty = *c })
	faulty.Sinks = callback.Sinks{scheme: n}
	return faulty
}

// An instance whose configuration has no sink for a stored target refuses each attempt and says why. The callback is
// kept, and reaches the sink when an instance has it.
func TestSinkOfAnotherInstance(t *testing.T) {
	t.Parallel()
	var heard gatewaytest.Events
	var log kerneltest.Logged
	kit := gatewaytest.New(t, withQueue, heard.Option, func(c *gateway.Config) {
		c.Log = slog.New(slog.NewTextHandler(&log, nil))
	})
	notifiedAt(t, kit, sink)
	kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Settles)
	without := kit.Twin(t, func(c *gateway.Config) { c.Sinks = nil })
	without.Work(t)
	require.Empty(t, kit.Inbox.All())
	refused := gatewaytest.Heard[observe.CallbackRefused](&heard)[0]
	require.Equal(t, []string{`no notifier for the sink "queue"`, "queue:"}, []string{refused.Detail, refused.Host})
	require.Contains(t, log.String(), "its sink is not configured")
	kit.Advance(t, time.Hour)
	require.Equal(t, []string{sink}, heardAt(t, kit))
}

// A sink that does not answer is blocked as a URL is, and the sinks of one scheme together as a host is; other sinks
// and URLs are not.
func TestSinksAreBlocked(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t, withQueue)
	kit.Inbox.Answer(func(d callback.Delivery) callback.Receipt {
		if strings.HasPrefix(d.URL, "queue:") {
			return callback.Receipt{Verdict: callback.TimedOut}
		}
		return callback.Receipt{Verdict: callback.Accepted}
	})
	notifiedAt(t, kit, sink)
	for _, order := range []string{"ORD-1", "ORD-2", "ORD-3", "ORD-4", "ORD-5"} {
		kerneltest.Charged(t, kit, order, gatewaytest.Settles)
		kit.Work(t)
	}
	blocked, err := kit.Operator().BlockedEndpoints(t.Context(), 10)
	require.NoError(t, err)
	require.Len(t, blocked, 1)
	require.Equal(t, sink, blocked[0].URL)
	for _, other := range []string{"amqp://broker.example/orders", gatewaytest.CallbackURL} {
		notifiedAt(t, kit, other)
		kerneltest.Charged(t, kit, "TO "+other, gatewaytest.Settles)
		kit.Work(t)
		require.Equal(t, other, kit.Inbox.All()[len(kit.Inbox.All())-1].URL)
	}
	require.NoError(t, kit.Operator().Unblock(t.Context(), sink))
	blocked, err = kit.Operator().BlockedEndpoints(t.Context(), 10)
	require.NoError(t, err)
	require.Empty(t, blocked)
}

// A notifier that panics loses no callback and no other one: each is tried again.
func TestNotifierThatPanics(t *testing.T) {
	t.Parallel()
	for _, target := range []string{sink, gatewaytest.CallbackURL} {
		var log kerneltest.Logged
		panics := false
		broken := func(url string) bool {
			if panics {
				panic("no broker at amqp://user:geheim@10.0.0.7")
			}
			return true
		}
		kit := gatewaytest.New(t, func(c *gateway.Config) {
			c.Notifier = only{c.Notifier, broken}
			c.Sinks = callback.Sinks{"queue": c.Notifier}
			c.Log = slog.New(slog.NewTextHandler(&log, nil))
		})
		notifiedAt(t, kit, target)
		kerneltest.Charged(t, kit, "ORD-1", gatewaytest.Settles)
		panics = true
		kit.Work(t)
		require.Empty(t, kit.Inbox.All())
		require.Contains(t, log.String(), "a notifier panicked")
		require.Contains(t, log.String(), "a panic with a string")
		require.NotContains(t, log.String(), "geheim")
		panics = false
		kit.Advance(t, time.Hour)
		require.Equal(t, []string{target}, heardAt(t, kit))
	}
}

// What a log shows of an endpoint has neither user nor query.
func TestShown(t *testing.T) {
	t.Parallel()
	for endpoint, want := range map[string]string{
		"https://user:pw@shop.example/a?b=c": "https://shop.example/a", "amqp://shop:Secret^pw@broker.example/a": "amqp://",
		"amqp://shop:Secret/pw@broker.example/a": "amqp://", "queue:orders?key=1": "queue:orders",
		"host shop.example": "host shop.example", "merchant m-1": "merchant m-1",
	} {
		require.Equal(t, want, delivery.Shown(endpoint), endpoint)
	}
}
