package records_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/store"
)

// What callers of the gateway get of a record, and what is stored for the gateway alone: each field is in one of the
// two.
var (
	shownOfPayment = strings.Fields(`ID MerchantID SessionID Protocol Kind Hold Test Order Status Version Reason Amount
		Authorized Captured Refunded Reserved Running Transactions Charge Action Identifier Method MIDID Card Wallet OfWallet
		Payer Payee PayeeCard MOTOType CryptoNetwork CustomData NotificationURL Descriptor ReturnURL ReturnTarget Language
		ReqToken CardToken RecurringInit RecurringToken RecurringInitID ScheduleID ScheduleStartDate ScheduleAmount
		FirstRecurring Occurrence PayerPresent VATCalc Quote COF Cascade Next CreatedAt UpdatedAt CapturedAt`)
	keptOfPayment = strings.Fields(`Signature Callbacks OwnURL Tried`)

	shownOfTransaction = strings.Fields(`ID Number PaymentID MerchantID Operation Amount AmountOpen Currency Outcome Reason
		Soft Version MIDID Connector Authentication Browser Credential ParentID ParentReference Reference Facts Extras
		Display Prompts Due RecoveryAttempts Review Decision ReviewedBy CreatedAt DoneAt`)
	keptOfTransaction = strings.Fields(`Continuation ReturnHash NotifyHash SealedCode SealedReturnPage SealedRedirect
		SealedCard SealedParameters SealedSent SealedMPI SealedWallet CountedInLimits PromptsAnswered AnswerCount Coded
		LinkEndsAt ErasedAt OnFile Returning Answering DeadlineAt`)
)

// TestShow: every field of a record that callers get is shown, or stays with the gateway, and no field is neither.
func TestShow(t *testing.T) {
	t.Parallel()
	var p store.Payment
	var of, other store.Transaction
	for _, record := range []any{&p, &of, &other} {
		whole(reflect.ValueOf(record).Elem())
	}
	other.ID = "other"
	p.Transactions = []*store.Transaction{&of, &other}
	list, was := p.Transactions, other
	given, read := of, p
	read.Transactions = []*store.Transaction{new(of), new(other)}
	records.Show(&read)
	records.ShowResult(&p, &given)

	requireShown(t, p, shownOfPayment, keptOfPayment)
	require.Equal(t, p, read)
	requireShown(t, given, shownOfTransaction, keptOfTransaction)
	require.Same(t, &given, p.Transactions[0])
	requireShown(t, *p.Transactions[1], shownOfTransaction, keptOfTransaction)
	require.Equal(t, records.ShownTransaction(&other), *p.Transactions[1])
	require.Equal(t, []*store.Transaction{&of, &other}, list, "other readers share the list")
	require.Equal(t, was, other, "and what it has")
	require.NotEmpty(t, of.SealedCode)
}

func requireShown(t *testing.T, record any, shown, kept []string) {
	t.Helper()
	v := reflect.ValueOf(record)
	for i := range v.NumField() {
		name := v.Type().Field(i).Name
		require.NotEqual(t, slices.Contains(shown, name), slices.Contains(kept, name),
			"is %s.%s for callers, or for the gateway alone?", v.Type(), name)
		require.Equal(t, slices.Contains(kept, name), v.Field(i).IsZero(), "%s.%s", v.Type(), name)
	}
	require.Equal(t, v.NumField(), len(shown)+len(kept))
}

// whole fills every field of a record.
func whole(v reflect.Value) {
	for i := range v.NumField() {
		f := v.Field(i)
		switch f.Kind() {
		case reflect.String:
			f.SetString("x")
		case reflect.Bool:
			f.SetBool(true)
		case reflect.Int:
			f.SetInt(1)
		case reflect.Pointer:
			f.Set(reflect.New(f.Type().Elem()))
		case reflect.Slice:
			f.Set(reflect.MakeSlice(f.Type(), 1, 1))
		case reflect.Map:
			f.Set(reflect.ValueOf(map[string]string{"a": "b"}))
		case reflect.Struct:
			switch value := f.Addr().Interface().(type) {
			case *store.Amount:
				*value = store.MustAmount("1.00")
			default:
				wholeStruct(f)
			}
		default:
			panic(f.Kind().String())
		}
	}
}

// wholeStruct fills a struct in a record. A time has no exported fields.
func wholeStruct(v reflect.Value) {
	if v.Type().PkgPath() == "time" {
		v.Set(reflect.ValueOf(time.Unix(1, 0)))
		return
	}
	whole(v)
}
