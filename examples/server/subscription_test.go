package main

import (
	"html"
	"path"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A subscriber sees the first box and the first month within seconds, and stops the rest.
func TestSubscription(t *testing.T) {
	t.Parallel()
	base, _ := start(t, "-store", "memory")
	p := newPayer(t)
	end := p.pay(p.buy(base, "tea-club", false), "05/2038")
	require.Equal(t, "success", path.Base(end.url.Path), end.text)
	order := end.url.Query().Get("order_id")
	page := base + "/orders/" + order
	reported := map[string]string{}
	require.Eventually(t, func() bool {
		for _, c := range p.callbacks(base, order) {
			reported[c.Fields["type"]] = c.Fields["order_amount"] + " " + c.Fields["order_status"]
		}
		return reported["sale"] == "27.00 settled" && reported["recurring"] == "43.50 settled"
	}, time.Minute, 20*time.Millisecond, "%v", reported)
	require.Contains(t, p.open(page).text, "Month 1")
	for _, step := range []struct{ action, said, next string }{
		{"pause", "action=PAUSE_SCHEDULE", ">paused</span>"},
		{"run", "action=RUN_SCHEDULE", ">runs</span>"},
		{"unsubscribe", "action=DESCHEDULE", ">cancelled</span>"},
	} {
		shown := p.submitTo(p.open(page), "/"+step.action, nil)
		require.Contains(t, html.UnescapeString(shown.text), step.said)
		require.Contains(t, shown.text, step.next)
	}
	require.NotContains(t, p.open(page).text, "hash not valid")
}
