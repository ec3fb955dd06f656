package wallet_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/methods/wallet"
	"github.com/tollgatepay/gateway/methods/wallet/wallettest"
)

const outside = "wallet: the token is not valid"

// clock returns the time of every test.
func clock() time.Time { return time.Date(2027, 3, 14, 9, 26, 53, 0, time.UTC) }

// opener is either wallet.
type opener interface {
	Open(token []byte, now time.Time) (*wallet.Opened, error)
}

func apple(t testing.TB, c wallet.AppleConfig) *wallet.Apple {
	t.Helper()
	a, err := wallet.NewApple(c)
	require.NoError(t, err)
	return a
}

func google(t testing.TB, c wallet.GoogleConfig) *wallet.Google {
	t.Helper()
	g, err := wallet.NewGoogle(c)
	require.NoError(t, err)
	return g
}

// causeOf returns why a token was refused. It fails unless the error text shows nothing.
func causeOf(t testing.TB, err error) string {
	t.Helper()
	var fault *wallet.Fault
	require.True(t, errors.As(err, &fault), "%v", err)
	require.Equal(t, outside, err.Error())
	require.NotEmpty(t, fault.Cause)
	require.NotContains(t, fault.Cause, wallettest.PAN)
	require.NotContains(t, fault.Cause, wallettest.Cryptogram)
	return fault.Cause
}

func refused(t testing.TB, o opener, token []byte, now time.Time) string {
	t.Helper()
	opened, err := o.Open(token, now)
	require.Error(t, err)
	require.Nil(t, opened)
	return causeOf(t, err)
}

// at returns the object at a dotted path, "" for the root.
func at(object map[string]any, path string) map[string]any {
	if path == "" {
		return object
	}
	for name := range strings.SplitSeq(path, ".") {
		object = object[name].(map[string]any)
	}
	return object
}

// split separates the last name from a dotted path.
func split(path string) (parent, name string) {
	i := strings.LastIndexByte(path, '.')
	return path[:max(i, 0)], path[i+1:]
}

// put returns a change of a token: it sets the member at a dotted path, or removes it for nil.
func put(path string, v any) func(map[string]any) {
	return func(token map[string]any) {
		parent, name := split(path)
		if v == nil {
			delete(at(token, parent), name)
			return
		}
		at(token, parent)[name] = v
	}
}

func object(t testing.TB, data []byte) map[string]any {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var v map[string]any
	require.NoError(t, d.Decode(&v))
	return v
}

func decode(t testing.TB, text any) []byte {
	t.Helper()
	data, err := base64.StdEncoding.DecodeString(text.(string))
	require.NoError(t, err)
	return data
}

func encode(data []byte) string { return base64.StdEncoding.EncodeToString(data) }

// flipped returns data with one bit of one byte changed.
func flipped(data []byte, i int) []byte {
	changed := bytes.Clone(data)
	changed[i] ^= 1 << (i % 8)
	return changed
}
