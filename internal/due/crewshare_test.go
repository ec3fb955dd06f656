package due

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store"
)

// For any kind of work, a stuck party has at most a quarter of the workers, and however many parties are stuck, a
// new party gets a reserved worker.
func TestCrewsShare(t *testing.T) {
	t.Parallel()
	for _, work := range []store.Work{store.WorkRecovery, store.WorkSchedule} {
		for _, c := range []struct{ parties, held int }{{1, 8}, {2, 16}, {3, 24}, {5, 27}, {20, 28}} {
			t.Run(fmt.Sprintf("%s, %d parties", work, c.parties), func(t *testing.T) {
				t.Parallel()
				crew := NewCrew(store.FairQueue{Name: "q"}, work, CrewWorkers)
				held := 0
				for again := true; again; {
					again = false
					for n := range c.parties {
						party := fmt.Sprint("stuck", n)
						turns, guard := crew.now()
						if guard.Group(party) {
							crew.count(turns, &claim{jobs: []job{{party: party}}})
							held, again = held+1, true
						}
					}
				}
				require.Equal(t, c.held, held)
				turns, guard := crew.now()
				require.True(t, guard.Group("newcomer"), "at once")
				crew.count(turns, &claim{jobs: []job{{party: "newcomer"}}})
				_, guard = crew.now()
				require.False(t, guard.Group("stuck0"))
				crew.done("stuck0")
				require.LessOrEqual(t, crew.busy["stuck0"], CrewWorkers/4)
			})
		}
	}
}
