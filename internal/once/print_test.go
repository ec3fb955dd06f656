package once_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/once"
	"github.com/tollgatepay/gateway/internal/vault"
	"github.com/tollgatepay/gateway/store"
)

// requests are the requests of all verbs that take a key.
var requests = []any{
	gateway.ChargeRequest{}, gateway.FollowUp{}, gateway.RecurRequest{}, gateway.SessionRequest{}, store.Schedule{},
	gateway.Dispute{},
}

// spot is one field of a request: setting it makes another request.
type spot struct {
	path string
	set  func(root reflect.Value)
}

// spots lists every field of a type, however deep.
func spots(t *testing.T, of reflect.Type, path string, reach func(reflect.Value) reflect.Value) (list []spot) {
	t.Helper()
	leaf := func(value reflect.Value) []spot {
		return []spot{{path, func(root reflect.Value) { reach(root).Set(value) }}}
	}
	switch of {
	case reflect.TypeFor[store.PAN]():
		pan, err := store.ParsePAN("4111111111111111")
		require.NoError(t, err)
		return leaf(reflect.ValueOf(pan))
	case reflect.TypeFor[store.SecurityCode]():
		return nil
	case reflect.TypeFor[time.Time]():
		return leaf(reflect.ValueOf(time.Unix(7, 7)))
	case reflect.TypeFor[json.RawMessage]():
		return leaf(reflect.ValueOf(json.RawMessage(`{"a":1}`)))
	}
	switch of.Kind() {
	case reflect.Bool:
		return leaf(reflect.ValueOf(true).Convert(of))
	case reflect.Int, reflect.Int64, reflect.Uint8:
		return leaf(reflect.ValueOf(7).Convert(of))
	case reflect.String:
		return leaf(reflect.ValueOf("x").Convert(of))
	case reflect.Map:
		filled := reflect.MakeMap(of)
		filled.SetMapIndex(reflect.ValueOf("a").Convert(of.Key()), reflect.Zero(of.Elem()))
		return leaf(filled)
	case reflect.Slice:
		one := reflect.MakeSlice(of, 1, 1)
		inside := spots(t, of.Elem(), path+"[0]", func(root reflect.Value) reflect.Value {
			if reach(root).Len() == 0 {
				reach(root).Set(reflect.MakeSlice(of, 1, 1))
			}
			return reach(root).Index(0)
		})
		return append(leaf(one), inside...)
	case reflect.Pointer:
		return append(leaf(reflect.New(of.Elem())), spots(t, of.Elem(), path, func(root reflect.Value) reflect.Value {
			if reach(root).IsNil() {
				reach(root).Set(reflect.New(of.Elem()))
			}
			return reach(root).Elem()
		})...)
	case reflect.Struct:
		for i := range of.NumField() {
			if field := of.Field(i); field.IsExported() {
				list = append(list, spots(t, field.Type, path+"."+field.Name, func(root reflect.Value) reflect.Value {
					return reach(root).Field(i)
				})...)
			}
		}
		return list
	}
	require.Fail(t, "a field of a kind that has no print", "%s is a %s", path, of)
	return nil
}

func printOf(t *testing.T, key vault.Key, verb string, request any) string {
	t.Helper()
	print, err := once.Fingerprint(key, verb, request)
	require.NoError(t, err)
	require.Len(t, print, 16)
	return string(print)
}

func keyOf(t *testing.T, first byte) vault.Key {
	t.Helper()
	key, err := vault.NewKey(append([]byte{first}, make([]byte, vault.KeySize-1)...))
	require.NoError(t, err)
	return key
}

// A request that differs in any field, also inside a list or a card, is another request; an equal one is the same.
func TestEveryFieldCounts(t *testing.T) {
	t.Parallel()
	key := keyOf(t, 1)
	for _, request := range requests {
		of := reflect.TypeOf(request)
		t.Run(of.Name(), func(t *testing.T) {
			t.Parallel()
			seen := map[string]string{printOf(t, key, "Verb", request): "an empty request"}
			list := spots(t, of, of.Name(), func(root reflect.Value) reflect.Value { return root })
			require.NotEmpty(t, list)
			for _, s := range list {
				changed := reflect.New(of).Elem()
				s.set(changed)
				print := printOf(t, key, "Verb", changed.Interface())
				require.Equal(t, print, printOf(t, key, "Verb", changed.Interface()), s.path)
				require.Empty(t, seen[print], "%s looks like %s", s.path, seen[print])
				seen[print] = s.path
			}
		})
	}
}

// A fingerprint depends on the verb and on the key of the host's provider: without it a card number cannot be guessed.
func TestPrintIsKeyed(t *testing.T) {
	t.Parallel()
	f := gateway.FollowUp{PaymentID: "p", Amount: "1.00"}
	print := printOf(t, keyOf(t, 1), "Capture", f)
	require.NotEqual(t, print, printOf(t, keyOf(t, 2), "Capture", f))
	require.NotEqual(t, print, printOf(t, keyOf(t, 1), "Void", f))
}

// Values whose texts join to the same are different requests, and the order of a map does not count.
func TestPrintKeepsBorders(t *testing.T) {
	t.Parallel()
	key := keyOf(t, 1)
	require.NotEqual(t, printOf(t, key, "V", gateway.FollowUp{PaymentID: "a", Amount: "bc"}),
		printOf(t, key, "V", gateway.FollowUp{PaymentID: "ab", Amount: "c"}))
	require.NotEqual(t, printOf(t, key, "V", gateway.SessionRequest{Methods: []string{"a", "b"}}),
		printOf(t, key, "V", gateway.SessionRequest{Methods: []string{"ab"}}))
	many := map[string]string{}
	for i := range 50 {
		many[fmt.Sprint(i)] = "x"
	}
	print := printOf(t, key, "V", gateway.ChargeRequest{Browser: many})
	for range 20 {
		require.Equal(t, print, printOf(t, key, "V", gateway.ChargeRequest{Browser: many}))
	}
}

// A type that has no print is an error, and no print that is always the same.
func TestTypesWithoutPrint(t *testing.T) {
	t.Parallel()
	for _, value := range []any{
		struct{ F float64 }{}, struct{ F func() }{}, struct{ S struct{ a int } }{}, store.NewSecret("secret"),
	} {
		_, err := once.Fingerprint(keyOf(t, 1), "V", value)
		require.Error(t, err, "%T", value)
	}
}

// A security code does not count: it must not be stored in any form, not even in a hash.
func TestSecurityCodeDoesNotCount(t *testing.T) {
	t.Parallel()
	with, without := gatewaytest.Card(1, 2038), gatewaytest.Card(1, 2038)
	without.Code = store.SecurityCode{}
	require.Equal(t, printOf(t, keyOf(t, 1), "Charge", gateway.ChargeRequest{Card: &with}),
		printOf(t, keyOf(t, 1), "Charge", gateway.ChargeRequest{Card: &without}))
}
