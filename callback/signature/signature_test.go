package signature

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestVerifyReadings(t *testing.T) {
	t.Parallel()
	foreign := order()
	foreign.Description = "Straße é ﬁ"
	trans := Inputs{TransID: id4}
	cases := []struct {
		name     string
		formula  Formula
		in       Inputs
		password string
		hash     string
		want     bool
	}{
		{"capitals of ASCII", CheckoutSession, foreign, shop, "5a6e58789b5287e8a97c47846a814259b6d9689a", true},
		{"capitals of Unicode", CheckoutSession, foreign, shop, "006a87be7b82611baf2a35ef2d5477459bbfca51", true},
		{"password as it is", APMTrans, trans, shop, "4c91a566afff47a95a235f294490ed2e", true},
		{"password in capitals", APMTrans, trans, shop, "be74013785a064faa4b64b74f753bf56", true},
		{"foreign password as it is", APMTrans, trans, "päß", foreignPassword["as is"], true},
		{"foreign password, ASCII", APMTrans, trans, "päß", foreignPassword["ASCII"], true},
		{"foreign password, Unicode", APMTrans, trans, "päß", foreignPassword["Unicode"], true},
		{"foreign password, only one letter", APMTrans, trans, "päß", foreignPassword["mixed"], false},
		{"hash in capitals", APMTrans, trans, shop, "4C91A566AFFF47A95A235F294490ED2E", false},
		{"space before", APMTrans, trans, shop, " 4c91a566afff47a95a235f294490ed2e", false},
		{"space behind", APMTrans, trans, shop, "4c91a566afff47a95a235f294490ed2e ", false},
		{"zero byte behind", APMTrans, trans, shop, "4c91a566afff47a95a235f294490ed2e\x00", false},
		{"unknown formula", 0, trans, shop, "d41d8cd98f00b204e9800998ecf8427e", false},
		{"unknown formula, no hash", 0, trans, shop, "", false},
		{"formula beyond the table", APMCallback + 1, trans, shop, "", false},
		{"other formula", APMCreditvoid, trans, shop, "4c91a566afff47a95a235f294490ed2e", false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, Verify(c.formula, MD5, c.in, c.password, c.hash))
		})
	}
}

// foreignPassword: APMTrans of id4 with the password päß, in each reading; computed with other software.
var foreignPassword = map[string]string{
	"as is":   "6aa1fed79dda3f34ceb683b1835d2377",
	"ASCII":   "e4f99a8886fa39b7131a8a376cb019f8",
	"Unicode": "e5160ec07602b2388ed402ca57cfe53b",
	"mixed":   "5840cd13bdf12653f383cb165baf4707",
}

func TestSignSendsASCIICapitals(t *testing.T) {
	t.Parallel()
	in := order()
	in.Description = "Straße é ﬁ"
	require.Equal(t, "5a6e58789b5287e8a97c47846a814259b6d9689a", Sign(CheckoutSession, MD5, in, shop))
	require.Equal(t, foreignPassword["as is"], Sign(APMTrans, MD5, Inputs{TransID: id4}, "päß"))
}

func TestWrongLength(t *testing.T) {
	t.Parallel()
	for _, c := range golden {
		long := c.want + strings.Repeat("0", 80)
		for size := range len(long) {
			got := Verify(c.formula, c.mode, c.in, c.password, long[:size])
			require.Equal(t, size == len(c.want), got, "%s, %d characters", c.name, size)
		}
	}
}

func TestEmptyPassword(t *testing.T) {
	t.Parallel()
	for _, c := range golden {
		hash := Sign(c.formula, c.mode, c.in, "")
		require.NotEmpty(t, hash)
		require.False(t, Verify(c.formula, c.mode, c.in, "", hash), c.name)
		require.False(t, VerifyAny([]Formula{c.formula}, c.mode, c.in, "", hash), c.name)
	}
}

func TestUnknown(t *testing.T) {
	t.Parallel()
	require.Empty(t, Sign(0, MD5, order(), shop))
	require.Empty(t, Sign(APMCallback+1, MD5, order(), shop))
	require.Empty(t, Sign(CheckoutSession, SHA256+1, order(), shop))
	require.False(t, Verify(CheckoutSession, SHA256+1, order(), shop, ""))
	require.False(t, Verify(CheckoutSession, SHA256+1, order(), shop, Sign(CheckoutSession, MD5, order(), shop)))
}

func TestModesDiffer(t *testing.T) {
	t.Parallel()
	for _, c := range golden {
		require.False(t, Verify(c.formula, SHA256-c.mode, c.in, c.password, c.want), c.name)
	}
}

func TestVerifyAny(t *testing.T) {
	t.Parallel()
	in := Inputs{Email: "doe@example.com", TransID: id4, Card: pan}
	both := []Formula{Card2, APMTrans}
	require.True(t, VerifyAny(both, MD5, in, shop, Sign(Card2, MD5, in, shop)))
	require.True(t, VerifyAny(both, MD5, in, shop, Sign(APMTrans, MD5, in, shop)))
	require.False(t, VerifyAny(both, MD5, in, shop, Sign(APMCreditvoid, MD5, in, shop)))
	require.False(t, VerifyAny(nil, MD5, in, shop, ""))
	require.False(t, VerifyAny([]Formula{0}, MD5, in, shop, ""))
}

func TestCardForms(t *testing.T) {
	t.Parallel()
	whole := Sign(Card5, MD5, Inputs{Card: pan}, shop)
	for _, masked := range []string{"411111******1111", "411111****1111", "4111111111"} {
		require.Equal(t, whole, Sign(Card5, MD5, Inputs{Card: masked}, shop), masked)
	}
	require.NotEqual(t, whole, Sign(Card5, MD5, Inputs{Card: "4111121111111111"}, shop))
	for number, want := range map[string]string{"": "", "1": "11", "12345": "123452345", "1234567": "1234564567"} {
		require.Equal(t, want, string(appendCard(nil, number)), number)
	}
}

func TestBody(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name string
		form url.Values
		want string
	}{
		{"nothing", nil, ""},
		{"by name, reversed one by one", url.Values{"b": {"34"}, "a": {"12"}}, "2143"},
		{"hash passed over", url.Values{"b": {"2"}, "hash": {"x"}}, "2"},
		{"nested hash kept", url.Values{"a[hash]": {"1"}, "hash": {"x"}}, "1"},
		{"empty value", url.Values{"a": {""}, "b": {"2"}, "c": nil}, "2"},
		{"nested in place", url.Values{"m[z]": {"2"}, "m[a]": {"1"}, "n": {"3"}, "a": {"0"}}, "0123"},
		{"bracket sorts with its array", url.Values{"m[a]": {"2"}, "ma": {"4"}, "m": {"1"}, "m_": {"3"}}, "1234"},
		{"three levels", url.Values{"m[b][a]": {"3"}, "m[a][z]": {"2"}, "m[a][y]": {"1"}}, "123"},
		{"list by value", url.Values{"m[10]": {"3"}, "m[9]": {"2"}, "m[-1]": {"1"}, "m[x]": {"4"}}, "1234"},
		{"no whole number", url.Values{"m[010]": {"1"}, "m[09]": {"2"}, "m[9223372036854775808]": {"3"}}, "123"},
		{"last of equal names", url.Values{"a": {"1", "2"}}, "2"},
		{"open list", url.Values{"a[]": {"1", "2"}, "b": {"3"}}, "123"},
		{"unclosed bracket", url.Values{"a[b": {"1"}, "b": {"2"}}, "12"},
		{"bytes, not characters", url.Values{"a": {"é"}}, "\xa9\xc3"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, string(appendBody(nil, c.form)))
		})
	}
}

func TestEmptyInputsAreLeftOut(t *testing.T) {
	t.Parallel()
	in := Inputs{Email: "doe@example.com", TransID: id4, Card: pan}
	noEmail := Inputs{TransID: id4, Card: pan}
	require.Equal(t, Sign(Card6, MD5, in, shop), Sign(Card2, MD5, noEmail, shop))
	require.Equal(t, Sign(Card8, MD5, in, shop), Sign(Card1, MD5, Inputs{Email: in.Email}, shop))
	require.Equal(t, Sign(Card5, MD5, in, shop), Sign(Card1, MD5, noEmail, shop))
}

func TestOnlyKnownAmbiguity(t *testing.T) {
	t.Parallel()
	base := Sign(CheckoutSession, MD5, order(), shop)
	moved := Inputs{OrderNumber: "order-12341", Amount: "0.00USD", Description: "IMPORTANT GIFT"}
	require.Equal(t, base, Sign(CheckoutSession, MD5, moved, shop))
	for _, c := range []Inputs{
		{OrderNumber: "order-1234", Amount: "10.0", Currency: "USD", Description: "Important gift"},
		{OrderNumber: "order-1234", Amount: "10.00", Currency: "EUR", Description: "Important gift"},
		{OrderNumber: "order-1235", Amount: "10.00", Currency: "USD", Description: "Important gift"},
		{OrderNumber: "order-1234", Amount: "10.00", Currency: "USD", Description: "Important  gift"},
	} {
		require.False(t, Verify(CheckoutSession, MD5, c, shop, base))
	}
	require.True(t, Verify(CheckoutSession, MD5, order(), strings.ToUpper(shop), base))
	require.False(t, Verify(CheckoutSession, MD5, order(), shop+"1", base))
}

func TestInputsAreHidden(t *testing.T) {
	t.Parallel()
	in := Inputs{Card: pan, Email: "doe@example.com"}
	encoded, err := json.Marshal(struct{ In Inputs }{in})
	require.NoError(t, err)
	for _, text := range []string{
		string(encoded), fmt.Sprint(in), fmt.Sprintf("%+v", struct{ In Inputs }{in}), fmt.Sprintf("%#v %q %x", in, in, &in),
	} {
		require.NotContains(t, text, pan)
		require.NotContains(t, text, "doe@")
		require.NotContains(t, text, fmt.Sprintf("%x", pan))
		require.Contains(t, text, "signature.Inputs")
	}
}

func TestAllocations(t *testing.T) { // testing.AllocsPerRun does not work in parallel tests
	in, hash := paid(), golden[3].want
	r := CheckoutCallback.row()
	require.Zero(t, testing.AllocsPerRun(50, func() { r.sign(MD5, &in, shop) }))
	require.Zero(t, testing.AllocsPerRun(50, func() { r.sign(SHA256, &in, shop) }))
	require.Zero(t, testing.AllocsPerRun(50, func() { Verify(CheckoutCallback, MD5, in, shop, hash) }))
	require.Zero(t, testing.AllocsPerRun(50, func() { VerifyAny([]Formula{Card2, APMTrans}, MD5, in, shop, hash) }))
	require.LessOrEqual(t, testing.AllocsPerRun(50, func() { _ = Sign(CheckoutCallback, MD5, in, shop) }), 1.0)
}
