package wallet_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/methods/wallet"
	"github.com/tollgatepay/gateway/methods/wallet/wallettest"
)

// plain returns an opened card with its secrets revealed, and without the parts that are not signed.
func plain(o *wallet.Opened) []any {
	c := *o
	return []any{c.PAN.Digits(), c.Cryptogram.Reveal(), c.Expiry, c.Holder, c.ECI, c.PANType, c.AuthMethod, c.Currency,
		c.MinorAmount, c.MessageID, c.Until}
}

// fuzzOpen requires no panic, and that an accepted token is one of the original tokens: only white space, spelling
// and unsigned parts may differ.
func fuzzOpen(f *testing.F, o opener, tokens [][]byte, now time.Time, wrap func(*testing.T, []byte) []byte) {
	f.Helper()
	var cards [][]any
	for _, token := range tokens {
		opened, err := o.Open(token, now)
		requireOpened(f, err)
		cards = append(cards, plain(opened))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if wrap != nil {
			data = wrap(t, data)
		}
		opened, err := o.Open(data, now)
		if err != nil {
			require.Nil(t, opened)
			causeOf(t, err)
			return
		}
		require.Contains(t, cards, plain(opened))
	})
}

func raw(x fixture) (tokens [][]byte) {
	for _, token := range x.Tokens {
		tokens = append(tokens, token)
	}
	return tokens
}

func FuzzApple(f *testing.F) {
	x, a := appleFixture(f)
	for _, token := range raw(x) {
		f.Add(token)
	}
	f.Add([]byte(`{"paymentData":"{}","paymentMethod":{},"transactionIdentifier":"x"}`))
	fuzzOpen(f, a, raw(x), x.Now, nil)
}

func FuzzGoogle(f *testing.F) {
	x, g := googleFixture(f)
	for _, token := range raw(x) {
		f.Add(token)
	}
	f.Add([]byte(`{"protocolVersion":"ECv2","signedMessage":{},"intermediateSigningKey":{"signatures":[""]}}`))
	fuzzOpen(f, g, raw(x), x.Now, nil)
}

// FuzzCMS puts other bytes in place of the signature of a good token.
func FuzzCMS(f *testing.F) {
	x, a := appleFixture(f)
	for _, token := range raw(x) {
		f.Add(decode(f, at(object(f, token), "paymentData")["signature"]))
	}
	f.Add([]byte{0x30, 0x80, 0x30, 0x80, 0, 0, 0, 0})
	f.Add([]byte{0x30, 0x84, 0xff, 0xff, 0xff, 0xff})
	fuzzOpen(f, a, raw(x), x.Now, func(t *testing.T, signature []byte) []byte {
		token := object(t, x.Tokens[0])
		put("paymentData.signature", encode(signature))(token)
		return wallettest.JSON(t, token)
	})
}

// FuzzShow requires that Show accepts what Open accepts, and that what it returns is harmless.
func FuzzShow(f *testing.F) {
	ax, a := appleFixture(f)
	gx, g := googleFixture(f)
	for i := range ax.Tokens {
		f.Add(true, []byte(ax.Tokens[i]))
		f.Add(false, []byte(gx.Tokens[i]))
	}
	f.Fuzz(func(t *testing.T, isApple bool, token []byte) {
		code, now := wallet.GooglePay, gx.Now
		var o opener = g
		if isApple {
			code, now, o = wallet.ApplePay, ax.Now, a
		}
		shown, err := wallet.Show(code, token)
		if err != nil {
			causeOf(t, err)
			require.Zero(t, shown)
			refused(t, o, token, now)
			return
		}
		require.NotRegexp(t, `(\d.*){12}|[\x00-\x1f\x7f]`, shown.Network)
		require.NotRegexp(t, `(\d.*){12}|[\x00-\x1f\x7f]`, shown.Description)
		require.LessOrEqual(t, len(shown.Description), 128)
	})
}
