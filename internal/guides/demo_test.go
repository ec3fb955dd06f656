package guides_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/callback/signature"
	"github.com/tollgatepay/gateway/checkout"
	"github.com/tollgatepay/gateway/contract"
	"github.com/tollgatepay/gateway/hpf"
	"github.com/tollgatepay/gateway/internal/reference"
	"github.com/tollgatepay/gateway/s2s"
)

// The signed request of the README is made at the demo server. Every command of the other pages, pasted from the top of
// its page to the end, does at the demo server, with curl, what the page shows: the same status of HTTP, the same
// answer and the same callbacks.
func TestReferenceAtTheDemo(t *testing.T) {
	t.Parallel()
	server := filepath.Join(t.TempDir(), "server")
	compile := exec.CommandContext(t.Context(), "go", "build", "-o", server, ".")
	compile.Dir = "../../examples/server"
	out, err := compile.CombinedOutput()
	require.NoError(t, err, string(out))
	t.Run("README", func(t *testing.T) {
		t.Parallel()
		address := startDemo(t, server)
		steps := blocks(t, "reference/README.md", "sh")
		for i := range steps {
			steps[i] = strings.NewReplacer("curl ", "curl -s ", "http://localhost:8080", "http://"+address).Replace(steps[i])
		}
		link := members(t, lastLine(shell(t, steps[0]+steps[1])))["redirect_url"]
		require.Contains(t, shell(t, steps[0]+steps[2]), "Order does not exist.")
		payPage(t, &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}, link)
		require.Contains(t, shell(t, steps[0]+steps[2]), `"status":"settled"`)
	})
	for _, row := range []struct {
		page  string
		calls []contract.Call
	}{
		{"checkout", checkout.Contract()}, {"hosted-fields", hpf.Contract()},
		{"s2s-card", of(contract.S2SCard)}, {"s2s-apm", of(contract.S2SAPM)},
	} {
		t.Run(row.page, func(t *testing.T) {
			t.Parallel()
			page := text(t, "reference/"+row.page+".md")
			shown := reference.Read(page)
			require.Len(t, shown, strings.Count(page, "curl "), "a command is not read")
			require.GreaterOrEqual(t, len(shown), len(row.calls))
			r := &reader{t: t, address: startDemo(t, server), calls: row.calls, own: map[string]string{},
				facts: map[string]map[string]string{}}
			for _, s := range shown {
				r.paste(s)
			}
			require.Len(t, r.received(), r.told, "a callback that the page does not show")
			t.Logf("%d commands were run, %d callbacks compared", len(shown), r.told)
		})
	}
}

func of(protocol contract.Protocol) []contract.Call {
	return slices.DeleteFunc(s2s.Contract(), func(c contract.Call) bool { return c.Protocol != protocol })
}

// startDemo starts the demo server by the line that the guide shows, at an address of its own.
func startDemo(t *testing.T, server string) (address string) {
	t.Helper()
	address = loopback() + ":8080"
	start := "go run ./examples/server -addr 127.0.0.1:8080 -store memory"
	require.Contains(t, text(t, "guides/first-payment.md"), "\n"+start+"\n")
	start = strings.NewReplacer("go run ./examples/server", server, "127.0.0.1:8080", address).Replace(start)
	demo := exec.Command("bash", "-c", "exec "+start)
	inGroup(demo)
	require.NoError(t, demo.Start())
	t.Cleanup(func() { endGroup(demo) })
	shell(t, "curl -s --retry 50 --retry-all-errors --retry-delay 1 http://"+address+"/openapi.json > /dev/null")
	return address
}

// reader pastes the commands of a page. In a pasted command nothing is replaced but the server's address, the ids that
// the page had from its answers, by those that the reader had, and the hash over such an id.
type reader struct {
	t       *testing.T
	address string
	calls   []contract.Call
	own     map[string]string            // the reader's ids by those of the page
	facts   map[string]map[string]string // what a hash has of a payment, by its ids on the page and its order
	told    int                          // callbacks that were compared
}

func (r *reader) paste(s reference.Shown) {
	r.t.Helper()
	command := strings.Replace(r.signed(s.Command), "http://localhost:8080", "http://"+r.address, 1)
	told := shell(r.t, strings.Replace(command, "curl ", `curl -s -w '\n%{http_code}' `, 1))
	status := lastLine(told)
	body := strings.TrimSuffix(told, "\n"+status)
	require.Equal(r.t, fmt.Sprint(s.Status), status, "%s\n%s", command, told)
	require.Equal(r.t, shape(pretty(r.t, s.Answer)), shape(pretty(r.t, body)), command)
	r.learn(members(r.t, s.Answer), members(r.t, body), reference.Values(s.Command))
	if s.Payer != "" {
		r.pay(s, body)
	}
	for _, want := range s.Callbacks {
		came := func() bool { return len(r.received()) > r.told }
		require.Eventually(r.t, came, patience, tick, "no callback of\n%s", command)
		got := r.received()[r.told]
		require.Equal(r.t, shape(want), shape(got), "the callback of\n%s", command)
		r.learn(parameters(want), parameters(got), reference.Values(s.Command))
		r.told++
	}
}

// pay does what the page says that the payer does.
func (r *reader) pay(s reference.Shown, body string) {
	payer := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	if link := members(r.t, body)["redirect_url"]; link != "" {
		payPageWith(r.t, payer, link, strings.Replace(s.Payer, "/20", "/", 1))
		return
	}
	token := members(r.t, body)["token"]
	if found := regexp.MustCompile(`'Token: ([^']+)'`).FindStringSubmatch(s.Command); found != nil {
		token = r.own[found[1]]
	}
	site := "http://" + r.address
	shell(r.t, fmt.Sprintf(`curl -sf %[1]s/sdk/collect -H 'Origin: %[1]s' -H 'Token: %[2]s' \
  -H 'Content-Type: application/json' \
  -d '{"card_number": "4111111111111111", "expiry": "%[3]s", "cvv": "000"}'`, site, token, s.Payer))
}

// signed is a command with the reader's own ids, and its hash over them. The hash of the page has to be right for the
// ids of the page, by the same formula.
func (r *reader) signed(command string) string {
	r.t.Helper()
	changed := command
	for theirs, own := range r.own {
		changed = strings.ReplaceAll(changed, theirs, own)
	}
	values := reference.Values(command)
	hash := values["hash"]
	if hash == "" {
		require.Contains(r.t, command, "-H 'Token: ", "neither a hash nor a token")
		return changed
	}
	facts := r.factsOf(values)
	inputs := func(of string) signature.Inputs {
		v := reference.Values(of)
		for name, value := range facts {
			v[name] = value
		}
		return reference.Inputs(v)
	}
	for _, formula := range r.call(command, values).Formulas {
		if signature.Sign(formula, signature.MD5, inputs(command), password) == hash {
			return strings.Replace(changed, hash, signature.Sign(formula, signature.MD5, inputs(changed), password), 1)
		}
	}
	require.Fail(r.t, "no formula of the call gives the hash", command)
	return ""
}

// call is the row of a command: by its action, or by its path.
func (r *reader) call(command string, values map[string]string) contract.Call {
	r.t.Helper()
	for _, c := range r.calls {
		if c.Form && c.Action == values["action"] || !c.Form && strings.Contains(command, ":8080"+c.Paths[0]+" ") {
			return c
		}
	}
	require.Fail(r.t, "a command of no call", command)
	return contract.Call{}
}

// ids are the members that name something; the reader has others than the page.
var ids = []string{"id", "trans_id", "payment_id", "schedule_id", "token", "card_token", "recurring_token",
	"recurring_init_trans_id"}

// learn notes the reader's ids, and what a hash will have of the payment that they name.
func (r *reader) learn(theirs, own, sent map[string]string) {
	facts := r.factsOf(sent)
	if order := sent["order_id"]; order != "" && r.facts[order] == nil {
		r.facts[order] = facts
	}
	for _, id := range ids {
		if theirs[id] == "" {
			continue
		}
		if known, ok := r.own[theirs[id]]; ok {
			require.Equal(r.t, known, own[id], "another %s than before", id)
			continue
		}
		r.own[theirs[id]], r.facts[theirs[id]] = own[id], facts
	}
}

// factsOf are the e-mail address and the card of a request, or those of the payment that it names.
func (r *reader) factsOf(sent map[string]string) map[string]string {
	for _, name := range []string{"trans_id", "recurring_first_trans_id", "order_id"} {
		if facts := r.facts[sent[name]]; sent[name] != "" && facts != nil {
			return facts
		}
	}
	return map[string]string{"payer_email": sent["payer_email"], "card_number": reference.Inputs(sent).Card}
}

// received are the bodies of the callbacks that the demo had, as the reference writes them. Its shop accepted each.
func (r *reader) received() (list []string) {
	var exported []struct {
		Body      string
		HashValid bool `json:"hash_valid"`
	}
	told := shell(r.t, "curl -s -H 'Accept: application/json' http://"+r.address+"/demo/callbacks")
	require.NoError(r.t, json.Unmarshal([]byte(told), &exported), told)
	for _, callback := range exported {
		require.True(r.t, callback.HashValid, callback.Body)
		lines, err := reference.Lines(callback.Body)
		require.NoError(r.t, err)
		list = append(list, lines)
	}
	return list
}

func lastLine(s string) string { return s[strings.LastIndex(s, "\n")+1:] }

func pretty(t *testing.T, answer string) string {
	t.Helper()
	var text bytes.Buffer
	require.NoError(t, json.Indent(&text, []byte(answer), "", "  "), answer)
	return text.String()
}

// members are the texts at the top of an answer.
func members(t *testing.T, answer string) map[string]string {
	t.Helper()
	var tree map[string]any
	require.NoError(t, json.Unmarshal([]byte(answer), &tree), answer)
	texts := map[string]string{}
	for name, value := range tree {
		if text, ok := value.(string); ok {
			texts[name] = text
		}
	}
	return texts
}

// parameters are those of a callback.
func parameters(callback string) map[string]string {
	values := map[string]string{}
	for line := range strings.SplitSeq(callback, "\n") {
		name, value, _ := strings.Cut(line, "=")
		values[name] = value
	}
	return values
}

// shapes are what differs from one gateway, or one moment, to another, and what stands for it.
var shapes = []struct {
	found *regexp.Regexp
	shape string
}{
	{regexp.MustCompile(`https?://[^/"\s]+/(auth|vcard|return)/[^"\s]+`), "<link to $1>"},
	{regexp.MustCompile(`\b(PaReq|MD)(": "|\]=)[\w-]+`), "$1$2<of the acquirer>"},
	{regexp.MustCompile(`("token": )"[\w-]+"`), `$1"<token>"`},
	{regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}`), "<id>"},
	{regexp.MustCompile(`\b20\d\d-\d\d-\d\d \d\d:\d\d:\d\d\b`), "<time>"},
	{regexp.MustCompile(`\b20\d\d-\d\d-\d\d\b`), "<date>"},
	{regexp.MustCompile(`\b[0-9a-f]{40}\b`), "<hash of Checkout>"},
	{regexp.MustCompile(`\b[0-9a-f]{32}\b`), "<hash>"},
	{regexp.MustCompile(`\bcustomer_ip=[0-9.]+`), "customer_ip=<address>"}, // the payer's, here that of the test
}

// shape is an answer or a callback with such values replaced, each by what it is; all others stand as they are.
func shape(told string) string {
	for _, s := range shapes {
		told = s.found.ReplaceAllString(told, s.shape)
	}
	return told
}
