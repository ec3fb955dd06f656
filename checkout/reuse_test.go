package checkout_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
)

// hashUsed is the refusal of a signature that was made for another request.
const hashUsed = "hash: already used for another request"

// The hash of a return link covers payment id, number, amount and the rest. A forger may shift the borders between
// these values, and may spell letters differently with the same capitals: the hash still signs no other request.
func TestReturnLinkSignsNothingWhateverTheBorders(t *testing.T) {
	t.Parallel()
	s := open(t)
	folded, moved := false, false
	for n := 1; !folded || !moved; n++ { // the ids are random, so both soon occur
		require.Less(t, n, 2_000)
		number := "12" + strings.Repeat("3", n%7+1)
		next := s.Pay(t, s.link(t, set("order.number", number), set("order.amount", "10.00")), gatewaytest.Settles)
		u, err := url.Parse(next.URL)
		require.NoError(t, err)
		id, hash := u.Query().Get("payment_id"), set("hash", u.Query().Get("hash"))
		if strings.Contains(id, "ff") {
			folded = true
			forged := strings.Replace(id, "ff", "ﬀ", 1) + number
			requireFaults(t, s.post(t, pathSession, purchase(hash, set("order.number", forged))), hashUsed)
		}
		if cut := len(id) - 1; id[cut] >= '1' && id[cut] <= '9' { // the last digit of the id becomes the first of the amount
			moved = true
			requireFaults(t, s.post(t, pathSession,
				purchase(hash, set("order.number", id[:cut]), set("order.amount", id[cut:]+number+"10.00"))),
				hashUsed)
		}
		s.Clock.Set(s.Clock.Now().Add(gateway.DuplicateWindow))
	}
}

// reliability.md, row 29: a hash does not show where the number ends and the amount begins.
func TestHashSignsOneOrder(t *testing.T) {
	t.Parallel()
	s := open(t)
	first := purchase(set("order.number", "ORD-1"), set("order.amount", "10.00"))
	require.Equal(t, 200, s.post(t, pathSession, first).status)
	stolen := set("hash", first["hash"])
	got := s.post(t, pathSession, purchase(stolen, set("order.number", "ORD-"), set("order.amount", "110.00")))
	requireFaults(t, got, hashUsed)
	s.Clock.Set(s.Clock.Now().Add(gateway.DuplicateWindow))
	require.Equal(t, 200, s.post(t, pathSession, first).status, "the same order may be signed again")
	s.Clock.Set(s.Clock.Now().Add(gateway.DuplicateWindow))
	require.Equal(t, 200, s.post(t, pathSession, purchase(stolen, set("order.number", "ord-1"))).status,
		"row 32: letter case aside")
}
