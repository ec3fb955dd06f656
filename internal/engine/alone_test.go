package engine_test

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/internal/due"
	"github.com/tollgatepay/gateway/internal/engine"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/internal/seal"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/refusal"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/memory"
)

// scripted is a connector with one fixed answer to a call and one to a question.
type scripted struct {
	perform, find func(methods.Operation) methods.Answer
	performed     int
}

func (c *scripted) Perform(_ context.Context, op methods.Operation) methods.Answer {
	c.performed++
	return c.perform(op)
}

func (c *scripted) Find(_ context.Context, op methods.Operation) methods.Answer { return c.find(op) }

// profile is a merchant that has MIDs and nothing else.
type profile map[string]*store.MID

func (profile) Record() *store.Merchant { return &store.Merchant{ID: "m", Name: "Shop"} }
func (profile) Mapping(p store.Protocol) *store.Mapping {
	return &store.Mapping{MerchantID: "m", Protocol: p}
}
func (p profile) MID(id string) *store.MID        { return p[id] }
func (profile) Speaks(store.Protocol) error       { return nil }
func (profile) Readable(p *records.Payment) error { return nil }

// alone is an engine over a memory store, with one connector per MID.
type alone struct {
	*engine.Engine
	store    *memory.Store
	now      time.Time
	merchant profile
	ids      int
}

func newAlone(t *testing.T, connectors map[string]methods.Connector, rows ...engine.Consequence) *alone {
	t.Helper()
	a := &alone{store: memory.New(), now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC), merchant: profile{}}
	for name := range connectors {
		a.merchant[name] = &store.MID{ID: name, MerchantID: "m", Connector: name}
	}
	catalogue, err := methods.NewCatalogue()
	require.NoError(t, err)
	currencies, err := methods.NewCurrencies()
	require.NoError(t, err)
	now, log := func() time.Time { return a.now }, slog.New(slog.DiscardHandler)
	a.Engine = engine.New(engine.Ports{Workers: due.CrewWorkers,
		Store: a.store, Now: now, Random: rand.Reader, Log: log, Connectors: connectors, CallTimeout: time.Minute,
		NewID:     func() (string, error) { a.ids++; return fmt.Sprintf("id-%03d", a.ids), nil },
		Catalogue: catalogue, Currencies: currencies, Gate: &engine.Gate{},
		Seals:        &seal.Sealer{Random: rand.Reader, Now: now},
		Queues:       &due.Queues{Store: a.store, Now: now, Log: log},
		Merchant:     func(context.Context, string) (engine.Merchant, error) { return a.merchant, nil },
		Consequences: rows,
		Sends:        func(*engine.Settlement, string) error { return nil },
		Wake:         func(store.Work) {},
	})
	return a
}

// sale drafts a sale of 10.00 USD at a MID.
func (a *alone) sale(t *testing.T, mid string) *engine.Operation {
	t.Helper()
	a.ids++
	op := &engine.Operation{Merchant: a.merchant, MID: a.merchant[mid], Payment: records.Payment{Payment: store.Payment{
		ID: fmt.Sprintf("payment-%03d", a.ids), MerchantID: "m", Protocol: store.S2SCard, Kind: store.Purchase,
		Order: store.Order{Number: "order", Amount: "10.00", Currency: "USD"}, Amount: store.MustAmount("10.00"),
		Method: "card", MIDID: mid, CreatedAt: a.now,
	}}}
	var err error
	op.Transaction, err = a.Intent(&op.Payment, store.OpSale, op.Payment.Amount, op.MID)
	require.NoError(t, err)
	return op
}

// keys returns all keys of the store.
func (a *alone) keys(t *testing.T) (keys []string) {
	t.Helper()
	require.NoError(t, a.store.View(t.Context(), func(r store.Reader) error {
		keys = nil
		for entry := range r.Scan(store.Range{Limit: 1000}) {
			if entry.Err != nil {
				return entry.Err
			}
			keys = append(keys, string(entry.Key))
		}
		return nil
	}))
	return keys
}

func (a *alone) stored(t *testing.T, of *records.Transaction) *records.Transaction {
	t.Helper()
	p, err := records.Read(t.Context(), a.store, records.Payments, of.PaymentID)
	require.NoError(t, err)
	tr := p.Transaction(of.ID)
	require.NotNil(t, tr)
	return tr
}

func approves(op methods.Operation) methods.Answer { return methods.Approved(op, "reference") }

func declinesSoftly(op methods.Operation) methods.Answer { return methods.SoftDeclined(op, "No funds") }

func TestAloneCharge(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name    string
		answer  func(methods.Operation) methods.Answer
		outcome store.Outcome
		status  store.Status
	}{
		{"approved", approves, store.Success, store.Settled},
		{"declined", func(op methods.Operation) methods.Answer { return methods.Declined(op, "No") }, store.Fail,
			store.Declined},
		{"in doubt", func(op methods.Operation) methods.Answer { return methods.Unknown(op, "cut off") }, store.InDoubt,
			store.Prepare},
		{"of another amount", func(op methods.Operation) methods.Answer {
			op.Amount = store.MustAmount("11.00")
			return methods.Approved(op, "reference")
		}, store.InDoubt, store.Prepare},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			a := newAlone(t, map[string]methods.Connector{"bank": &scripted{perform: tt.answer}})
			r, err := a.Charge(t.Context(), a.sale(t, "bank"), &engine.Room{})
			require.NoError(t, err)
			require.Equal(t, tt.outcome, r.Transaction.Outcome)
			require.Equal(t, tt.status, r.Payment.Status)
			require.Equal(t, tt.outcome, a.stored(t, &r.Transaction).Outcome, "what is returned is stored")
		})
	}
}

func TestAloneRecovery(t *testing.T) {
	t.Parallel()
	bank := &scripted{
		perform: func(op methods.Operation) methods.Answer { return methods.Unknown(op, "cut off") },
		find:    approves,
	}
	a := newAlone(t, map[string]methods.Connector{"bank": bank})
	r, err := a.Charge(t.Context(), a.sale(t, "bank"), &engine.Room{})
	require.NoError(t, err)
	require.Equal(t, store.InDoubt, r.Transaction.Outcome)

	early, err := a.Claim(t.Context(), 10)
	require.NoError(t, err)
	require.Empty(t, early, "nothing is due yet")

	a.now = a.now.Add(time.Hour)
	work, err := a.Claim(t.Context(), 10)
	require.NoError(t, err)
	require.Len(t, work, 1)
	work[0](t.Context())
	require.Equal(t, store.Success, a.stored(t, &r.Transaction).Outcome)
	require.Equal(t, 1, bank.performed, "the acquirer is asked, and not called again")
}

func TestAloneClaimRefuses(t *testing.T) {
	t.Parallel()
	bank := &scripted{perform: approves}
	a := newAlone(t, map[string]methods.Connector{"bank": bank})
	op := a.sale(t, "bank")
	op.Claim = func(tx store.Tx) error {
		return cmp.Or(tx.Put(store.Key("taken"), []byte("1")), error(refusal.ErrDuplicate))
	}
	_, err := a.Charge(t.Context(), op, &engine.Room{})
	require.ErrorIs(t, err, refusal.ErrDuplicate)
	require.Empty(t, a.keys(t))
	require.Zero(t, bank.performed)
}

func TestAloneConsequence(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	for _, tt := range []struct {
		name    string
		fails   error
		outcome store.Outcome
		left    bool
	}{
		{"kept with the outcome", nil, store.Success, true},
		{"deleted with the outcome", broken, store.Sent, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			row := engine.Consequence{Name: "row", When: (*engine.Settlement).EndsCharge, Do: func(s *engine.Settlement) error {
				return errors.Join(s.Tx.Put(store.Key("consequence"), []byte(s.Payment.Status)), tt.fails)
			}}
			a := newAlone(t, map[string]methods.Connector{"bank": &scripted{perform: approves}}, row)
			op := a.sale(t, "bank")
			_, err := a.Charge(t.Context(), op, &engine.Room{})
			require.ErrorIs(t, err, tt.fails)
			require.Equal(t, tt.outcome, a.stored(t, &op.Transaction).Outcome)
			require.Equal(t, tt.left, slices.Contains(a.keys(t), string(store.Key("consequence"))))
		})
	}
}

func TestAloneNextAttempt(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		limit  string
		status store.Status
		calls  int
		left   bool
	}{
		{"within the limit of its MID", "10.00", store.Settled, 1, true},
		{"refused by the limit of its MID", "9.99", store.Declined, 0, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			second := &scripted{perform: approves}
			a := newAlone(t, map[string]methods.Connector{"first": &scripted{perform: declinesSoftly}, "second": second})
			a.merchant["second"].Limits.Day = tt.limit
			next := a.sale(t, "second")
			next.Insert = func(tx store.Tx) error { return tx.Put(store.Key("token"), []byte("1")) }
			op := a.sale(t, "first")
			op.Next = func(context.Context, *engine.Operation) (*engine.Operation, error) { return next, nil }
			r, err := a.Charge(t.Context(), op, &engine.Room{})
			require.NoError(t, err)
			require.Equal(t, tt.status, r.Payment.Status)
			require.Equal(t, store.Fail, a.stored(t, &op.Transaction).Outcome)
			require.Equal(t, tt.calls, second.performed)
			keys := a.keys(t)
			require.Equal(t, tt.left, slices.Contains(keys, string(store.Key("token"))), "what the attempt inserts")
			_, err = records.Read(t.Context(), a.store, records.Payments, next.Payment.ID)
			require.Equal(t, tt.left, !records.Absent(err), "its payment")
		})
	}
}

// limited is a connector that declares how long a call lasts.
type limited struct {
	scripted
	call time.Duration
}

func (l *limited) Capabilities() methods.Capabilities { return methods.Capabilities{Timeout: l.call} }

// TestAloneDeadline: a stored deadline is the one that the call had, and not a moment earlier.
func TestAloneDeadline(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name       string
		call, want time.Duration
	}{
		{"whole microseconds", 2 * time.Second, 2 * time.Second},
		{"a nanosecond more", 2*time.Second + 1, 2*time.Second + time.Microsecond},
		{"the gateway's own", 0, time.Minute},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var asked time.Time
			bank := &limited{call: tt.call, scripted: scripted{perform: func(op methods.Operation) methods.Answer {
				asked = op.Deadline
				return methods.Unknown(op, "cut off")
			}}}
			a := newAlone(t, map[string]methods.Connector{"bank": bank})
			op := a.sale(t, "bank")
			_, err := a.Charge(t.Context(), op, &engine.Room{})
			require.NoError(t, err)
			require.Equal(t, a.now.Add(tt.want), asked)
			require.Equal(t, asked, a.stored(t, &op.Transaction).DeadlineAt)
		})
	}
}
