package notifiertest

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/callback"
)

// checks are the parts of the contract.
func checks() []check {
	return []check{
		{name: "an accepted callback has arrived, byte for byte", run: arrivesWhole},
		{name: "a redelivery has the same bytes", run: arrivesAgain},
		{name: "callbacks at the same time do not mix", run: arrivesTogether},
		{name: "no content makes it panic", run: survives},
		{name: "it returns when its context ends", run: returns},
		{name: "an answer is judged by its status", posts: true, run: judges},
		{name: "on S2S only the body OK accepts", posts: true, run: needsOK},
		{name: "redirects are not followed", posts: true, run: staysThere},
		{name: "a long answer is not read to its end", posts: true, run: readsLittle},
		{name: "an answer's text stays out of the receipt where it may be a card number", posts: true, run: hidesNumbers},
		{name: "Retry-After is bounded", posts: true, run: waits},
		{name: "a merchant who does not answer has timed out", posts: true, timeout: true, run: timesOut},
		{name: "a closed port is refused", posts: true, run: refusesClosed},
	}
}

func arrivesWhole(p *probe) {
	large := p.delivery("large")
	large.Body = []byte("field=" + strings.Repeat("%D0%AE", 30_000))
	for _, d := range []callback.Delivery{p.delivery("callback-1"), large} {
		before := len(p.arrived())
		r := p.deliver(d)
		require.Equal(p.tb, callback.Accepted, r.Verdict, r.Detail)
		got := p.arrived()
		require.Len(p.tb, got, before+1, "an accepted callback has not arrived once")
		require.Equal(p.tb, Message{d.URL, d.ContentType, d.Body}, got[before])
	}
}

func arrivesAgain(p *probe) {
	d := p.delivery("callback-1")
	for d.Attempt = 1; d.Attempt <= 3; d.Attempt++ {
		require.Equal(p.tb, callback.Accepted, p.deliver(d).Verdict)
	}
	got := p.arrived()
	require.Len(p.tb, got, 3, "a redelivery was dropped: the merchant may not have the first one")
	for _, m := range got {
		require.Equal(p.tb, string(d.Body), string(m.Body))
	}
}

func arrivesTogether(p *probe) {
	const number = 16
	var running sync.WaitGroup
	receipts := make([]callback.Receipt, number)
	for i := range number {
		running.Go(func() {
			ctx, cancel := context.WithTimeout(context.Background(), p.Patience)
			defer cancel()
			receipts[i] = p.notifier.Deliver(ctx, p.delivery(fmt.Sprint("callback-", i)))
		})
	}
	running.Wait()
	seen := map[string]int{}
	for _, m := range p.arrived() {
		seen[string(m.Body)]++
	}
	for i, r := range receipts {
		require.Equal(p.tb, callback.Accepted, r.Verdict, r.Detail)
		d := p.delivery(fmt.Sprint("callback-", i))
		require.Equal(p.tb, 1, seen[string(d.Body)], "callback-%d has not arrived once", i)
	}
}

// survives holds the notifier against content that no gateway sends, and some that it does.
func survives(p *probe) {
	for _, url := range []string{
		"", "::", "/callback", "ftp://shop.example/", "http://", "http://[::1", "https://shop.example:-1/",
		"http://user:secret@127.0.0.1:1/", "http://127.0.0.1:1/\x00", "http://\u00fc\u00df.invalid/",
	} {
		d := p.delivery("callback-1")
		d.URL = url
		p.deliver(d)
	}
	for _, change := range []func(*callback.Delivery){
		func(d *callback.Delivery) { *d = callback.Delivery{URL: d.URL} },
		func(d *callback.Delivery) { d.Body = nil },
		func(d *callback.Delivery) { d.Body = []byte{0, 0xFF, '\r', '\n'} },
		func(d *callback.Delivery) { d.ContentType = "text/plain\r\nX-Injected: yes" },
		func(d *callback.Delivery) { d.ID = "callback\r\nX-Injected: yes" },
		func(d *callback.Delivery) { d.Attempt = -1 },
	} {
		d := p.delivery("callback-1")
		change(&d)
		p.deliver(d)
	}
}

func returns(p *probe) {
	if p.Posts {
		p.merchant.stall()
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	r := p.deliverIn(ctx, p.delivery("callback-1"))
	require.False(p.tb, p.Posts && r.Verdict == callback.Accepted, "nobody has accepted it")
	require.NotEqual(p.tb, callback.TimedOut, r.Verdict, "a time-out blocks the merchant's URL, which is not to blame")
}

func judges(p *probe) {
	for status, want := range map[int]callback.Verdict{
		200: callback.Accepted, 201: callback.Accepted, 204: callback.Accepted, 299: callback.Accepted,
		302: callback.Refused, 400: callback.Refused, 404: callback.Refused, 410: callback.Refused, 429: callback.Refused,
		500: callback.Refused, 503: callback.Refused,
	} {
		body := "thanks"
		if status == http.StatusNoContent {
			body = ""
		}
		p.answers(status, body)
		r := p.deliver(p.delivery("callback-1"))
		require.Equal(p.tb, want, r.Verdict, "status %d", status)
		require.Equal(p.tb, status, r.Status)
	}
}

func needsOK(p *probe) {
	for body, want := range map[string]callback.Verdict{
		"OK": callback.Accepted, "ok": callback.Accepted, " OK\n": callback.Accepted,
		"": callback.Refused, "thanks": callback.Refused, "OKAY": callback.Refused, "NOT OK": callback.Refused,
	} {
		p.answers(http.StatusOK, body)
		d := p.delivery("callback-1")
		d.RequireOK = true
		require.Equal(p.tb, want, p.deliver(d).Verdict, "body %q", body)
	}
	p.answers(http.StatusInternalServerError, "OK")
	d := p.delivery("callback-1")
	d.RequireOK = true
	require.Equal(p.tb, callback.Refused, p.deliver(d).Verdict, "status 500 with the body OK")
}

func staysThere(p *probe) {
	for _, status := range []int{301, 302, 303, 307, 308} {
		before := len(p.arrived())
		p.answers(status, "", "Location", p.server.URL+"/elsewhere")
		require.Equal(p.tb, callback.Refused, p.deliver(p.delivery("callback-1")).Verdict, "status %d", status)
		for _, m := range p.arrived()[before:] {
			require.NotContains(p.tb, m.URL, "/elsewhere", "status %d: the callback was sent to another address", status)
		}
	}
}

// readsLittle answers for as long as somebody reads.
func readsLittle(p *probe) {
	for _, requireOK := range []bool{false, true} {
		written := make(chan int, 1)
		p.merchant.answer(func(w http.ResponseWriter) {
			line, sum := []byte(strings.Repeat("x", 64<<10)), 0
			for sum < endless {
				n, err := w.Write(line)
				if sum += n; err != nil {
					break
				}
			}
			written <- sum
		})
		d := p.delivery("callback-1")
		d.RequireOK = requireOK
		p.deliver(d)
		p.server.CloseClientConnections()
		require.Less(p.tb, <-written, endless, "the whole of a long answer was read")
	}
}

// endless is in bytes: far more than what a connection holds while nobody reads.
const endless = 64 << 20

func hidesNumbers(p *probe) {
	for _, text := range []string{"card 4111111111111111 unknown", "4111 1111 1111 1111", "4111-1111-1111-1111"} {
		p.answers(http.StatusBadRequest, text)
		r := p.deliver(p.delivery("callback-1"))
		require.NotContains(p.tb, strings.NewReplacer(" ", "", "-", "").Replace(r.Detail), "4111111111111111")
	}
}

func waits(p *probe) {
	for _, header := range []string{"120", "-5", "99999999999999999999", "soon", "Fri, 31 Dec 9999 23:59:59 GMT", ""} {
		p.answers(http.StatusServiceUnavailable, "", "Retry-After", header)
		r := p.deliver(p.delivery("callback-1")) // which checks the bounds
		require.Equal(p.tb, callback.Refused, r.Verdict, header)
	}
}

func timesOut(p *probe) {
	p.merchant.stall()
	ctx, cancel := context.WithTimeout(context.Background(), p.Timeout+p.Patience)
	defer cancel()
	require.Equal(p.tb, callback.TimedOut, p.deliverIn(ctx, p.delivery("callback-1")).Verdict)
}

func refusesClosed(p *probe) {
	p.server.Close()
	require.Equal(p.tb, callback.Refused, p.deliver(p.delivery("callback-1")).Verdict)
}
