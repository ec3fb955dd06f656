package signature

import (
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"
)

const (
	shop     = "m3rch4ntP4ss"
	document = "13a4822c5907ed235f3a068c76184fc3" // the password that CARD562 prints in appendix B
	id4      = "50a1361a-7c2e-11f1-b8d4-0242ac120002"
	pan      = "4111111111111111"
	payout   = "4601541833776519"
	token    = "f5d6a0ab6fcfb6487a39e2256e50fff3c95aaa97075ee5e539bb662fceff4dc1"
)

// golden holds every vector of testdata.md. Those marked own were computed with other software from the
// text of the formula.
var golden = []struct {
	name     string
	formula  Formula
	mode     Mode
	in       Inputs
	password string
	want     string
}{
	{"verified 1", Card1, MD5, Inputs{Email: "doe@example.com", Card: pan}, document, "2702ae0c4f99506dc29b5615ba9ee3c0"},
	{"verified 2", Card6, MD5, Inputs{TransID: "1d152122-6c86-11eb-8a49-0242ac120013", Card: payout}, document, "84dc0713fa38f18edb85da7aa94eca2e"},
	{"verified 3", CheckoutSession, MD5, order(), shop, "29478736ac36042734a48df28522e1ddb9255cf3"},
	{"verified 4", CheckoutCallback, MD5, paid(), shop, "9eddb423ef8a8c2e36e8717eb5e638cdeb17d957"},
	{"verified 5", CheckoutPayment, MD5, Inputs{PaymentID: id4}, shop, "e505b0a63333c82df960b878530a4980c82cfc69"},
	{"verified 6", CheckoutOrder, MD5, Inputs{OrderID: "order-1234"}, shop, "8d2d3032e471f6782aa070301d6de8aeb807f6fc"},
	{"verified 7", CheckoutSession, SHA256, order(), shop, "032fff8973d1350b3ce5d59f55a9b616bce7c0bd"},

	{"capture and refund", CheckoutAmount, MD5, Inputs{PaymentID: id4, Amount: "10.00"}, shop, "202f45ba7913b4536f0591a9a1eeca8ffbd0c9da"},
	{"recurring", CheckoutRecurring, MD5, recurring(), shop, "f3acca35c0b2403e13ebcc06d2cce415ca71eca6"},
	{"card credit", CheckoutCredit, MD5, Inputs{OrderID: "order-1234", Amount: "10.00", Currency: "USD", Description: "Important gift"}, shop, "29478736ac36042734a48df28522e1ddb9255cf3"},
	{"F1 token", Card1Token, MD5, Inputs{Email: "doe@example.com", CardToken: token}, shop, "c9a4907e279b207ef0663f581076430e"},
	{"F2", Card2, MD5, Inputs{Email: "doe@example.com", TransID: id4, Card: pan}, shop, "38dd914dd0487345bb60d27daeb4e531"},
	{"F3", Card3, MD5, Inputs{}, shop, "35b7c8b50a964eca3fcd89ab6386d711"},
	{"F4", Card4, MD5, Inputs{ScheduleID: "9d0f5cc4-f07b-11ec-abf4-0242ac120006"}, shop, "5dd07365ebc7e87ffca6b2f7bccc98a7"},
	{"F5", Card5, MD5, Inputs{Card: payout}, shop, "2f209764b80ee250c94b3abf53165b93"},
	{"F5 token, own", Card5Token, MD5, Inputs{CardToken: token}, shop, "d411dad7b528abf7bfcc9dd9db65fa4b"},
	{"F6", Card6, MD5, Inputs{TransID: id4, Card: payout}, shop, "42f32c25079c9bfaf0f6ccb660f67356"},
	{"F7", Card7, MD5, Inputs{Email: "doe@example.com", OrderID: "order-1234", Card: pan}, shop, "a4833e2e76c596779f531ee419e9444e"},
	{"F8", Card8, MD5, Inputs{Email: "doe@example.com"}, shop, "46c2f229cc752d72662ab832c6b65499"},
	{"APM SALE and DEBIT", APMSale, MD5, Inputs{Identifier: "success@gmail.com", OrderID: "order-1234", Amount: "10.00", Currency: "USD"}, shop, "7440b8c58ef7a7b9df0fc5557dcadc78"},
	{"APM CREDITVOID", APMCreditvoid, MD5, Inputs{TransID: id4}, shop, "7b7a464ead8e23b0064586dd3d778844"},
	{"APM VOID, STATUS, CAPTURE, COMPLETE", APMTrans, MD5, Inputs{TransID: id4}, shop, "4c91a566afff47a95a235f294490ed2e"},
	{"APM CREDIT2VIRTUAL request", APMCredit, MD5, Inputs{OrderID: "order-1234", Amount: "10.00", Currency: "USD"}, shop, "7e726b491a59c55ca3fe18fba457c3ee"},
	{"APM CREDIT2VIRTUAL callback", APMCreditCallback, MD5, Inputs{TransID: id4, OrderID: "order-1234", Status: "SETTLED"}, shop, "7bde196075221db56a2cd3b8ebe2b996"},
	{"APM crypto SALE callback, own", APMCryptoCallback, MD5, Inputs{Email: "doe@example.com", TransID: id4}, shop, "b8ae0ffa0cf5044dc9dac0d6ddbe0978"},
	{"APM callback", APMCallback, MD5, Inputs{Body: url.Values{
		"action": {"SALE"}, "result": {"SUCCESS"}, "status": {"SETTLED"}, "order_id": {"order-1234"},
		"trans_id": {id4}, "trans_date": {"2026-01-02 03:04:05"}, "amount": {"10.00"}, "currency": {"USD"},
		"custom_data[b]": {"2"}, "custom_data[a]": {"1"}, "hash": {"fa74bb9059526313cff2021fd21f251b"},
	}}, shop, "fa74bb9059526313cff2021fd21f251b"},
	{"APM362 worked example", APMCallback, MD5, Inputs{Body: url.Values{
		"action": {"sale"}, "result": {"SUCCESS"}, "amount": {"9.22"}, "transactions[ctrans1]": {"123"},
		"transactions[atrans2]": {"32"}, "transactions[itrans2]": {"325"},
	}}, "PASSWORD", "d06ab8acdcc18dfff21ffd964fd3c18e"},

	{"F1, SHA256, own", Card1, SHA256, Inputs{Email: "doe@example.com", Card: pan}, document, "847930a9b324122b35aff02a96c2f3bdbbbbc3e716e26e43a24ed1d66a1f3bef"},
	{"APM VOID, SHA256, own", APMTrans, SHA256, Inputs{TransID: id4}, shop, "a970e09562f560a869e469dc3322f881c2e96682229f892c440320f8c2983303"},
	{"crypto purchase without amount, own", CheckoutSession, MD5, Inputs{OrderNumber: "order-1234", Currency: "USDT", Description: "Important gift"}, shop, "e493b43e48d7b05f56bb85197b4d980f5856b9bd"},
	{"DEBIT without e-mail, own", Card1, MD5, Inputs{Card: pan}, shop, "eb43518dd1b49c127457ac142044f454"},
	{"order of a CREDIT2CARD, own", Card7, MD5, Inputs{OrderID: "order-1234", Card: payout}, shop, "eb5772d6355d9d69c19dce14f2ae1cbd"},
	{"crypto SALE, no identifier, no amount, own", APMSale, MD5, Inputs{OrderID: "order-1234", Currency: "BTC"}, shop, "c94e9635e3406a9b209f19d85e81f9af"},
	{"ten precedes nine in bytes only, own", APMCallback, MD5, Inputs{Body: list()}, shop, "b1f3a076b02638af4a32fc9172295512"},
}

func order() Inputs {
	return Inputs{OrderNumber: "order-1234", Amount: "10.00", Currency: "USD", Description: "Important gift"}
}

func paid() Inputs {
	in := order()
	in.PaymentID = id4
	return in
}

func recurring() Inputs {
	in := order()
	in.RecurringInitTransID, in.RecurringToken = id4, "e5f60b35485e"
	return in
}

// list has items 0 to 10 with the values 100 to 110.
func list() url.Values {
	form := url.Values{}
	for i := range 11 {
		text := string(rune('0' + i%10))
		form.Set("custom_data[list]["+[]string{"", "1"}[i/10]+text+"]", "1"+string(rune('0'+i/10))+text)
	}
	return form
}

func TestGolden(t *testing.T) {
	t.Parallel()
	for _, c := range golden {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, Sign(c.formula, c.mode, c.in, c.password))
			require.True(t, Verify(c.formula, c.mode, c.in, c.password, c.want))
		})
	}
}

func TestTable(t *testing.T) {
	t.Parallel()
	covered := map[Formula]bool{}
	for _, c := range golden {
		covered[c.formula] = true
	}
	names := map[string]bool{}
	for formula := CheckoutSession; formula <= APMCallback; formula++ {
		r := formula.row()
		require.NotNil(t, r, int(formula))
		require.False(t, names[r.name], "two rows named %s", r.name)
		names[r.name] = true
		require.True(t, covered[formula], "%s has no vector", r.name)
		require.Equal(t, formula <= CheckoutCallback, r.outer, r.name)
		require.Equal(t, r.name, formula.String())
		requireOnePassword(t, r)
	}
	require.Len(t, rows, int(APMCallback)+1)
	require.Equal(t, "unknown", Formula(0).String())
	require.Equal(t, "unknown", (APMCallback + 1).String())
}

// requireOnePassword also finds an input that is written twice and one that does not exist.
func requireOnePassword(t *testing.T, r *row) {
	t.Helper()
	seen := map[input]bool{password: r.after}
	for _, p := range r.parts {
		require.NotEmpty(t, p.inputs, r.name)
		for _, name := range p.inputs {
			require.False(t, seen[name], "%s takes input %d twice", r.name, name)
			require.True(t, name >= password && name <= body, r.name)
			seen[name] = true
		}
	}
	require.True(t, seen[password], "%s has no password", r.name)
}
