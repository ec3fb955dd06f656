package s2s_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/contract"
	"github.com/tollgatepay/gateway/s2s"
)

// TestStrayParameters: what an action does not have is held against no rule, so nothing of it is stored, and it
// decides nothing. Every action that makes a payment is sent all parameters of all the others.
func TestStrayParameters(t *testing.T) {
	t.Parallel()
	s := open(t)
	payout := apm("").with("identifier", "", "return_url", "")
	deposit := apm("").with("return_url", "", "payer_return_url", "https://client.site.com/")
	for name, c := range map[string]struct {
		request fields
		sign    func(fields) fields
	}{
		"SALE":               {sale("a"), signSale},
		"AUTH":               {sale("b").with("action", "AUTH"), signSale},
		"DEBIT":              {sale("c").with("action", "DEBIT"), signSale},
		"CARD2CARD":          {transfer().with("order_id", "d"), signSale},
		"CREDIT2CARD":        {cardPayout().with("order_id", "e"), signCardPayout},
		"SALE of a method":   {apm("f"), signAPM},
		"CREDIT2VIRTUAL":     {payout.with("action", "CREDIT2VIRTUAL", "order_id", "g"), signPayout},
		"DEBIT2VIRTUAL":      {deposit.with("action", "DEBIT2VIRTUAL", "order_id", "h"), signAPM},
		"DEBIT2VIRTUAL_CALC": {deposit.with("action", "DEBIT2VIRTUAL_CALC", "order_id", "i"), signAPM},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := s.send(t, "/post", withStrays(c.sign(c.request)))
			require.NotEqual(t, "ERROR", a.get("result"), a.text)
			stored, err := json.Marshal(s.Payment(t, c.request["order_id"]))
			require.NoError(t, err)
			require.NotContains(t, string(stored), stray)
		})
	}
}

const stray = "of another action"

// withStrays adds the parameters that other actions have. brand makes another action of a SALE.
func withStrays(f fields) fields {
	own := map[string]bool{"brand": true}
	for _, call := range s2s.Contract() {
		if call.Action == f["action"] && (f["brand"] != "") == (call.Protocol == contract.S2SAPM) {
			for _, row := range call.Fields {
				own[row.Path] = true
			}
		}
	}
	for _, call := range s2s.Contract() {
		for _, row := range call.Fields {
			if !own[row.Path] && !strings.Contains(row.Path, "[") { // a part of mpi_data makes no sense beside it
				f = f.with(row.Path, stray)
			}
		}
	}
	return f
}
