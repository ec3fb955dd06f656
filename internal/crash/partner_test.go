package crash

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strconv"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// partner is the parent's control of the acquirer's or the merchant's process. It outlives every gateway.
type partner struct {
	*process
	client *http.Client
	path   string // secret path of its instructions, because another process may get the port later

	telling sync.Mutex // one instruction after the other
	mu      sync.Mutex
	wish    wishes
	gate    func(passage)
}

func newPartner(t *testing.T, role, file string, seed uint64) *partner {
	t.Helper()
	p := &partner{path: "/" + rand.Text()}
	gates := httptest.NewServer(http.HandlerFunc(p.pass))
	p.client = gates.Client()
	t.Cleanup(gates.Close)
	p.process = newProcess(t, filepath.Join(t.TempDir(), file), envRole+"="+role, envPath+"="+p.path,
		envGate+"="+gates.URL, envSeed+"="+strconv.FormatUint(seed, 10))
	p.start(t)
	return p
}

// pass is the process asking whether it may go on.
func (p *partner) pass(_ http.ResponseWriter, r *http.Request) {
	var at passage
	if json.NewDecoder(r.Body).Decode(&at) != nil {
		return
	}
	p.mu.Lock()
	gate := p.gate
	p.mu.Unlock()
	if gate != nil {
		gate(at)
	}
}

// instruct changes the instructions of the process.
func (p *partner) instruct(t *testing.T, change func(*wishes)) {
	t.Helper()
	p.telling.Lock()
	defer p.telling.Unlock()
	p.mu.Lock()
	change(&p.wish)
	body, err := json.Marshal(p.wish)
	p.mu.Unlock()
	require.NoError(t, err)
	resp, err := p.client.Post(p.url+p.path+"/orders", "application/json", bytes.NewReader(body))
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	require.Equal(t, http.StatusOK, resp.StatusCode)
}

// hold makes everything pass through gate from now on; nil removes the gate.
func (p *partner) hold(t *testing.T, gate func(passage)) {
	t.Helper()
	p.mu.Lock()
	p.gate = gate
	p.mu.Unlock()
	p.instruct(t, func(w *wishes) { w.Gate = gate != nil })
}

// books returns the acquirer's books; wait includes the requests that have arrived.
func (p *partner) books(t *testing.T, wait string) (b shownBooks) {
	t.Helper()
	resp, err := p.client.Get(p.url + p.path + "/books?wait=" + wait)
	require.NoError(t, err)
	defer resp.Body.Close() //nolint:errcheck // only read
	require.Equal(t, http.StatusOK, resp.StatusCode)
	require.NoError(t, json.NewDecoder(resp.Body).Decode(&b))
	return b
}
