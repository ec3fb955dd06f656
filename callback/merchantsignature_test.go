package callback_test

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/callback"
	"github.com/tollgatepay/gateway/store"
)

// byHand returns the signature of a body as a merchant computes it, written from the documents and without package
// signature: callbacks.md, "Signature formulas (callback direction)". The merchant knows e-mail and card of the
// payment; everything else is in the body.
func byHand(t *testing.T, e callback.Event, body []callback.Field) string {
	t.Helper()
	inner := func(text string) string {
		if e.Mapping.SHA256 {
			sum := sha256.Sum256([]byte(text))
			return hex.EncodeToString(sum[:])
		}
		sum := md5.Sum([]byte(text))
		return hex.EncodeToString(sum[:])
	}
	of := func(name string) string { return value(body, name) }
	email := e.Payment.Payer.Email
	switch action := of("action"); {
	case e.Payment.Protocol == store.Checkout:
		text := upper(of("id") + of("order_number") + of("order_amount") + of("order_currency") + of("order_description") +
			password)
		sum := sha1.Sum([]byte(inner(text)))
		return hex.EncodeToString(sum[:])
	case e.Payment.Protocol == store.S2SCard && action == "CREDIT2CARD":
		return inner(upper(password + of("trans_id") + backwards(sixAndFour(e))))
	case e.Payment.Protocol == store.S2SCard:
		return inner(upper(backwards(email) + password + of("trans_id") + backwards(sixAndFour(e))))
	case action == "CREDIT2VIRTUAL" || action == "CREDIT2CRYPTO":
		return inner(upper(backwards(of("trans_id")+of("order_id")+of("status"))) + password)
	case action == "SALE" && e.Crypto && e.Mapping.CryptoSaleSignature == "email":
		return inner(upper(backwards(email) + password + of("trans_id")))
	default:
		return inner(upper(whole(t, body) + password))
	}
}

func sixAndFour(e callback.Event) string {
	if e.Payment.Card == nil || e.Payment.Wallet != nil { // the merchant sent a token and has no card
		return ""
	}
	mask := e.Payment.Card.Mask
	return mask[:6] + mask[len(mask)-4:]
}

// upper is strtoupper: bytes, and a to z only; the bytes of reversed other letters are unchanged.
func upper(text string) string {
	bytes := []byte(text)
	for i, b := range bytes {
		if b >= 'a' && b <= 'z' {
			bytes[i] = b - 'a' + 'A'
		}
	}
	return string(bytes)
}

func backwards(text string) string {
	bytes := []byte(text)
	slices.Reverse(bytes)
	return string(bytes)
}

// whole returns the text of the APM formula: the values of the body as a tree, each reversed, in the order of the
// names.
func whole(t *testing.T, body []callback.Field) string {
	t.Helper()
	root := map[string]any{}
	for _, f := range body {
		if f.Name != "hash" {
			plant(t, root, strings.Split(strings.ReplaceAll(f.Name, "]", ""), "["), f.Value)
		}
	}
	return walk(root)
}

func plant(t *testing.T, node map[string]any, path []string, leaf string) {
	t.Helper()
	if len(path) == 1 {
		node[path[0]] = leaf
		return
	}
	if node[path[0]] == nil {
		node[path[0]] = map[string]any{}
	}
	child, ok := node[path[0]].(map[string]any)
	require.True(t, ok)
	plant(t, child, path[1:], leaf)
}

func walk(node any) string {
	tree, ok := node.(map[string]any)
	if !ok {
		return backwards(node.(string))
	}
	text := ""
	for _, key := range slices.SortedFunc(maps.Keys(tree), byKey) {
		text += walk(tree[key])
	}
	return text
}

// byKey is ksort: numbers by value, everything else by its bytes.
func byKey(a, b string) int {
	x, errX := strconv.Atoi(a)
	y, errY := strconv.Atoi(b)
	if errX == nil && errY == nil {
		return x - y
	}
	return strings.Compare(a, b)
}
