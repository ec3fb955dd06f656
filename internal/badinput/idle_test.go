package badinput_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A refused request opens no write transaction, which every row of the table checks (onlyReads). Nor does a request
// that changes nothing, above all an unsigned one: writers wait for each other, so reloading pages must not delay
// payments.
func TestWhatChangesNothingOnlyReads(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		at    string
		first bool // the first request changes something, and only the second nothing
		edits []edit
	}{
		{"page shown", false, nil},
		{"page", true, nil},
		{"page cancel", true, nil},
		{"page answer", false, nil},
		{"return", false, []edit{{"again", func(w *world, _ *request) { w.ComeBack(w.t, w.next); w.Work(w.t) }}}},
		{"notify", false, nil},
		{"HPF fields", false, []edit{{"paid", func(w *world, r *request) { r.header.Set("Token", w.spent()) }}, own}},
		{"HPF update", false, []edit{{"paid", func(w *world, r *request) { r.header.Set("Token", w.spent()) }}}},
		{"HPF payment", false, []edit{{"paid", func(w *world, r *request) { r.header.Set("Token", w.spent()) }}}},
		{"status", false, nil},
		{"GET_TRANS_STATUS", false, nil},
		{"GET_TRANS_STATUS_BY_ORDER", false, nil},
		{"GET_TRANS_DETAILS", false, nil},
		{"SCHEDULE_INFO", false, nil},
		{"session", true, nil}, // the same again is a duplicate
		{"SALE", true, nil},
		{"APM SALE", true, nil},
	} {
		t.Run(c.at, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			q := w.at[c.at].request(w)
			for _, e := range c.edits {
				e.do(w, q)
			}
			before := w.opens.Load()
			w.send(q)
			if c.first {
				require.Greater(t, w.opens.Load(), before, "the first request has something to write")
				before = w.opens.Load()
				w.send(q)
			}
			require.Equal(t, before, w.opens.Load())
		})
	}
}
