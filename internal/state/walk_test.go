package state

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store"
)

// FuzzWalk lets random events happen to a payment. In any order it stays in the table, every allowed follow-up
// begins, every possible event leads to a known status, and final statuses stay.
func FuzzWalk(f *testing.F) {
	f.Add(uint8(0), []byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9})
	f.Add(uint8(1), []byte{0, 1, 0, 1, 2, 1, 2, 1, 2, 1})
	f.Add(uint8(2), []byte("\x00\x05\x01\x03\x02\x01\x04\x01\x09\x11"))
	rules := Rows()
	f.Fuzz(func(t *testing.T, n uint8, choices []byte) {
		kind := store.Kinds()[int(n)%len(store.Kinds())]
		status := store.New
		for i := 0; i+1 < min(len(choices), 200); i += 2 {
			key, ok := choose(kind, status, rules, choices[i], choices[i+1])
			if !ok {
				break // nothing can happen here any more
			}
			row, found := Next(key)
			require.True(t, found, "%v", key)
			require.Contains(t, store.Statuses(), row.To, "%v", key)
			if status == store.Reversed || status == store.Voided || status == store.Disputed {
				require.Equal(t, status, row.To, "%v leaves what is final", key)
			}
			status = row.To
		}
	})
}

// choose returns an allowed follow-up if the choice is for one, and otherwise any event of the table.
func choose(kind store.Kind, status store.Status, rules []Rule, a, b byte) (Key, bool) {
	if op, ok := Follow(kind, status, Requests()[int(a)%len(Requests())]); ok && a%2 == 0 {
		return Key{kind, status, op, Start, Always}, true
	}
	var here []Key
	for _, rule := range rules {
		if rule.Kind == kind && rule.From == status {
			here = append(here, rule.Key)
		}
	}
	if len(here) == 0 {
		return Key{}, false
	}
	return here[int(b)%len(here)], true
}
