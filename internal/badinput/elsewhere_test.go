package badinput_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// elsewhere are the numbers of the list of a hundred that are no request to an endpoint, with the test of each: the
// file, and a text in it.
var elsewhere = map[int][2]string{
	46: {"internal/merchant/walletrefused_test.go", "func TestWalletTokenReplayed("},
	79: {"callback/dial_test.go", "func TestDialContextRefuses("},
	80: {"callback/http_test.go", "func TestRedirectIsNotFollowed("},
	81: {"checkout/page/internal/applepay/gateway_test.go", "func TestGatewayURL("},
	86: {"hpf/sdk/sdk_test.go", "func TestFrameAncestors("},
	87: {"internal/browser/hpf_hostile_test.go", "func testFieldsHostile("},
	88: {"internal/browser/hpf_style_test.go", "func testFieldsStyle("},
	90: {"methods/wallet/tampered_test.go", "func TestTampered("},
	91: {"methods/wallet/tampered_test.go", "func TestTampered("},
	93: {"callback/http_test.go", "func TestHugeBody("},
	94: {"store/bolt/open_test.go", "func TestOpenRefuses("},
	95: {"internal/vault/bind_test.go", "func TestDataKeyRefuses("},
	96: {"internal/engine/recover_test.go", "func TestAnswersThatAreNotBelieved("},
	97: {"internal/engine/recover_test.go", "func TestConnectorsThatFail("},
}

// scenes are the numbers that have their own test in this package.
var scenes = []int{22, 29, 30, 31}

// absent are the numbers without a test yet, and why.
var absent = map[int]string{
	98: "the gateway counts no open sessions and no idle connections; the protocol knows no limit (errors.md)",
}

// TestHundred accounts for every number of the list.
func TestHundred(t *testing.T) {
	t.Parallel()
	shown := map[int]bool{}
	for _, r := range append(table[:len(table):len(table)], accepted...) {
		shown[r.n] = true
	}
	for _, n := range scenes {
		shown[n] = true
	}
	for n, place := range elsewhere {
		text, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(place[0])))
		require.NoError(t, err, n)
		require.Contains(t, string(text), place[1], n)
		shown[n] = true
	}
	for n, why := range absent {
		require.False(t, shown[n], "%d is shown after all", n)
		t.Logf("%d: %s", n, why)
		shown[n] = true
	}
	for n := 1; n <= 100; n++ {
		require.True(t, shown[n], "nothing shows number %d", n)
	}
}
