package sim

import (
	"encoding/binary"
	"encoding/json"
	"strings"
	"time"

	"github.com/tollgatepay/gateway/store"
)

// auditor compares every commit with its own model. Its view of the store is the commits that it has seen.
type auditor struct {
	w            *World
	payments     map[string]*paymentRecord
	transactions map[string]*transactionRecord
	sessions     map[string]*sessionRecord
	callbacks    map[string]*callbackRecord
	order        []string                  // payments in the order of their commits
	accepted     map[string][]time.Time    // requests of an order number, by merchant and number
	began        map[string]int            // payment id: step of its commit
	made         map[string]int            // first payment of a chain: scheduled payments of it
	tokens       map[string]*paymentRecord // by card token: the payment that issued it
	open         int                       // transactions without an outcome
	claims       map[string]claimed        // by transaction: what recovery asks about
	blocks       blocks
	queued       *queued
	entries      map[string]bool   // of the outbox's lanes
	dated        map[int]time.Time // by proc: the time of its request
}

func newAuditor(w *World) *auditor {
	return &auditor{w: w, payments: map[string]*paymentRecord{}, transactions: map[string]*transactionRecord{},
		sessions: map[string]*sessionRecord{}, callbacks: map[string]*callbackRecord{},
		accepted: map[string][]time.Time{}, began: map[string]int{}, made: map[string]int{},
		tokens: map[string]*paymentRecord{}, claims: map[string]claimed{}, blocks: blocks{}, queued: newQueued(),
		entries: map[string]bool{}, dated: map[int]time.Time{}}
}

// batch is what one commit changed, record by record; was is nil for a new one.
type batch struct {
	proc         *proc // which committed it
	payments     []changed[paymentRecord]
	transactions []changed[transactionRecord]
	sessions     []changed[sessionRecord]
	callbacks    []changed[callbackRecord]
}

type changed[T any] struct{ was, is *T }

var (
	prefixPayment  = string(store.Key("p"))
	prefixSession  = string(store.Key("s"))
	prefixCallback = string(store.Key("cb"))
)

// commit judges what an instance has just committed, and stores it.
func (a *auditor) commit(by *proc, changes []change) {
	b, inst := batch{proc: by}, by.inst
	for _, c := range changes {
		a.w.digestBytes(c.key)
		a.w.digestBytes(c.value)
		key := string(c.key)
		switch {
		case strings.HasPrefix(key, prefixPayment):
			if p := take(a, &b.payments, a.payments, c); p != nil {
				a.takeTransactions(&b, p)
			}
		case strings.HasPrefix(key, prefixSession):
			take(a, &b.sessions, a.sessions, c)
		case strings.HasPrefix(key, prefixCallback):
			take(a, &b.callbacks, a.callbacks, c)
		case strings.HasPrefix(key, "qc"):
			a.judgeQueue(inst, c)
		}
	}
	a.judge(inst, &b)
	a.judgeTurns(inst, &b)
	for _, c := range b.payments {
		if c.was == nil {
			a.order = append(a.order, c.is.ID)
			a.began[c.is.ID] = a.w.steps
		}
		if a.w.verbose {
			a.w.log("    payment %s %s v%d %s", c.is.ID[:8], c.is.Kind, c.is.Version, c.is.Status)
		}
	}
	for _, c := range b.transactions {
		if c.was == nil {
			a.open++
		}
		if c.is.closed() && (c.was == nil || !c.was.closed()) {
			a.open--
		}
		if a.w.verbose {
			a.w.log("    transaction %s of %s %s %q review %q", c.is.ID[:8], c.is.Payment[:8], c.is.Operation, c.is.Outcome,
				c.is.Review)
		}
	}
}

// takeTransactions decodes the transactions of a payment and stores those that changed.
func (a *auditor) takeTransactions(b *batch, p *paymentRecord) {
	for _, text := range p.Transactions {
		is := &transactionRecord{text: string(text)}
		if err := json.Unmarshal(text, is); err != nil {
			a.w.fail("D2: a transaction of payment %s does not decode: %v", p.ID, err)
			return
		}
		is.Payment, is.Currency, is.MID = p.ID, p.Order.Currency, p.MID
		p.IDs = append(p.IDs, is.ID)
		was := a.transactions[is.ID]
		if was != nil && was.text == is.text {
			continue
		}
		a.transactions[is.ID] = is
		b.transactions = append(b.transactions, changed[transactionRecord]{was, is})
	}
	p.Transactions = nil
	p.Running, p.Charge = p.idOf(p.Running), p.idOf(p.Charge)
	a.date(p)
}

// date adds when a payment was last changed, which its record leaves out when a transaction began or ended then.
func (a *auditor) date(p *paymentRecord) {
	if !p.UpdatedAt.IsZero() {
		return
	}
	p.UpdatedAt = p.CreatedAt
	for _, id := range p.IDs {
		for _, at := range []stamp{a.transactions[id].CreatedAt, a.transactions[id].DoneAt} {
			if at.After(p.UpdatedAt.Time) {
				p.UpdatedAt = at
			}
		}
	}
}

// take decodes a record and stores it together with the one it replaces. It returns nil after a failure.
func take[T any](a *auditor, list *[]changed[T], known map[string]*T, c change) *T {
	parts, err := store.SplitKey(c.key)
	if err != nil || len(parts) != 2 {
		a.w.fail("D2: a key that is none: %q", c.key)
		return nil
	}
	was := known[parts[1]]
	if c.value == nil {
		a.w.fail("D2: record %s was deleted", parts)
		return nil
	}
	is := new(T)
	if err := json.Unmarshal(c.value, is); err != nil {
		a.w.fail("D2: record %s does not decode: %v", parts, err)
		return nil
	}
	name(is, parts[1])
	known[parts[1]] = is
	*list = append(*list, changed[T]{was, is})
	return is
}

// name gives a record the id that its key has.
func name(record any, id string) {
	switch r := record.(type) {
	case *paymentRecord:
		r.ID = id
	case *sessionRecord:
		r.ID = id
	case *callbackRecord:
		r.ID = id
		r.Payment, r.Number = store.SplitCallbackID(id)
		if r.State == "due" && r.Due.IsZero() {
			r.Due = r.CreatedAt // left out of the record
		}
	}
}

// digestBytes adds bytes and their number to the digest of the run, eight at a time.
func (w *World) digestBytes(b []byte) {
	w.digest(uint64(len(b)))
	for ; len(b) >= 8; b = b[8:] {
		w.digest(binary.LittleEndian.Uint64(b))
	}
	for _, c := range b {
		w.digest(uint64(c))
	}
}
