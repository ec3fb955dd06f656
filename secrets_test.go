package gateway_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"log/slog"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/memory"
)

// The card of these tests: its number and code stand nowhere else.
const (
	canaryPAN  = "4601541833776519"
	canaryCode = "9371"
)

func canaryCard(t testing.TB, month, year int) methods.Card {
	t.Helper()
	pan, err := store.ParsePAN(canaryPAN)
	require.NoError(t, err)
	code, err := store.ParseSecurityCode(canaryCode)
	require.NoError(t, err)
	return methods.Card{PAN: pan, Expiry: store.Expiry{Year: year, Month: month}, Holder: "John Doe", Code: code}
}

// spellings are the ways in which a secret may stand in bytes (goal G17): as it is, grouped, reversed,
// in hexadecimal, packed two digits a byte, and in base64 at any offset of either alphabet.
func spellings(secret string) (list [][]byte) {
	add := func(text string) { list = append(list, []byte(text)) }
	reversed := []byte(secret)
	slices.Reverse(reversed)
	for _, plain := range []string{secret, string(reversed)} {
		add(plain)
		add(hex.EncodeToString([]byte(plain)))
		add(strings.ToUpper(hex.EncodeToString([]byte(plain))))
		for offset := range 3 {
			for _, alphabet := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
				whole := alphabet.EncodeToString(append(make([]byte, offset), plain...))
				first := (offset*8 + 5) / 6 // what the bytes before have no part in
				last := (offset + len(plain)) * 8 / 6
				add(whole[first:last])
			}
		}
	}
	if packed, err := hex.DecodeString(secret); err == nil && len(secret) > 8 {
		list = append(list, packed)
		var groups []string
		for group := range slices.Chunk([]byte(secret), 4) {
			groups = append(groups, string(group))
		}
		add(strings.Join(groups, " "))
		add(strings.Join(groups, "-"))
	}
	return list
}

// code finds a security code that stands by itself, plain or in base64: four digits may well occur
// within a hash.
var code = regexp.MustCompile(`(^|[^0-9A-Za-z+/_.-])(` + canaryCode + `|` + base64.StdEncoding.EncodeToString([]byte(canaryCode)) + `)([^0-9A-Za-z+/_-]|$)`)

// hay is everything that left the kernel: what was ever written, logged, sent or answered.
type hay struct {
	mu   sync.Mutex
	bits map[string][]byte // by where it was found
}

func (h *hay) add(where string, bits []byte) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.bits[where] = append(append(h.bits[where], bits...), '\n')
}

// find names every place where a secret stands.
func (h *hay) find(secret string) (where []string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for name, bits := range h.bits {
		if slices.ContainsFunc(spellings(secret), func(s []byte) bool { return bytes.Contains(bits, s) }) {
			where = append(where, name)
		}
	}
	return where
}

func (h *hay) findCode() (where []string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for name, bits := range h.bits {
		if code.Match(bits) {
			where = append(where, name)
		}
	}
	return where
}

// Write takes the log.
func (h *hay) Write(line []byte) (int, error) {
	h.add("log", line)
	return len(line), nil
}

// noted is a store that adds every key and value ever written to the hay.
type noted struct {
	store.Store
	hay *hay
}

func (n noted) Update(ctx context.Context, fn func(store.Tx) error) error {
	return n.Store.Update(ctx, func(tx store.Tx) error { return fn(notedTx{tx, n.hay}) })
}

type notedTx struct {
	store.Tx
	hay *hay
}

func (tx notedTx) Put(key, value []byte) error {
	tx.hay.add("store", append(append(bytes.Clone(key), ' '), value...))
	return tx.Tx.Put(key, value)
}

func (tx notedTx) Insert(key, value []byte) error {
	tx.hay.add("store", append(append(bytes.Clone(key), ' '), value...))
	return tx.Tx.Insert(key, value)
}

// watchedFor is a kit that collects the hay. Its acquirer keeps a store of its own.
func watchedFor(t testing.TB, options ...gatewaytest.Option) (*gatewaytest.Kit, *spy, *hay) {
	t.Helper()
	h := &hay{bits: map[string][]byte{}}
	kit, spy := spied(t, able(true, time.Minute), true, append([]gatewaytest.Option{func(c *gateway.Config) {
		c.Store = noted{c.Store, h}
		c.Log = slog.New(slog.NewJSONHandler(h, &slog.HandlerOptions{Level: slog.LevelDebug - 4}))
		c.Observer = func(e gateway.Event) { h.add("events", fmt.Appendf(nil, "%+v", e)) }
	}}, options...)...)
	return kit, spy, h
}

// gather adds what was sent and what lies in the store now.
func gather(t testing.TB, kit *gatewaytest.Kit, h *hay) {
	t.Helper()
	for _, d := range kit.Inbox.All() {
		h.add("callbacks", fmt.Appendf(nil, "%s %s %s %s", d.ID, d.URL, d.ContentType, d.Body))
	}
	require.NoError(t, kit.Store.View(t.Context(), func(r store.Reader) error {
		for entry := range r.Scan(store.Range{Limit: everything}) {
			require.NoError(t, entry.Err)
			h.add("store in the end", append(append(entry.Key, ' '), entry.Value...))
		}
		return nil
	}))
	require.Greater(t, len(h.bits["store"]), 1000)
	require.Greater(t, len(h.bits["store in the end"]), 1000)
	require.NotEmpty(t, h.bits["log"])
	require.NotEmpty(t, h.bits["events"])
}

// The search finds what it is to find.
func TestSecretsCanBeFound(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		canaryPAN, "x" + canaryPAN + "y", "4601 5418 3377 6519", "4601-5418-3377-6519", "9156773381451064",
		hex.EncodeToString([]byte(canaryPAN)), strings.ToUpper(hex.EncodeToString([]byte(canaryPAN))),
		base64.StdEncoding.EncodeToString([]byte(canaryPAN)), base64.StdEncoding.EncodeToString([]byte("{" + canaryPAN + "}")),
		base64.URLEncoding.EncodeToString([]byte(`"n":"` + canaryPAN + `"`)), "\x46\x01\x54\x18\x33\x77\x65\x19",
	} {
		h := &hay{bits: map[string][]byte{}}
		h.add("here", []byte("before "+text+" after"))
		require.Equal(t, []string{"here"}, h.find(canaryPAN), text)
	}
	for _, text := range []string{`"cvv":"9371"`, `code=9371`, `{Code:9371}`, ` 9371 `, `"held":"OTM3MQ=="`} {
		h := &hay{bits: map[string][]byte{}}
		h.add("here", []byte(text))
		require.Equal(t, []string{"here"}, h.findCode(), text)
	}
	h := &hay{bits: map[string][]byte{}}
	h.add("here", []byte(`{"mask":"460154******6519","hash":"a9371b","box":"xx9371+"}`))
	require.Empty(t, h.find(canaryPAN))
	require.Empty(t, h.findCode())
}

// Every scenario of TestEveryFault, with no fault: the number stands nowhere but sealed (C6, X2).
func TestNumberStaysSealed(t *testing.T) {
	t.Parallel()
	for _, scenario := range scenarios {
		t.Run(scenario.name, func(t *testing.T) {
			t.Parallel()
			kit, _, h := watchedFor(t)
			p := &play{t: t, kit: kit}
			scenario.play(p)
			h.add("answers", fmt.Appendf(nil, "%v %+v %#v", p.acks, p.acks, p.acks))
			kit.Advance(t, 72*time.Hour)
			gather(t, kit, h)
			require.Empty(t, h.find("4111111111111111"))
			require.Empty(t, h.find(gatewaytest.Password))
			if told := string(h.bits["callbacks"]); !strings.Contains(told, "action=DEBIT2VIRTUAL") { // which tells of no card
				require.Contains(t, told, "411111%2A%2A%2A%2A%2A%2A1111", "the mask is there")
			}
		})
	}
}

// The security code, in every way that a charge can go, and while it goes.
func TestCodeIsNeverStored(t *testing.T) {
	t.Parallel()
	hang := make(chan struct{})
	close(hang)
	for name, c := range map[string]struct {
		month, year int
		outcome     vcard.Outcome
	}{
		"settled": {1, 2038, vcard.Normal()}, "declined": {2, 2038, vcard.Normal()}, "pending": {7, 2038, vcard.Normal()},
		"lost": {9, 2038, vcard.Normal()}, "answer lost": {10, 2038, vcard.Normal()}, "late": {11, 2038, vcard.Normal()},
		"3-D Secure": {5, 2038, vcard.Normal()}, "bank": {12, 2038, vcard.Normal()}, "not sent": {1, 2038, vcard.NotSent()},
		"panic": {1, 2038, vcard.Panic()}, "wrong amount": {1, 2038, vcard.WrongAmount(store.MustAmount("1.00"))},
		"blocked": {1, 2038, vcard.Block(hang)},
	} {
		for _, hold := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s, %t", name, hold), func(t *testing.T) {
				t.Parallel()
				kit, spy, h := watchedFor(t)
				r := gatewaytest.Request("ORD-1", "10.00")
				r.Hold = hold
				token := kit.SessionOf(t, r)
				kit.Vcard.Next(c.outcome)
				turn := kit.Pay(t, token, canaryCard(t, c.month, c.year))
				h.add("turn", fmt.Appendf(nil, "%+v %#v", turn, turn))
				op := spy.sends(kit.Payment(t, "ORD-1").Transactions[0])[0]
				require.Equal(t, canaryCode, op.Card.Code.Digits(), "the acquirer got it")
				gather(t, kit, h) // while it is open
				if turn.Kind == gateway.TurnForward {
					kit.ComeBack(t, turn.Next)
				}
				kit.Advance(t, 72*time.Hour)
				gather(t, kit, h)
				require.Empty(t, h.find(canaryPAN))
				require.Empty(t, h.findCode())
				requireSealedLinks(t, h, token, op)
				quiet(t, kit)
			})
		}
	}
}

// requireSealedLinks: neither the link of the session nor that of the return stands anywhere, whole or
// its secret alone. The payer's turn carries them, and nobody else.
func requireSealedLinks(t testing.TB, h *hay, session string, op methods.Operation) {
	t.Helper()
	for name, link := range map[string]string{
		"session": session, "return": strings.TrimPrefix(op.ReturnURL, gatewaytest.PublicURL+"/return/"),
		"notification": strings.TrimPrefix(op.NotificationURL, gatewaytest.PublicURL+"/notify/"),
	} {
		raw, err := base64.RawURLEncoding.DecodeString(link)
		require.NoError(t, err)
		for _, secret := range []string{link, string(raw[:32])} {
			for _, where := range h.find(secret) {
				require.Equal(t, "turn", where, "the secret of the %s link", name)
			}
		}
	}
}

// Errors name fields and rules, never values that are secret; and values print as masks.
func TestErrorsAndPrints(t *testing.T) {
	t.Parallel()
	kit, _, h := watchedFor(t)
	card := canaryCard(t, 1, 2038)
	submission := gateway.Submission{Card: card}
	keep := func(err error) {
		require.Error(t, err)
		h.add("errors", fmt.Appendf(nil, "%v %+v %#v", err, err, err))
		h.add("errors", fmt.Appendf(nil, "%+v", kit.Logged(t.Context(), err)))
	}
	for _, change := range []func(*gateway.ChargeRequest){
		func(r *gateway.ChargeRequest) { r.MerchantKey = "nobody" },
		func(r *gateway.ChargeRequest) { r.Kind = "gift" },
		func(r *gateway.ChargeRequest) { r.Order.Amount = "1e9" },
		func(r *gateway.ChargeRequest) { r.Order.Currency = "XXX" },
		func(r *gateway.ChargeRequest) { r.Payer.Email = "a@b\r\nBcc: c@d" },
		func(r *gateway.ChargeRequest) { r.CallbackURL = "javascript:alert(1)" },
		func(r *gateway.ChargeRequest) { r.Method = "cheque" },
	} {
		request := chargeOf("ORD-1", card, change)
		_, err := kit.Charge(t.Context(), request)
		if err != nil {
			keep(err)
		}
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x"} {
			h.add("prints", fmt.Appendf(nil, verb+verb+verb, *request.Card, request, submission))
		}
	}
	_, err := kit.PaySession(t.Context(), "no link", submission)
	keep(err)
	p := pay(t, kit, "ORD-2", card)
	_, err = kit.CreditVoid(t.Context(), of(p, "99.00"))
	keep(err)
	slog.New(slog.NewTextHandler(h, nil)).Info("a careless host", "card", card, "submission", submission, "request", chargeOf("ORD-3", card))
	kit.Work(t)
	gather(t, kit, h)
	require.Empty(t, h.find(canaryPAN))
	require.Empty(t, h.findCode())
	require.Empty(t, h.find(gatewaytest.Password))
}

// telltale panics with all that it was given, as careless code does.
type telltale struct{ methods.Connector }

func (telltale) Perform(_ context.Context, op methods.Operation) methods.Answer {
	panic(fmt.Sprint("cannot charge ", op.Card.PAN.Digits(), " ", op.Card.Code.Digits()))
}

// A panic of a connector is never looked at: what it says may be card data.
func TestPanicTellsNothing(t *testing.T) {
	t.Parallel()
	h := &hay{bits: map[string][]byte{}}
	kit := gatewaytest.On(t, noted{memory.New(), h}, func(c *gateway.Config) {
		c.Connectors["vcard"] = telltale{c.Connectors["vcard"]}
		c.Log = slog.New(slog.NewJSONHandler(h, &slog.HandlerOptions{Level: slog.LevelDebug}))
		c.Observer = func(e gateway.Event) { h.add("events", fmt.Appendf(nil, "%+v", e)) }
	})
	r, err := kit.Charge(t.Context(), chargeOf("ORD-1", canaryCard(t, 1, 2038)))
	require.NoError(t, err)
	require.Equal(t, store.InDoubt, r.Transaction.Outcome)
	kit.Advance(t, time.Hour)
	gather(t, kit, h)
	require.Empty(t, h.find(canaryPAN))
	require.Empty(t, h.findCode())
}
