package reference_test

import (
	"encoding/json"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/callback/signature"
	"github.com/tollgatepay/gateway/checkout"
	"github.com/tollgatepay/gateway/contract"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/hpf"
	"github.com/tollgatepay/gateway/store"
)

// What the pages say of an order number that comes again, at every door, with another description each time.
func TestOrderAgain(t *testing.T) {
	t.Parallel()
	description := func(values [][2]string, text string) [][2]string {
		changed := append([][2]string{}, values...)
		for i := range changed {
			if strings.HasSuffix(changed[i][0], "description") {
				changed[i][1] = text
			}
		}
		return changed
	}
	for _, door := range []struct {
		name   string
		calls  []contract.Call
		sample sample
		later  string // the refusal after the window; "" for none
	}{
		{"session", checkout.Contract(), sample{call: "session", values: session("ORDER-1")}, ""},
		{"token", hpf.Contract(), sample{call: "token", values: token("ORDER-1", "purchase")}, ""},
		{"card", of(contract.S2SCard), sample{call: "SALE", values: sale("SALE", "ORDER-1")}, "order_id: Duplicate payment."},
		{"method", of(contract.S2SAPM), sample{call: "SALE", values: byBrand("SALE", "ORDER-1", "return_url",
			"https://shop.example/return")}, "order_id: Duplicate payment."},
	} {
		t.Run(door.name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t, door.calls)
			first := s.play(door.sample)
			require.Equal(t, 200, first.Status, first.Answer)
			other := door.sample
			other.values = description(other.values, "Another gift")
			again := s.play(other)
			require.Equal(t, 400, again.Status)
			require.Contains(t, again.Answer, `"Duplicate request."`)
			s.Advance(t, gateway.DuplicateWindow)
			other.values = description(other.values, "A third gift")
			last := s.play(other)
			if door.later == "" {
				require.Equal(t, 200, last.Status, last.Answer)
				return
			}
			require.Contains(t, last.Answer, door.later)
		})
	}
}

// What is said of an order number that comes again holds for later payments of a chain too.
func TestChainAgain(t *testing.T) {
	t.Parallel()
	for first, later := range map[string]string{"SALE": "RECURRING_SALE", "DEBIT": "RECURRING_DEBIT"} {
		t.Run(later, func(t *testing.T) {
			t.Parallel()
			s := newStage(t, of(contract.S2SCard))
			s.play(sample{call: first, values: sale(first, "ORDER-1", "recurring_init", "Y")})
			again := sample{call: later, signed: ofPayment, values: pairs("action", later, "order_id", "ORDER-2",
				"order_amount", "5.00", "order_description", "Second month",
				"recurring_first_trans_id", "{"+first+".trans_id}", "recurring_token", "{"+first+".recurring_token}")}
			require.Equal(t, 200, s.play(again).Status)
			charged := len(s.Charges(t))
			require.Contains(t, s.play(again).Answer, `"Duplicate request."`)
			s.Advance(t, gateway.DuplicateWindow)
			require.Contains(t, s.play(again).Answer, "order_id: Duplicate payment.")
			require.Len(t, s.Charges(t), charged)
		})
	}
}

// The hash of a card SALE does not know the order.
func TestSameHashForAnotherOrder(t *testing.T) {
	t.Parallel()
	s := newStage(t, of(contract.S2SCard))
	first, second := s.play(sample{call: "SALE", values: sale("SALE", "ORDER-1")}), s.play(sample{call: "SALE",
		values: sale("SALE", "ORDER-2")})
	require.Equal(t, []int{200, 200}, []int{first.Status, second.Status})
	require.Equal(t, first.Steps, second.Steps)
}

// A session makes no payment until the page is submitted; of two payments of an order the newest is told.
func TestStatusOfSession(t *testing.T) {
	t.Parallel()
	s := newStage(t, checkout.Contract())
	asked := sample{call: "status", signs: 1, values: pairs("order_id", "ORDER-1")}
	s.play(sample{call: "session", values: session("ORDER-1")})
	require.Contains(t, s.play(asked).Answer, `"Order does not exist."`)
	s.paid("session")
	older := s.kept["session.payment_id"]
	require.Contains(t, s.play(asked).Answer, `"payment_id": "`+older+`"`)
	s.Advance(t, gateway.DuplicateWindow)
	s.play(sample{call: "session", values: session("ORDER-1")})
	require.Contains(t, s.play(asked).Answer, older, "the second session is not paid yet")
	s.paid("session")
	require.NotEqual(t, older, s.kept["session.payment_id"])
	require.Contains(t, s.play(asked).Answer, `"payment_id": "`+s.kept["session.payment_id"]+`"`)
}

// A refund that is sent again when the first one is finished gives back again, at every door.
func TestRefundAgain(t *testing.T) {
	t.Parallel()
	refund := sample{call: "refund", values: pairs("payment_id", "{session.payment_id}", "amount", "4.00")}
	for _, door := range []struct {
		name   string
		calls  []contract.Call
		paid   sample
		refund sample
	}{
		{"Checkout", checkout.Contract(), sample{call: "session", values: session("ORDER-1"), payer: settles}, refund},
		{"card", of(contract.S2SCard), sample{call: "SALE", values: sale("SALE", "ORDER-1")},
			ofCard("CREDITVOID", "SALE", "", "amount", "4.00")},
		{"method", of(contract.S2SAPM), sample{call: "SALE", values: byBrand("SALE", "ORDER-1", "return_url",
			"https://shop.example/return")}, about("CREDITVOID", "SALE", "amount", "4.00")},
	} {
		t.Run(door.name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t, door.calls)
			s.play(door.paid)
			first, again := s.play(door.refund), s.play(door.refund)
			require.Equal(t, []int{200, 200}, []int{first.Status, again.Status}, again.Answer)
			require.Equal(t, first.Command, again.Command)
			require.Equal(t, "8.00", s.Payment(t, "ORDER-1").Refunded.String())
			require.Len(t, again.Callbacks, 1, "a refund without a callback")
			require.Contains(t, s.play(door.refund).Answer, "refund for amount bigger than payment amount")
		})
	}
}

// An amount has the decimals of its currency at every door, in follow-ups and later payments too.
func TestDecimalsAtEveryDoor(t *testing.T) {
	t.Parallel()
	card := of(contract.S2SCard)
	for _, amount := range []string{"2", "2.5", "2.505"} {
		for name, wrong := range map[string]struct {
			calls       []contract.Call
			paid, asked sample
		}{
			"refund": {checkout.Contract(), sample{call: "session", values: session("ORDER-1"), payer: settles},
				sample{call: "refund", values: pairs("payment_id", "{session.payment_id}", "amount", amount)}},
			"capture": {checkout.Contract(), sample{call: "session", values: session("ORDER-1", "auth", "Y"), payer: settles},
				sample{call: "capture", values: pairs("payment_id", "{session.payment_id}", "amount", amount)}},
			"CREDITVOID": {card, sample{call: "SALE", values: sale("SALE", "ORDER-1")},
				ofCard("CREDITVOID", "SALE", "", "amount", amount)},
			"CAPTURE": {card, sample{call: "AUTH", values: sale("AUTH", "ORDER-1")},
				ofCard("CAPTURE", "AUTH", "", "amount", amount)},
			"RECURRING_SALE": {card, sample{call: "SALE", values: sale("SALE", "ORDER-1", "recurring_init", "Y")},
				sample{call: "RECURRING_SALE", signed: ofPayment, values: pairs("action", "RECURRING_SALE", "order_id", "ORDER-2",
					"order_amount", amount, "order_description", "Second month", "recurring_first_trans_id", "{SALE.trans_id}",
					"recurring_token", "{SALE.recurring_token}")}},
		} {
			t.Run(name+" "+amount, func(t *testing.T) {
				t.Parallel()
				s := newStage(t, wrong.calls)
				s.play(wrong.paid)
				asked := s.play(wrong.asked)
				require.Equal(t, 400, asked.Status, asked.Answer)
				require.Contains(t, asked.Answer, "must be a decimal number with 2 decimals")
			})
		}
	}
}

// Of a currency without decimals Checkout takes two zeros or none, and nothing else.
func TestYen(t *testing.T) {
	t.Parallel()
	for amount, want := range map[string]int{"500": 200, "500.00": 200, "5.00": 200, "5.50": 400, "5.0": 400} {
		s := newStage(t, checkout.Contract())
		values := session("ORDER-1")
		for i := range values {
			switch values[i][0] {
			case "order.amount":
				values[i][1] = amount
			case "order.currency":
				values[i][1] = "JPY"
			}
		}
		made := s.play(sample{call: "session", values: values})
		require.Equal(t, want, made.Status, "%s\n%s", amount, made.Answer)
	}
}

// A payer who was sent away comes back to the URL of the request, to which nothing is added.
func TestNothingIsAddedToTheWayBack(t *testing.T) {
	t.Parallel()
	for name, door := range map[string]struct {
		calls  []contract.Call
		asked  sample
		status store.Status
	}{
		"3-D Secure": {of(contract.S2SCard), sample{call: "SALE", values: saleBy("05/2038", "SALE", "ORDER-1")}, store.Settled},
		"declined":   {of(contract.S2SCard), sample{call: "SALE", values: saleBy("06/2038", "SALE", "ORDER-1")}, store.Declined},
		"bank":       {of(contract.S2SCard), sample{call: "SALE", values: saleBy("12/2038", "SALE", "ORDER-1")}, store.Settled},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t, door.calls)
			page := s.ComeBack(t, away(t, s.play(door.asked).Answer))
			s.Work(t)
			require.Equal(t, door.status, s.Payment(t, "ORDER-1").Status)
			next, err := s.NextAction(t.Context(), page[strings.LastIndex(page, "/")+1:])
			require.NoError(t, err)
			require.Equal(t, gateway.ActionReturn, next.Kind)
			require.Equal(t, "https://shop.example/return", next.URL)
		})
	}
}

// CREDITVOID without amount gives back what a partial one has left, and details tell both.
func TestRefundOfTheRest(t *testing.T) {
	t.Parallel()
	for _, protocol := range []contract.Protocol{contract.S2SCard, contract.S2SAPM} {
		t.Run(string(protocol), func(t *testing.T) {
			t.Parallel()
			s := newStage(t, of(protocol))
			made, signed := sale("SALE", "ORDER-1"), ofPayment
			if protocol == contract.S2SAPM {
				made, signed = byBrand("SALE", "ORDER-1", "return_url", "https://shop.example/return"), nil
			}
			s.play(sample{call: "SALE", values: made})
			ask := func(action string, more ...string) string {
				of := about(action, "SALE", more...)
				of.signed = signed
				return s.play(of).Answer
			}
			ask("CREDITVOID", "amount", "4.00")
			require.Contains(t, ask("GET_TRANS_STATUS"), `"status": "REFUND"`, "after a part")
			ask("CREDITVOID")
			require.Equal(t, []string{"10.00", "10.00", "4.00", "6.00"}, amounts(ask("GET_TRANS_DETAILS")))
		})
	}
}

func amounts(answer string) (list []string) {
	for _, found := range regexp.MustCompile(`"amount": "([\d.]+)"`).FindAllStringSubmatch(answer, -1) {
		list = append(list, found[1])
	}
	return list
}

// A method's payment by order is signed without a card, and without an e-mail address where none was sent.
func TestStatusByOrderWithoutEmail(t *testing.T) {
	t.Parallel()
	s := newStage(t, of(contract.S2SAPM))
	made := s.play(sample{call: "SALE", values: with(bought("SALE", "ORDER-1", "brand", "vcard",
		"identifier", "success@gmail.com"), "payer_ip", "203.0.113.7", "return_url", "https://shop.example/return")})
	require.Equal(t, 200, made.Status, made.Answer)
	asked := s.play(sample{call: "GET_TRANS_STATUS_BY_ORDER", values: pairs("action", "GET_TRANS_STATUS_BY_ORDER",
		"order_id", "ORDER-1")})
	require.Equal(t, 200, asked.Status, asked.Answer)
	require.Contains(t, asked.Answer, "SETTLED")
}

// The brands of the demo, by the identifier.
func TestIdentifiers(t *testing.T) {
	t.Parallel()
	s := newStage(t, of(contract.S2SAPM))
	for identifier, status := range map[string]string{"success@gmail.com": "SETTLED", "fail@gmail.com": "DECLINED"} {
		made := s.play(sample{call: "SALE", values: with(with(bought("SALE", identifier, "brand", "vcard", "identifier",
			identifier), payer...), "return_url", "https://shop.example/return")})
		require.Contains(t, made.Answer, `"status": "`+status+`"`, identifier)
	}
}

// The table of the demo's cards: each row is sold, and confirmed where it redirects.
func TestCardsOfTheDemo(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(folder + "README.md")
	require.NoError(t, err)
	row := regexp.MustCompile(`(?m)^\| (\d\d)/(20\d\d) \| (\w+) \| (\w+) \| ?(\w*) ?\|$`)
	found := row.FindAllStringSubmatch(string(text), -1)
	require.Len(t, found, 6)
	for _, row := range found {
		t.Run(row[1]+"/"+row[2], func(t *testing.T) {
			t.Parallel()
			s := newStage(t, of(contract.S2SCard))
			values := sale("SALE", "ORDER-1")
			for i := range values {
				switch values[i][0] {
				case "card_exp_month":
					values[i][1] = row[1]
				case "card_exp_year":
					values[i][1] = row[2]
				}
			}
			made := s.play(sample{call: "SALE", values: values})
			require.Contains(t, made.Answer, `"result": "`+row[3]+`"`)
			require.Contains(t, made.Answer, `"status": "`+row[4]+`"`)
			require.Equal(t, row[5] != "", strings.Contains(made.Answer, `"redirect_url"`))
			if row[5] != "" {
				s.ComeBack(t, away(t, made.Answer))
				s.Work(t)
				require.Equal(t, store.Status(row[5]), s.Payment(t, "ORDER-1").Status)
			}
		})
	}
}

// away is where an answer of /post sends the payer.
func away(t *testing.T, answer string) *store.Redirect {
	t.Helper()
	var told struct {
		Status string            `json:"status"`
		URL    string            `json:"redirect_url"`
		Method string            `json:"redirect_method"`
		Params map[string]string `json:"redirect_params"`
	}
	require.NoError(t, json.Unmarshal([]byte(answer), &told))
	next := &store.Redirect{ThreeDS: told.Status == "3DS", URL: told.URL, Method: told.Method}
	for name, value := range told.Params {
		next.Params = append(next.Params, store.RedirectParam{Name: name, Value: value})
	}
	return next
}

// The refusals that the README names for a wrong hash and a wrong key.
func TestWrongHashAndKey(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(folder + "README.md")
	require.NoError(t, err)
	wrongHash := regexp.MustCompile(`(hash(?:": ")?=?)[0-9a-f]+`)
	for _, row := range []struct {
		name      string
		calls     []contract.Call
		sample    sample
		hash, key string
	}{
		{"session", checkout.Contract(), sample{call: "session", values: session("ORDER-1")},
			"hash: Hash is not valid.", "merchant_key: This value is not valid."},
		{"card", of(contract.S2SCard), sample{call: "SALE", values: sale("SALE", "ORDER-1")},
			"Hash is not valid", "Hash is not valid"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t, row.calls)
			command, _, _ := s.command(s.calls[row.sample.call], row.sample)
			for changed, refused := range map[string]string{
				wrongHash.ReplaceAllString(command, "${1}0123"):                              row.hash,
				strings.ReplaceAll(command, gatewaytest.MerchantKey, "another-merchant-key"): row.key,
			} {
				require.NotEqual(t, command, changed)
				w := httptest.NewRecorder()
				s.mux.ServeHTTP(w, requestOf(t, changed))
				require.Equal(t, 400, w.Code)
				require.Contains(t, w.Body.String(), `"`+refused+`"`)
				require.Contains(t, string(text), "| `"+refused+"`")
			}
		})
	}
}

// Every word of every formula has a row in the table of signing.md.
func TestWordsOfFormulas(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(folder + "signing.md")
	require.NoError(t, err)
	for f := signature.CheckoutSession; f <= signature.APMCallback; f++ {
		for _, word := range regexp.MustCompile(`\w+`).FindAllString(f.Notation(), -1) {
			require.Regexp(t, "(?m)^\\| (`\\w+`, )?`"+word+"`", string(text), "%s of %s", word, f)
		}
	}
}
