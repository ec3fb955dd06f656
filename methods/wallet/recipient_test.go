package wallet_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/methods/wallet"
	"github.com/tollgatepay/gateway/methods/wallet/wallettest"
)

// A recipient is named with its kind, in the wallet's spelling. The text is part of what is signed: another
// spelling would refuse every token, and another kind could be the name of another party.
func TestRecipientPrefix(t *testing.T) {
	t.Parallel()
	for recipient, ok := range map[string]bool{
		"gateway:tollgate": true, "merchant:1234": true, "gateway:a:b": true,
		"tollgate:tollgate": false, "Gateway:tollgate": false, "MERCHANT:1234": false, " gateway:tollgate": false,
		"gateway :tollgate": false, "gateways:tollgate": false, "merchan:1234": false, ":tollgate": false,
		"gatewaytollgate": false, "": false, ":": false, "merchant:": false,
	} {
		t.Run(recipient, func(t *testing.T) {
			t.Parallel()
			config := wallettest.NewGoogle(t, clock()).Config(t)
			config.Recipient = recipient
			_, err := wallet.NewGoogle(config)
			if ok {
				require.NoError(t, err)
				return
			}
			require.EqualError(t, err, "wallet: Recipient: must be gateway: or merchant: and an id")
		})
	}
}
