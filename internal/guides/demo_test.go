package guides_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var (
	shownCall  = regexp.MustCompile("(?s)```sh\n(curl [^`]*?)\n```\n\nHTTP (\\d+):\n\n```json\n(.*?)\n```")
	payersLink = regexp.MustCompile(`"redirect_url":"([^"]+/auth/[^"]+)"`)
	// ofStage are ids and tokens of the gateway that played the samples. A request with one needs that of the reader's
	// own payment in its place, and its hash.
	ofStage = regexp.MustCompile(`00000000-0000-7000-8000-[0-9]{12}|Token: |token=`)
)

// Every command of the reference that can be pasted as it stands does at the demo server, with curl, what the page
// shows: the same status of HTTP, and the same members with the same values, but for ids, dates, tokens and links.
func TestReferenceAtTheDemo(t *testing.T) {
	t.Parallel()
	server := filepath.Join(t.TempDir(), "server")
	compile := exec.CommandContext(t.Context(), "go", "build", "-o", server, ".")
	compile.Dir = "../../examples/server"
	out, err := compile.CombinedOutput()
	require.NoError(t, err, string(out))
	for _, row := range []struct {
		page  string
		least int // commands that are run
	}{{"checkout", 3}, {"hosted-fields", 1}, {"s2s-card", 7}, {"s2s-apm", 6}} {
		t.Run(row.page, func(t *testing.T) {
			t.Parallel()
			address := loopback() + ":8080"
			start := "go run ./examples/server -addr 127.0.0.1:8080 -store memory"
			require.Contains(t, text(t, "guides/first-payment.md"), "\n"+start+"\n")
			start = strings.NewReplacer("go run ./examples/server", server, "127.0.0.1:8080", address).Replace(start)
			demo := exec.Command("bash", "-c", "exec "+start)
			inGroup(demo)
			require.NoError(t, demo.Start())
			t.Cleanup(func() { endGroup(demo) })
			shell(t, "curl -s --retry 50 --retry-all-errors --retry-delay 1 http://"+address+"/openapi.json > /dev/null")
			ran, left := 0, 0
			for _, call := range shownCall.FindAllStringSubmatch(text(t, "reference/"+row.page+".md"), -1) {
				if ofStage.MatchString(call[1]) {
					left++
					continue
				}
				command := strings.Replace(call[1], "http://localhost:8080", "http://"+address, 1)
				told := shell(t, strings.Replace(command, "curl ", `curl -s -w '\n%{http_code}' `, 1))
				body, status, _ := cutLast(told, "\n")
				require.Equal(t, call[2], status, "%s\n%s", command, told)
				require.Equal(t, shape(t, call[3]), shape(t, body), command)
				if link := payersLink.FindStringSubmatch(body); link != nil {
					payPage(t, &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}, link[1]) // as the page says
				}
				ran++
			}
			t.Logf("%d commands were run; %d name an earlier payment", ran, left)
			require.GreaterOrEqual(t, ran, row.least)
		})
	}
}

func cutLast(s, separator string) (before, after string, found bool) {
	i := strings.LastIndex(s, separator)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(separator):], true
}

// own are members whose values differ from one gateway, or one moment, to another.
var own = []string{"redirect_url", "trans_id", "trans_date", "payment_id", "card_token", "recurring_token",
	"schedule_id", "token", "date", "creditvoid_id", "creditvoid_date", "descriptor", "id", "hash", "redirect_params", "body"}

// shape is an answer with its own values left out.
func shape(t *testing.T, answer string) string {
	t.Helper()
	var value any
	require.NoError(t, json.Unmarshal([]byte(answer), &value), answer)
	var walk func(any)
	walk = func(value any) {
		switch v := value.(type) {
		case map[string]any:
			for _, name := range slices.Collect(maps.Keys(v)) {
				if slices.Contains(own, name) {
					v[name] = "..."
				}
				walk(v[name])
			}
		case []any:
			for _, part := range v {
				walk(part)
			}
		}
	}
	walk(value)
	text, err := json.MarshalIndent(value, "", "  ")
	require.NoError(t, err)
	return string(text)
}
