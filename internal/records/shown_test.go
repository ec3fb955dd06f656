package records_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/internal/records"
	"github.com/tollgatepay/gateway/store"
)

// forms are the records that callers get, each with its stored form, and what is stored for the gateway alone.
var forms = []struct {
	shown, stored reflect.Type
	kept          string
}{
	{reflect.TypeFor[store.Payment](), reflect.TypeFor[records.Payment](),
		`Transactions Signature Callbacks OwnURL Tried`},
	{reflect.TypeFor[store.Transaction](), reflect.TypeFor[records.Transaction](), `Continuation ReturnHash NotifyHash
		SealedCode SealedReturnPage SealedRedirect SealedCard SealedParameters SealedSent SealedMPI SealedWallet
		CountedInLimits PromptsAnswered AnswerCount Coded OnFile LinkEndsAt ErasedAt Returning Answering Stage Accepted DeadlineAt`},
	{reflect.TypeFor[store.Callback](), reflect.TypeFor[records.Callback](), `SealedBody Follows Leads`},
	{reflect.TypeFor[store.Schedule](), reflect.TypeFor[records.Schedule](), `Plan PlanAt PlanFrom`},
}

// TestForms: a stored form is the value that callers get, and beside it what is for the gateway alone. The transactions
// of a payment are of the form of their payment.
func TestForms(t *testing.T) {
	t.Parallel()
	for _, c := range forms {
		require.True(t, c.stored.Field(0).Anonymous)
		require.Equal(t, c.shown, c.stored.Field(0).Type)
		var kept []string
		for i := 1; i < c.stored.NumField(); i++ {
			kept = append(kept, c.stored.Field(i).Name)
		}
		require.Equal(t, strings.Fields(c.kept), kept, c.stored)
		for _, name := range kept {
			of, found := c.shown.FieldByName(name)
			require.Equal(t, name == "Transactions", found, "%s.%s", c.shown, name)
			require.False(t, found && of.Type != reflect.TypeFor[[]*store.Transaction]())
		}
	}
}

// TestDetach: what callers get shares no transaction with other readers of the record.
func TestDetach(t *testing.T) {
	t.Parallel()
	var p records.Payment
	for _, id := range []string{"first", "second"} {
		p.SetTransaction(&records.Transaction{Transaction: store.Transaction{ID: id}, SealedCode: []byte("1")})
	}
	shown, of := p.Payment, p.Transactions[1].Transaction
	records.Detach(&shown, &of)
	require.Equal(t, p.Payment.Transactions, shown.Transactions)
	require.Same(t, &of, shown.Transactions[1])
	require.NotSame(t, p.Payment.Transactions[0], shown.Transactions[0])
	require.Same(t, &p.Transactions[0].Transaction, p.Payment.Transactions[0], "the record keeps its own")
}
