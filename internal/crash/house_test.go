package crash

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"strconv"
	"sync"
	"time"

	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
)

// wishes are the parent's instructions to the acquirer's or the merchant's process.
type wishes struct {
	Ahead   time.Duration // of the clock
	Percent int           // percentage of lost answers, or of refused callbacks
	Gate    bool          // ask the parent before and after everything
}

// orders is the part of such a process that follows the instructions.
type orders struct {
	client http.Client
	mu     sync.Mutex
	told   wishes
}

func (o *orders) standing() wishes {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.told
}

func (o *orders) now() time.Time { return time.Now().Add(o.standing().Ahead) }

// take is the request with new instructions.
func (o *orders) take(w http.ResponseWriter, r *http.Request) {
	var told wishes
	if err := json.NewDecoder(r.Body).Decode(&told); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.told = told
}

// passage is a moment of such a process that the parent may hold.
type passage struct {
	Stage    string // before or after
	Call     vcard.Call
	Kind     store.Operation
	Delivery delivery
}

// asked lets the parent hold the moment, if it wants to, and reports whether it did.
func (o *orders) asked(p passage) bool {
	if !o.standing().Gate {
		return false
	}
	body, err := json.Marshal(p)
	if err != nil {
		return false
	}
	if resp, err := o.client.Post(os.Getenv(envGate), "application/json", bytes.NewReader(body)); err == nil {
		_, _ = io.Copy(io.Discard, resp.Body)
		_ = resp.Body.Close()
	}
	return true
}

func seedOf() uint64 {
	seed, _ := strconv.ParseUint(os.Getenv(envSeed), 10, 64)
	return seed
}
