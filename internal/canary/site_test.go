package canary

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/callback"
	"github.com/tollgatepay/gateway/checkout"
	"github.com/tollgatepay/gateway/checkout/page"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/hpf"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/observe"
	"github.com/tollgatepay/gateway/s2s"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/bolt"
)

// ring is a key provider with keys that can be rotated. It keeps the data keys it wrapped, with which the test
// opens sealed values.
type ring struct {
	mu       sync.Mutex
	wrapping []cipher.AEAD
	lookup   []byte
	known    map[string][]byte // data keys by their wrapped bytes
}

func newRing() *ring {
	r := &ring{lookup: chance(), known: map[string][]byte{}}
	r.rotate()
	return r
}

func chance() []byte {
	key := make([]byte, gateway.DataKeySize)
	_, _ = rand.Read(key) // never fails
	return key
}

// rotate makes a new current key.
func (r *ring) rotate() {
	r.mu.Lock()
	defer r.mu.Unlock()
	block, err := aes.NewCipher(chance())
	if err != nil {
		panic(err)
	}
	sealer, err := cipher.NewGCM(block)
	if err != nil {
		panic(err)
	}
	r.wrapping = append(r.wrapping, sealer)
}

func (r *ring) Wrap(_ context.Context, dataKey []byte) (gateway.WrappedKey, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	id := fmt.Sprintf("key-%d", len(r.wrapping)-1)
	nonce := chance()[:12]
	wrapped := r.wrapping[len(r.wrapping)-1].Seal(nonce, nonce, dataKey, []byte(id))
	r.known[string(wrapped)] = append([]byte(nil), dataKey...)
	return gateway.WrappedKey{KeyID: id, Bytes: wrapped}, nil
}

func (r *ring) Unwrap(_ context.Context, w gateway.WrappedKey) ([]byte, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	var n int
	if _, err := fmt.Sscanf(w.KeyID, "key-%d", &n); err != nil || n >= len(r.wrapping) || len(w.Bytes) < 12 {
		return nil, gateway.ErrKeyGone
	}
	return r.wrapping[n].Open(nil, w.Bytes[:12], w.Bytes[12:], []byte(w.KeyID))
}

func (r *ring) LookupKey(context.Context) ([]byte, error) {
	return append([]byte(nil), r.lookup...), nil
}

// everything is all that a merchant can add to callbacks and answers.
var everything = store.Additions{Brand: true, ARN: true, COF: true, Payer: true, Method: true, ThreeDS: true,
	Browser: true, Extended: true}

// site is a gateway that writes everything that leaves it to files of one folder.
type site struct {
	*gatewaytest.Kit
	t        *testing.T
	dir      string
	keys     *ring
	log      *file
	answers  *file
	told     *file
	handler  http.Handler
	stores   []store.Store
	restarts int
	tells    bool // the connector panics with all its data
}

// careless is a connector that panics with the card in its text, as careless code does.
type careless struct {
	*vcard.Connector
	s *site
}

func (c careless) Perform(ctx context.Context, op methods.Operation) methods.Answer {
	if c.s.tells && op.Card != nil {
		panic(fmt.Sprintf("cannot charge %s with code: %s !", op.Card.PAN.Digits(), op.Card.Code.Digits()))
	}
	return c.Connector.Perform(ctx, op)
}

// file is a file for concurrent writers.
type file struct {
	mu sync.Mutex
	*os.File
}

func (f *file) Write(p []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.File.Write(p)
}

func newSite(t *testing.T, dir string) *site {
	t.Helper()
	s := &site{t: t, dir: dir, keys: newRing()}
	s.Kit = &gatewaytest.Kit{Clock: &gatewaytest.Clock{}, Inbox: &gatewaytest.Inbox{}}
	s.Clock.Set(time.Date(2027, 3, 10, 12, 0, 0, 0, time.UTC))
	for name, at := range map[string]**file{"log.json": &s.log, "answers.txt": &s.answers, "callbacks.txt": &s.told} {
		opened, err := os.Create(filepath.Join(dir, name))
		require.NoError(t, err)
		t.Cleanup(func() { _ = opened.Close() })
		*at = &file{File: opened}
	}
	s.open()
	t.Cleanup(s.close)
	ctx := t.Context()
	require.NoError(t, s.SaveMerchant(ctx, store.Merchant{
		ID: gatewaytest.MerchantID, Name: "Test Shop", Key: gatewaytest.MerchantKey, TestKey: gatewaytest.TestKey,
		Password: store.NewSecret(gatewaytest.Password), NotificationURL: gatewaytest.CallbackURL,
	}))
	require.NoError(t, s.SaveMID(ctx, store.MID{ID: "live", MerchantID: gatewaytest.MerchantID, Name: "Live",
		Connector: "vcard"}))
	for _, protocol := range []store.Protocol{store.Checkout, store.S2SCard, store.S2SAPM} {
		require.NoError(t, s.SaveMapping(ctx, store.Mapping{MerchantID: gatewaytest.MerchantID, Protocol: protocol,
			Add: everything}))
	}
	return s
}

// Deliver keeps a callback in the folder and in the inbox.
func (s *site) Deliver(ctx context.Context, d callback.Delivery) callback.Receipt {
	_, _ = fmt.Fprintf(s.told, "%s %s %s\n%s\n", d.ID, d.URL, d.ContentType, d.Body)
	return s.Inbox.Deliver(ctx, d)
}

func (s *site) open() {
	s.t.Helper()
	logger := slog.New(slog.NewJSONHandler(s.log, &slog.HandlerOptions{Level: slog.LevelDebug - 4}))
	s.stores = nil
	for _, name := range []string{"gateway.db", "acquirer.db"} {
		opened, err := bolt.Open(filepath.Join(s.dir, name))
		require.NoError(s.t, err)
		s.stores = append(s.stores, opened)
	}
	var err error
	s.Store = s.stores[0]
	s.Vcard, err = vcard.New(vcard.Config{
		Store: s.stores[1], Secret: store.NewSecret("canary-acquirer-0001"), PublicURL: gatewaytest.PublicURL + "/vcard",
		Now: s.Clock.Now,
	})
	require.NoError(s.t, err)
	s.Gateway, err = gateway.New(gateway.Config{
		Store: s.Store, Keys: s.keys, Connectors: map[string]methods.Connector{"vcard": careless{s.Vcard, s}},
		PublicURL: gatewaytest.PublicURL,
		Notifier:  s, Now: s.Clock.Now, Log: logger, Crypto: []methods.Currency{{Code: "USDT", Exponent: 6}},
		Observers: []observe.Observer{observe.Func(func(_ context.Context, e observe.Event) {
			logger.Debug("event", "event", fmt.Sprintf("%+v", e))
		})},
	})
	require.NoError(s.t, err)
	mux := http.NewServeMux()
	checkout.Register(mux, s.Gateway)
	s2s.Register(mux, s.Gateway)
	hpf.Register(mux, s.Gateway, hpf.Options{})
	page.Register(mux, s.Gateway, page.Options{Log: logger})
	s.handler = mux
}

func (s *site) close() {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	require.NoError(s.t, s.Gateway.Close(ctx))
	for _, opened := range s.stores {
		require.NoError(s.t, opened.Close())
	}
}

// restart ends the gateway, copies its files, and starts it again.
func (s *site) restart() {
	s.t.Helper()
	s.close()
	s.restarts++
	for _, name := range []string{"gateway.db", "acquirer.db"} {
		bits, err := os.ReadFile(filepath.Join(s.dir, name))
		require.NoError(s.t, err)
		require.NoError(s.t, os.WriteFile(filepath.Join(s.dir, fmt.Sprintf("%s.%d", name, s.restarts)), bits, 0o600))
	}
	s.open()
}

// call sends a request and keeps the answer.
func (s *site) call(method, path, contentType, body string, headers ...string) *httptest.ResponseRecorder {
	s.t.Helper()
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.Header.Set("Content-Type", contentType)
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	s.handler.ServeHTTP(w, r)
	var kept strings.Builder
	_, _ = fmt.Fprintf(&kept, "%s %d\n", method, w.Code)
	_ = w.Header().Write(&kept)
	_, err := io.WriteString(s.answers, kept.String()+"\n"+w.Body.String()+"\n")
	require.NoError(s.t, err)
	return w
}
