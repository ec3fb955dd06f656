package s2s_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/callback"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/s2sclient"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
)

// steps are the events beside requests. The result of a step is written after it.
var steps = []struct {
	begins string
	run    func(p *stage, rest string) (says string)
}{
	// clock +16s: the time passes, and what falls due on the way is done
	{"clock +", (*stage).passTime},
	// clock to 2027-06-01: the same, until that day begins (UTC)
	{"clock to ", (*stage).passDays},
	// acquirer: decline Declined by processing: the outcome of the next call; several are separated by semicolons
	{"acquirer: ", (*stage).script},
	// acquirer completes: answer lost: the outcome of the payer's return
	{"acquirer completes: ", func(p *stage, rest string) string {
		p.Vcard.Script(vcard.Script{Call: vcard.CallComplete, Outcomes: []vcard.Outcome{p.outcome(rest)}})
		return ""
	}},
	// acquirer decides: approve: the outcome of a pending operation
	{"acquirer decides: ", (*stage).decide},
	// payer confirms, payer fails: at the issuer's or the bank's page of the newest answer
	{"payer confirms", func(p *stage, _ string) string { return p.sent(p.ComeBack(p.t, p.next())) }},
	{"payer fails", func(p *stage, _ string) string { return p.sent(p.GiveUp(p.t, p.next())) }},
	// payer pays, payer pays 25.00: in their own app, by what is displayed
	{"payer pays", (*stage).pay},
	// payer opens the page, payer answers name=value: on our page of the newest answer
	{"payer opens the page", func(p *stage, _ string) string { return p.page(p.NextAction(p.t.Context(), p.token())) }},
	{"payer answers ", (*stage).answers},
	// mapping {...}, mid {...}, merchant {...}: the configuration, by the names of its records
	{"mapping ", (*stage).mapping},
	{"mid ", (*stage).mid},
	{"merchant has ", (*stage).has},
	// wallets with keys, wallets without keys: the merchant's settings; none at first
	{"wallets ", (*stage).wallets},
	// payer taps googlepay 12/2030 PAN_ONLY: the wallet makes {payment_token} over 10.00 USD
	{"payer taps ", (*stage).taps},
	// merchant answers OK, merchant answers ERROR: to the following callbacks
	{"merchant answers ", (*stage).acknowledge},
	// issuer disputes 10.00 4853: of the newest payment, which the bank booked a day before
	{"issuer disputes ", (*stage).dispute},
}

func (p *stage) step(line string) {
	p.t.Helper()
	for _, step := range steps {
		rest, ok := strings.CutPrefix(line, step.begins)
		if !ok {
			continue
		}
		says := step.run(p, rest)
		if before := strings.Split(p.out.String(), "\n"); !follows(before[len(before)-2]) {
			p.out.WriteString("\n") // no empty line between steps
		}
		p.out.WriteString("~ " + line + "\n")
		if says != "" {
			p.out.WriteString("= " + cut(strings.ReplaceAll(says, "\n", "\n= ")) + "\n")
		}
		return
	}
	require.Fail(p.t, "nothing of the kind happens: "+line)
}

func (p *stage) passTime(rest string) string {
	d, err := time.ParseDuration(rest)
	require.NoError(p.t, err)
	p.Advance(p.t, d)
	return ""
}

func (p *stage) passDays(rest string) string {
	day, err := time.Parse(time.DateOnly, rest)
	require.NoError(p.t, err)
	require.True(p.t, day.After(p.Clock.Now()), "the clock does not go back")
	p.Advance(p.t, day.Sub(p.Clock.Now()))
	return ""
}

func (p *stage) script(rest string) string {
	for each := range strings.SplitSeq(rest, "; ") {
		p.Vcard.Next(p.outcome(each))
	}
	return ""
}

// outcome returns the scripted outcome for its words.
func (p *stage) outcome(words string) vcard.Outcome {
	p.t.Helper()
	if reason, ok := strings.CutPrefix(words, "decline softly "); ok {
		return vcard.SoftDecline(reason)
	}
	if reason, ok := strings.CutPrefix(words, "decline "); ok {
		return vcard.Decline(reason)
	}
	outcomes := map[string]func() vcard.Outcome{
		"approve": vcard.Approve, "pending": vcard.Pending, "normal": vcard.Normal, "not sent": vcard.NotSent,
		"request lost": vcard.UnknownBefore, "answer lost": vcard.UnknownAfter,
		"3-D Secure": func() vcard.Outcome { return vcard.ThreeDS(true) },
		"redirect":   func() vcard.Outcome { return vcard.Redirect(true) },
	}
	require.Contains(p.t, outcomes, words)
	return outcomes[words]()
}

// newest returns the newest entry of the acquirer's ledger.
func (p *stage) newest() vcard.Entry {
	p.t.Helper()
	entries := p.Charges(p.t)
	require.NotEmpty(p.t, entries)
	return slices.MaxFunc(entries, func(a, b vcard.Entry) int { return strings.Compare(a.Key, b.Key) })
}

func (p *stage) decide(rest string) string {
	require.NoError(p.t, p.Vcard.Resolve(p.t.Context(), p.newest().Key, p.outcome(rest)))
	return ""
}

func (p *stage) pay(rest string) string {
	var amount store.Amount
	if rest = strings.TrimSpace(rest); rest != "" {
		var err error
		amount, err = store.ParseAmount(rest)
		require.NoError(p.t, err)
	}
	require.NoError(p.t, p.Vcard.Pay(p.t.Context(), p.newest().Key, amount))
	return ""
}

// next returns the redirect of the newest answer.
func (p *stage) next() *store.Redirect {
	p.t.Helper()
	next := &store.Redirect{
		URL: p.last.Text("redirect_url"), Method: p.last.Text("redirect_method"), ThreeDS: p.last.Text("status") == "3DS",
	}
	value, _ := p.last.Get("redirect_params")
	switch params := value.(type) {
	case *s2sclient.Object:
		for _, name := range params.Names() {
			next.Params = append(next.Params, store.RedirectParam{Name: name, Value: params.Text(name)})
		}
	case []any:
		for _, entry := range params {
			pair := entry.(*s2sclient.Object)
			next.Params = append(next.Params, store.RedirectParam{Name: pair.Text("name"), Value: pair.Text("value")})
		}
	}
	return next
}

// sent says where a browser is sent, and what our page there shows.
func (p *stage) sent(to string) string {
	says := "payer is sent to " + to
	if token, ok := strings.CutPrefix(to, gatewaytest.PublicURL+"/auth/"); ok {
		says += "\n" + p.page(p.NextAction(p.t.Context(), token))
	}
	return says
}

// token returns the token of our page, if the newest answer leads there.
func (p *stage) token() string {
	p.t.Helper()
	token, ok := strings.CutPrefix(p.last.Text("redirect_url"), gatewaytest.PublicURL+"/auth/")
	require.True(p.t, ok, "the answer leads somewhere else: %s", p.last.Text("redirect_url"))
	require.Equal(p.t, http.MethodGet, p.last.Text("redirect_method"))
	return token
}

func (p *stage) answers(rest string) string {
	given := map[string]string{}
	for pair := range strings.FieldsSeq(rest) {
		name, value, _ := strings.Cut(pair, "=")
		given[name] = value
	}
	return p.page(p.AnswerSession(p.t.Context(), p.token(), given))
}

// page says what the payer sees on our page.
func (p *stage) page(next *gateway.NextAction, err error) string {
	p.t.Helper()
	require.NoError(p.t, err)
	says := []string{"page says", string(next.Kind)}
	if next.Language != "" {
		says = append(says, "in", next.Language)
	}
	for _, ask := range next.Prompts {
		says = append(says, ask.Name)
	}
	if next.Display != nil {
		for _, line := range next.Display.Details {
			says = append(says, line.Label+":", line.Value+";")
		}
	}
	if next.URL != "" {
		says = append(says, string(next.Status), next.Target, next.URL)
	}
	return strings.Join(says, " ")
}

func (p *stage) mapping(rest string) string {
	m := store.Mapping{MerchantID: gatewaytest.MerchantID}
	require.NoError(p.t, json.Unmarshal([]byte(rest), &m))
	require.NoError(p.t, p.SaveMapping(p.t.Context(), m))
	p.client.SHA256, p.client.Cascading, p.client.CryptoByEmail = m.SHA256, m.CascadingStatus,
		m.CryptoSaleSignature == store.SignedByEmail
	return ""
}

func (p *stage) mid(rest string) string {
	m := store.MID{MerchantID: gatewaytest.MerchantID, Name: "Another", Connector: "vcard"}
	require.NoError(p.t, json.Unmarshal([]byte(rest), &m))
	require.NoError(p.t, p.SaveMID(p.t.Context(), m))
	return ""
}

func (p *stage) has(rest string) string {
	require.NoError(p.t, json.Unmarshal([]byte(rest), &p.merchant))
	require.NoError(p.t, p.SaveMerchant(p.t.Context(), p.merchant))
	return ""
}

func (p *stage) acknowledge(rest string) string {
	receipt := callback.Receipt{Verdict: callback.Accepted, Status: http.StatusOK}
	if rest != "OK" {
		receipt.Verdict = callback.Refused
	}
	p.Inbox.Answer(func(callback.Delivery) callback.Receipt { return receipt })
	return ""
}

func (p *stage) dispute(rest string) string {
	amount, code, _ := strings.Cut(rest, " ")
	_, err := p.Chargeback(p.t.Context(), gateway.Dispute{
		PaymentID: p.values["trans_id"], Amount: amount, ReasonCode: code, BankDate: p.Clock.Now().Add(-24 * time.Hour),
	})
	require.NoError(p.t, err)
	return ""
}

// follows reports whether a line belongs to a step, so that the next step may follow it without an empty line.
func follows(line string) bool { return strings.HasPrefix(line, "~ ") || strings.HasPrefix(line, "= ") }
