package s2s

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/internal/bracketform"
	"github.com/tollgatepay/gateway/store"
)

// The table has every action of the documents, on the paths of its protocol only.
func TestActionsByPath(t *testing.T) {
	t.Parallel()
	const (
		both = "CAPTURE CREDITVOID VOID GET_TRANS_STATUS GET_TRANS_STATUS_BY_ORDER GET_TRANS_DETAILS"
		card = "SALE AUTH DEBIT CARD2CARD CREDIT2CARD RECURRING_SALE RECURRING_DEBIT RETRY CREATE_SCHEDULE UPDATE_SCHEDULE " +
			"PAUSE_SCHEDULE PAUSE RUN_SCHEDULE RUN DELETE_SCHEDULE SCHEDULE_INFO DESCHEDULE STOP_SCHEDULE"
		apm = "SALE CREDIT2VIRTUAL CREDIT2CRYPTO DEBIT2VIRTUAL DEBIT2VIRTUAL_CALC DEBIT2VIRTUAL_COMPLETE"
	)
	cases := []struct{ path, served, refused string }{
		{"/post", both + " " + card + " " + apm, "CANCEL_SCHEDULE sale REFUND"},
		{"/post-va", both + " " + apm, "AUTH DEBIT CARD2CARD CREDIT2CARD RECURRING_SALE RETRY CREATE_SCHEDULE PAUSE"},
		{"/v2/post", both + " " + card, "CREDIT2VIRTUAL CREDIT2CRYPTO DEBIT2VIRTUAL DEBIT2VIRTUAL_CALC DEBIT2VIRTUAL_COMPLETE"},
	}
	for _, c := range cases {
		p, ok := pathOf(c.path)
		require.True(t, ok)
		for name := range strings.FieldsSeq(c.served) {
			require.NotNil(t, find(p, name, false), "%s %s", c.path, name)
		}
		for name := range strings.FieldsSeq(c.refused) {
			require.Nil(t, find(p, name, false), "%s %s", c.path, name)
		}
		require.Nil(t, find(p, "", false))
	}
	listed := strings.Fields(both + " " + card + " " + apm)
	for _, row := range actions {
		for _, name := range []string{row.name, row.alias} {
			if name == "" {
				continue
			}
			require.Contains(t, listed, name, "an action without a row in this test")
			require.True(t, played(t, name), "%s: no scenario in testdata", name)
		}
	}
}

// played reports whether a scenario sends an action.
func played(t *testing.T, name string) bool {
	t.Helper()
	files, err := filepath.Glob("testdata/*.txt")
	require.NoError(t, err)
	return slices.ContainsFunc(files, func(file string) bool {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		return strings.Contains(string(text), "\naction="+name+"\n")
	})
}

// On /post a SALE is of APM when it has a brand; elsewhere the path decides.
func TestSaleByBrand(t *testing.T) {
	t.Parallel()
	cases := []struct {
		path    string
		branded bool
		want    store.Protocol
	}{
		{"/post", false, store.S2SCard}, {"/post", true, store.S2SAPM},
		{"/post-va", false, store.S2SAPM}, {"/post-va", true, store.S2SAPM},
		{"/v2/post", false, store.S2SCard}, {"/v2/post", true, store.S2SCard},
	}
	for _, c := range cases {
		p, _ := pathOf(c.path)
		require.Equal(t, []store.Protocol{c.want}, find(p, "SALE", c.branded).protocols, "%+v", c)
	}
}

// Every row is complete: a limit, formulas, one field of each name, the key first and the hash last, and an error
// for an unknown subject.
func TestRowsAreWhole(t *testing.T) {
	t.Parallel()
	for _, row := range actions {
		t.Run(row.name+string(row.protocols[0]), func(t *testing.T) {
			t.Parallel()
			require.NotNil(t, row.run)
			require.NotEmpty(t, row.answers)
			require.NotEmpty(t, row.says)
			creates := row.subject == noSubject || row.subject == byChain // decision aj
			require.Equal(t, map[bool]int{true: MaxCreate, false: MaxFollowUp}[creates], row.limit)
			require.NotEmpty(t, row.signed.card)
			require.NotEmpty(t, row.signed.apm)
			require.Equal(t, row.subject == noSubject, row.absent == nil)
			var names []string
			for _, f := range row.fields {
				require.NotContains(t, names, f.Path)
				names = append(names, f.Path)
			}
			require.Equal(t, []string{"action", "client_key"}, names[:2])
			require.Equal(t, "hash", names[len(names)-1])
		})
	}
}

// For every payment the same formulas are computed, and those that count are among them.
func TestDigestsDoNotDependOnThePayment(t *testing.T) {
	t.Parallel()
	for _, row := range actions {
		all := row.signed.all()
		for _, formula := range slices.Concat(row.signed.card, row.signed.apm) {
			require.Contains(t, all, formula, row.name)
		}
		for _, p := range []*store.Payment{nil, {Protocol: store.S2SAPM},
			{Protocol: store.S2SCard, Kind: store.Credit, Card: &store.CardFacts{}}} {
			c := &call{payment: p}
			for _, formula := range all {
				if row.subject != noSubject {
					require.Equal(t, formula, c.variant(row.subject, formula), row.name)
				}
			}
		}
	}
}

// Every name in an answer has a value.
func TestAnswersAreKnown(t *testing.T) {
	t.Parallel()
	for _, rows := range []answers{saleAnswers, transferAnswers, apmSaleAnswers, depositAnswers, payoutAnswers,
		cryptoPayoutAnswers, cardPayoutAnswers, captureAnswers, voidAnswers, acceptance} {
		for result, names := range rows {
			for name := range strings.FieldsSeq(names) {
				if name != "redirect_params" { // which is no text
					require.Contains(t, values, name)
				}
			}
			require.True(t, strings.HasPrefix(names, "action result "), result)
		}
	}
}

// The result of a transaction is one of the documents' results.
func TestResultOf(t *testing.T) {
	t.Parallel()
	next := &store.Redirect{URL: "https://bank.example/"}
	cases := []struct {
		name    string
		outcome store.Outcome
		status  store.Status
		hold    bool
		next    *store.Redirect
		want    string
	}{
		{"taken", store.Success, store.Settled, false, nil, success},
		{"held", store.Success, store.Pending, true, nil, success},
		{"refused", store.Fail, store.Declined, false, nil, declined},
		{"at the issuer", store.Waiting, store.ThreeDS, false, next, redirect},
		{"at the bank, to hold", store.Waiting, store.Redirected, true, next, redirect},
		{"accepted, no word yet", store.Waiting, store.Prepare, false, nil, undefined},
		{"accepted to hold, no word yet", store.Waiting, store.Pending, true, nil, undefined},
		{"in doubt", store.InDoubt, store.Prepare, false, nil, undefined},
		{"an authorization in doubt", store.InDoubt, store.Pending, true, nil, undefined},
		{"address ready", store.Waiting, store.Pending, false, nil, started},
		{"address ready and shown", store.Waiting, store.Pending, false, next, started},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := &gateway.Result{Redirect: c.next}
			r.Transaction.Outcome, r.Payment.Status, r.Payment.Hold = c.outcome, c.status, c.hold
			require.Equal(t, c.want, resultOf(r))
		})
	}
}

// Faults of the gateway have the field names of the action.
func TestSpelling(t *testing.T) {
	t.Parallel()
	post, _ := pathOf("/post")
	cases := []struct {
		action       string
		branded      bool
		kernel, wire string
	}{
		{"SALE", false, "order.amount", "order_amount"}, {"SALE", false, "amount", "order_amount"},
		{"SALE", false, "order.number", "order_id"}, {"SALE", false, "order.currency", "order_currency"},
		{"SALE", false, "order.description", "order_description"}, {"SALE", false, "customer.email", "payer_email"},
		{"SALE", false, "expiry", "card_exp_month"}, {"SALE", false, "card_number", "card_number"},
		{"SALE", false, "return_url", "term_url_3ds"}, {"SALE", true, "return_url", "return_url"},
		{"SALE", true, "parameters[pin]", "parameters[pin]"}, {"CAPTURE", false, "amount", "amount"},
		{"CREDITVOID", false, "amount", "amount"}, {"RECURRING_SALE", false, "amount", "order_amount"},
		{"CARD2CARD", false, "card_number", "payer_card_number"}, {"CARD2CARD", false, "expiry", "payer_card_exp_month"},
		{"DEBIT2VIRTUAL", false, "return_url", "payer_return_url"},
	}
	for _, c := range cases {
		row := find(post, c.action, c.branded)
		e := row.spelled(bracketform.Form{}, gateway.ErrInvalid.Fields(gateway.Fault{Path: c.kernel, Text: "x"}))
		require.Equal(t, c.wire, e.Faults()[0].Path, "%+v", c)
	}
}
