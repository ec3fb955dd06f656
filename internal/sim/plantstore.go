package sim

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"strings"
	"time"

	"github.com/tollgatepay/gateway/store"
)

// Planted defects of the store.

// record returns the kind of record of a key.
func record(key []byte) string {
	parts, err := store.SplitKey(key)
	if err != nil || len(parts) == 0 {
		name, _, _ := bytes.Cut(key, []byte{0, 1}) // a queue: its entries are no list of parts
		return string(name)
	}
	return parts[0]
}

// edited returns a stored document with changes. The order of its fields stays: the schema comes first.
func edited(value []byte, change func(document map[string]any)) []byte {
	document, before := map[string]any{}, map[string]any{}
	if json.Unmarshal(value, &document) != nil || json.Unmarshal(value, &before) != nil {
		return value
	}
	change(document)
	for name, was := range before {
		if is, ok := document[name]; !ok || fmt.Sprint(is) != fmt.Sprint(was) {
			value = replaced(value, name, is)
		}
	}
	for name, is := range document {
		if _, ok := before[name]; !ok && is != nil {
			value = append(value[:len(value)-1], fmt.Sprintf(`,%q:%s}`, name, encoded(is))...)
		}
	}
	return value
}

func encoded(value any) []byte {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return text
}

// replaced returns a document with another value of one field.
func replaced(value []byte, name string, is any) []byte {
	var document map[string]json.RawMessage
	if json.Unmarshal(value, &document) != nil {
		return value
	}
	old := append(append([]byte(`"`+name+`":`), document[name]...), ',')
	last := bytes.TrimSuffix(old, []byte(","))
	if is == nil {
		return bytes.Replace(bytes.Replace(value, old, nil, 1), append([]byte(","), last...), nil, 1)
	}
	return bytes.Replace(value, last, append([]byte(`"`+name+`":`), encoded(is)...), 1)
}

// before returns the document under a key as it is now.
func (tx *judgedTx) before(key []byte) map[string]any {
	value, err := tx.Get(key)
	document := map[string]any{}
	if err != nil || json.Unmarshal(value, &document) != nil {
		return nil
	}
	return document
}

// rewrite applies a planted defect to a write.
func (w *World) rewrite(tx *judgedTx, key, value []byte) (changed []byte, drop bool) {
	if w.defect == NoDefect || !w.faulty {
		return value, false
	}
	kind := record(key)
	switch {
	case w.defect == dropCallback && (kind == "cb" || kind == "qc" || kind == "qcl"), w.defect == dropRecovery &&
		kind == "qr",
		w.defect == dropDelivery && (kind == "qc" || kind == "qcl"), w.defect == windowLost && kind == "w",
		w.defect == orderLost && kind == "o":
		return nil, true
	case w.defect == windowShort && kind == "w":
		at, _ := time.Parse(time.RFC3339Nano, string(value))
		return []byte(at.Add(-13 * time.Second).Format(time.RFC3339Nano)), false
	case w.defect == beforeCommit && kind == "cb" && tx.before(key) == nil:
		parts, _ := store.SplitKey(key)
		w.merchant.hear(parts[1])
	}
	if plant := documentPlants[w.defect]; plant.kind == kind {
		was := tx.before(key)
		return edited(value, func(document map[string]any) { plant.change(was, document) }), false
	}
	return value, false
}

// documentPlants change a document as it is written; was is nil for a new one.
var documentPlants = map[Defect]struct {
	kind   string
	change func(was, is map[string]any)
}{
	rebuiltBody: {"cb", func(was, is map[string]any) {
		if body, ok := is["b"].(string); ok && was != nil {
			is["b"] = body[:len(body)/2]
		}
	}},
	cardInBody: {"cb", func(was, is map[string]any) {
		if body := text(is["b"]); was == nil && body != "" {
			is["b"] = strings.ReplaceAll(body, "411111%2A%2A%2A%2A%2A%2A1111", cardNumbers[0])
		}
	}},
	leakedReservation: {"p", func(was, is map[string]any) {
		if was != nil && moneyOf(text(was["rs"])) > moneyOf(text(is["rs"])) {
			is["rs"] = was["rs"]
		}
	}},
	capturedMore: {"p", func(was, is map[string]any) {
		if text(is["ca"]) == "10.00" {
			is["ca"] = "10.01"
		}
	}},
	statusBack: {"p", func(was, is map[string]any) {
		if is["s"] == "REFUND" {
			is["s"] = "SETTLED"
		}
	}},
	versionStuck: {"p", func(was, is map[string]any) {
		if was != nil {
			is["n"] = was["n"]
		}
	}},
	declineLost: {"s", func(was, is map[string]any) {
		if was != nil {
			is["declines"] = was["declines"]
		}
	}},
	paidReopens: {"s", func(_, is map[string]any) {
		if is["state"] == "paid" {
			is["state"] = "open"
		}
	}},
	attemptLost: {"s", func(_, is map[string]any) { delete(is, "attempts") }},
	amountChanges: {"p", ofTransactions(func(was, is map[string]any) {
		if was != nil && text(is["a"]) == "7.77" {
			is["a"] = "7.78"
		}
	})},
	cardStays: {"p", ofTransactions(func(was, is map[string]any) {
		if was != nil && was["held"] != nil {
			is["held"] = was["held"]
		}
	})},
	runningStays: {"p", func(was, is map[string]any) {
		if was != nil && was["run"] != nil {
			is["run"] = was["run"]
		}
	}},
	callbackLate: {"p", func(was, is map[string]any) {
		if n, ok := is["cb"].(float64); ok && was != nil && was["cb"] != nil && was["cb"] != n {
			is["cb"] = n + 1
		}
	}},
	currencyChanges: {"p", func(was, is map[string]any) {
		if order, ok := is["o"].(map[string]any); ok && was != nil {
			order["c"] = "EUR"
		}
	}},
}

// ofTransactions changes each transaction of a payment as it is written; was is nil for a new one.
func ofTransactions(change func(was, is map[string]any)) func(was, is map[string]any) {
	return func(was, is map[string]any) {
		before := map[any]map[string]any{}
		for _, t := range list(was["t"]) {
			before[t["id"]] = t
		}
		for _, t := range list(is["t"]) {
			change(before[t["id"]], t)
		}
	}
}

func list(value any) (objects []map[string]any) {
	values, _ := value.([]any)
	for _, one := range values {
		if object, ok := one.(map[string]any); ok {
			objects = append(objects, object)
		}
	}
	return objects
}

func text(value any) string {
	s, _ := value.(string)
	return s
}

// keeps reports a key that a planted defect does not delete. It also applies after the faults: an entry is a hint,
// so an extra one only means that there is always something to check.
func (w *World) keeps(key []byte) bool {
	return w.defect == keepRecovery && record(key) == "qr"
}

// hear is a callback that reaches the merchant before its commit.
func (m *merchant) hear(id string) {
	if m.w.auditor.callbacks[id] == nil {
		m.w.fail("C2: the merchant gets callback %s, which is not committed", id)
	}
}

// weak runs fn over a snapshot and writes without checks, with other commits in between.
func (s *faultyStore) weak(ctx context.Context, fn func(store.Tx) error) error {
	overlay := &overlayTx{written: map[string][]byte{}}
	if err := s.w.mem.View(ctx, func(r store.Reader) error {
		overlay.Reader = r
		return fn(overlay)
	}); err != nil {
		return err
	}
	s.w.step(ctx, atUpdate)
	return s.w.mem.Update(ctx, func(tx store.Tx) error {
		for _, key := range overlay.order {
			if value := overlay.written[key]; value == nil {
				_ = tx.Delete([]byte(key))
			} else if err := tx.Put([]byte(key), value); err != nil {
				return err
			}
		}
		return nil
	})
}

// overlayTx is a snapshot with writes that others do not see.
type overlayTx struct {
	store.Reader
	written map[string][]byte
	order   []string
}

func (tx *overlayTx) set(key, value []byte) {
	if _, ok := tx.written[string(key)]; !ok {
		tx.order = append(tx.order, string(key))
	}
	tx.written[string(key)] = value
}

// Get implements store.Tx.
func (tx *overlayTx) Get(key []byte) ([]byte, error) {
	if value, ok := tx.written[string(key)]; ok {
		if value == nil {
			return nil, store.ErrNotFound
		}
		return bytes.Clone(value), nil
	}
	return tx.Reader.Get(key)
}

// Put implements store.Tx.
func (tx *overlayTx) Put(key, value []byte) error {
	tx.set(key, append([]byte{}, value...))
	return nil
}

// Insert implements store.Tx.
func (tx *overlayTx) Insert(key, value []byte) error {
	if _, err := tx.Get(key); err == nil {
		return store.ErrExists
	}
	return tx.Put(key, value)
}

// Delete implements store.Tx.
func (tx *overlayTx) Delete(key []byte) error {
	tx.set(key, nil)
	return nil
}

// staleReader shows the values that the last commit replaced.
type staleReader struct {
	store.Reader
	old map[string][]byte
}

// Get implements store.Reader.
func (r staleReader) Get(key []byte) ([]byte, error) {
	if value, ok := r.old[string(key)]; ok {
		if value == nil {
			return nil, store.ErrNotFound
		}
		return bytes.Clone(value), nil
	}
	return r.Reader.Get(key)
}

// Scan implements store.Reader.
func (r staleReader) Scan(rg store.Range) iter.Seq[store.Entry] { return r.Reader.Scan(rg) }

// tear ends a transaction with the planted defects of commits.
func (tx *judgedTx) tear(err error) error {
	w := tx.w
	switch {
	case !w.faulty:
	case err != nil:
	case w.defect == commitVanishes && w.rng.IntN(20) == 0:
		tx.vanished = true
		return errAbort
	case w.defect == commitTorn && w.rng.IntN(20) == 0 && len(tx.keys) > 1:
		for i := len(tx.keys) / 2; i < len(tx.keys); i++ {
			tx.undo(i)
		}
	}
	return err
}

// undo restores the earlier value of a key.
func (tx *judgedTx) undo(i int) {
	if old := tx.old[i]; old == nil {
		_ = tx.Tx.Delete(tx.keys[i])
	} else {
		_ = tx.Tx.Put(tx.keys[i], old)
	}
}

// remember stores the value of a key before it is written, for those who need it.
func (tx *judgedTx) remember(key []byte) {
	tx.keys = append(tx.keys, bytes.Clone(key))
	if tx.w.defect == NoDefect && tx.w.swarm.stale == 0 {
		return
	}
	value, err := tx.Tx.Get(key)
	if err != nil {
		value = nil
	}
	tx.old = append(tx.old, value)
}
