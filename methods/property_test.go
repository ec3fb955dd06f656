package methods_test

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/methods"
)

// pieces are values as callers send them: right and wrong ones for every kind of rule, JSON numbers and booleans
// included.
var pieces = []any{
	"a", "Jane", "US", "us", "840", "USD", "XOF", "12.50", "-1", "01", "13", "12/2030", "DEUTDEFF", "COUNT", "IBAN",
	"cpf", "true", "yes",
	"payer@example.com", "https://example.com", "2026-01-31T12:00:00Z", "4111111111111111", "#NA", "mtn-gh", "0241234567",
	"a b", "\n",
	strings.Repeat("é", 60), strings.Repeat("1", 300), json.Number("1"), json.Number("12.5"), json.Number("1e3"),
	json.Number("100000000000000"),
	true, false,
}

// grown makes a tree for a set: some of its rows, some other parameters, some places of the wrong structure. It
// has no empty objects, empty lists and null, because forms cannot spell them.
func grown(r *rand.Rand, set methods.Set) map[string]any {
	tree := map[string]any{"unknown": "x"}
	for _, row := range set.Rows {
		if row.Request || r.IntN(3) == 0 || row.Rule.Kind == methods.RuleList {
			continue
		}
		value := pieces[r.IntN(len(pieces))]
		if r.IntN(3) == 0 {
			value = row.Sample()
		}
		path := pathOf(row)
		switch r.IntN(12) {
		case 0:
			value = map[string]any{"k": value}
		case 1:
			value = []any{value, value}
		case 2:
			path = path[:1+r.IntN(len(path))]
		}
		putAt(tree, path, value)
	}
	return tree
}

// swapped changes the paths of faults from the form's spelling to Checkout's. Not the other way, because two
// fields of the request are one on Checkout.
func swapped(t testing.TB, faults []methods.Fault) (checkout []methods.Fault) {
	for _, fault := range faults {
		name, keys, nested := strings.Cut(fault.Path, "[")
		if !nested {
			require.Contains(t, checkoutName, name)
			fault.Path = checkoutName[name]
			checkout = append(checkout, fault)
			continue
		}
		path := "parameters.code"
		for key := range strings.SplitSeq(strings.TrimSuffix(keys, "]"), "][") {
			if strings.Trim(key, "0123456789") == "" {
				path += "[" + key + "]"
			} else {
				path += "." + key
			}
		}
		fault.Path = path
		checkout = append(checkout, fault)
	}
	return checkout
}

// TestSameVerdict: the same tree as JSON and as a form has the same faults, each in its own spelling.
func TestSameVerdict(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	c, faulty, clean := catalogue(t), 0, 0
	for _, set := range methods.DefaultSets() {
		checker, _ := c.Set(set.Name)
		for range 60 {
			grown := grown(r, set)
			wire, err := json.Marshal(grown)
			require.NoError(t, err)
			request := fields{}
			ctx := methods.Context{Code: "code", Stage: methods.Stage(r.IntN(3)), Request: request}
			for _, row := range set.Rows {
				if r.IntN(4) == 0 {
					ctx.MID.Needed = append(ctx.MID.Needed, row.Path)
				}
				if value, single := pieces[r.IntN(len(pieces))].(string); single && row.Request {
					request[row.Path] = value
				}
			}
			asJSON := checker.Check(decodeJSON(t, string(wire)), methods.JSON, ctx)
			asForm := checker.Check(decodeForm(t, encodeForm(grown)), methods.Form, ctx)
			if len(asJSON) == 0 {
				clean++
			} else {
				faulty++
			}
			require.Equal(t, asJSON, swapped(t, asForm), "%s", wire)
		}
	}
	require.Greater(t, clean, 100)
	require.Greater(t, faulty, 1000)
}

// FuzzCheck: no decoded tree makes the check panic, and both spellings have the same faults.
func FuzzCheck(f *testing.F) {
	c := catalogue(f)
	codes := c.Codes()
	f.Add(0, `{"cart":{"items":[{"name":"a","recipient":{"country":"US"}}]}}`)
	f.Add(0, `{"cart":[1,[2],{}],"shipping":null,"payer_account_number":"4111111111111111"}`)
	f.Fuzz(func(t *testing.T, n int, text string) {
		var tree map[string]any
		decoder := json.NewDecoder(strings.NewReader(text))
		decoder.UseNumber()
		if decoder.Decode(&tree) != nil {
			return
		}
		code := codes[uint(n)%uint(len(codes))]
		set, _ := c.Set(c.Sets()[uint(n)%uint(len(c.Sets()))])
		ctx := methods.Context{Code: "code"}
		require.Equal(t, set.Check(tree, methods.JSON, ctx), swapped(t, set.Check(tree, methods.Form, ctx)))
		c.Check(code, tree, methods.JSON, methods.Context{})
		c.Complete(code, tree, methods.JSON, methods.Context{})
	})
}
