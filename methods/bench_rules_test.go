package methods_test

import (
	"encoding/json"
	"testing"

	"github.com/tollgatepay/gateway/methods"
)

// fullCart has 50 items with every parameter of the grid, and is valid.
func fullCart(b *testing.B, c *methods.Catalogue) map[string]any {
	set, _ := c.Set("cart")
	item := exampleOf(set.Set()).tree["cart"].(map[string]any)["items"].([]any)[0]
	items := make([]any, 50)
	for i := range items {
		items[i] = cloneTree(item)
		items[i].(map[string]any)["quantity"] = json.Number("2")
	}
	tree := map[string]any{"cart": map[string]any{"items": items}}
	if faults := c.Check("card", tree, methods.JSON, methods.Context{}); faults != nil {
		b.Fatal(faults)
	}
	return tree
}

// BenchmarkCart50 checks a cart of 50 items with all 45 parameters each against every set of card.
func BenchmarkCart50(b *testing.B) {
	c := catalogue(b)
	tree := fullCart(b, c)
	for name, needed := range map[string][]string{"plain": nil,
		"needed": {"cart.items[].name", "cart.items[].price", "shipping.city"}} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			ctx := methods.Context{MID: methods.MIDOptions{Needed: needed}}
			for b.Loop() {
				c.Check("card", tree, methods.JSON, ctx)
			}
		})
	}
}

// BenchmarkNewCatalogue measures what a gateway does once, when it starts.
func BenchmarkNewCatalogue(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := methods.NewCatalogue(); err != nil {
			b.Fatal(err)
		}
	}
}
