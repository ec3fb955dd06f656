package methods_test

import (
	"encoding/json"
	"maps"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/store"
)

const network = "parameters[network_type]"

// TestNetworkIsForUSDT: the network and its default apply to one asset.
func TestNetworkIsForUSDT(t *testing.T) {
	t.Parallel()
	c := catalogue(t)
	misplaced := methods.Fault{Path: network, Text: "may be sent only where crypto_type is USDT"}
	unknown := methods.Fault{Path: network, Text: "must be one of eth, tron"}
	for _, tc := range []struct {
		name, code string
		tree       tree
		faults     []methods.Fault
		network    any // in the completed parameters
	}{
		{"chosen", "crypto-wallet", tree{"crypto_type": "USDT", "network_type": "tron"}, nil, "tron"},
		{"by default", "crypto-wallet", tree{"crypto_type": "USDT"}, nil, "eth"},
		{"another asset", "crypto-wallet", tree{"crypto_type": "BTC"}, nil, nil},
		{"sent with another asset", "crypto-wallet", tree{"crypto_type": "BTC", "network_type": "eth"}, []methods.Fault{misplaced}, "eth"},
		{"other letter case", "crypto-wallet", tree{"crypto_type": "usdt", "network_type": "eth"}, []methods.Fault{misplaced}, "eth"},
		{"wrong in both ways", "crypto-wallet", tree{"crypto_type": "BTC", "network_type": "x"}, []methods.Fault{misplaced, unknown}, "x"},
		{"a required asset is absent", "crypto-wallet", tree{"network_type": "eth"}, blank("parameters[crypto_type]"), "eth"},
		{"unknown asset", "crypto-wallet", tree{"crypto_type": tree{"a": "b"}, "network_type": "eth"},
			[]methods.Fault{{Path: "parameters[crypto_type]", Text: "must be a single value"}}, "eth"},
		{"no asset", "awcc", tree{"network_type": "tron"}, nil, "tron"},
		{"nothing", "awcc", nil, nil, nil},
		{"by default, awcc", "awcc", tree{"crypto_type": "USDT"}, nil, "eth"},
		{"awcc with another asset", "awcc", tree{"crypto_type": "ETH", "network_type": "eth"}, []methods.Fault{misplaced}, "eth"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tc.faults, c.Check(tc.code, tc.tree, methods.Form, methods.Context{}))
			require.Equal(t, tc.network, c.Complete(tc.code, tc.tree, methods.Form, methods.Context{})["network_type"])
		})
	}
}

func bound(row methods.Row, others ...methods.Row) methods.Set {
	return methods.Set{Name: "one", Rows: append([]methods.Row{row}, others...)}
}

// TestWhere: a required row is required only where it applies, at any depth, and its JSON says so.
func TestWhere(t *testing.T) {
	t.Parallel()
	text := methods.Rule{Kind: methods.RuleString}
	kind := methods.Row{Path: "kind", Requirement: methods.Optional, Rule: text}
	row := methods.Row{Path: "list[].a", Requirement: methods.Required, Rule: text,
		Where: methods.Where{Path: "kind", Values: []string{"x", "y"}}}
	record, err := json.Marshal(bound(row, kind))
	require.NoError(t, err)
	require.Contains(t, string(record), `"where":{"path":"kind","values":["x","y"]}`)
	require.Equal(t, 1, strings.Count(string(record), `"where"`))
	var set methods.Set
	require.NoError(t, json.Unmarshal(record, &set))
	checker, err := methods.Compile(set)
	require.NoError(t, err)
	require.Equal(t, "required, only where `kind` is `x` or `y`", row.Words())
	items := []any{tree{"b": "c"}}
	require.Equal(t, blank("parameters[list][0][a]"),
		checker.Check(tree{"kind": "y", "list": items}, methods.Form, methods.Context{}))
	require.Empty(t, checker.Check(tree{"kind": "z", "list": items}, methods.Form, methods.Context{}))
	require.Empty(t, checker.Check(nil, methods.Form, methods.Context{}))
}

func TestRefusedWhere(t *testing.T) {
	t.Parallel()
	text := methods.Rule{Kind: methods.RuleString}
	other := methods.Row{Path: "b", Requirement: methods.Optional, Rule: text}
	row := func(path string, values ...string) methods.Row {
		return methods.Row{Path: "a", Requirement: methods.Optional, Rule: text,
			Where: methods.Where{Path: path, Values: values}}
	}
	request, deep, filled := row("b", "x"), other, other
	request.Path, request.Request = "order_id", true
	deep.Path, filled.Default = "b.c", "x"
	for _, tc := range []struct {
		name string
		set  methods.Set
		text string
	}{
		{"no such parameter", bound(row("c", "x"), other), "another parameter at the top level"},
		{"itself", bound(row("a", "x"), other), "another parameter at the top level"},
		{"no path", bound(row("", "x"), other), "another parameter at the top level"},
		{"below the top level", bound(row("b.c", "x"), deep), "another parameter at the top level"},
		{"with a default", bound(row("b", "x"), filled), "another parameter at the top level"},
		{"no values", bound(row("b"), other), "needs values"},
		{"empty value", bound(row("b", "x", ""), other), "needs values"},
		{"of the request", bound(request, other), "cannot have a where"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			_, err := methods.Compile(tc.set)
			require.ErrorContains(t, err, tc.text)
		})
	}
}

// TestBeside: a name and a content that are ignored without each other are neither checked nor passed on alone (SPEC2,
// "Other method parameter sets"), of payments and of payouts.
func TestBeside(t *testing.T) {
	t.Parallel()
	c := catalogue(t)
	const name, content = "NarrativeFileName", "NarrativeFileBase64"
	for _, tc := range []struct {
		name   string
		tree   tree
		faults []methods.Fault
		passed tree
	}{
		{"both", tree{name: "a.pdf", content: "YQ=="}, nil, tree{name: "a.pdf", content: "YQ=="}},
		{"both, and the content is broken", tree{name: "a.pdf", content: "%%"},
			[]methods.Fault{{Path: "parameters[" + content + "]", Text: "must be base64"}}, tree{name: "a.pdf", content: "%%"}},
		{"a name alone", tree{name: "a.pdf"}, nil, tree{}},
		{"a content alone", tree{content: "YQ=="}, nil, tree{}},
		{"a broken content alone", tree{content: "%%"}, nil, tree{}},
		{"a broken content beside an empty name", tree{name: "", content: "%%"}, nil, tree{name: ""}},
		{"others", tree{name: "a.pdf", "ProviderReferenceText": "x"}, nil, tree{"ProviderReferenceText": "x"}},
	} {
		for _, kind := range []store.Operation{store.OpSale, store.OpCredit} {
			t.Run(tc.name+" "+string(kind), func(t *testing.T) {
				t.Parallel()
				ctx, sent, passed := methods.Context{Operation: kind}, maps.Clone(tc.tree), maps.Clone(tc.passed)
				if kind == store.OpCredit {
					sent["payee_phone"], passed["payee_phone"] = "256700000000", "256700000000"
				}
				require.Equal(t, tc.faults, c.Check("yo-uganda-limited", sent, methods.Form, ctx))
				require.Equal(t, passed, tree(c.Complete("yo-uganda-limited", sent, methods.Form, ctx)))
			})
		}
	}
}

func TestRefusedBeside(t *testing.T) {
	t.Parallel()
	text := methods.Rule{Kind: methods.RuleString}
	other := methods.Row{Path: "b", Requirement: methods.Optional, Rule: text}
	deep, field, request := other, other, other
	deep.Path, field.Path, field.Request, request.Path, request.Request = "b.c", "order_id", true, "order_id", true
	for name, tc := range map[string]struct {
		row, other methods.Row
		beside     string
		refused    bool
	}{
		"another parameter":   {methods.Row{Path: "a"}, other, "b", false},
		"no such parameter":   {methods.Row{Path: "a"}, other, "c", true},
		"itself":              {methods.Row{Path: "a"}, other, "a", true},
		"below the top level": {methods.Row{Path: "a"}, deep, "b.c", true},
		"of the request":      {methods.Row{Path: "a"}, field, "order_id", true},
		"a field itself":      {request, other, "b", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			row := tc.row
			row.Requirement, row.Rule, row.Beside = methods.Optional, text, tc.beside
			_, err := methods.Compile(bound(row, tc.other))
			if !tc.refused {
				require.NoError(t, err)
				require.Equal(t, "optional, ignored without `b`", row.Words())
				return
			}
			require.ErrorContains(t, err, "beside must name another parameter at the top level")
		})
	}
}
