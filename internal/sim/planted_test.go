package sim

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// seedsForDefect is how many worlds it may take to find a planted defect.
const seedsForDefect = 150

// foundBy are the invariants by which each defect may be found first.
var foundBy = map[Defect][]string{
	weakIsolation:     {"I1", "I4", "S1", "S2", "S3", "S4", "S5", "S6", "S7", "S8", "S10", "S11", "M1", "M2", "M5", "M6", "M7", "M8", "M12", "C1", "C2", "D1", "D2", "D4", "D5", "L1", "L2"},
	staleReads:        {"S11", "D1", "D2", "D3", "S1", "S3", "S4", "S6", "S7", "S8", "I1", "I4", "M6", "C1"},
	commitVanishes:    {"S11", "D1", "D2", "D3", "S3", "S5", "S7", "S8", "I1", "I4", "M6", "M7", "M8", "C1", "C2", "C3", "L1"},
	commitTorn:        {"S11", "D1", "D2", "D3", "D5", "S1", "S3", "S4", "S5", "S7", "S8", "C1", "C2", "C3", "C5", "M6", "M7", "M8", "M12", "L1", "L2"},
	dropCallback:      {"C1"},
	dropRecovery:      {"L1"},
	dropDelivery:      {"L1", "L2", "C3"},
	keepRecovery:      {"L1", "L2"},
	rebuiltBody:       {"C4"},
	leakedReservation: {"M6", "M12", "M2"},
	capturedMore:      {"M1", "M6"},
	statusBack:        {"S11", "M4", "S1"},
	versionStuck:      {"S3"},
	windowLost:        {"I1"},
	windowShort:       {"I1"},
	declineLost:       {"S8"},
	paidReopens:       {"S8"},
	attemptLost:       {"S7", "S8"},
	orderLost:         {"D3", "I1", "I4"},
	amountChanges:     {"M10", "M6"},
	cardStays:         {"C6"},
	runningStays:      {"S4", "M12"},
	callbackLate:      {"C1"},
	currencyChanges:   {"M8", "M10", "M13"},
	newKeyOnResend:    {"I3", "M7"},
	keyOfInstance:     {"I3", "M7", "L1"},
	unknownDeclines:   {"S5", "S6", "M8"},
	unknownApproves:   {"S5", "M8"},
	unknownNotSent:    {"S5", "M8"},
	notFoundDeclines:  {"S5", "M8"},
	latenessDropped:   {"S5", "M8"},
	falselyIdem:       {"M7"},
	pendingApproves:   {"S5", "M8"},
	panicDeclines:     {"S5", "M8"},
	partialApproval:   {"M8"},
	noteUnchecked:     {"S5", "M8", "S6"},
	returnUnchecked:   {"S5", "M8"},
	floatAmount:       {"M13"},
	otherCurrency:     {"M13"},
	otherOperation:    {"M13"},
	parentLost:        {"M7", "M13"},
	softenedPayment:   {"M13"},
	otherBytes:        {"C4"},
	beforeCommit:      {"C2"},
	falselyAccepted:   {"C3"},
	deliveryDropped:   {"C3", "C5"},
	otherURL:          {"C4"},
	okNotRequired:     {"C3"},
	cardInBody:        {"C6"},
	signatureChanged:  {"C4"},
	clockLags:         {"T1", "I1"},
	idsRepeat:         {"I4", "D1", "D2", "S3", "M10"},
}

// TestPlanted plants every defect of the ports and requires it to be found. It prints how many seeds that took.
func TestPlanted(t *testing.T) {
	t.Parallel()
	var took []int
	for _, defect := range Defects() {
		require.NotEmpty(t, defect.String())
		if withRace && int(defect)%20 != 0 {
			continue
		}
		n, violation := hunt(t, defect)
		if n == 0 {
			t.Errorf("%s is not found in %d seeds", defect, seedsForDefect)
			continue
		}
		kind, _, _ := strings.Cut(violation, ":")
		if !slices.Contains(foundBy[defect], kind) {
			t.Errorf("%s is found by %q, which is none of %v", defect, violation, foundBy[defect])
		}
		took = append(took, n)
		t.Logf("sim: defect=%s seeds=%d found=%q", defect, n, violation)
	}
	slices.Sort(took)
	fmt.Printf("sim: defects planted=%d found=%d median_seeds=%d worst_seeds=%d\n", len(Defects()), len(took),
		took[len(took)/2], took[len(took)-1])
}

// hunt runs seeds until the judges find a defect.
func hunt(t *testing.T, defect Defect) (seeds int, violation string) {
	for n := range seedsForDefect {
		r := Run(t, Config{Seed: *from + 5_000_000 + uint64(n), Defect: defect, Steps: 1000})
		if len(r.Violations) > 0 {
			return n + 1, r.Violations[0]
		}
	}
	return 0, ""
}
