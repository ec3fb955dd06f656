package shop

import (
	"strconv"

	"github.com/shopspring/decimal"
)

// product is something to buy. Prices are exact decimals with the decimals of their currency.
type product struct {
	ID, Name, Text, Picture string
	Price                   decimal.Decimal
	Currency                string
	Places                  int32
	Wrapping                decimal.Decimal // the price of wrapping an order as a gift
	Plan                    *plan           // of a subscription; nil for a single purchase
}

// maxQuantity is the greatest quantity of one order.
const maxQuantity = 9

// products returns all products; the last one is a subscription. Their currencies have two, no and three decimals,
// on purpose.
func products() []product {
	return []product{
		{"mug", "Stoneware mug", "Thrown by hand, speckled like an egg. Holds 300 ml of something hot.", "mug.svg", price("18.00"), "EUR", 2, price("3.50"), nil},
		{"teapot", "Enamel teapot", "For two people, or for one with time. The lid stays on when you pour.", "teapot.svg", price("42.50"), "USD", 2, price("4.00"), nil},
		{"candle", "Beeswax candle", "Burns for forty hours and smells of the meadow it comes from.", "candle.svg", price("2400"), "JPY", 0, price("500"), nil},
		{"honey", "Linden honey", "One summer, one hillside, one jar. Cold extracted and never heated.", "honey.svg", price("7.250"), "KWD", 3, price("0.750"), nil},
		{"tea-club", "Tea club", "A first box to taste, then another one every month. Each has three teas that a person chose.", "tea.svg", price("9.00"), "EUR", 2, price("3.00"), &plan{Months: 11, Price: price("14.50")}},
	}
}

func price(text string) decimal.Decimal { return decimal.RequireFromString(text) }

func findProduct(id string) (product, bool) {
	for _, p := range products() {
		if p.ID == id {
			return p, true
		}
	}
	return product{}, false
}

// Amount returns the price of a quantity, in the gateway's format: exactly this text is signed.
func (p product) Amount(quantity int) string {
	return p.Price.Mul(decimal.NewFromInt(int64(quantity))).StringFixed(p.Places)
}

// Gift returns Amount with the wrapping.
func (p product) Gift(quantity int) string {
	return p.Price.Mul(decimal.NewFromInt(int64(quantity))).Add(p.Wrapping).StringFixed(p.Places)
}

// Wrap returns the price of the wrapping, for people.
func (p product) Wrap() string { return p.Wrapping.StringFixed(p.Places) + " " + p.Currency }

// Each returns the price of one, for people.
func (p product) Each() string { return p.Amount(1) + " " + p.Currency }

// Quantities returns the choices of the form.
func (p product) Quantities() (list []int) {
	for n := 1; n <= maxQuantity; n++ {
		list = append(list, n)
	}
	return list
}

// quantity reads the choice of the form; an invalid one counts as one.
func quantity(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > maxQuantity {
		return 1
	}
	return n
}

// plan is how a product is subscribed to: one payment now, then one every month.
type plan struct {
	Months int             // number of payments after the first one
	Price  decimal.Decimal // of each of those
}

// Later returns the monthly price of a quantity, in the gateway's format.
func (p product) Later(quantity int) string {
	return p.Plan.Price.Mul(decimal.NewFromInt(int64(quantity))).StringFixed(p.Places)
}
