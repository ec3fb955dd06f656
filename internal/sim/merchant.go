package sim

import (
	"context"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/tollgatepay/gateway/callback"
)

// merchant is every merchant of a world: it stores its callbacks and checks each when it comes (C2, C4, C5, C6). It
// implements callback.Notifier.
type merchant struct {
	w          *World
	heard      map[string][]byte // by callback id: the bytes of the first delivery that arrived
	done       map[string]bool   // processed, by callback id
	tried      map[string]int
	wishes     map[wisher]wish
	stuck      string // URLs with this prefix do not answer until faults stop
	deliveries int
}

// wisher is the proc that tried to deliver a callback, and the merchant's Retry-After.
type wisher struct {
	proc     int
	callback string
}

type wish struct {
	attempt int
	wait    time.Duration
}

func newMerchant(w *World) *merchant {
	stuck := ""
	if w.swarm.odds[merchantLost] > 0 {
		switch {
		case w.cfg.Seed%9 == 7 && w.cfg.Seed%2 == 1:
			stuck = "https://hooks.example/"
		case w.cfg.Seed%4 == 1:
			stuck = "https://m" + itoa(int(w.cfg.Seed/4%2)) + ".example/"
		}
	}
	return &merchant{w: w, stuck: stuck, heard: map[string][]byte{}, done: map[string]bool{}, tried: map[string]int{},
		wishes: map[wisher]wish{}}
}

// Deliver implements callback.Notifier.
func (m *merchant) Deliver(ctx context.Context, d callback.Delivery) callback.Receipt {
	w := m.w
	if w.defect == deliveryDropped && w.faulty {
		return callback.Receipt{Verdict: callback.Accepted, Status: 200}
	}
	w.distortDelivery(&d)
	w.step(ctx, atDeliver)
	m.deliveries++
	w.digestBytes(d.Body)
	m.judge(d)
	receipt := m.answer(ctx, d)
	m.wishes[wisher{procOf(ctx).id, d.ID}] = wish{d.Attempt, receipt.RetryAfter}
	w.step(ctx, atDelivered)
	return w.twistReceipt(receipt)
}

// answer returns the merchant's answer to a delivery.
func (m *merchant) answer(ctx context.Context, d callback.Delivery) callback.Receipt {
	w := m.w
	switch {
	case w.faulty && m.stuck != "" && strings.HasPrefix(d.URL, m.stuck):
		w.count(merchantLost)
		w.pause(ctx, atHang, time.Until(deadlineOf(ctx)))
		return callback.Receipt{Verdict: callback.TimedOut}
	case w.chance(merchantRefuse):
		wait := time.Duration(0)
		if w.rng.IntN(3) == 0 {
			wait = between(w.rng, 0, callback.MaxRetryAfter)
		}
		return callback.Receipt{Verdict: callback.Refused, Status: 503, RetryAfter: wait}
	case w.chance(merchantLost):
		w.pause(ctx, atHang, time.Until(deadlineOf(ctx)))
		return callback.Receipt{Verdict: callback.TimedOut}
	case w.chance(merchantSlow):
		w.pause(ctx, atHang, min(between(w.rng, 0, time.Minute), time.Until(deadlineOf(ctx))))
	}
	m.done[d.ID] = true
	switch {
	case w.chance(merchantSilent):
		w.pause(ctx, atHang, time.Until(deadlineOf(ctx)))
		return callback.Receipt{Verdict: callback.TimedOut}
	case d.RequireOK && w.chance(merchantNoOK):
		return callback.Receipt{Verdict: callback.Refused, Status: 200, Detail: "no OK"}
	}
	return callback.Receipt{Verdict: callback.Accepted, Status: 200}
}

// judge checks a delivery when it comes.
func (m *merchant) judge(d callback.Delivery) {
	w := m.w
	c := w.auditor.callbacks[d.ID]
	if c == nil {
		w.fail("C2: the merchant gets callback %s, which is not committed", d.ID)
		return
	}
	if c.Body != "" && c.Body != string(d.Body) {
		w.fail("C4: callback %s is sent with other bytes than were stored", d.ID)
	}
	if first, ok := m.heard[d.ID]; ok && string(first) != string(d.Body) {
		w.fail("C4: callback %s comes again with other bytes", d.ID)
	}
	m.heard[d.ID] = d.Body
	m.tried[d.ID]++
	if d.URL != c.URL {
		w.fail("C4: callback %s goes to %s instead of %s", d.ID, d.URL, c.URL)
	}
	for id, other := range w.auditor.earlier(c) {
		if m.tried[id] == 0 {
			w.fail("C5: callback %s comes before %s (%s)", d.ID, id, other.State)
		}
	}
	m.judgeChain(d, c)
	m.judgeBody(d, c)
}

// judgeChain checks that callbacks of a later payment of a chain wait until one of the first payment was tried
// (C5).
func (m *merchant) judgeChain(d callback.Delivery, c *callbackRecord) {
	a := m.w.auditor
	p := a.payments[c.Payment]
	if p == nil || p.InitID == "" || p.begins() {
		return
	}
	first := a.callbacks[p.InitID+"."+padded(1)]
	if first != nil && m.tried[first.ID] == 0 {
		m.w.fail("C5: callback %s of a chain comes before %s of its first payment", d.ID, first.ID)
	}
}

// judgeBody reads the form as a merchant does: it checks the signature and the content.
func (m *merchant) judgeBody(d callback.Delivery, c *callbackRecord) {
	w := m.w
	form, err := url.ParseQuery(string(d.Body))
	if err != nil {
		w.fail("C1: callback %s is no form: %v", d.ID, err)
		return
	}
	p, t := w.auditor.payments[c.Payment], w.auditor.transactions[c.Transaction]
	if p == nil || t == nil {
		w.fail("C2: callback %s reports what is not committed", d.ID)
		return
	}
	if d.RequireOK != (p.Protocol != "checkout") {
		w.fail("C3: callback %s of %s: wants OK: %v", d.ID, p.Protocol, d.RequireOK)
	}
	for _, number := range cardNumbers {
		if strings.Contains(string(d.Body), number) {
			w.fail("C6: callback %s tells the card's number", d.ID)
		}
	}
	if want := m.sign(p, form); form.Get("hash") != want {
		w.fail("C4: callback %s of %s is signed %s, should be %s: %s", d.ID, p.Protocol, form.Get("hash"), want, d.Body)
	}
	m.judgeAmount(d, p, t, form)
	if c.Outcome == "success" && slices.Contains([]string{"3ds", "redirect", "init"}, c.Type) {
		return
	}
	if c.Outcome == "success" && t.Outcome != success || c.Outcome == "fail" && t.Outcome != failed {
		w.fail("C2: callback %s says %s, the transaction is %q", d.ID, c.Outcome, t.Outcome)
	}
	if name := form.Get("trans_id"); name != t.ID && name != p.ID {
		w.fail("C1: callback %s names %s", d.ID, name)
	}
}

// judgeAmount checks the amount: a callback has the order's amount, as signed; on S2S a follow-up has its own
// (s2s_card.md, s2s_apm.md; checkout.md).
func (m *merchant) judgeAmount(d callback.Delivery, p *paymentRecord, t *transactionRecord, form url.Values) {
	check := m.w.auditor.check
	if p.Protocol == "checkout" {
		told := orderRecord{form.Get("order_number"), form.Get("order_amount"), form.Get("order_currency"),
			form.Get("order_description")}
		check(told == p.Order, "C1: callback %s reports %v, the order is %v", d.ID, told, p.Order)
		return
	}
	check(form.Get("order_id") == p.Order.Number, "C1: callback %s reports order %s, it is %s", d.ID,
		form.Get("order_id"), p.Order.Number)
	want := p.Amount
	if slices.Contains([]string{"CAPTURE", "REFUND", "REVERSAL", "VOID", "CHARGEBACK"}, t.Operation) {
		want = t.Amount
	}
	untold := form.Get("result") == "DECLINED" || t.Operation == "VOID" || t.Operation == "CREDIT"
	check(form.Has("amount") || untold, "C1: callback %s of a %s tells no amount", d.ID, t.Operation)
	check(!form.Has("amount") || moneyOf(form.Get("amount")) == want, "C1: callback %s of a %s tells %s, it is %d", d.ID,
		t.Operation, form.Get("amount"), want)
	check(!form.Has("currency") || form.Get("currency") == t.Currency, "C1: callback %s tells %s, it is %s", d.ID,
		form.Get("currency"), t.Currency)
}

// sign is the merchant's own signature: Checkout's formula, or Formula 2 of S2S CARD.
func (m *merchant) sign(p *paymentRecord, form url.Values) string {
	inner := func(text string) string {
		if m.w.swarm.sha256 {
			sum := sha256.Sum256([]byte(text))
			return hex.EncodeToString(sum[:])
		}
		sum := md5.Sum([]byte(text))
		return hex.EncodeToString(sum[:])
	}
	if p.Protocol == "checkout" {
		text := p.ID + p.Order.Number + p.Order.Amount + p.Order.Currency + p.Order.Description + password
		sum := sha1.Sum([]byte(inner(upper(text))))
		return hex.EncodeToString(sum[:])
	}
	if p.Protocol == "s2s_apm" {
		return inner(upper(wholeBody(form) + password))
	}
	mask := p.Card.Mask
	return inner(upper(reverse(p.Payer.Email) + password + p.ID + reverse(mask[:6]+mask[len(mask)-4:])))
}

// wholeBody joins every value reversed, in the order of the names; no form of a world has arrays (APM362).
func wholeBody(form url.Values) (text string) {
	for _, name := range slices.Sorted(maps.Keys(form)) {
		if name != "hash" {
			text += reverse(form.Get(name))
		}
	}
	return text
}

// upper is strtoupper of PHP: ASCII letters only.
func upper(text string) string {
	return strings.Map(func(r rune) rune {
		if 'a' <= r && r <= 'z' {
			return r - 'a' + 'A'
		}
		return r
	}, text)
}

func reverse(text string) string {
	b := []byte(text)
	slices.Reverse(b)
	return string(b)
}

// earlier returns the callbacks of the same payment with a lower number.
func (a *auditor) earlier(c *callbackRecord) map[string]*callbackRecord {
	list := map[string]*callbackRecord{}
	for number := 1; number < c.Number; number++ {
		id := c.ID[:len(c.ID)-4] + padded(number)
		if other := a.callbacks[id]; other != nil {
			list[id] = other
		}
	}
	return list
}

func padded(number int) string {
	text := "000" + itoa(number)
	return text[len(text)-4:]
}
