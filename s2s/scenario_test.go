package s2s_test

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var rewrite = flag.Bool("rewrite", false, "write testdata/*.txt again from the answers and callbacks")

// leastScenarios is the least number of scenarios.
const leastScenarios = 80

// TestScenarios runs the conversations of testdata/*.txt. A file begins with a title and the clause it shows; what
// follows is in blocks, with an empty line between them:
//
//	> POST /post               a request, a parameter on each line; shorthands of scenario_file_test.go
//	~ clock +16s               something that happens meanwhile (scenario_step_test.go)
//	= payer is sent to ...     the result of such a step, if any
//	< 200                      the answer, with its members in order
//	* callback SALE            the callback, in the order of its body
//
// The runner runs the lines of > and ~ and compares the whole file, so that a file has both what is sent and the
// expected result; with -rewrite it writes the other blocks itself. s2sclient, which does not use the handler,
// also checks every answer and every callback against the documents; its faults fail the test, even with -rewrite.
// Texts of more than 160 characters are cut.
func TestScenarios(t *testing.T) {
	t.Parallel()
	for _, file := range scenarioFiles(t) {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			got := play(t, readScenario(t, string(text)))
			if *rewrite {
				require.NoError(t, os.WriteFile(file, []byte(got), 0o644))
				return
			}
			require.Equal(t, string(text), got, "run with -rewrite and read the changes")
		})
	}
}

func scenarioFiles(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("testdata/*.txt")
	require.NoError(t, err)
	return files
}

// The results that the scenarios must have: for every action the results of its answers, and of the callbacks. The
// names of the actions are those of SPEC2, "Requests", with RETRY, STOP_SCHEDULE and GET_TRANS_DETAILS.
var requiredResults = map[string]string{
	"SALE":                      "< SUCCESS DECLINED REDIRECT UNDEFINED ERROR * SUCCESS DECLINED REDIRECT UNDEFINED INIT",
	"AUTH":                      "< SUCCESS DECLINED",
	"DEBIT":                     "< SUCCESS DECLINED REDIRECT UNDEFINED ERROR * SUCCESS DECLINED REDIRECT UNDEFINED",
	"CARD2CARD":                 "< SUCCESS DECLINED REDIRECT UNDEFINED ERROR * SUCCESS DECLINED REDIRECT UNDEFINED",
	"CREDIT2CARD":               "< SUCCESS DECLINED UNDEFINED ERROR * SUCCESS DECLINED UNDEFINED",
	"CAPTURE":                   "< SUCCESS DECLINED UNDEFINED ERROR * SUCCESS DECLINED UNDEFINED",
	"VOID":                      "< SUCCESS DECLINED UNDEFINED ERROR * SUCCESS DECLINED UNDEFINED",
	"CREDITVOID":                "< ACCEPTED ERROR * SUCCESS DECLINED UNDEFINED WAITING",
	"CHARGEBACK":                "* SUCCESS",
	"GET_TRANS_STATUS":          "< SUCCESS ERROR",
	"GET_TRANS_STATUS_BY_ORDER": "< SUCCESS ERROR",
	"GET_TRANS_DETAILS":         "< SUCCESS ERROR",
	"RECURRING_SALE":            "< SUCCESS DECLINED ERROR * SUCCESS DECLINED",
	"RECURRING_DEBIT":           "< SUCCESS DECLINED ERROR * SUCCESS DECLINED",
	"RETRY":                     "< ACCEPTED ERROR",
	"CREATE_SCHEDULE":           "< SUCCESS ERROR",
	"UPDATE_SCHEDULE":           "< SUCCESS ERROR",
	"PAUSE_SCHEDULE":            "< SUCCESS ERROR",
	"PAUSE":                     "< SUCCESS ERROR",
	"RUN_SCHEDULE":              "< SUCCESS ERROR",
	"RUN":                       "< SUCCESS ERROR",
	"DELETE_SCHEDULE":           "< SUCCESS ERROR",
	"SCHEDULE_INFO":             "< SUCCESS ERROR",
	"DESCHEDULE":                "< SUCCESS ERROR",
	"STOP_SCHEDULE":             "< ERROR",
	"CREDIT2VIRTUAL":            "< SUCCESS DECLINED UNDEFINED ERROR * SUCCESS DECLINED UNDEFINED",
	"CREDIT2CRYPTO":             "< INIT DECLINED UNDEFINED ERROR * INIT SUCCESS DECLINED UNDEFINED",
	"DEBIT2VIRTUAL":             "< SUCCESS DECLINED UNDEFINED * SUCCESS DECLINED UNDEFINED",
	"DEBIT2VIRTUAL_CALC":        "< SUCCESS DECLINED * SUCCESS DECLINED",
	"DEBIT2VIRTUAL_COMPLETE":    "< SUCCESS DECLINED UNDEFINED ERROR",
}

func TestScenariosShowEverything(t *testing.T) {
	if *rewrite {
		t.Skip("the files are being written")
	}
	t.Parallel()
	files := scenarioFiles(t)
	require.GreaterOrEqual(t, len(files), leastScenarios)
	seen, titles := map[string]bool{}, map[string]string{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		title, _, _ := strings.Cut(string(text), "\n")
		require.Empty(t, titles[title], "%s has the title of another", file)
		titles[title] = file
		played := readScenario(t, string(text))
		for _, pair := range played.results() {
			seen[pair] = true
		}
	}
	var missing []string
	for action, results := range requiredResults {
		mark := ""
		for word := range strings.FieldsSeq(results) {
			if word == "<" || word == "*" {
				mark = word
			} else if !seen[mark+" "+action+" "+word] {
				missing = append(missing, mark+" "+action+" "+word)
			}
		}
	}
	slices.Sort(missing)
	require.Empty(t, missing)
}
