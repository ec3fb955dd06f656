package kerneltest_test

import (
	"encoding/base64"
	"encoding/hex"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/internal/kerneltest"
)

// The search finds planted secrets.
func TestSecretsCanBeFound(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		kerneltest.CanaryPAN, "x" + kerneltest.CanaryPAN + "y", "4601 5418 3377 6519", "4601-5418-3377-6519",
		"9156773381451064",
		hex.EncodeToString([]byte(kerneltest.CanaryPAN)), strings.ToUpper(hex.EncodeToString([]byte(kerneltest.CanaryPAN))),
		base64.StdEncoding.EncodeToString([]byte(kerneltest.CanaryPAN)),
		base64.StdEncoding.EncodeToString([]byte("{" + kerneltest.CanaryPAN + "}")),
		base64.URLEncoding.EncodeToString([]byte(`"n":"` + kerneltest.CanaryPAN + `"`)), "\x46\x01\x54\x18\x33\x77\x65\x19",
	} {
		h := &kerneltest.Haystack{Bits: map[string][]byte{}}
		h.Add("here", []byte("before "+text+" after"))
		require.Equal(t, []string{"here"}, h.Find(kerneltest.CanaryPAN), text)
	}
	for _, text := range []string{`"cvv":"9371"`, `code=9371`, `{Code:9371}`, ` 9371 `, `"held":"OTM3MQ=="`} {
		h := &kerneltest.Haystack{Bits: map[string][]byte{}}
		h.Add("here", []byte(text))
		require.Equal(t, []string{"here"}, h.FindCode(), text)
	}
	h := &kerneltest.Haystack{Bits: map[string][]byte{}}
	h.Add("here", []byte(`{"mask":"460154******6519","hash":"a9371b","box":"xx9371+"}`))
	require.Empty(t, h.Find(kerneltest.CanaryPAN))
	require.Empty(t, h.FindCode())
}
