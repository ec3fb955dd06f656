package strictjson_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/tollgatepay/gateway/internal/strictjson"
)

func TestDecodeFillsEveryField(t *testing.T) {
	t.Parallel()
	got, faults := sessions.Decode([]byte(sessionBody))
	require.Nil(t, faults)
	require.NoError(t, faults.Err())
	require.Equal(t, "5b6492f0-f8f5-11ea-976a-0242c0a85007", got.MerchantKey)
	require.Equal(t, []string{"card", "applepay"}, got.Methods)
	require.Equal(t, strictjson.Int{Set: true, Value: 60}, got.SessionExpiry)
	require.Equal(t, strictjson.Flag{Set: true, On: true}, got.Auth)
	require.True(t, *got.RecurringInit)
	require.Equal(t, strictjson.Given, got.ScheduleID.Presence)
	require.Equal(t, "57fddecf-17b9-4d38-9320-a670f0c29ec0", got.ScheduleID.Value)
	require.Equal(t, "https://shop.example/checkout/success?cart=7781", got.SuccessURL)
	require.Equal(t, "https://shop.example/checkout/error", *got.ErrorURL)
	require.Equal(t, order{"order-1234", "1000.55", "USD", "Two tickets, row 7, seats 12 and 13"}, got.Order)
	require.Equal(t, &customer{"John Doe", "john@shop.example", "1990-01-31"}, got.Customer)
	require.Equal(t, "Los Angeles", got.Billing.City)
	require.Equal(t, "2702f0ae3c1ce1a1ed5d6a8dc4e9f1be8e1ad0a5", got.Hash)
	require.Equal(t, `{"cart":7781,"source":"spring – mail","tags":["a","b"],"vip":false}`,
		string(got.CustomData.AppendJSON(nil)))
	require.True(t, got.Parameters.IsZero())
	require.Nil(t, got.Items)
}

func TestDecodeAccepts(t *testing.T) {
	t.Parallel()
	yes, no := true, false
	for _, c := range []struct {
		name, body string
		want       session
	}{
		{"empty object", ` {} `, session{}},
		{"null is absent", `{"operation":null,"methods":null,"customer":null,"order":null,"auth":null,"size":null,` +
			`"recurring_init":null,"consent":null,"custom_data":null,"items":null,"color":null}`, session{}},
		{"null is seen where asked for", `{"schedule_id":null}`,
			session{ScheduleID: strictjson.Optional[string]{Presence: strictjson.Null}}},
		{"empty text is given there", `{"schedule_id":""}`,
			session{ScheduleID: strictjson.Optional[string]{Presence: strictjson.Given}}},
		{"empty text is absent for loose types", `{"size":"","auth":"","rate":"","color":""}`, session{}},
		{"case variants are unknown", `{"operation":"a","OPERATION":"b","Operation":1}`, session{Operation: "a"}},
		{"Unicode folds are unknown", `{"hash":"a","ha\u017fh":"b","\u017fize":"c","mer\u212ahant_key":"d"}`,
			session{signed: signed{"a"}}},
		{"unknown keys of any type", `{"x":[1,{"y":null}],"z":{"a":{"a":1}},"w":1e999999,"":0}`, session{}},
		{"same unknown key on several levels", `{"order":{"q":1},"items":[{"q":1},{"q":1}],"q":{"q":1}}`,
			session{Items: []item{{}, {}}}},
		{"escaped key", `{"oper\u0061tion":"a"}`, session{Operation: "a"}},
		{"flags", `{"auth":false,"recurring_init":true}`, session{Auth: strictjson.Flag{Set: true}, RecurringInit: &yes}},
		{"flag N", `{"auth":"N","recurring_init":false}`, session{Auth: strictjson.Flag{Set: true}, RecurringInit: &no}},
		{"flag true", `{"auth":true}`, session{Auth: strictjson.Flag{Set: true, On: true}}},
		{"flag as text", `{"auth":"true"}`, session{Auth: strictjson.Flag{Set: true, On: true}}},
		{"flag as text, off", `{"auth":"false"}`, session{Auth: strictjson.Flag{Set: true}}},
		{"integer", `{"size":10}`, session{Size: strictjson.Int{Set: true, Value: 10}}},
		{"integer 0 is set", `{"size":0}`, session{Size: strictjson.Int{Set: true}}},
		{"integer as text", `{"size":"010"}`, session{Size: strictjson.Int{Set: true, Value: 10}}},
		{"largest integer", `{"size":999999999999999999}`, session{Size: strictjson.Int{Set: true, Value: 999999999999999999}}},
		{"number", `{"rate":-1.50e+3}`, session{Rate: "-1.50e+3"}},
		{"number as text", `{"rate":"0.10"}`, session{Rate: "0.10"}},
		{"pair of surrogates", `{"operation":"\ud83d\ude00\"\\\/\b\f\n\r\t"}`, session{Operation: "😀\"\\/\b\f\n\r\t"}},
		{"list of objects", `{"items":[{"name":"a","paid":true},{}]}`, session{Items: []item{{"a", true}, {}}}},
		{"empty list", `{"items":[],"methods":[]}`, session{Items: []item{}, Methods: []string{}}},
		{"skipped field of the struct", `{"Internal":"x","-":"y"}`, session{}},
		{"text hook", `{"color":"red"}`, session{Color: color{"red"}}},
		{"depth 16", `{"x":` + strings.Repeat("[", 15) + strings.Repeat("]", 15) + `}`, session{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got, faults := sessions.Decode([]byte(c.body))
			require.NoError(t, faults.Err())
			require.Equal(t, c.want, got)
		})
	}
}

func TestUnknownKeysAreListed(t *testing.T) {
	t.Parallel()
	type update struct {
		Amount string   `json:"amount"`
		Extra  []string `json:",unknown"`
		Order  struct {
			Extra []string `json:",unknown"`
		} `json:"order"`
	}
	decoder := strictjson.For[update](strictjson.Limits{})
	got, faults := decoder.Decode([]byte(`{"AMOUNT":"1","<script>":{"x":1},"amount":"2","a\nb":0,"order":{"y":1},"` +
		strings.Repeat("é", 40) + `":0}`))
	require.NoError(t, faults.Err())
	require.Equal(t, "2", got.Amount)
	require.Equal(t, []string{"AMOUNT", "<script>", "a\uFFFDb", strings.Repeat("é", 32) + "…"}, got.Extra)
	require.Equal(t, []string{"y"}, got.Order.Extra)
}

func TestResultDoesNotReferToBody(t *testing.T) {
	t.Parallel()
	body := []byte(sessionBody)
	got, _ := sessions.Decode(body)
	clear(body)
	again, _ := sessions.Decode([]byte(sessionBody))
	require.Equal(t, again, got)
}

func TestListsOfEveryType(t *testing.T) {
	t.Parallel()
	type lists struct {
		Flags    []strictjson.Flag             `json:"flags"`
		Pointers []*order                      `json:"pointers"`
		Maybe    []strictjson.Optional[string] `json:"maybe"`
		Any      []strictjson.Value            `json:"any"`
		Deep     [][]string                    `json:"deep" fault:"must be rows of text"`
		Color    *color                        `json:"color" fault:"must be red"`
	}
	decoder := strictjson.For[lists](strictjson.Limits{})
	got, faults := decoder.Decode([]byte(`{"flags":["Y",false],"pointers":[{"amount":"1"}],"maybe":["a",null],` +
		`"any":[null,1],"deep":[["a"],[],["b","c"]],"color":"red"}`))
	require.NoError(t, faults.Err())
	require.Equal(t, []strictjson.Flag{{Set: true, On: true}, {Set: true}}, got.Flags)
	require.Equal(t, "1", got.Pointers[0].Amount)
	require.Equal(t, []strictjson.Optional[string]{{Value: "a", Presence: strictjson.Given},
		{Presence: strictjson.Null}}, got.Maybe)
	require.Equal(t, []strictjson.Kind{strictjson.KindNull, strictjson.KindNumber},
		[]strictjson.Kind{got.Any[0].Kind(), got.Any[1].Kind()})
	require.Equal(t, [][]string{{"a"}, {}, {"b", "c"}}, got.Deep)
	require.Equal(t, &color{"red"}, got.Color)

	_, faults = decoder.Decode([]byte(`{"flags":[true,null],"pointers":[null],"deep":[["a",1],2],"color":"blue"}`))
	require.EqualError(t, faults.Err(), "flags[1]: must be true or false; pointers[0]: must be an object; "+
		"deep[0][1]: must be rows of text; deep[1]: must be rows of text; color: must be red")
}

func TestForRefusesWrongTables(t *testing.T) {
	t.Parallel()
	type endless struct {
		Next *endless `json:"next"`
	}
	limits := strictjson.Limits{}
	for _, c := range []struct {
		name, want string
		make       func()
	}{
		{"not a struct", "is not a struct", func() { strictjson.For[int](limits) }},
		{"hook as document", "decodes itself", func() { strictjson.For[strictjson.Flag](limits) }},
		{"no tag", ".A has no name", func() { strictjson.For[struct{ A string }](limits) }},
		{"float", ".A: type float64 is not supported", func() {
			strictjson.For[struct {
				A float64 `json:"a"`
			}](limits)
		}},
		{"map", "[]: type map[string]interface {} is not supported", func() {
			strictjson.For[struct {
				A []map[string]any `json:"a"`
			}](limits)
		}},
		{"foreign hook", "implements json.Unmarshaler", func() {
			strictjson.For[struct {
				A json.RawMessage `json:"a"`
			}](limits)
		}},
		{"endless", "contains itself", func() { strictjson.For[endless](limits) }},
		{"unknown of another type", "type []string", func() {
			strictjson.For[struct {
				A string `json:",unknown"`
			}](limits)
		}},
		{"limits", "limits out of range", func() { strictjson.For[session](strictjson.Limits{MaxKeys: 1001}) }},
		{"negative limits", "limits out of range", func() { strictjson.For[session](strictjson.Limits{MaxBytes: -1}) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			defer func() { require.Contains(t, recover(), c.want) }()
			c.make()
		})
	}
}
