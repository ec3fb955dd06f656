package sim

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// seedsForDefect is how many worlds a planted defect may take to be found.
const seedsForDefect = 150

// TestPlanted plants every defect of the ports and wants it found. It prints how many seeds that took.
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
		took = append(took, n)
		t.Logf("sim: defect=%s seeds=%d found=%q", defect, n, violation)
	}
	slices.Sort(took)
	fmt.Printf("sim: defects planted=%d found=%d median_seeds=%d worst_seeds=%d\n", len(Defects()), len(took), took[len(took)/2], took[len(took)-1])
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
