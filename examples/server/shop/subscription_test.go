package shop

import (
	"fmt"
	"html"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/callback"
	"github.com/tollgatepay/gateway/checkout"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/s2s"
	"github.com/tollgatepay/gateway/store"
)

// club is a shop with a whole gateway behind it, over HTTP, and a clock that only the test moves.
type club struct {
	*gatewaytest.Kit
	t    *testing.T
	shop *Shop
	mux  *http.ServeMux
}

func newClub(t *testing.T) *club {
	t.Helper()
	c := &club{Kit: gatewaytest.New(t), t: t, mux: http.NewServeMux()}
	server := httptest.NewServer(c.mux)
	t.Cleanup(server.Close)
	checkout.Register(c.mux, c.Gateway)
	s2s.Register(c.mux, c.Gateway)
	var err error
	c.shop, err = New(Config{
		API: server.URL, Public: gatewaytest.PublicURL, Now: c.Clock.Now,
		Accounts: []Account{{Name: "Larkfield", Key: gatewaytest.MerchantKey,
			Password: store.NewSecret(gatewaytest.Password)}},
	})
	require.NoError(t, err)
	t.Cleanup(c.shop.Close)
	c.shop.Register(c.mux)
	c.Inbox.Answer(c.deliver)
	return c
}

// deliver delivers a callback to the shop.
func (c *club) deliver(d callback.Delivery) callback.Receipt {
	r := httptest.NewRequest(http.MethodPost, "/demo/callback", strings.NewReader(string(d.Body)))
	r.Header.Set("Content-Type", d.ContentType)
	w := httptest.NewRecorder()
	c.mux.ServeHTTP(w, r)
	if w.Code != http.StatusOK {
		return callback.Receipt{Verdict: callback.Refused, Status: w.Code}
	}
	return callback.Receipt{Verdict: callback.Accepted, Status: w.Code}
}

// subscribe places an order for two boxes each time.
func (c *club) subscribe() (number, link string) {
	c.t.Helper()
	w := post(c.mux, "/products/tea-club",
		url.Values{"quantity": {"2"}, "name": {"Ada Example"}, "email": {"ada@example.com"}, "hold": {"Y"}})
	require.Equal(c.t, http.StatusSeeOther, w.Code, w.Body.String())
	link, ok := strings.CutPrefix(w.Header().Get("Location"), gatewaytest.PublicURL+"/auth/")
	require.True(c.t, ok, w.Header())
	return c.shop.orders.newest(1)[0].Number, link
}

func (c *club) buy(card methods.Card) (number string) {
	c.t.Helper()
	number, link := c.subscribe()
	c.Pay(c.t, link, card)
	c.Work(c.t)
	return number
}

// look returns the page of an order.
func (c *club) look(number string) string {
	c.t.Helper()
	w := get(c.mux, "/orders/"+number)
	require.Equal(c.t, http.StatusOK, w.Code, w.Body.String())
	return w.Body.String()
}

// act presses a button of that page; the button must exist.
func (c *club) act(number, action string) {
	c.t.Helper()
	target := "/orders/" + number + "/" + action
	require.Contains(c.t, c.look(number), `action="`+target+`"`)
	require.Equal(c.t, http.StatusSeeOther, post(c.mux, target, url.Values{"amount": {"18.00"}}).Code)
	c.Work(c.t)
}

var (
	planRow = regexp.MustCompile(`(?s)<th scope="row">(.*?)</th>\s*<td>(.*?)</td>\s*` +
		`<td class="sum">(.*?)</td>\s*<td><span class="status \w+">(.*?)</span>`)
	markup   = regexp.MustCompile(`<[^>]*>`)
	planHead = regexp.MustCompile(`<h2>Subscription <span class="status \w*">(\w+)</span>`)
	payHead  = regexp.MustCompile(`<h2>First payment <span class="status \w*">(\w+)</span>`)
)

// table returns the state of the subscription and the lines of its list.
func (c *club) table(number string) (state string, lines []string) {
	c.t.Helper()
	text := c.look(number)
	head := planHead.FindStringSubmatch(text)
	require.NotNil(c.t, head, text)
	for _, cells := range planRow.FindAllStringSubmatch(text, -1) {
		lines = append(lines, markup.ReplaceAllString(strings.Join(cells[1:], ", "), ""))
	}
	return head[1], lines
}

func (c *club) requireTable(number, state string, lines ...string) {
	c.t.Helper()
	got, list := c.table(number)
	require.Equal(c.t, lines, list)
	require.Equal(c.t, state, got)
}

// A year of the club: what is sent and what is charged. The order itself does not change.
func TestSubscription(t *testing.T) {
	t.Parallel()
	c := newClub(t)
	number, link := c.subscribe()
	state, lines := c.table(number)
	require.Equal(t, "waits", state)
	require.Empty(t, lines)
	require.NotContains(t, c.look(number), "/unsubscribe")
	said := html.UnescapeString(c.look(number))
	for _, text := range []string{
		"action=CREATE_SCHEDULE", "&interval_length=1", "&interval_unit=month", "&payments_count=11",
		`"recurring_init": true`, `"schedule_start_date": "2027-03-10"`, `"payment_schedule_amount": "29.00"`,
		`"amount": "18.00"`,
	} {
		require.Contains(t, said, text)
	}
	require.NotContains(t, said, `"auth"`, "a subscription is not held")

	c.Pay(t, link, gatewaytest.Settles)
	c.Work(t)
	first, second := "First box, 2027-03-10 12:00:00, 18.00 EUR, settled",
		"Month 1, 2027-03-10 12:00:00, 29.00 EUR, settled"
	c.requireTable(number, "runs", first, second)
	require.Contains(t, c.look(number), "due on 2027-03-10")

	c.Advance(t, 31*24*time.Hour)
	third := "Month 2, 2027-04-10 00:00:00, 29.00 EUR, settled"
	c.requireTable(number, "runs", first, second, third)

	c.act(number, "pause")
	c.requireTable(number, "paused", first, second, third)
	c.Advance(t, 60*24*time.Hour)
	c.requireTable(number, "paused", first, second, third)
	c.act(number, "run")
	c.requireTable(number, "runs", first, second, third)
	c.Advance(t, 24*time.Hour)
	fourth := "Month 3, 2027-06-10 00:00:00, 29.00 EUR, settled"
	c.requireTable(number, "runs", first, second, third, fourth)

	c.act(number, "refund")
	require.Equal(t, "refund", payHead.FindStringSubmatch(c.look(number))[1])
	refunded := strings.Replace(first, "settled", "refund", 1)
	c.requireTable(number, "runs", refunded, second, third, fourth)

	c.Advance(t, 400*24*time.Hour)
	state, lines = c.table(number)
	require.Equal(t, "ended", state)
	require.Len(t, lines, 12)
	require.NotContains(t, c.look(number), "/unsubscribe")
	require.Equal(t, "refund", payHead.FindStringSubmatch(c.look(number))[1],
		"the order differs from its newest payment")
	require.NotContains(t, get(c.mux, "/callbacks").Body.String(), "hash not valid")
}

// A first payment that is voided ends the subscription.
func TestSubscriptionVoided(t *testing.T) {
	t.Parallel()
	c := newClub(t)
	number := c.buy(gatewaytest.Settles)
	c.act(number, "void")
	state, lines := c.table(number)
	require.Equal(t, "cancelled", state)
	c.Advance(t, 60*24*time.Hour)
	_, later := c.table(number)
	require.Equal(t, lines, later)
	require.NotContains(t, c.look(number), `id="pause"`)
}

// A subscriber who cancels pays no more, and other subscriptions do not change.
func TestSubscriptionCancelled(t *testing.T) {
	t.Parallel()
	c := newClub(t)
	one, other := c.buy(gatewaytest.Settles), c.buy(gatewaytest.Settles)
	c.act(one, "unsubscribe")
	require.Contains(t, html.UnescapeString(c.look(one)), "action=DESCHEDULE")
	c.act(other, "pause")
	c.Advance(t, 31*24*time.Hour)
	state, lines := c.table(one)
	require.Equal(t, "cancelled", state)
	require.Len(t, lines, 2)
	require.NotContains(t, c.look(one), `id="pause"`)
	state, _ = c.table(other)
	require.Equal(t, "paused", state)
	c.act(other, "unsubscribe")
	state, _ = c.table(other)
	require.Equal(t, "cancelled", state)
}

// A declined first payment begins no subscription; the next attempt, which succeeds, does.
func TestSubscriptionDeclined(t *testing.T) {
	t.Parallel()
	c := newClub(t)
	number, link := c.subscribe()
	c.Pay(t, link, gatewaytest.Declines)
	c.Advance(t, 40*time.Minute)
	c.requireTable(number, "waits", "First box, 2027-03-10 12:00:00, 18.00 EUR, decline")
	require.Equal(t, "decline", payHead.FindStringSubmatch(c.look(number))[1])
	c.Pay(t, link, gatewaytest.Settles)
	c.Work(t)
	c.requireTable(number, "runs", "First box, 2027-03-10 12:00:00, 18.00 EUR, decline",
		"First box, 2027-03-10 12:40:00, 18.00 EUR, settled", "Month 1, 2027-03-10 12:40:00, 29.00 EUR, settled")
	require.Equal(t, "settled", payHead.FindStringSubmatch(c.look(number))[1])
}

// Callbacks that come twice, late or in another order give the same result.
func TestRecordCallbacks(t *testing.T) {
	t.Parallel()
	say := func(id, date, status, orderStatus, first string) note {
		return note{Form: url.Values{
			"id": {id}, "date": {date}, "status": {status}, "order_status": {orderStatus}, "recurring_init_trans_id": {first},
			"order_amount": {"1.00"}, "order_currency": {"EUR"},
		}}
	}
	sent, settled := say("p1", "2027-03-10 12:00:00", "waiting", "redirect", ""),
		say("p1", "2027-03-10 12:00:00", "success", "settled", "p1")
	refund, later := say("p1", "2027-03-11 12:00:00", "success", "refund", "p1"),
		say("p2", "2027-03-10 12:00:00", "success", "settled", "p1")
	for i, c := range [][]note{
		{sent, settled, later, refund},
		{later, refund, settled, sent},
		{later, later, settled, sent, refund, settled},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			o := order{Plan: subscription{ScheduleID: "s1"}}
			for _, n := range c {
				o.Plan.record(n)
			}
			require.Equal(t, "p1", o.Plan.First)
			require.Len(t, o.Plan.Payments, 2)
			for _, p := range o.Plan.Payments {
				require.Equal(t, p.ID == "p2", p.Later)
				require.Equal(t, map[string]string{"p1": "refund", "p2": "settled"}[p.ID], p.Status)
				require.Equal(t, "2027-03-10 12:00:00", p.Date)
			}
		})
	}
	plain := order{}
	plain.Plan.record(settled)
	require.Empty(t, plain.Plan)
	full := order{Plan: subscription{ScheduleID: "s1"}}
	for i := range maxPayments + 1 {
		full.Plan.record(say(fmt.Sprint(i), "2027-03-10 12:00:00", "success", "settled", "0"))
	}
	require.Len(t, full.Plan.Payments, maxPayments)
}

// When the gateway makes no schedule the order is not placed; other orders have no such buttons.
func TestSubscriptionRefused(t *testing.T) {
	t.Parallel()
	s, mux := open(t) // its gateway cannot be reached
	w := post(mux, "/products/tea-club", nil)
	require.Equal(t, http.StatusBadGateway, w.Code)
	require.Contains(t, w.Body.String(), "the gateway could not be reached")
	require.Empty(t, s.orders.newest(1))
	s.orders.add(order{Number: "LARK-1", Product: products()[0]})
	require.Equal(t, http.StatusNotFound, post(mux, "/orders/LARK-1/pause", nil).Code)
	require.Equal(t, http.StatusNotFound, post(mux, "/orders/LARK-1/gold", nil).Code)
}
