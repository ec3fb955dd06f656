package reference_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/callback/signature"
	"github.com/tollgatepay/gateway/checkout"
	"github.com/tollgatepay/gateway/contract"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/hpf"
	"github.com/tollgatepay/gateway/internal/reference"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/s2s"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/memory"
)

// password is that of the merchant of the demo server, whose key is the kit's.
const password = "demo-merchant-password-0001"

// stage is a gateway without randomness, with the merchant of the demo server.
type stage struct {
	*gatewaytest.Kit
	t     testing.TB
	mux   *http.ServeMux
	kept  map[string]string // values from answers: SALE.trans_id
	told  int               // callbacks that were looked at
	calls map[string]contract.Call
}

func newStage(t testing.TB, calls []contract.Call) *stage {
	t.Helper()
	var acquirer *vcard.Connector
	kit := gatewaytest.New(t, func(cfg *gateway.Config) {
		var err error
		acquirer, err = vcard.New(vcard.Config{
			Store: memory.New(), Secret: store.NewSecret("reference-acquirer-01"), PublicURL: gatewaytest.PublicURL + "/vcard",
			Now: cfg.Now, NewID: counter("T%d"),
		})
		require.NoError(t, err)
		cfg.Connectors["vcard"] = acquirer
		cfg.NewID = counter("00000000-0000-7000-8000-%012d")
		cfg.Random = rand.NewChaCha8([32]byte{})
		cfg.Crypto = []methods.Currency{{Code: "USDT", Exponent: 6, Crypto: true}}
	})
	kit.Vcard = acquirer
	require.NoError(t, kit.SaveMerchant(t.Context(), store.Merchant{
		ID: gatewaytest.MerchantID, Name: "Larkfield", Key: gatewaytest.MerchantKey, TestKey: gatewaytest.TestKey,
		Password: store.NewSecret(password), NotificationURL: gatewaytest.CallbackURL,
	}))
	require.NoError(t, kit.SaveMID(t.Context(), store.MID{ID: "live", MerchantID: gatewaytest.MerchantID, Name: "Live",
		Connector: "vcard", Mode: store.SMSDMS, MOTO: true, ZeroAmount: true, Descriptor: "LARKFIELD DEMO"}))
	s := &stage{Kit: kit, t: t, mux: http.NewServeMux(), kept: map[string]string{}, calls: map[string]contract.Call{}}
	checkout.Register(s.mux, kit.Gateway)
	hpf.Register(s.mux, kit.Gateway, hpf.Options{})
	s2s.Register(s.mux, kit.Gateway)
	for _, c := range calls {
		s.calls[c.Name] = c
	}
	return s
}

func counter(format string) func() string {
	var n atomic.Int64
	return func() string { return fmt.Sprintf(format, n.Add(1)) }
}

// play sends a sample as its command says, and keeps the members of the answer.
func (s *stage) play(of sample) reference.Sample {
	s.t.Helper()
	c, known := s.calls[of.call]
	require.True(s.t, known, of.call)
	made := reference.Sample{Title: of.title}
	made.Command, made.Formula, made.Steps = s.command(c, of)
	w := httptest.NewRecorder()
	s.mux.ServeHTTP(w, requestOf(s.t, made.Command))
	made.Status = w.Code
	var pretty bytes.Buffer
	require.NoError(s.t, json.Indent(&pretty, w.Body.Bytes(), "", "  "), w.Body.String())
	made.Answer = pretty.String()
	var members map[string]any
	if json.Unmarshal(w.Body.Bytes(), &members) == nil {
		for name, value := range members {
			s.kept[of.as()+"."+name] = fmt.Sprint(value)
		}
	}
	if of.payer != "" {
		made.Payer = s.pay(c, of)
	}
	s.Work(s.t)
	made.Callbacks = s.callbacks()
	if of.payer != "" {
		s.keepTold(of.as())
	}
	return made
}

// keepTold keeps what the newest callback says of a session.
func (s *stage) keepTold(as string) {
	for _, name := range []string{"payment_id", "recurring_token", "recurring_init_trans_id"} {
		s.kept[as+"."+name] = s.kept["told."+name]
	}
}

// paid pays the session of an answer as the payer does on the page.
func (s *stage) paid(of string) {
	s.Pay(s.t, s.kept[of+".redirect_url"], gatewaytest.Settles)
	s.Work(s.t)
	s.callbacks()
	s.keepTold(of)
}

// pay does what the payer does after a sample, and returns it in words.
func (s *stage) pay(c contract.Call, of sample) string {
	expiry, err := store.ParseExpiry(of.payer)
	require.NoError(s.t, err)
	card := gatewaytest.Card(expiry.Month, expiry.Year)
	if c.Protocol == contract.Hosted {
		require.NoError(s.t, s.HostedFields().Collect(s.t.Context(), s.filled(of.token), card))
		return reference.TypesInto(of.payer)
	}
	s.Pay(s.t, s.kept[of.as()+".redirect_url"], card)
	return reference.PaysOn(of.payer)
}

// callbacks are those since the last time.
func (s *stage) callbacks() (list []string) {
	all := s.Inbox.All()
	for _, d := range all[s.told:] {
		lines, err := reference.Lines(string(d.Body))
		require.NoError(s.t, err)
		list = append(list, lines)
		for line := range strings.SplitSeq(lines, "\n") {
			name, value, _ := strings.Cut(line, "=")
			s.kept["told."+name] = value
		}
	}
	s.told = len(all)
	return list
}

var reffed = regexp.MustCompile(`\{([\w-]+(?: \w+)?\.[\w]+)\}`)

func (s *stage) filled(text string) string {
	return reffed.ReplaceAllStringFunc(text, func(found string) string {
		value, ok := s.kept[found[1:len(found)-1]]
		require.True(s.t, ok, "nothing has %s", found)
		return value
	})
}

// command is the line that sends a sample, with its hash.
func (s *stage) command(c contract.Call, of sample) (line string, formula signature.Formula, steps []signature.Step) {
	values := [][2]string{}
	flat := map[string]string{}
	for _, pair := range of.values {
		pair[1] = s.filled(pair[1])
		values, flat[pair[0]] = append(values, pair), pair[1]
	}
	maps.Copy(flat, of.signed)
	key := "merchant_key"
	if c.Form {
		key = "client_key"
	}
	if len(c.Formulas) > 0 {
		formula = c.Formulas[of.signs]
		steps = signature.Explain(formula, signature.MD5, reference.Inputs(flat), password)
		values = append(values, [2]string{key, gatewaytest.MerchantKey}, [2]string{"hash", steps[len(steps)-1].Value})
	}
	path := c.Paths[0]
	if c.Form {
		line = "curl http://localhost:8080" + path
		for _, pair := range values {
			line += fmt.Sprintf(" \\\n  --data-urlencode '%s=%s'", pair[0], pair[1])
		}
		return line, formula, steps
	}
	line = fmt.Sprintf("curl -X %s http://localhost:8080%s -H 'Content-Type: application/json'", c.Method, path)
	if c.Token {
		line += " \\\n  -H 'Token: " + s.filled(of.token) + "'"
	}
	return line + " \\\n  -d '" + document(s.t, values) + "'", formula, steps
}

// document writes dotted paths as JSON; a value that begins with = is JSON already.
func document(t testing.TB, values [][2]string) string {
	tree := map[string]any{}
	for _, pair := range values {
		at, names := tree, strings.Split(pair[0], ".")
		for _, name := range names[:len(names)-1] {
			if at[name] == nil {
				at[name] = map[string]any{}
			}
			at = at[name].(map[string]any)
		}
		at[names[len(names)-1]] = pair[1]
		if text, ok := strings.CutPrefix(pair[1], "="); ok {
			at[names[len(names)-1]] = json.RawMessage(text)
		}
	}
	text, err := json.MarshalIndent(tree, "  ", "  ")
	require.NoError(t, err)
	return string(text)
}

var quoted = regexp.MustCompile(`(?s)(--data-urlencode|-d|-H|-X) (?:'([^']*)'|(\S+))`)

// requestOf reads a command as curl does, as far as the reference uses curl.
func requestOf(t testing.TB, command string) *http.Request {
	t.Helper()
	address := regexp.MustCompile(`http://localhost:8080(\S+)`).FindStringSubmatch(command)
	require.NotNil(t, address, command)
	method, body, header := "POST", "", http.Header{"Content-Type": {"application/x-www-form-urlencoded"}}
	for _, part := range quoted.FindAllStringSubmatch(command, -1) {
		switch value := part[2] + part[3]; part[1] {
		case "--data-urlencode":
			name, text, _ := strings.Cut(value, "=")
			if body != "" {
				body += "&"
			}
			body += name + "=" + url.QueryEscape(text)
		case "-d":
			body = value
		case "-H":
			name, text, _ := strings.Cut(value, ": ")
			header.Set(name, text)
		case "-X":
			method = value
		}
	}
	r := httptest.NewRequest(method, address[1], strings.NewReader(body))
	r.Header = header
	return r
}
