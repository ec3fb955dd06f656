package postgres_test

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/store"
	"github.com/tollgatepay/gateway/store/postgres/internal/views"
)

// A secret begins with this. Its length is a multiple of three, so that base64 of a secret begins with base64 of it.
const secretText = "secret-00"

// secretFields are the names of fields, and of what is in them, that no view shows under any name.
var secretFields = regexp.MustCompile(`Seal|Hash|Token|Secret|Password|Signature|Credential|Continuation|Held|` +
	`Evidence|Code$|^Body$|Display|Prompts|PayerInput|^PAN$`)

// openCodes are fields that only sound like secrets.
var openCodes = regexp.MustCompile(`^(ApprovalCode|ReasonCode|PhoneCountryCode)$`)

// hider makes the texts of secret fields recognizable.
type hider struct{ hidden int }

func (h *hider) hide(v reflect.Value, secret bool) {
	switch v.Kind() {
	case reflect.String:
		if secret {
			h.hidden++
			v.SetString(fmt.Sprintf("%s%d", secretText, h.hidden))
		}
	case reflect.Pointer:
		if !v.IsNil() {
			h.hide(v.Elem(), secret)
		}
	case reflect.Slice:
		h.hideList(v, secret)
	case reflect.Map:
		if secret {
			h.hidden++
			v.Set(reflect.ValueOf(map[string]string{secretText: fmt.Sprintf("%s%d", secretText, h.hidden)}))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			f := v.Type().Field(i)
			if f.IsExported() && f.Type != reflect.TypeFor[time.Time]() {
				h.hide(v.Field(i), secret || secretFields.MatchString(f.Name) && !openCodes.MatchString(f.Name))
			}
		}
	default: // numbers and flags
	}
}

func (h *hider) hideList(v reflect.Value, secret bool) {
	switch {
	case v.Type() == reflect.TypeFor[json.RawMessage]():
		if secret {
			h.hidden++
			v.SetBytes(fmt.Appendf(nil, `{"n":"%s%d"}`, secretText, h.hidden))
		}
	case v.Type().Elem().Kind() == reflect.Uint8: // sealed, whatever its name
		h.hidden++
		v.SetBytes(fmt.Appendf(nil, "%s%d", secretText, h.hidden))
	default:
		for i := range v.Len() {
			h.hide(v.Index(i), secret)
		}
	}
}

// TestSecretsInNoView stores records whose secrets are recognizable, beside those of other tables, whose keys may be
// secrets too. No column of a view has one, whatever it is called, also in another form.
func TestSecretsInNoView(t *testing.T) {
	t.Parallel()
	schema := newSchema(t)
	s := open(t, schema)
	var p store.PaymentRecord
	var c store.CallbackRecord
	var session store.Session
	var schedule store.ScheduleRecord
	h := &hider{}
	for _, record := range []any{&p, &c, &session, &schedule} {
		views.Fill(reflect.ValueOf(record).Elem())
		h.hide(reflect.ValueOf(record).Elem(), false)
	}
	require.Greater(t, h.hidden, 30)
	p.Payment.Transactions = nil
	for i, tr := range p.Transactions {
		p.Payment.Transactions = append(p.Payment.Transactions, &tr.Transaction)
		tr.Number, tr.PaymentID, tr.MerchantID, tr.Currency, tr.MIDID = i+1, p.ID, p.MerchantID, p.Order.Currency, p.MIDID
	}
	p.Running, p.Charge = p.Transactions[0].ID, p.Transactions[1].ID
	p.Authorized, p.Captured = store.MustAmount("1000.00"), store.MustAmount("900.00")
	session.Parameters = nil
	c.Number, c.State, schedule.IntervalUnit = 7, store.CallbackDue, store.Month
	c.ID = store.CallbackID(c.PaymentID, c.Number)
	other := fmt.Appendf(nil, `{"m":%[1]q,"id":%[1]q,"t":[{"id":%[1]q}],"attempts":[{"detail":%[1]q}]}`, secretText)
	require.NoError(t, s.Update(t.Context(), func(tx store.Tx) error {
		for _, err := range []error{
			records.Payments.Put(tx, p, p.ID), records.Callbacks.Put(tx, c, c.ID),
			records.Sessions.Put(tx, session, session.ID),
			records.Schedules.Put(tx, schedule, schedule.MerchantID, schedule.ID),
		} {
			if err != nil {
				return err
			}
		}
		for _, table := range neighbours() {
			if err := tx.Put(store.Key(table, secretText, secretText), other); err != nil {
				return err
			}
		}
		return nil
	}))
	for _, v := range views.All() {
		rows := viewed(t, schema, v.Name, "1")
		require.NotEmpty(t, rows, v.Name)
		for _, row := range rows {
			for column, value := range row {
				shown, err := json.Marshal(value)
				require.NoError(t, err)
				requireNoSecret(t, string(shown), v.Name+"."+column)
			}
		}
	}
}

// neighbours are the names of all tables without a view, and of some that would be beside one.
func neighbours() (names []string) {
	for _, name := range []string{"p", "cb", "s", "sc"} {
		for _, more := range []string{"0", "a", "h", "k", "w", "z"} {
			names = append(names, name+more)
		}
	}
	return append(names, records.Merchants.Prefix, records.Mappings.Prefix, records.MIDs.Prefix, records.Wallets.Prefix,
		records.Chains.Prefix, records.CardTokens.Prefix, records.Endpoints.Prefix, records.IdempotencyKeys.Prefix,
		records.Asides.Prefix, records.Cursors.Prefix, records.MerchantKeys, records.Passwords, records.HashMarks,
		records.WalletUses)
}

func requireNoSecret(t *testing.T, shown, where string) {
	t.Helper()
	for _, form := range []string{secretText, hex.EncodeToString([]byte(secretText)),
		base64.StdEncoding.EncodeToString([]byte(secretText))} {
		require.False(t, strings.Contains(strings.ToLower(shown), strings.ToLower(form)), "%s shows %s", where, shown)
	}
}
