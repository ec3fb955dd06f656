package badinput_test

import (
	"context"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store"
)

// watchedReads counts the records that are read.
type watchedReads struct {
	store.Store
	gets *atomic.Int64
}

func (w watchedReads) View(ctx context.Context, fn func(store.Reader) error) error {
	return w.Store.View(ctx, func(r store.Reader) error { return fn(countedReader{r, w.gets}) })
}

type countedReader struct {
	store.Reader
	gets *atomic.Int64
}

func (c countedReader) Get(key []byte) ([]byte, error) {
	c.gets.Add(1)
	return c.Reader.Get(key)
}

// stranger is a well-formed id that no payment has.
const stranger = "0195ff00-0000-7000-8000-000000000000"

// A payment of another merchant gives the same answer as an unknown one: the same text, after the same number of
// reads. An order with the number of another merchant's payment is an ordinary order.
func TestOtherMerchantsPaymentsShowNowhere(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ at, field string }{
		{"session", "order.number"}, {"HPF token", "order.number"}, {"status", "payment_id"}, {"status", "order_id"},
		{"capture", "payment_id"}, {"refund", "payment_id"}, {"void", "payment_id"}, {"retry", "payment_id"},
		{"recurring", "order.number"}, {"recurring", "recurring_init_trans_id"}, {"card credit", "order_id"},
		{"SALE", "order_id"}, {"AUTH", "order_id"}, {"DEBIT", "order_id"}, {"CREDIT2CARD", "order_id"}, {"CARD2CARD", "order_id"},
		{"RECURRING_SALE", "order_id"}, {"RECURRING_SALE", "recurring_first_trans_id"},
		{"CAPTURE", "trans_id"}, {"CREDITVOID", "trans_id"}, {"VOID", "trans_id"}, {"RETRY", "trans_id"},
		{"GET_TRANS_STATUS", "trans_id"}, {"GET_TRANS_DETAILS", "trans_id"}, {"GET_TRANS_STATUS_BY_ORDER", "order_id"},
		{"SCHEDULE_INFO", "schedule_id"}, {"APM SALE", "order_id"}, {"CREDIT2VIRTUAL", "order_id"}, {"DEBIT2VIRTUAL", "order_id"},
	} {
		t.Run(c.at+" "+c.field, func(t *testing.T) {
			t.Parallel()
			said, reads := map[string]string{}, map[string]int64{}
			for _, name := range []string{"another merchant's", "no payment's"} {
				w := newWorld(t)
				q := w.at[c.at].request(w)
				value := w.foreign()
				if name == "no payment's" {
					value = stranger
				}
				if c.at == "status" {
					delete(q.body, "payment_id")
				}
				q.body.set(c.field, value, !q.at.form)
				before := w.gets.Load()
				said[name] = withoutNames(strings.ReplaceAll(w.send(q).body, value, "(id)"))
				reads[name] = w.gets.Load() - before
				require.Positive(t, reads[name])
			}
			require.Equal(t, said["no payment's"], said["another merchant's"])
			require.Equal(t, reads["no payment's"], reads["another merchant's"])
		})
	}
}

var (
	idsOfRecords    = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}`)
	secretsOfLinks  = regexp.MustCompile(`[A-Za-z0-9_-]{64,}`)
	hashesOfAnswers = regexp.MustCompile(`"hash":"[0-9a-f]+"`)
)

// withoutNames removes from an answer what is new each time.
func withoutNames(text string) string {
	text = idsOfRecords.ReplaceAllString(text, "(id)")
	text = secretsOfLinks.ReplaceAllString(text, "(token)")
	return hashesOfAnswers.ReplaceAllString(text, "(hash)")
}
