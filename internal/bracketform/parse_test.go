package bracketform_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/tollgatepay/gateway/internal/bracketform"
)

type (
	object = map[string]any
	list   = []any
)

// trees returns all valid fields.
func trees(form bracketform.Form) object {
	all := object{}
	for _, name := range form.Names() {
		all[name] = form.Tree(name)
	}
	return all
}

func TestParse(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, body string
		want       object
	}{
		{"nothing", "", object{}},
		{"only separators", "&&&", object{}},
		{"scalars", "action=SALE&order_id=1", object{"action": "SALE", "order_id": "1"}},
		{"no value", "a&b=&c", object{"a": "", "b": "", "c": ""}},
		{"equals signs in the value", "hash=YQ==&b==", object{"hash": "YQ==", "b": "="}},
		{"spaces and escapes", "a+b=c+%2B%20%26%3d%3D", object{"a b": "c + &=="}},
		{"semicolon", "a=1;b=2", object{"a": "1;b=2"}},
		{"raw letters", "city=Köln&city2=K%C3%B6ln", object{"city": "Köln", "city2": "Köln"}},
		{"names keep case", "a=1&A=2", object{"a": "1", "A": "2"}},
		{"number as a field", "0=a&7=b", object{"0": "a", "7": "b"}},
		{"object", "custom_data[a][b]=c", object{"custom_data": object{"a": object{"b": "c"}}}},
		{"escaped brackets", "p%5Ba%5D%5B0%5d=x", object{"p": object{"a": list{"x"}}}},
		{"list of one", "methods[0]=card", object{"methods": list{"card"}}},
		{"begins anywhere", "p[5]=a", object{"p": list{"a"}}},
		{"gaps, backwards", "p[999999999]=c&p[7]=b&p[3]=a", object{"p": list{"a", "b", "c"}}},
		{"appended", "p[]=a&p[]=b", object{"p": list{"a", "b"}}},
		{"appended behind what is there", "p[5]=b&p[]=c&p[2]=a&p[]=d", object{"p": list{"a", "b", "c", "d"}}},
		{"appended below", "p[cart][items][][name]=a&p[cart][items][][name]=b", object{"p": object{"cart": object{"items": list{object{"name": "a"}, object{"name": "b"}}}}}},
		{"each an entry of its own", "p[][a]=1&p[][b]=2", object{"p": list{object{"a": "1"}, object{"b": "2"}}}},
		{"lists appended to a list", "p[][]=1&p[][]=2", object{"p": list{list{"1"}, list{"2"}}}},
		{"by number, not by letter", "p[10]=b&p[9]=a", object{"p": list{"a", "b"}}},
		{
			"list backwards", "payee_identifications[1][type]=IBAN&payee_identifications[0][type]=BIC" +
				"&payee_identifications[1][identification]=x",
			object{"payee_identifications": list{object{"type": "BIC"}, object{"type": "IBAN", "identification": "x"}}},
		},
		{
			"cart", "parameters[cart][items][0][recipient][city]=x&parameters[cart][items][0][name]=n&parameters[installment]=3",
			object{"parameters": object{
				"installment": "3",
				"cart":        object{"items": list{object{"name": "n", "recipient": object{"city": "x"}}}},
			}},
		},
		{"six levels", "a[b][c][d][e][f][g]=x", object{"a": object{"b": object{"c": object{"d": object{"e": object{"f": object{"g": "x"}}}}}}}},
		{"no numbers", "d[2026-01-02]=a&d[1.2.3]=b&d[3ds]=c&d[e5]=d&d[0x1]=e&d[%2B]=f&d[5e]=g&d[- 1]=h", object{"d": object{
			"2026-01-02": "a", "1.2.3": "b", "3ds": "c", "e5": "d", "0x1": "e", "+": "f", "5e": "g", "- 1": "h",
		}}},
		{"odd keys", "d[__proto__]=a&d[a.b]=b&d[a%26b]=c&d[ ]=d", object{"d": object{"__proto__": "a", "a.b": "b", "a&b": "c", " ": "d"}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			form, faults := bracketform.Parse([]byte(test.body), bracketform.Limits{})
			require.NoError(t, faults.Err())
			require.Equal(t, test.want, trees(form))
			same, faults := bracketform.FromPairs(form.Pairs(), bracketform.Limits{})
			require.NoError(t, faults.Err())
			require.Equal(t, test.want, trees(same))
		})
	}
}

func TestForm(t *testing.T) {
	t.Parallel()
	form, faults := bracketform.Parse([]byte("b=1&p[z]=2&a=&p[a][1]=4&p[a][0]=3"), bracketform.Limits{})
	require.NoError(t, faults.Err())
	require.Equal(t, []string{"b", "p", "a"}, form.Names())

	value, given := form.Scalar("b")
	require.True(t, given)
	require.Equal(t, "1", value)
	value, given = form.Scalar("a")
	require.True(t, given, "an empty value is kept")
	require.Empty(t, value)
	for _, absent := range []string{"p", "c", "", "p[z]", "z"} {
		value, given = form.Scalar(absent)
		require.False(t, given, absent)
		require.Empty(t, value)
	}
	require.Nil(t, form.Tree("c"))
	require.Equal(t, "1", form.Tree("b"))

	var names []string
	for name, value := range form.Pairs() {
		names = append(names, name+"="+value)
	}
	require.Equal(t, []string{"b=1", "p[z]=2", "p[a][0]=3", "p[a][1]=4", "a="}, names)
	for range form.Pairs() {
		break // must not continue
	}

	first := form.Tree("p").(object)
	clear(first)
	require.NotEmpty(t, form.Tree("p"), "the caller's copy is its own")
}

func TestZeroForm(t *testing.T) {
	t.Parallel()
	var form bracketform.Form
	require.Empty(t, form.Names())
	require.Nil(t, form.Tree("a"))
	_, given := form.Scalar("a")
	require.False(t, given)
	require.Empty(t, bracketform.Encode(form))
}

func TestParseKeepsNoBody(t *testing.T) {
	t.Parallel()
	body := []byte("a=1&p[x]=2")
	form, _ := bracketform.Parse(body, bracketform.Limits{})
	clear(body)
	require.Equal(t, object{"a": "1", "p": object{"x": "2"}}, trees(form))
}

func TestParseBody(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, contentType, body, fault string }{
		{"plain", "application/x-www-form-urlencoded", "a=1", ""},
		{"charset", "Application/X-WWW-Form-URLencoded; charset=UTF-8", "a=1", ""},
		{"multipart", "multipart/form-data; boundary=x", multi("x", "a", "1"), ""},
		{"quoted boundary", `multipart/form-data; boundary="a b"`, multi("a b", "a", "1"), ""},
		{"no boundary", "multipart/form-data", multi("x", "a", "1"), "body: must be well-formed multipart/form-data"},
		{"other charset", "application/x-www-form-urlencoded; charset=iso-8859-1", "a=1", mediaType},
		{"JSON", "application/json", "a=1", mediaType},
		{"other multipart", "multipart/mixed; boundary=x", multi("x", "a", "1"), mediaType},
		{"none", "", "a=1", mediaType},
		{"broken", "application/x-www-form-urlencoded; =", "a=1", mediaType},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			form, faults := bracketform.ParseBody(test.contentType, []byte(test.body), bracketform.Limits{})
			if test.fault != "" {
				require.EqualError(t, faults.Err(), test.fault)
				require.Empty(t, form.Names())
				return
			}
			require.NoError(t, faults.Err())
			require.Equal(t, object{"a": "1"}, trees(form))
		})
	}
}

const mediaType = "body: must be application/x-www-form-urlencoded or multipart/form-data"

func TestNames(t *testing.T) {
	t.Parallel()
	form, _ := bracketform.Parse([]byte("z=1&a=2&z2=3&a2[x]=4"), bracketform.Limits{})
	require.Equal(t, []string{"z", "a", "z2", "a2"}, form.Names())
	require.Equal(t, []string{"a", "a2", "z", "z2"}, slices.Sorted(maps.Keys(trees(form))))
}
