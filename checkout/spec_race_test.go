package checkout_test

import (
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// together sends n equal requests at once and counts the statuses of the answers.
func (s *shop) together(t *testing.T, n int, path string, body object) (statuses map[int]int) {
	t.Helper()
	statuses = map[int]int{}
	var mu sync.Mutex
	var all sync.WaitGroup
	for range n {
		all.Go(func() {
			response, err := s.server.Client().Post(s.server.URL+path, "application/json", strings.NewReader(body.text()))
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				statuses[response.StatusCode]++
				err = response.Body.Close()
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	return statuses
}

// Of equal session requests at the same time one is accepted (reliability.md, row 31).
func TestSPEC1DuplicateWindowAtOnce(t *testing.T) {
	t.Parallel()
	s := open(t)
	require.Equal(t, map[int]int{200: 1, 400: 49}, s.together(t, 50, pathSession, purchase()))
	require.Len(t, s.sessions(t), 1)
}

// Of two refunds at the same time that exceed the payment together one is accepted (row 22).
func TestSPEC1RefundAtOnce(t *testing.T) {
	t.Parallel()
	s := open(t)
	p := s.settled(t)
	require.Equal(t, map[int]int{200: 1, 400: 9}, s.together(t, 10, pathRefund, followUp(p.ID, "6.00")))
	require.Equal(t, "refund", s.refund(t, p.ID, "4.00"))
	requireError(t, s.post(t, pathRefund, followUp(p.ID, "0.01")), 100000, noRefund)
}

// Of captures at the same time one is accepted, and the same for voids.
func TestSPEC1CaptureAndVoidAtOnce(t *testing.T) {
	t.Parallel()
	s := open(t)
	p := s.held(t)
	require.Equal(t, map[int]int{200: 1, 400: 9}, s.together(t, 10, pathCapture, followUp(p.ID, "10.00")))
	require.Equal(t, map[int]int{200: 1, 400: 9}, s.together(t, 10, pathVoid, followUp(p.ID, "")))
	s.requireStatus(t, p.ID, "void")
	require.Len(t, s.Charges(t), 3)
}

// Of equal payouts at the same time one is paid.
func TestSPEC1CardCreditAtOnce(t *testing.T) {
	t.Parallel()
	s := open(t)
	require.Equal(t, map[int]int{200: 1, 400: 15}, s.together(t, 16, pathCredit, payout()))
	require.Len(t, s.Charges(t), 1)
}
