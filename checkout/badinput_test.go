package checkout_test

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/methods"
)

// bad is a request that has to be refused. Its body is a valid one with edits, signed after them, so that only the
// edit is wrong; or it is raw. A row without a path is a session request.
type bad struct {
	name    string
	path    string
	edits   []edit
	body    string   // instead of the edits
	empty   bool     // no body at all
	chunked bool     // sent without a Content-Length
	headers []string // "Name: value"

	want    []string // the entries of errors[], whole and in order
	code    int      // or: a single error of the catalogue,
	message string   // with its message
}

// badInputs returns the one table; its parts are in the files of their theme.
func badInputs() []bad {
	return slices.Concat(badAmounts, badIdentity, badText, badDates, badChoices, badTypes, badURLs, badTargets(),
		badStructure(), badTransport(), badFollowUps(), badChains(), badSizes)
}

// assets registers the crypto currencies of this test.
func assets(cfg *gateway.Config) {
	cfg.Crypto = []methods.Currency{{Code: "WEI", Exponent: 18}, {Code: "USDC", Exponent: 6}}
}

// Every bad input is refused with a 4xx that names the field, over a real connection. Nothing is stored, nothing
// panics, and no secret is returned.
func TestBadInputs(t *testing.T) {
	t.Parallel()
	rows := badInputs()
	require.GreaterOrEqual(t, len(rows), 200)
	names := map[string]bool{}
	for _, row := range rows {
		require.False(t, names[row.path+row.name], "two rows are named %q", row.name)
		names[row.path+row.name] = true
		t.Run(strings.TrimPrefix(row.path, "/api/v1/payment/")+" "+row.name, func(t *testing.T) {
			t.Parallel()
			row.run(t)
		})
	}
}

func (row *bad) run(t *testing.T) {
	s := open(t, assets)
	body := row.text(t, s)
	before, charges := s.records(t), s.Charges(t)
	got := s.send(t, row.pathOr(), row.reader(body), row.headers...)
	row.judge(t, got)
	for _, secret := range []string{gatewaytest.Password, row.hashIn(body)} {
		if secret != "" {
			require.NotContains(t, strings.ToLower(got.body), strings.ToLower(secret), "a secret came back")
		}
	}
	require.Equal(t, before, s.records(t), "something was stored")
	require.Equal(t, charges, s.Charges(t), "the acquirer was asked")
}

func (row *bad) pathOr() string {
	if row.path == "" {
		return pathSession
	}
	return row.path
}

// text returns the body. A capture is of an authorized payment, any other follow-up of a settled one, so that it
// would succeed without the edit.
func (row *bad) text(t *testing.T, s *shop) string {
	switch {
	case row.body != "" || row.empty:
		return row.body
	case row.path == "":
		return purchase(row.edits...).text()
	case row.path == pathRecurring:
		return recurring(s.chain(t), row.edits...).text()
	case row.path == pathCredit:
		return payout(row.edits...).text()
	case row.path == pathCapture:
		return followUp(s.held(t).ID, "10.00", row.edits...).text()
	case row.path == pathRefund:
		return followUp(s.settled(t).ID, "10.00", row.edits...).text()
	case row.path == pathRetry:
		return followUp(s.retriable(t), "", row.edits...).text()
	default:
		return followUp(s.settled(t).ID, "", row.edits...).text()
	}
}

func (row *bad) reader(body string) io.Reader {
	if row.chunked {
		return io.MultiReader(strings.NewReader(body)) // the length is not known
	}
	return bytes.NewReader([]byte(body))
}

// hashIn returns the hash in a body, when it is long enough to be one.
func (row *bad) hashIn(body string) string {
	_, rest, _ := strings.Cut(body, `"hash":"`)
	hash, _, _ := strings.Cut(rest, `"`)
	if len(hash) < 30 {
		return ""
	}
	return hash
}

func (row *bad) judge(t *testing.T, got answer) {
	t.Helper()
	require.Equal(t, 400, got.status, got.body)
	require.Equal(t, "no-store", got.header.Get("Cache-Control"))
	require.Less(t, len(got.body), 8192, "an answer is short whatever was asked")
	if row.want == nil {
		requireError(t, got, row.code, row.message)
		return
	}
	requireFaults(t, got, row.want...)
}

// one returns a row of a session request with one edited field and one entry in the answer.
func one(name, path string, value any, want string) bad {
	return bad{name: path + " " + name, edits: []edit{set(path, value)}, want: []string{want}}
}

// with returns such a row with further edits that are valid by themselves.
func with(name string, want string, edits ...edit) bad {
	return bad{name: name, edits: edits, want: []string{want}}
}
