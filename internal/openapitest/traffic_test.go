package openapitest_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/internal/bracketform"
	"github.com/tollgatepay/gateway/internal/doortest"
)

// packages are those whose traffic is held against the document.
var packages = []string{"./checkout", "./hpf", "./s2s", "./internal/badinput"}

// TestTraffic runs the tests of the protocols and holds what they send and receive against the document.
func TestTraffic(t *testing.T) {
	t.Parallel()
	s, told := compiled(t), &verdicts{reasons: map[string]int{}}
	for _, x := range record(t) {
		told.judge(t, s, x)
	}
	t.Logf("%d requests taken, %d answers, %d refused: %d by the schema, the others for %d reasons of the list",
		told.taken, told.answers, told.refused, told.bySchema, len(told.reasons))
	for _, fault := range told.faults[:min(len(told.faults), 40)] {
		t.Error(fault)
	}
	require.False(t, t.Failed(), "%d faults", len(told.faults))
	require.Greater(t, told.taken, 1500)
	require.Greater(t, told.bySchema, 500)
	for _, r := range reasons() {
		assert.NotZero(t, told.reasons[r.String()], "nothing was refused for this reason: %s", r)
	}
}

// record runs the tests of the packages and returns their traffic.
func record(t *testing.T) (list []doortest.Exchange) {
	t.Helper()
	dir := t.TempDir()
	args := append([]string{"test", "-count=1", "-timeout=120s"}, packages...)
	run := exec.CommandContext(t.Context(), "go", args...)
	run.Dir, run.Env = "../..", append(os.Environ(), doortest.TrafficDir+"="+dir, "TOLLGATE_SHARE=20", "GOWORK=off")
	out, err := run.CombinedOutput()
	require.NoError(t, err, string(out))
	files, err := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	require.NoError(t, err)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		decoder := json.NewDecoder(bytes.NewReader(text))
		for {
			var x doortest.Exchange
			if err := decoder.Decode(&x); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				require.NoError(t, err, file)
			}
			list = append(list, x)
		}
	}
	require.NotEmpty(t, list)
	return list
}

// components are the schemas of the JSON endpoints, by path.
var components = map[string]string{
	"/api/v1/session": "Checkout.session", "/api/v1/payment/recurring": "Checkout.recurring",
	"/api/v1/payment/card/credit": "Checkout.credit", "/api/v1/payment/status": "Checkout.status",
	"/api/v1/payment/capture": "Checkout.capture", "/api/v1/payment/refund": "Checkout.refund",
	"/api/v1/payment/void": "Checkout.void", "/api/v1/payment/retry": "Checkout.retry",
	"/api/v1/session/token": "Hosted.token", "/api/v1/session/update": "Hosted.update",
	"/api/v1/processing/purchase/card": "Hosted.purchase", "/api/v1/processing/debit/card": "Hosted.debit",
}

var forms = []string{"/post", "/post-va", "/v2/post"}

// verdicts count what was judged.
type verdicts struct {
	taken, answers, refused, bySchema int
	reasons                           map[string]int
	faults                            []string
}

func (v *verdicts) judge(t *testing.T, s *schemas, x doortest.Exchange) {
	if x.Status >= 500 {
		return // an error of ours, whatever the request was
	}
	name, s2s, tree, sound := components[x.Path], slices.Contains(forms, x.Path), any(nil), false
	switch {
	case s2s:
		name, tree, sound = readForm(x)
	case name != "":
		tree, sound = readJSON(x)
	default:
		return // of another protocol: the page and the frames
	}
	if x.Status == 403 || x.Status == 405 || x.Status == 404 {
		return // no path, no action or no token: there is no schema to ask
	}
	answer, err := jsonschema.UnmarshalJSON(bytes.NewReader(x.Answer))
	if err != nil {
		v.fault("%s %s: the answer is no JSON: %v", x.Test, x.Path, err)
		return
	}
	refusals := "Refusal"
	if s2s {
		refusals = "S2SRefusal"
	}
	if x.Status == 200 {
		v.taken, v.answers = v.taken+1, v.answers+1
		if err := s.of(t, name).Validate(tree); err != nil || !sound {
			v.fault("%s %s: taken, and breaks the schema of %s: %v\n%s", x.Test, x.Path, name, err, x.Body)
		}
		if err := s.of(t, name+".Answer").Validate(answer); err != nil {
			v.fault("%s %s: the answer breaks the schema of %s: %v\n%s", x.Test, x.Path, name, err, x.Answer)
		}
		return
	}
	v.answers++
	if err := s.of(t, refusals).Validate(answer); err != nil {
		v.fault("%s %s: the refusal breaks its schema: %v\n%s", x.Test, x.Path, err, x.Answer)
	}
	v.refusal(t, s, x, name, tree, sound)
}

// refusal holds a refused request: it breaks the schema, or each of its faults is for a reason of the list.
func (v *verdicts) refusal(t *testing.T, s *schemas, x doortest.Exchange, name string, tree any, sound bool) {
	v.refused++
	if !sound || name == "" || s.of(t, name).Validate(tree) != nil {
		v.bySchema++
		return
	}
	for _, fault := range faultsIn(t, x.Answer) {
		r, ok := reasonOf(fault, s.texts[name])
		if !ok {
			v.fault("%s %s: refused, keeps the schema of %s, and has no reason in the list: %s\n%s",
				x.Test, x.Path, name, fault, x.Body)
		}
		v.reasons[r.String()]++
	}
}

func (v *verdicts) fault(text string, values ...any) {
	v.faults = append(v.faults, fmt.Sprintf("%.1500s", fmt.Sprintf(text, values...)))
}

// readForm reads a request of S2S, and the schema of its action.
func readForm(x doortest.Exchange) (name string, tree map[string]any, sound bool) {
	form, faults := bracketform.ParseBody(x.ContentType, x.Body, bracketform.Limits{Objects: []string{"custom_data"}})
	tree = treeOf(form)
	action, _ := tree["action"].(string)
	brand, _ := tree["brand"].(string)
	if full, ok := aliases[action]; ok {
		action = full
	}
	name = "S2S." + action
	if action == "SALE" && (x.Path == "/post-va" || brand != "" && x.Path == "/post") {
		name = "S2S.APM_SALE"
	}
	if action == "SALE" && x.Path == "/v2/post" {
		delete(tree, "brand") // which this path does not know
	}
	if action == "AUTH" || tree["auth"] == "Y" {
		delete(tree, "mpi_data") // which an authorization ignores
	}
	if action == "" {
		name = ""
	}
	return name, sent(tree).(map[string]any), len(faults) == 0
}

var aliases = map[string]string{"PAUSE": "PAUSE_SCHEDULE", "RUN": "RUN_SCHEDULE"}

// readJSON reads a body as any reader of JSON does.
func readJSON(x doortest.Exchange) (tree any, sound bool) {
	tree, err := jsonschema.UnmarshalJSON(bytes.NewReader(x.Body))
	if err != nil {
		return nil, false
	}
	if object, ok := tree.(map[string]any); ok && x.Path == "/api/v1/session/update" { // empty ones clear a value
		maps.DeleteFunc(object, func(name string, value any) bool {
			return value == "" || value == nil && name != "schedule_id"
		})
		for name, value := range object {
			if list, ok := value.([]any); ok && len(list) == 0 { // PHP writes one for an empty object
				object[name] = map[string]any{}
			}
		}
		return object, true
	}
	return sent(tree), true
}

// sent leaves out what counts as not sent: empty texts, empty objects and lists, and null.
func sent(value any) any {
	object, ok := value.(map[string]any)
	if !ok {
		return value
	}
	kept := maps.Clone(object)
	for name, inner := range object {
		list, isList := inner.([]any)
		within, isObject := inner.(map[string]any)
		switch {
		case inner == nil, inner == "", inner == "[]", inner == "{}", isList && len(list) == 0,
			isObject && len(within) == 0:
			delete(kept, name)
		default:
			kept[name] = sent(inner)
		}
	}
	return kept
}
