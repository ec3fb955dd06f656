package postgres_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/postgres"
	"github.com/tollgatepay/gateway/store/postgres/internal/views"
)

// viewed is the rows of a view, as JSON, in an order.
func viewed(t *testing.T, schema, view, order string) (rows []map[string]any) {
	t.Helper()
	var list []string
	on(t, shared.URL(), func(ctx context.Context, conn *pgx.Conn) error {
		texts, err := conn.Query(ctx,
			fmt.Sprintf("select row_to_json(v)::text from %s.%s as v order by %s", schema, view, order))
		if err == nil {
			list, err = pgx.CollectRows(texts, pgx.RowTo[string])
		}
		return err
	})
	for _, text := range list {
		rows = append(rows, parsed(t, []byte(text)).(map[string]any))
	}
	return rows
}

func parsed(t *testing.T, text []byte) (value any) {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	require.NoError(t, decoder.Decode(&value))
	return value
}

// requireRows compares a view with records, column by column.
func requireRows[T any](t *testing.T, rows []map[string]any, view string, list []T) {
	t.Helper()
	require.Len(t, rows, len(list), view)
	for _, v := range views.All() {
		if v.Name != view {
			continue
		}
		columns, err := v.Columns()
		require.NoError(t, err)
		for i, record := range list {
			require.Len(t, rows[i], len(columns))
			for _, c := range columns {
				got, there := rows[i][c.Name]
				require.True(t, there, "%s.%s", view, c.Name)
				if c.Path != nil {
					requireValue(t, at(reflect.ValueOf(record), c.Path), got, fmt.Sprintf("%s[%d].%s", view, i, c.Name))
				}
			}
		}
		return
	}
	require.Fail(t, "no view", view)
}

// at returns a value of a record; the zero value of its type where a struct on the way is missing.
func at(v reflect.Value, path []int) reflect.Value {
	for _, i := range path {
		if v.Kind() == reflect.Pointer && v.IsNil() {
			v = reflect.Zero(v.Type().Elem())
		} else if v.Kind() == reflect.Pointer {
			v = v.Elem()
		}
		v = v.Field(i)
	}
	return v
}

// requireValue compares a value of the Go API with a value in SQL.
func requireValue(t *testing.T, want reflect.Value, got any, where string) {
	t.Helper()
	switch value := want.Interface().(type) {
	case time.Time:
		if value.IsZero() {
			require.Nil(t, got, where)
			return
		}
		moment, err := time.Parse(time.RFC3339Nano, fmt.Sprint(got))
		require.NoError(t, err, where)
		require.True(t, value.Truncate(time.Microsecond).Equal(moment), "%s: %s and %s", where, value, moment)
	case store.Amount:
		number, err := decimal.NewFromString(fmt.Sprint(got))
		require.NoError(t, err, where)
		require.True(t, value.Decimal().Equal(number), "%s: %s and %s", where, value, number)
	case store.Expiry:
		requireText(t, value.String(), got, where)
	case json.RawMessage:
		if len(value) == 0 {
			require.Nil(t, got, where)
			return
		}
		require.Equal(t, parsed(t, value), got, where)
	default:
		switch want.Kind() {
		case reflect.String:
			requireText(t, want.String(), got, where)
		case reflect.Bool:
			require.Equal(t, want.Bool(), got, where)
		case reflect.Int:
			require.Equal(t, json.Number(fmt.Sprint(want.Int())), got, where)
		default:
			if want.Len() == 0 {
				require.Empty(t, got, where)
				return
			}
			text, err := json.Marshal(value)
			require.NoError(t, err, where)
			require.Equal(t, parsed(t, text), got, where)
		}
	}
}

func requireText(t *testing.T, want string, got any, where string) {
	t.Helper()
	if want == "" {
		require.Nil(t, got, where)
		return
	}
	require.Equal(t, want, got, where)
}

// TestViewsOfGateway: what the views show of payments of many kinds is what the gateway's Go API returns.
func TestViewsOfGateway(t *testing.T) {
	t.Parallel()
	schema := newSchema(t)
	s := open(t, schema)
	kit := gatewaytest.On(t, s, onStore(s))
	kit.Pay(t, kit.Session(t, "ORD-page", "12.30"), gatewaytest.Settles)
	kit.Session(t, "ORD-open", "7.00")
	kerneltest.Charged(t, kit, "ORD-sale", gatewaytest.Settles, kerneltest.ViaCard, kerneltest.AsksToken,
		func(r *gateway.ChargeRequest) { r.CustomData = json.RawMessage(`{"a":"\u0000 \ud800 é","b":[1,2]}`) })
	kerneltest.Charged(t, kit, "ORD-declined", gatewaytest.Declines)
	kerneltest.Charged(t, kit, "ORD-3ds", gatewaytest.ThreeDSPasses, kerneltest.GoesBack)
	held := kerneltest.Charged(t, kit, "ORD-held", gatewaytest.Settles, kerneltest.Held).Payment
	for _, step := range []kerneltest.Step{{What: "capture", Amount: "8.00"}, {What: "refund", Amount: "3.00"}} {
		_, err := step.Run(t.Context(), kit, kit.Payment(t, "ORD-held"))
		require.NoError(t, err)
		kit.Advance(t, time.Minute)
	}
	kerneltest.Subscribed(t, kit, kerneltest.EveryDays(2, 2))
	kit.Advance(t, 5*24*time.Hour)

	var payments []store.Payment
	var transactions []store.Transaction
	var callbacks []store.Callback
	for p, err := range kit.Operator().Payments(t.Context(), gateway.PaymentFilter{}) {
		require.NoError(t, err)
		payments = append(payments, p)
	}
	slices.Reverse(payments)
	for _, p := range payments {
		of, err := kit.Operator().Transactions(t.Context(), p.ID)
		require.NoError(t, err)
		transactions = append(transactions, of...)
		told, err := kit.Operator().Callbacks(t.Context(), p.ID)
		require.NoError(t, err)
		callbacks = append(callbacks, told...)
	}
	require.GreaterOrEqual(t, len(payments), 8)
	require.Equal(t, "3.00", kit.Payment(t, held.Order.Number).Refunded.String())
	schedules, err := kit.Operator().Schedules(t.Context(), gatewaytest.MerchantID, "", 10)
	require.NoError(t, err)
	require.NotEmpty(t, schedules)
	rows := viewed(t, schema, "payments", "id collate \"C\"")
	for i := range payments { // of the characters that PostgreSQL does not have
		if bytes.Contains(payments[i].CustomData, []byte(`\u0000`)) {
			require.Equal(t, map[string]any{"a": "\ufffd \ufffd é", "b": []any{json.Number("1"), json.Number("2")}},
				rows[i]["custom_data"])
			rows[i]["custom_data"], payments[i].CustomData = nil, nil
		}
	}
	requireRows(t, rows, "payments", payments)
	requireRows(t, viewed(t, schema, "transactions", "payment_id collate \"C\", number"), "transactions", transactions)
	requireRows(t, viewed(t, schema, "callbacks", "id collate \"C\""), "callbacks", callbacks)
	requireRows(t, viewed(t, schema, "schedules", "id collate \"C\""), "schedules", schedules)
	requireRows(t, viewed(t, schema, "sessions", "id collate \"C\""), "sessions", kerneltest.ReadBooks(t, kit).Sessions)
	var tries []store.Attempt
	for _, c := range callbacks {
		tries = append(tries, c.Attempts...)
	}
	requireRows(t, viewed(t, schema, "callback_attempts", "callback_id collate \"C\", number"), "callback_attempts", tries)
}

// TestViewsOfEveryField fills every field of every record, so that each column is compared, and stores it beside one
// with few.
func TestViewsOfEveryField(t *testing.T) {
	t.Parallel()
	schema := newSchema(t)
	s := open(t, schema)
	var p store.PaymentRecord
	var c store.CallbackRecord
	var session store.Session
	var schedule store.ScheduleRecord
	for _, record := range []any{&p, &c, &session, &schedule} {
		views.Fill(reflect.ValueOf(record).Elem())
	}
	p.ID = "0198c0de-0000-7000-8000-00000000000a"
	var shown []*store.Transaction
	for i, tr := range p.Transactions {
		shown = append(shown, &tr.Transaction)
		tr.Number, tr.PaymentID, tr.MerchantID, tr.Currency, tr.MIDID = i+1, p.ID, p.MerchantID, p.Order.Currency, p.MIDID
	}
	p.Payment.Transactions = shown
	p.Running, p.Charge = p.Transactions[0].ID, p.Transactions[1].ID
	p.Authorized, p.Captured = store.MustAmount("1000.00"), store.MustAmount("900.00")
	c.PaymentID, c.Number, c.State = p.ID, 7, store.CallbackDue
	c.ID = store.CallbackID(c.PaymentID, c.Number)
	session.ID = "an id with é, and no UUID"
	schedule.IntervalUnit = store.Month
	session.Parameters = nil
	require.NoError(t, s.Update(t.Context(), func(tx store.Tx) error {
		for _, err := range []error{
			records.Payments.Put(tx, p, p.ID), records.Callbacks.Put(tx, c, c.ID),
			records.Sessions.Put(tx, session, session.ID),
			records.Schedules.Put(tx, schedule, schedule.MerchantID, schedule.ID),
			tx.Put(store.Key("p", "unreadable"), []byte("no document")),
		} {
			if err != nil {
				return err
			}
		}
		return nil
	}))
	rows := viewed(t, schema, "payments", "merchant_id")
	require.Len(t, rows, 2)
	require.Equal(t, "unreadable", rows[1]["id"])
	requireRows(t, rows[:1], "payments", []store.Payment{p.Payment})
	requireRows(t, viewed(t, schema, "transactions", "number"), "transactions", shown)
	requireRows(t, viewed(t, schema, "callbacks", "id"), "callbacks", []store.Callback{c.Callback})
	requireRows(t, viewed(t, schema, "callback_attempts", "number"), "callback_attempts", c.Attempts)
	requireRows(t, viewed(t, schema, "sessions", "id"), "sessions", []store.Session{session})
	requireRows(t, viewed(t, schema, "schedules", "id"), "schedules", []store.Schedule{schedule.Schedule})
}

// What PostgreSQL cannot read as JSON is changed where it stands, and nowhere else.
func TestDocumentsOfTheViews(t *testing.T) {
	t.Parallel()
	schema := newSchema(t)
	require.NoError(t, open(t, schema).Close())
	for name, c := range map[string]struct{ written, read string }{
		"as it is":                     {`{"id": "25-197e51068a55", "n": 1e3}`, `{"n": 1000, "id": "25-197e51068a55"}`},
		"an id beside a lone half":     {`{"id": "25-197e51068a55", "c": "\ud800"}`, `{"c": "\ufffd", "id": "25-197e51068a55"}`},
		"an id beside a zero":          {`{"id": "1E+12345", "c": "\u0000"}`, `{"c": "\ufffd", "id": "1E+12345"}`},
		"a number that is too large":   {`{"a": 1e999999, "id": "9e999999"}`, `{"a": 1, "id": "9e999999"}`},
		"numbers in a list":            {`[1E-999999,-2.5e+999999]`, `[1, -2.5]`},
		"a quote in a text":            {`{"a\"1e99999": 7e999999, "b": "\"1e99999"}`, `{"b": "\"1e99999", "a\"1e99999": 7}`},
		"a backslash ends a text":      {`{"a": "\\", "b": 7e999999, "c": "8e99999"}`, `{"a": "\\", "b": 7, "c": "8e99999"}`},
		"an escaped backslash, and u0": {`{"a": "\\u0000 1e99999", "b": 7e999999}`, `{"a": "\\u0000 1e99999", "b": 7}`},
	} {
		want := strings.ReplaceAll(c.read, `\ufffd`, "\ufffd")
		got := ask[string](t, shared.URL(), fmt.Sprintf("select %s.document(decode('%x', 'hex'))::text", schema, c.written))
		require.Equal(t, want, got, name)
	}
	require.Equal(t, "nothing", ask[string](t, shared.URL(),
		fmt.Sprintf("select coalesce(%s.document('no document')::text, 'nothing')", schema)))
}

// A schema of the first version gets the views and what came since.
func TestViewsAreAdded(t *testing.T) {
	t.Parallel()
	schema := newSchema(t)
	require.NoError(t, open(t, schema).Close())
	execute(t, shared.URL(), fmt.Sprintf(
		"drop function %[1]s.record_id, %[1]s.document, %[1]s.moment, %[1]s.apply_all cascade; "+
			"alter table %[1]s.records add constraint records_key_check "+
			"check (octet_length(key) between 1 and 1024); "+
			"delete from %[1]s.versions where version > 1", schema))
	_, err := postgres.Open(t.Context(), postgres.Config{URL: shared.URL(), Schema: schema, ByHand: true})
	require.ErrorContains(t, err, "has version 1")
	require.NoError(t, open(t, schema).Close())
	require.Empty(t, viewed(t, schema, "payments", "id"))
}
