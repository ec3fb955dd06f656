package crash

import (
	"crypto/md5"
	"encoding/hex"
	"encoding/json"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/stretchr/testify/require"
)

// occurrences is how many payments the schedule makes for each chain, a day apart.
const occurrences = 2

// createSchedule makes the schedule of all chains, by S2S.
func (w *world) createSchedule() {
	w.t.Helper()
	backwards := []byte(strings.ToUpper(password))
	slices.Reverse(backwards)
	hash := md5.Sum(backwards)
	r, err := w.client.post(w.t.Context(), w.client.url+"/post", url.Values{
		"action": {"CREATE_SCHEDULE"}, "client_key": {merchantKey}, "name": {"daily"}, "interval_length": {"1"},
		"interval_unit": {"day"}, "payments_count": {strconv.Itoa(occurrences)}, "hash": {hex.EncodeToString(hash[:])},
	})
	require.NoError(w.t, err)
	var answer struct {
		ID string `json:"schedule_id"`
	}
	require.NoError(w.t, json.Unmarshal([]byte(r.body), &answer), r.body)
	require.NotEmpty(w.t, answer.ID, r.body)
	w.schedule = answer.ID
}

// newChain is a shopper whose payment begins a chain. The card never fails, so that the schedule makes both of its
// payments.
func (w *world) newChain(cards ...string) *shopper {
	s := &shopper{w: w, order: w.newOrder(false), cards: cards}
	s.order.Chain = true
	return s
}
