package s2s_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/doortest"
	"github.com/tollgatepay/gateway/internal/s2sclient"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/s2s"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/memory"
)

// stage is where a scenario runs: a gateway without randomness, and a merchant.
type stage struct {
	*gatewaytest.Kit
	t        testing.TB
	client   *s2sclient.Client
	receiver *s2sclient.Receiver
	out      strings.Builder

	merchant store.Merchant
	tapped   tapped                       // the payers' wallets
	written  int                          // callbacks that are written to the file already
	last     *s2sclient.Object            // the newest answer
	orders   map[string]*s2sclient.Object // the first answer that named each order
	values   map[string]string            // values from answers, by the names of their members
}

// play runs a scenario and writes it with its results.
func play(t testing.TB, s scenario) string {
	t.Helper()
	p := newStage(t)
	p.out.WriteString(strings.Join(s.head, "\n") + "\n")
	for _, b := range s.blocks {
		switch b.mark {
		case ">":
			p.request(b)
		case "~":
			p.step(b.line)
		default:
			continue // written again
		}
		p.Work(t)
		p.callbacks()
	}
	require.Zero(t, p.Vcard.Scripted(), "a scripted outcome of the acquirer was not used")
	require.Empty(t, p.receiver.Problems())
	return p.out.String()
}

func newStage(t testing.TB) *stage {
	t.Helper()
	var acquirer *vcard.Connector
	w := newTapped(t)
	kit := gatewaytest.New(t, func(cfg *gateway.Config) {
		var err error
		acquirer, err = vcard.New(vcard.Config{
			Store: memory.New(), Secret: store.NewSecret("scenario-acquirer-0001"), PublicURL: gatewaytest.PublicURL + "/vcard",
			Now: cfg.Now, NewID: counter("T%d"),
		})
		require.NoError(t, err)
		cfg.Connectors["vcard"] = acquirer
		cfg.NewID = counter("00000000-0000-7000-8000-%012d")
		cfg.Random = &chance{from: rand.NewChaCha8([32]byte{})}
		cfg.Crypto = []methods.Currency{{Code: "USDT", Exponent: 6, Crypto: true}}
		cfg.Wallets = w.roots(t)
		cfg.Methods = []methods.Method{{ // no code of the catalogue has debits at a bank
			Code: "house-bank", Name: "House bank", Kind: methods.KindRedirect, Operations: []store.Operation{store.OpDebit},
		}}
	})
	kit.Vcard = acquirer
	p := &stage{Kit: kit, t: t, tapped: w, orders: map[string]*s2sclient.Object{}, values: map[string]string{}}
	p.merchant = store.Merchant{
		ID: gatewaytest.MerchantID, Name: "Test Shop", Key: gatewaytest.MerchantKey, TestKey: gatewaytest.TestKey,
		Password: store.NewSecret(gatewaytest.Password), NotificationURL: gatewaytest.CallbackURL,
	}
	p.client = &s2sclient.Client{
		Key: gatewaytest.MerchantKey, Password: gatewaytest.Password, CryptoBrands: "crypto-currency",
		HTTP: &http.Client{Transport: direct{doortest.Recorded(t, s2s.Handler(kit.Gateway))}},
	}
	p.receiver = p.client.Receiver()
	require.NoError(t, kit.SaveMID(t.Context(), store.MID{
		ID: "live", MerchantID: gatewaytest.MerchantID, Name: "Live", Connector: "vcard", Descriptor: "Test Shop",
		MOTO: true, ZeroAmount: true,
	}))
	return p
}

// counter makes names that count up.
func counter(format string) func() string {
	var mu sync.Mutex
	n := 0
	return func() string {
		mu.Lock()
		defer mu.Unlock()
		n++
		return fmt.Sprintf(format, n)
	}
}

// chance is a source of random bytes that is the same in every run.
type chance struct {
	mu   sync.Mutex
	from *rand.ChaCha8
}

func (c *chance) Read(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.from.Read(p)
}

// direct is a transport without a network.
type direct struct{ handler http.Handler }

func (d direct) RoundTrip(r *http.Request) (*http.Response, error) {
	w := httptest.NewRecorder()
	d.handler.ServeHTTP(w, r)
	return w.Result(), nil
}

// request sends the request of a block and writes it and the answer.
func (p *stage) request(b block) {
	p.t.Helper()
	words := strings.Fields(b.line) // POST /post [multipart] [test] [hash by FORMULA]
	require.GreaterOrEqual(p.t, len(words), 2, b.line)
	p.client.URL = "http://gateway.example" + words[1]
	p.client.Multipart, p.client.Unicode, p.client.UpperPassword = false, false, false
	p.client.Key = gatewaytest.MerchantKey
	manner, formula, _ := strings.Cut(strings.Join(words[2:], " "), "hash by ")
	for word := range strings.FieldsSeq(manner) {
		switch word {
		case "multipart":
			p.client.Multipart = true
		case "unicode":
			p.client.Unicode = true
		case "upper-password":
			p.client.UpperPassword = true
		case "test":
			p.client.Key = gatewaytest.TestKey
		default:
			require.Fail(p.t, "no such manner: "+word)
		}
	}
	pairs, sent := expand(p.t, b.rest), s2sclient.Fields{}
	for i, pair := range pairs {
		pairs[i][1] = p.filled(pair[1])
		sent[pair[0]] = pairs[i][1]
	}
	if formula != "" {
		sent["hash"] = p.client.Hash(s2sclient.Formula(formula), sent)
	}
	p.write("> "+b.line, b.rest...)
	p.answered(p.send(pairs, sent))
}

// send sends by the client, except for a request that the client cannot make: with a parameter that occurs twice.
func (p *stage) send(pairs [][2]string, sent s2sclient.Fields) *s2sclient.Answer {
	p.t.Helper()
	if len(pairs) == len(sent) || len(pairs)+1 == len(sent) {
		a, err := p.client.Do(p.t.Context(), sent)
		require.NoError(p.t, err)
		return a
	}
	var body strings.Builder
	for _, pair := range pairs {
		body.WriteString(url.QueryEscape(pair[0]) + "=" + url.QueryEscape(pair[1]) + "&")
	}
	signed := p.client.Sign(sent)
	body.WriteString("client_key=" + signed["client_key"] + "&hash=" + signed["hash"])
	response, err := p.client.HTTP.Post(p.client.URL, "application/x-www-form-urlencoded",
		strings.NewReader(body.String()))
	require.NoError(p.t, err)
	raw, err := io.ReadAll(response.Body)
	require.NoError(p.t, err)
	a := &s2sclient.Answer{HTTP: response.StatusCode, Header: response.Header, Raw: raw, Sent: signed}
	a.Body, err = s2sclient.ParseObject(raw)
	require.NoError(p.t, err)
	return a
}

var reference = regexp.MustCompile(`\{(?:([^{}.]+)\.)?(\w+)\}`)

// filled replaces {name} by the newest value from an answer, and {ORDER.name} by that of an order.
func (p *stage) filled(value string) string {
	return reference.ReplaceAllStringFunc(value, func(found string) string {
		parts := reference.FindStringSubmatch(found)
		text := p.values[parts[2]]
		if parts[1] != "" {
			text = p.orders[parts[1]].Text(parts[2])
		}
		require.NotEmpty(p.t, text, "no answer had %s", found)
		return text
	})
}

// answered writes an answer, stores its values and checks it against the documents.
func (p *stage) answered(a *s2sclient.Answer) {
	p.t.Helper()
	var pretty bytes.Buffer
	require.NoError(p.t, json.Indent(&pretty, a.Raw, "", "  "), string(a.Raw))
	p.write(fmt.Sprintf("< %d", a.HTTP), strings.Split(cut(pretty.String()), "\n")...)
	require.Empty(p.t, s2sclient.Check(a), "%s: %s", a.Sent["action"], a.Raw)
	p.last = a.Body
	for _, name := range a.Body.Names() {
		p.values[name] = a.Body.Text(name)
	}
	if order := a.Body.Text("order_id"); p.orders[order] == nil {
		p.orders[order] = a.Body
	}
}

// callbacks writes the callbacks since the last time, and checks them against the documents.
func (p *stage) callbacks() {
	p.t.Helper()
	all := p.Inbox.All()
	for _, d := range all[p.written:] {
		pairs, err := s2sclient.ParseBody(string(d.Body))
		require.NoError(p.t, err)
		var lines []string
		action := ""
		for _, pair := range pairs {
			lines = append(lines, pair.Name+"="+cut(pair.Value))
			p.values["told_"+pair.Name] = pair.Value // {told_trans_id}: of the newest callback
			if pair.Name == "action" {
				action = pair.Value
			}
		}
		line := "* callback " + action
		if d.URL != gatewaytest.CallbackURL {
			line += " to " + d.URL
		}
		if d.Attempt > 1 {
			line += fmt.Sprintf(", attempt %d", d.Attempt)
		}
		p.write(line, lines...)
		r := httptest.NewRequest(http.MethodPost, "/callback", bytes.NewReader(d.Body))
		r.Header.Set("Content-Type", d.ContentType)
		p.receiver.ServeHTTP(httptest.NewRecorder(), r)
	}
	p.written = len(all)
}

func (p *stage) write(line string, rest ...string) {
	p.out.WriteString("\n" + line + "\n")
	for _, each := range rest {
		p.out.WriteString(each + "\n")
	}
}

var longWord = regexp.MustCompile(`[^\s"]{160,}`)

// cut shortens long words, because QR codes are pictures.
func cut(text string) string {
	return longWord.ReplaceAllStringFunc(text, func(word string) string {
		return fmt.Sprintf("%s... (%d characters)", word[:24], len(word))
	})
}
