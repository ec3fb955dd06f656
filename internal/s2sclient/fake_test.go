package s2sclient

import (
	"cmp"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// fake sends configured answers to requests, and keeps the requests.
type fake struct {
	mu     sync.Mutex
	bodies []string
	status int
	text   string
}

func (s *fake) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := r.ParseMultipartForm(1 << 16); err != nil && err != http.ErrNotMultipart {
		panic(err)
	}
	s.bodies = append(s.bodies, r.PostForm.Encode())
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(cmp.Or(s.status, http.StatusOK))
	_, _ = w.Write([]byte(s.text))
}

// say sets the next answers; a word of the form $x is replaced by the samples' value.
func (s *fake) say(status int, text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.status, s.text = status, sample(text)
}

func sample(text string) string {
	return strings.NewReplacer(
		"$ids", `"order_id":"ORDER-1","trans_id":"`+sampleTrans+`"`,
		"$date", `"trans_date":"2026-01-02 03:04:05"`,
		"$money", `"descriptor":"shop","amount":"1.99","currency":"USD"`,
		"$away", `"redirect_url":"https://acs.example/a","redirect_params":{"MD":"m"},"redirect_method":"POST"`,
	).Replace(text)
}

func serve(t *testing.T, path string) (*Client, *fake) {
	t.Helper()
	s := &fake{}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	return &Client{
		HTTP: server.Client(), URL: server.URL + path, Key: "c2b8fb04-110f-11ea-bcd3-0242c0a85004", Password: pass,
	}, s
}

func (c *Client) must(t *testing.T, f Fields) *Answer {
	t.Helper()
	a, err := c.Do(t.Context(), f)
	require.NoError(t, err)
	return a
}

const settledSale = `{"action":"SALE","result":"SUCCESS","status":"SETTLED",$ids,$date,$money}`

func sale() Fields { return Sale("ORDER-1", "1.99", "USD", TestCard("01", "2038")) }
