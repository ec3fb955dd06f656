package session_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/hpf"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/bolt"
)

// hostedFile is a gateway with its store in a file and the hosted fields protocol.
type hostedFile struct {
	*gatewaytest.Kit
	t      *testing.T
	folder string
	api    http.Handler
	hay    *kerneltest.Haystack // logs and answers
}

func newHostedFile(t *testing.T) *hostedFile {
	t.Helper()
	s := &hostedFile{t: t, folder: t.TempDir(), hay: &kerneltest.Haystack{Bits: map[string][]byte{}}}
	db, err := bolt.Open(filepath.Join(s.folder, "gateway.db"))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	s.Kit = gatewaytest.On(t, db, func(c *gateway.Config) {
		c.Log = slog.New(slog.NewJSONHandler(s.hay, &slog.HandlerOptions{Level: slog.LevelDebug - 4}))
	})
	s.api = hpf.Handler(s.Gateway, hpf.Options{})
	return s
}

// send makes a request under a token and requires status 200.
func (s *hostedFile) send(method, path, token, body string, headers ...string) {
	s.t.Helper()
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Token", token)
	for _, name := range headers {
		r.Header.Set(name, "same-origin")
	}
	w := httptest.NewRecorder()
	s.api.ServeHTTP(w, r)
	require.Equal(s.t, http.StatusOK, w.Code, w.Body.String())
	s.hay.Add("answers", fmt.Appendf(nil, "%s %v", w.Body.Bytes(), w.Header()))
}

// look reads every file, callback, log and answer, and lists those with the card's number and with its code.
func (s *hostedFile) look() (number, alone []string) {
	s.t.Helper()
	for _, d := range s.Inbox.All() {
		s.hay.Add("callbacks", fmt.Appendf(nil, "%s %s %s", d.URL, d.ContentType, d.Body))
	}
	require.NoError(s.t, filepath.WalkDir(s.folder, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		file, err := os.Open(path)
		require.NoError(s.t, err)
		bits, err := io.ReadAll(file)
		require.NoError(s.t, err)
		s.hay.Add("file", bits)
		return file.Close()
	}))
	for place, bits := range s.hay.Bits {
		if standsAlone(bits) {
			alone = append(alone, place)
		}
	}
	return s.hay.Find(kerneltest.CanaryPAN), alone
}

// standsAlone finds the same as the expression code, but fast enough for large files.
func standsAlone(bits []byte) bool {
	for _, text := range []string{kerneltest.CanaryCode,
		base64.StdEncoding.EncodeToString([]byte(kerneltest.CanaryCode))} {
		for at := 0; ; at++ {
			next := bytes.Index(bits[at:], []byte(text))
			if next < 0 {
				break
			}
			at += next
			if kerneltest.CanaryCodeAlone.Match(bits[max(at-1, 0):min(at+len(text)+1, len(bits))]) {
				return true
			}
		}
	}
	return false
}

// No byte of the file (free pages included), of a log, a callback or an answer contains number or code, from the
// moment they were collected until long after, whatever the outcome of the payment.
func TestHostedCardIsInNoFile(t *testing.T) {
	t.Parallel()
	for name, expiry := range map[string]string{
		"settled": "01/38", "declined": "02/38", "3-D Secure": "05/38", "lost": "09/38", "never paid": "",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newHostedFile(t)
			request := kerneltest.HostedRequest("ORD-1")
			request.Extra = store.SessionExtra{ReqToken: true}
			session, err := s.Shop().CreateHosted(t.Context(), request)
			require.NoError(t, err)
			card := `{"card_number":"` + kerneltest.CanaryPAN + `","expiry":"` + (expiry + "01/38")[:5] + `","cvv":"` +
				kerneltest.CanaryCode + `"}`
			s.send(http.MethodPost, "/sdk/collect", session.Token, card, "Sec-Fetch-Site")
			s.send(http.MethodPut, "/api/v1/session/update", session.Token, `{"order_amount":"12.00"}`)
			number, alone := s.look()
			require.Empty(t, append(number, alone...), "collected")
			if expiry != "" {
				s.send(http.MethodPost, "/api/v1/processing/purchase/card", session.Token,
					`{"name":"John Doe","with_hosted_fields":true}`)
				require.Equal(t, "460154******6519", s.Payment(t, "ORD-1").Card.Mask, "it is the card of this test")
			}
			s.Advance(t, 2*time.Hour)
			number, alone = s.look()
			require.Empty(t, append(number, alone...))
			require.Contains(t, string(s.hay.Bits["file"]), string(store.Key(session.ID)), "it is the file of this gateway")
			require.NotContains(t, string(s.hay.Bits["file"]), session.Token)
		})
	}
}

// The same search finds a card that was written, even after it was deleted.
func TestHostedCardWouldBeFound(t *testing.T) {
	t.Parallel()
	s := newHostedFile(t)
	require.NoError(t, s.Store.Update(t.Context(), func(tx store.Tx) error {
		return tx.Put([]byte("x"), []byte(`{"n":"`+kerneltest.CanaryPAN+`","c":"`+kerneltest.CanaryCode+`"}`))
	}))
	require.NoError(t, s.Store.Update(t.Context(), func(tx store.Tx) error { return tx.Delete([]byte("x")) }))
	number, alone := s.look()
	require.Equal(t, []string{"file"}, number)
	require.Equal(t, []string{"file"}, alone)
}
