package engine

import (
	"sync"
	"time"

	"github.com/tollgatepay/gateway/store"
)

// redirects is the Memory Storage of payers' redirects (store.Mapping, MemoryRedirect).
type redirects struct {
	mu   sync.Mutex
	byID map[string]memorized
}

type memorized struct {
	next  *store.Redirect
	until time.Time
}

// How much is kept and for how long.
const (
	maxRedirects = 10_000
	redirectLife = time.Hour
)

func (m *redirects) put(transactionID string, next *store.Redirect, now time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.byID == nil || len(m.byID) >= maxRedirects {
		m.byID = map[string]memorized{}
	}
	m.byID[transactionID] = memorized{next, now.Add(redirectLife)}
}

func (m *redirects) get(transactionID string, now time.Time) *store.Redirect {
	m.mu.Lock()
	defer m.mu.Unlock()
	found, ok := m.byID[transactionID]
	if !ok || now.After(found.until) {
		delete(m.byID, transactionID)
		return nil
	}
	return found.next
}
