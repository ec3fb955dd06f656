package main

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/callback/signature"
	"github.com/tollgatepay/gateway/store/keys/keyfile"
	"github.com/tollgatepay/gateway/store/memory"
)

// The README shows exactly this program.
func TestREADME(t *testing.T) {
	t.Parallel()
	readme, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	program, err := os.ReadFile("main.go")
	require.NoError(t, err)
	_, block, found := strings.Cut(string(readme), "```go\n")
	require.True(t, found, "the README has no block of Go")
	block, _, _ = strings.Cut(block, "```\n")
	require.Equal(t, string(program), block)
}

// A merchant's backend gets a link from the program, and a payer's browser opens it.
func TestProgram(t *testing.T) {
	t.Parallel()
	keys, err := keyfile.Open(filepath.Join(t.TempDir(), "keys"))
	require.NoError(t, err)
	gw, mux := platform(memory.New(), keys)

	created := serve(mux, "POST", "/api/v1/session", session(t))
	require.Equal(t, http.StatusOK, created.Code, created.Body.String())
	var answer struct {
		RedirectURL string `json:"redirect_url"`
	}
	require.NoError(t, json.Unmarshal(created.Body.Bytes(), &answer))
	path, ours := strings.CutPrefix(answer.RedirectURL, public)
	require.True(t, ours, answer.RedirectURL)

	shown := serve(mux, "GET", path, nil)
	require.Equal(t, http.StatusOK, shown.Code)
	require.Contains(t, shown.Body.String(), "My Shop")
	require.NoError(t, gw.Close(t.Context()))
}

// session returns a signed request for a session, as SPEC1 has it.
func session(t *testing.T) []byte {
	t.Helper()
	hash := signature.Sign(signature.CheckoutSession, signature.MD5, signature.Inputs{
		OrderNumber: "ORD-1", Amount: "10.00", Currency: "USD", Description: "A cup",
	}, "at least sixteen characters")
	body, err := json.Marshal(map[string]any{
		"merchant_key": "my-merchant-key", "operation": "purchase", "success_url": "https://shop.example/thanks",
		"order": map[string]string{"number": "ORD-1", "amount": "10.00", "currency": "USD", "description": "A cup"},
		"hash":  hash,
	})
	require.NoError(t, err)
	return body
}

func serve(mux *http.ServeMux, method, path string, body []byte) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, bytes.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	mux.ServeHTTP(w, r)
	return w
}
