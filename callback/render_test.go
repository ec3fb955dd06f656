package callback_test

import (
	"encoding/json"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/callback"
	"github.com/tollgatepay/gateway/store"
)

func render(t testing.TB, e callback.Event) []callback.Field {
	t.Helper()
	body, _, err := callback.Render(e)
	require.NoError(t, err)
	return fieldsOf(t, body)
}

// TestVectors compares bodies with hashes that were not computed here (testdata.md).
func TestVectors(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name  string
		row   documented
		setup func(*callback.Event)
		want  string
	}{
		{"4, Checkout callback", documented{protocol: store.Checkout, action: "sale", result: "success", status: store.Settled}, nil,
			"9eddb423ef8a8c2e36e8717eb5e638cdeb17d957"},
		{"2, CREDIT2CARD sample", documented{protocol: store.S2SCard, action: "CREDIT2CARD", result: "SUCCESS", status: store.Settled},
			func(e *callback.Event) {
				e.Payment.ID = "1d152122-6c86-11eb-8a49-0242ac120013"
				e.Merchant.Password = store.NewSecret("13a4822c5907ed235f3a068c76184fc3")
			}, "84dc0713fa38f18edb85da7aa94eca2e"},
		{"Formula 2", documented{protocol: store.S2SCard, action: "SALE", result: "DECLINED", status: store.Declined}, nil,
			"38dd914dd0487345bb60d27daeb4e531"},
		{"APM payout", documented{protocol: store.S2SAPM, action: "CREDIT2VIRTUAL", result: "SUCCESS", status: store.Settled}, nil,
			"7bde196075221db56a2cd3b8ebe2b996"},
		{"APM whole body", documented{protocol: store.S2SAPM, action: "SALE", result: "SUCCESS", status: store.Settled},
			func(e *callback.Event) {
				e.Transaction.Facts, e.Payment.Descriptor = store.Facts{}, ""
				e.Payment.CustomData = json.RawMessage(`{"b":"2","a":"1"}`)
			}, "fa74bb9059526313cff2021fd21f251b"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			e := event(c.row)
			if c.setup != nil {
				c.setup(&e)
			}
			require.Equal(t, c.want, value(render(t, e), "hash"))
		})
	}
}

var digitRuns = regexp.MustCompile(`[0-9]{12,}`)

// TestNothingOfACardButTheMask looks through every body for a card number, for internal data of the records, and
// for the password.
func TestNothingOfACardButTheMask(t *testing.T) {
	t.Parallel()
	private := []string{password, "acquirer-reference"}
	for _, c := range everyCallback() {
		e := event(c)
		for _, f := range render(t, e) {
			for _, run := range digitRuns.FindAllString(f.Value, -1) {
				_, err := store.ParsePAN(run)
				require.Error(t, err, "%s: %s has a card number", c, f.Name)
			}
			for _, text := range private {
				require.NotContains(t, strings.ToLower(f.Value), strings.ToLower(text), "%s: %s", c, f.Name)
			}
			if strings.Contains(f.Value, "*****") {
				require.Contains(t, []string{"card", "payee_card"}, f.Name, c)
				require.Regexp(t, `^[0-9]{6}\*{6}[0-9]{4}$`, f.Value)
			}
		}
	}
}

// TestCustomDataShadowsNothing sends custom data with the names of our parameters and with keys that try to break
// out of their brackets.
func TestCustomDataShadowsNothing(t *testing.T) {
	t.Parallel()
	for _, c := range everyCallback() {
		e := event(c)
		e.Payment.CustomData = nil
		plain := render(t, e)
		keys := map[string]any{"]&hash=0[": "x", "a]": "x", "[": "x", "]": map[string]string{"hash": "x"}}
		for _, f := range plain {
			keys[f.Name] = "shadow"
		}
		e.Payment.CustomData, _ = json.Marshal(keys)
		requireOwn(t, e, plain)
	}
}

// requireOwn requires that a body with custom data has our parameters as in plain; a whole-body hash covers the
// custom data too.
func requireOwn(t *testing.T, e callback.Event, plain []callback.Field) {
	t.Helper()
	body, _, err := callback.Render(e)
	require.NoError(t, err)
	form, err := url.ParseQuery(body)
	require.NoError(t, err)
	got := fieldsOf(t, body)
	require.Equal(t, []string{byHandOrGiven(t, e, got)}, form["hash"])
	ours := slices.DeleteFunc(got, func(f callback.Field) bool { return strings.HasPrefix(f.Name, "custom_data[") })
	require.Len(t, ours, len(plain))
	for i := range plain {
		require.Equal(t, plain[i].Name, ours[i].Name)
		if plain[i].Name != "hash" {
			require.Equal(t, plain[i].Value, ours[i].Value)
		}
	}
}

// byHandOrGiven: the reference reads plain names only, so for escaped names it returns the body's own hash.
func byHandOrGiven(t *testing.T, e callback.Event, body []callback.Field) string {
	t.Helper()
	if e.Payment.Protocol == store.S2SAPM {
		return value(body, "hash")
	}
	return byHand(t, e, body)
}

func FuzzCustomData(f *testing.F) {
	f.Add("hash", "x")
	f.Add("a]&hash=0[", "&hash=1")
	f.Add("", "\xff\x00")
	e := event(documented{protocol: store.S2SCard, action: "SALE", result: "SUCCESS", status: store.Settled})
	e.Payment.CustomData = nil
	plain := render(f, e)
	f.Fuzz(func(t *testing.T, key, text string) {
		e := e
		p := *e.Payment
		p.CustomData, _ = json.Marshal(map[string]any{key: text, "list": []string{key, text}})
		e.Payment = &p
		requireOwn(t, e, plain)
	})
}

// TestEmptyIsLeftOut: of our own parameters only those that are always sent may be empty.
func TestEmptyIsLeftOut(t *testing.T) {
	t.Parallel()
	for _, c := range everyCallback() {
		seen := map[string]bool{}
		for _, f := range render(t, event(c)) {
			require.False(t, seen[f.Name], "%s: %s twice", c, f.Name)
			seen[f.Name] = true
			if f.Value == "" {
				require.Contains(t, []string{"ARN", "redirect_params[Note]", "order_amount"}, f.Name, c)
				require.True(t, f.Name != "order_amount" || c.variant == "crypto-unchosen", c)
			}
		}
	}
}

// TestBare renders payments with almost no data.
func TestBare(t *testing.T) {
	t.Parallel()
	cases := []struct {
		protocol store.Protocol
		want     []string
	}{
		{store.Checkout, []string{"id", "order_number", "order_amount", "order_currency", "order_description", "order_status", "type",
			"status", "payment_id", "trans_id", "order_id", "customer_ip", "date", "ARN", "hash"}},
		{store.S2SCard, []string{"action", "result", "status", "order_id", "trans_id", "hash", "trans_date", "ARN"}},
		{store.S2SAPM, []string{"action", "result", "status", "order_id", "trans_id", "hash", "trans_date", "ARN"}},
	}
	for _, c := range cases {
		t.Run(string(c.protocol), func(t *testing.T) {
			t.Parallel()
			for _, kind := range store.Kinds() {
				fields := render(t, callback.Event{
					Type: "redirect", Status: "success",
					Payment:     &store.Payment{Protocol: c.protocol, Kind: kind},
					Transaction: &store.Transaction{Operation: store.OpSale},
					Merchant:    &store.Merchant{}, Mapping: &store.Mapping{Add: everything()},
				})
				names := make([]string, len(fields))
				for i, f := range fields {
					names[i] = f.Name
				}
				require.Equal(t, c.want, names)
			}
		})
	}
}

func TestSameBytes(t *testing.T) {
	t.Parallel()
	for _, c := range everyCallback() {
		first, _, err := callback.Render(event(c))
		require.NoError(t, err)
		e := event(c)
		if len(e.Payment.CustomData) > 0 { // the order of its keys does not matter
			e.Payment.CustomData = json.RawMessage(`{ "cart": {"gift": true, "items": ["tulip","rose"]}, "ref": "A-17"}`)
		}
		again, _, err := callback.Render(e)
		require.NoError(t, err)
		require.Equal(t, first, again, c)
	}
}

func TestRenderErrors(t *testing.T) {
	t.Parallel()
	e := event(documented{protocol: store.Checkout, action: "sale", result: "success", status: store.Settled})
	e.Payment.CustomData = json.RawMessage(`{"a":`)
	_, _, err := callback.Render(e)
	require.ErrorContains(t, err, "custom_data")

	e.Payment.Protocol = "fax"
	_, _, err = callback.Render(e)
	require.ErrorContains(t, err, `protocol "fax" has no callbacks`)
}
