package s2sclient

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const (
	sampleTrans = "50a1361a-7c2e-11f1-b8d4-0242ac120002"
	sampleToken = "f5d6a0ab6fcfb6487a39e2256e50fff3c95aaa97075ee5e539bb662fceff4dc1"
	visa        = "4111111111111111"
	payee       = "4601541833776519"
	doe         = "doe@example.com"
	mail        = "success@gmail.com"
	guidePass   = "13a4822c5907ed235f3a068c76184fc3"
	pass        = "m3rch4ntP4ss"
)

// The verified and the regression vectors of testdata.md.
func TestVectors(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		formula Formula
		in      Inputs
		want    string
	}{
		{"verified 1", Formula1, Inputs{Email: doe, Card: visa, Password: guidePass}, "2702ae0c4f99506dc29b5615ba9ee3c0"},
		{"verified 2", Formula6, Inputs{TransID: "1d152122-6c86-11eb-8a49-0242ac120013", Card: payee, Password: guidePass}, "84dc0713fa38f18edb85da7aa94eca2e"},
		{"token", Formula1, Inputs{Email: doe, CardToken: sampleToken, Password: pass}, "c9a4907e279b207ef0663f581076430e"},
		{"F2", Formula2, Inputs{Email: doe, TransID: sampleTrans, Card: visa, Password: pass}, "38dd914dd0487345bb60d27daeb4e531"},
		{"F3", Formula3, Inputs{Password: pass}, "35b7c8b50a964eca3fcd89ab6386d711"},
		{"F4", Formula4, Inputs{ScheduleID: "9d0f5cc4-f07b-11ec-abf4-0242ac120006", Password: pass}, "5dd07365ebc7e87ffca6b2f7bccc98a7"},
		{"F5", Formula5, Inputs{Card: payee, Password: pass}, "2f209764b80ee250c94b3abf53165b93"},
		{"F6", Formula6, Inputs{TransID: sampleTrans, Card: payee, Password: pass}, "42f32c25079c9bfaf0f6ccb660f67356"},
		{"F7", Formula7, Inputs{Email: doe, OrderID: "order-1234", Card: visa, Password: pass}, "a4833e2e76c596779f531ee419e9444e"},
		{"F8", Formula8, Inputs{Email: doe, Password: pass}, "46c2f229cc752d72662ab832c6b65499"},
		{"APM SALE", APMSale, Inputs{Identifier: mail, OrderID: "order-1234", Amount: "10.00", Currency: "USD", Password: pass}, "7440b8c58ef7a7b9df0fc5557dcadc78"},
		{"APM CREDITVOID", APMCreditVoid, Inputs{TransID: sampleTrans, Password: pass}, "7b7a464ead8e23b0064586dd3d778844"},
		{"APM VOID", TransID, Inputs{TransID: sampleTrans, Password: pass}, "4c91a566afff47a95a235f294490ed2e"},
		{"APM VOID, other reading", TransID, Inputs{TransID: sampleTrans, Password: pass, UpperAPMPass: true}, "be74013785a064faa4b64b74f753bf56"},
		{"CREDIT2VIRTUAL", Payout, Inputs{OrderID: "order-1234", Amount: "10.00", Currency: "USD", Password: pass}, "7e726b491a59c55ca3fe18fba457c3ee"},
		{"CREDIT2VIRTUAL callback", PayoutBack, Inputs{TransID: sampleTrans, OrderID: "order-1234", Status: "SETTLED", Password: pass}, "7bde196075221db56a2cd3b8ebe2b996"},
		{"APM callback", WholeBody, Inputs{Password: pass, Body: sampleBody}, "fa74bb9059526313cff2021fd21f251b"},
		{"worked example", WholeBody, Inputs{Password: "PASSWORD", Body: workedBody}, "d06ab8acdcc18dfff21ffd964fd3c18e"},
		{"unknown", "CARD 9", Inputs{Password: pass}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, c.formula.Digest(c.in))
		})
	}
}

var sampleBody = []Pair{
	{"action", "SALE"}, {"result", "SUCCESS"}, {"status", "SETTLED"}, {"order_id", "order-1234"},
	{"trans_id", sampleTrans}, {"hash", "of no account"}, {"trans_date", "2026-01-02 03:04:05"},
	{"amount", "10.00"}, {"currency", "USD"}, {"custom_data[b]", "2"}, {"custom_data[a]", "1"},
}

var workedBody = []Pair{
	{"action", "sale"}, {"result", "SUCCESS"}, {"amount", "9.22"}, {"transactions[ctrans1]", "123"},
	{"transactions[atrans2]", "32"}, {"transactions[itrans2]", "325"},
}

func TestWorkedExampleText(t *testing.T) {
	t.Parallel()
	text, ok := WholeBody.text(Inputs{Password: "PASSWORD", Body: workedBody})
	require.True(t, ok)
	require.Equal(t, "ELAS22.9SSECCUS23321523PASSWORD", text)
}

func TestNestedBodies(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, body, want string }{
		{"numbers by value", "a[10]=x&a[9]=y", "yx"},
		{"names by bytes", "b=1&B=2&a=3", "231"},
		{"entries without a name", "a[]=x&a[]=y", "xy"},
		{"in place", "a=1&b[z]=2&b[y][k]=3&c=4", "1324"},
		{"hash inside stays", "a[hash]=12&hash=34", "21"},
		{"letters are torn", "a=%C3%A9", "\xa9\xc3"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			pairs, err := ParseBody(c.body)
			require.NoError(t, err)
			require.Equal(t, c.want, wholeBody(pairs))
		})
	}
}

func TestUpper(t *testing.T) {
	t.Parallel()
	ascii, unicode := Inputs{}, Inputs{Unicode: true}
	require.Equal(t, "STRAßE é", ascii.upper("straße é"))
	require.Equal(t, "STRASSE É", unicode.upper("straße é"))
	require.Equal(t, "A\xa9\xc3", unicode.upper("a\xa9\xc3"))
}

func TestSHA256AndShortCards(t *testing.T) {
	t.Parallel()
	require.Len(t, Formula1.Digest(Inputs{Email: doe, Card: visa, Password: pass, SHA256: true}), 64)
	require.Equal(t, "1234"+"1234", ends("1234"))
	require.Empty(t, ends(""))
	require.Equal(t, Formula8.Digest(Inputs{Email: doe, Password: pass}),
		Formula1.Digest(Inputs{Email: doe, Password: pass}))
}

func FuzzBody(f *testing.F) {
	f.Add("a[b][c]=1&a[]=2&hash=3&x=%zz")
	f.Fuzz(func(t *testing.T, body string) {
		pairs, err := ParseBody(body)
		if err != nil {
			return
		}
		length := 0
		for _, p := range pairs {
			if p.Name != "hash" {
				length += len(p.Value)
			}
		}
		require.LessOrEqual(t, len(wholeBody(pairs)), length)
	})
}

func FuzzObject(f *testing.F) {
	f.Add([]byte(`{"a":[1,{"b":null}],"c":"d"}`))
	f.Add([]byte(strings.Repeat(`{"a":`, 50)))
	f.Fuzz(func(t *testing.T, body []byte) {
		if object, err := ParseObject(body); err == nil {
			require.NotNil(t, object)
			require.True(t, object.InOrder(object.Names()...))
		}
	})
}
