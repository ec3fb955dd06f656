package fields_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/wallet"
	"github.com/tollgatepay/gateway/store"
)

// Parameters at every door: what the MID sets, the descriptor, the expiry of a payee's card, wallets on S2S CARD, and
// amounts that the payer of crypto chooses.

// eared is a kit whose only MID keeps what it is asked to do.
func eared(t *testing.T, mid func(*store.MID), heard *[]methods.Operation) *gatewaytest.Kit {
	t.Helper()
	kit := gatewaytest.New(t, func(cfg *gateway.Config) {
		cfg.Connectors["ear"] = kerneltest.Listener{Soft: nil,
			Heard: heard}
	})
	own := store.MID{ID: "live", MerchantID: gatewaytest.MerchantID, Connector: "ear", Descriptor: "HOUSE"}
	mid(&own)
	require.NoError(t, kit.SaveMID(t.Context(), own))
	return kit
}

// byDoor pays by a method with parameters and answers what the connector was told.
type byDoor struct {
	name     string
	protocol store.Protocol // empty: a session's page
	kind     store.Kind
}

func (d byDoor) pay(t *testing.T, kit *gatewaytest.Kit, order, code, parameters string,
	change ...func(*gateway.ChargeRequest)) error {
	t.Helper()
	if d.protocol != "" {
		r := kerneltest.ChargeOf(order, gatewaytest.Settles, change...)
		r.Protocol, r.Kind, r.Method, r.Parameters = d.protocol, d.kind, code, json.RawMessage(parameters)
		r.Identifier, r.ReturnURL = "success@gmail.com", "https://shop.example/back"
		r.PayeeCard = &methods.Card{PAN: r.Card.PAN}
		r.Payer.Address.Phone = "+15551234567"
		r.Payer.Name, r.Payer.FirstName, r.Payer.LastName = "", "John", "Doe"
		if d.kind == store.Credit || d.kind == store.Transfer {
			r.Payee = &store.Payer{FirstName: "Jane", LastName: "Roe"}
		}
		for _, c := range change {
			c(&r)
		}
		_, err := kit.Shop().Charge(t.Context(), r)
		return err
	}
	r := gatewaytest.Request(order, "10.00")
	r.Operation, r.Methods = string(d.kind), []string{code}
	r.Customer.Email, r.Billing.Phone = "doe@example.com", "5551234567"
	r.Billing.PhoneCountryCode = "1"
	r.Parameters = json.RawMessage(`{"` + code + `":` + parameters + `}`)
	if d.kind == store.Credit || d.kind == store.Transfer {
		r.Extra.Payee = &store.Payer{Name: "Jane Roe"}
	}
	s, err := kit.Shop().CreateSession(t.Context(), r)
	if err != nil {
		return err
	}
	token := s.RedirectURL[strings.LastIndex(s.RedirectURL, "/")+1:]
	_, err = kit.PaySession(t.Context(), token,
		gateway.Submission{Card: gatewaytest.Settles, PayeeCard: gatewaytest.Settles.PAN,
			Fields: map[string]string{"billing_address.phone_country_code": "1"}}) // where it is asked for (decision bh)
	return err
}

// What a MID sets wins over a parameter of the same name; the request counts where the MID leaves it open (decision
// br).
func TestMIDSettingsWin(t *testing.T) {
	t.Parallel()
	const question = `"SecurityQuestion":"What is the word?","SecurityQuestionAnswer":"word"`
	fees := []byDoor{{"a charge", store.Checkout, store.Purchase}, {"S2S APM", store.S2SAPM, store.Purchase},
		{"a session", "", store.Purchase}}
	payout := []byDoor{{"S2S APM", store.S2SAPM, store.Credit}}
	for _, c := range []struct {
		name, code, option string
		doors              []byDoor
		settings           map[string]string
		sent, want         string
	}{
		{"fee_bearer set", "mobile-wallet", "fee_bearer", fees, map[string]string{"fee_bearer": "merchant"}, `{"fee_bearer":"customer"}`, "merchant"},
		{"fee_bearer set, and nonsense sent", "mobile-wallet", "fee_bearer", fees, map[string]string{"fee_bearer": "merchant"}, `{"fee_bearer":"nobody"}`, "merchant"},
		{"fee_bearer set, none sent", "mobile-wallet", "fee_bearer", fees, map[string]string{"fee_bearer": "merchant"}, `{}`, "merchant"},
		{"fee_bearer left open", "mobile-wallet", "fee_bearer", fees, nil, `{"fee_bearer":"merchant"}`, "merchant"},
		{"fee_bearer left open, none sent", "mobile-wallet", "fee_bearer", fees, nil, `{}`, "customer"},
		{"account set", "allpay", "account_uuid", payout, map[string]string{"account_uuid": "of-the-mid"}, `{` + question + `,"account_uuid":"of-the-request"}`, "of-the-mid"},
		{"account left open", "allpay", "account_uuid", payout, nil, `{` + question + `,"account_uuid":"of-the-request"}`, "of-the-request"},
		{"fee method set", "allpay", "fee_calculation_method", payout, map[string]string{"fee_calculation_method": "account_level"},
			`{` + question + `,"account_uuid":"a","fee_calculation_method":"transaction_level"}`, "account_level"},
		{"fee method left open", "allpay", "fee_calculation_method", payout, nil,
			`{` + question + `,"account_uuid":"a","fee_calculation_method":"transaction_level"}`, "transaction_level"},
	} {
		for _, door := range c.doors {
			t.Run(c.name+" "+door.name, func(t *testing.T) {
				t.Parallel()
				var heard []methods.Operation
				kit := eared(t, func(m *store.MID) { m.Settings = c.settings }, &heard)
				require.NoError(t, door.pay(t, kit, "ORDER-1234", c.code, c.sent))
				var told map[string]string
				require.NoError(t, json.Unmarshal(heard[0].Parameters, &told))
				require.Equal(t, c.want, told[c.option])
			})
		}
	}
}

// Settings and secrets of the MID reach the connector as they are, at every door and in what comes later.
func TestSecretsReachTheConnector(t *testing.T) {
	t.Parallel()
	for _, door := range []byDoor{
		{"a session", "", store.Purchase}, {"a charge", store.Checkout, store.Purchase}, {"S2S CARD", store.S2SCard, store.Debit},
		{"S2S APM", store.S2SAPM, store.Purchase}, {"a payout", store.S2SCard, store.Credit},
	} {
		for _, has := range []bool{false, true} {
			var heard []methods.Operation
			kit := eared(t, func(m *store.MID) {
				if has {
					m.Settings = map[string]string{"shop": "17"}
					m.Secrets = map[string]store.Secret{"api_key": store.NewSecret("open sesame")}
				}
			}, &heard)
			code := map[bool]string{true: "paypal", false: "card"}[door.protocol == store.S2SAPM]
			require.NoError(t, door.pay(t, kit, "ORD-1", code, `{}`))
			if door.kind == store.Purchase {
				_, err := kit.Shop().CreditVoid(t.Context(), kerneltest.FollowUpOf(kit.Payment(t, "ORD-1"), "4.00"))
				require.NoError(t, err)
			}
			want := map[bool][2]string{true: {"17", "open sesame"}}[has]
			for _, op := range heard {
				require.Equal(t, want, [2]string{op.MID.Settings["shop"], op.MID.Secrets["api_key"].Reveal()}, door.name)
			}
		}
	}
}

// The request's descriptor stands for the MID's of this payment: in the call, in later calls, in the record that
// answers and callbacks are made of (decision cb). Methods without such a parameter pass it on as any other.
func TestDescriptorOfTheRequest(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		door       byDoor
		code, want string
	}{
		{byDoor{"a session", "", store.Purchase}, "card", "GIFT 17"},
		{byDoor{"a session of a debit", "", store.Debit}, "card", "GIFT 17"},
		{byDoor{"a session of a transfer", "", store.Transfer}, "card", "GIFT 17"},
		{byDoor{"a session of a payout", "", store.Credit}, "card", "GIFT 17"},
		{byDoor{"a charge", store.Checkout, store.Purchase}, "card", "GIFT 17"},
		{byDoor{"S2S CARD SALE", store.S2SCard, store.Purchase}, "card", "GIFT 17"},
		{byDoor{"S2S CARD DEBIT", store.S2SCard, store.Debit}, "card", "GIFT 17"},
		{byDoor{"S2S CARD CARD2CARD", store.S2SCard, store.Transfer}, "card", "GIFT 17"},
		{byDoor{"S2S CARD CREDIT2CARD", store.S2SCard, store.Credit}, "card", "GIFT 17"},
		{byDoor{"S2S APM", store.S2SAPM, store.Purchase}, "paypal", "HOUSE"},
	} {
		t.Run(c.door.name, func(t *testing.T) {
			t.Parallel()
			var heard []methods.Operation
			kit := eared(t, func(*store.MID) {}, &heard)
			require.NoError(t, c.door.pay(t, kit, "ORD-1", c.code, `{"descriptor":"GIFT 17"}`))
			p := kit.Payment(t, "ORD-1")
			require.Equal(t, c.want, p.Descriptor)
			require.Equal(t, c.want, heard[0].MID.Descriptor)
			require.NoError(t, c.door.pay(t, kit, "ORD-2", c.code, `{}`))
			require.Equal(t, "HOUSE", heard[1].MID.Descriptor)
			err := c.door.pay(t, kit, "ORD-3", c.code, `{"descriptor":"`+strings.Repeat("d", 21)+`"}`)
			require.Equal(t, c.want == "HOUSE", err == nil, "a long one is refused where there is such a parameter")
			if c.door.kind == store.Purchase {
				_, err := kit.Shop().CreditVoid(t.Context(), kerneltest.FollowUpOf(p, "4.00"))
				require.NoError(t, err)
				require.Equal(t, c.want, heard[len(heard)-1].MID.Descriptor, "a refund is of the same statement")
			}
		})
	}
}

// The expiry in the parameters of a payout to a card is that of the card; the request's own wins (decision bs).
func TestExpiryInParameters(t *testing.T) {
	t.Parallel()
	none := func(r *gateway.ChargeRequest) { card := *r.Card; card.Expiry, r.Card = store.Expiry{}, &card }
	own := func(r *gateway.ChargeRequest) {
		card := *r.Card
		card.Expiry, r.Card = store.Expiry{Month: 7, Year: 2031}, &card
	}
	half := func(e store.Expiry) func(*gateway.ChargeRequest) {
		return func(r *gateway.ChargeRequest) { card := *r.Card; card.Expiry, r.Card = e, &card }
	}
	for _, protocol := range []store.Protocol{store.S2SCard, store.Checkout} {
		door := byDoor{string(protocol), protocol, store.Credit}
		for _, c := range []struct {
			name, parameters string
			change           func(*gateway.ChargeRequest)
			want, fault      string
		}{
			{"two fields", `{"card_exp_month":"03","card_exp_year":"2032"}`, none, "03/2032", ""},
			{"one field", `{"expiry":"04/2033"}`, none, "04/2033", ""},
			{"the request's own wins", `{"card_exp_month":"03","card_exp_year":"2032"}`, own, "07/2031", ""},
			{"the request's own wins over one field", `{"expiry":"04/2033"}`, own, "07/2031", ""},
			{"neither", `{}`, none, "", ""},
			{"expired", `{"expiry":"04/2013"}`, none, "", "expiry"},
			{"half of it", `{"card_exp_month":"03"}`, none, "", "card_exp_year"},
			{"half of the request's own", `{"expiry":"04/2033"}`, half(store.Expiry{Month: 4}), "", "expiry"},
			{"the other half", `{"expiry":"04/2033"}`, half(store.Expiry{Year: 2033}), "", "expiry"},
			{"no month", `{"card_exp_month":"13","card_exp_year":"2032"}`, none, "", "card_exp_month"},
			{"another format", `{"expiry":"4/33"}`, none, "", "expiry"},
		} {
			t.Run(c.name+" "+door.name, func(t *testing.T) {
				t.Parallel()
				var heard []methods.Operation
				kit := eared(t, func(*store.MID) {}, &heard)
				err := door.pay(t, kit, "ORD-1", "card", c.parameters, c.change)
				if c.fault != "" {
					require.ErrorIs(t, err, gateway.ErrInvalid)
					require.Contains(t, gateway.AsError(err).Faults()[0].Path, c.fault)
					require.Empty(t, heard)
					return
				}
				require.NoError(t, err)
				got := ""
				if heard[0].Card.Expiry != (store.Expiry{}) {
					got = heard[0].Card.Expiry.String()
				}
				require.Equal(t, c.want, got)
			})
		}
	}
}

// On S2S CARD a wallet stands for a card, and the parameter sets of cards hold (decision bu).
func TestWalletKeepsCardSets(t *testing.T) {
	t.Parallel()
	for _, method := range []string{wallet.ApplePay, wallet.GooglePay} {
		for _, c := range []struct{ name, parameters, fault string }{
			{"a long descriptor", `{"descriptor":"` + strings.Repeat("d", 21) + `"}`, "parameters[descriptor]"},
			{"half of an installment", `{"bnrg_installm_def":"01"}`, "parameters[bnrg_installm_months]"},
			{"another document", `{"document_type":"rg","document_number":"1","social_name":"J","fiscal_country":"BR"}`, "parameters[document_type]"},
			{"a cart", `{"cart":{"items":[{"quantityUnit":"LB"}]}}`, "parameters[cart][items][0][quantityUnit]"},
			{"a descriptor", `{"descriptor":"GIFT 17"}`, ""},
		} {
			t.Run(method+" "+c.name, func(t *testing.T) {
				t.Parallel()
				k := kerneltest.NewWalletKit(t, kerneltest.TakesWallets(methods.WalletDecrypted, false))
				paid, err := k.PayWith(t, store.S2SCard, "ORD-1", method, k.TokenFor(t, method, 12, 2030),
					func(r *gateway.ChargeRequest) {
						r.Parameters = json.RawMessage(c.parameters)
					})
				if c.fault != "" {
					require.True(t, strings.HasPrefix(kerneltest.RefusedFields(t, err)[0], c.fault+": "),
						kerneltest.RefusedFields(t, err)[0])
					return
				}
				require.NoError(t, err)
				require.Equal(t, "GIFT 17", paid.Descriptor)
				require.Contains(t, string(k.Sent(t, paid).Parameters), "GIFT 17")
			})
		}
	}
}

// A token that is passed on unopened has the form of one, on every protocol that passes tokens on (decision cc).
func TestUnopenedTokensAreChecked(t *testing.T) {
	t.Parallel()
	for _, protocol := range []store.Protocol{store.Checkout, store.S2SAPM} {
		for _, method := range []string{wallet.ApplePay, wallet.GooglePay} {
			t.Run(string(protocol)+" "+method, func(t *testing.T) {
				t.Parallel()
				k := kerneltest.NewWalletKit(t, kerneltest.TakesWallets(methods.WalletDecrypted, false))
				k.Configure(t, kerneltest.Keyless)
				genuine := k.TokenFor(t, method, 12, 2030)
				other := map[string]string{wallet.ApplePay: wallet.GooglePay, wallet.GooglePay: wallet.ApplePay}[method]
				for i, token := range []string{`{}`, `[]`, `"token"`, `{"a":1}`, `{`, k.TokenFor(t, other, 12, 2030)} {
					order := "ORD-" + string(rune('A'+i))
					_, err := k.PayWith(t, protocol, order, method, token)
					require.Len(t, kerneltest.RefusedFields(t, err), 1, token)
					k.Nothing(t, order)
				}
				paid, err := k.PayWith(t, protocol, "ORD-1", method, genuine)
				require.NoError(t, err)
				require.JSONEq(t, genuine, string(k.Sent(t, paid).Wallet.Token))
			})
		}
	}
}

// A purchase may leave the amount to the payer in any currency where all that can pay is crypto (decision ay).
func TestOpenAmountByMethod(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name     string
		methods  []string
		currency string
		kind     store.Kind
		ok       bool
	}{
		{"crypto methods in USD", []string{"helio", "unipayment"}, "USD", store.Purchase, true},
		{"crypto methods in a currency without decimals", []string{"helio"}, "JPY", store.Purchase, true},
		{"a crypto method in crypto", []string{"helio"}, "USDT", store.Purchase, true},
		{"one that is none", []string{"helio", "paypal"}, "USD", store.Purchase, false},
		{"no methods", nil, "USD", store.Purchase, false},
		{"a payout", []string{"crypto-btg"}, "USD", store.Credit, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			kit := gatewaytest.New(t, func(cfg *gateway.Config) {
				cfg.Crypto = []methods.Currency{{Code: "USDT", Exponent: 6, Crypto: true}}
			})
			r := gatewaytest.Request("ORD-1", "")
			r.Methods, r.Order.Currency, r.Operation = c.methods, c.currency, string(c.kind)
			if c.kind == store.Credit {
				r.Extra.Payee = &store.Payer{Name: "Jane Roe"}
			}
			s, err := kit.Shop().CreateSession(t.Context(), r)
			if !c.ok {
				require.ErrorIs(t, err, gateway.ErrInvalid)
				require.Equal(t, "order.amount", gateway.AsError(err).Faults()[0].Path)
				return
			}
			require.NoError(t, err)
			next := kerneltest.Submit(kit, t, s.RedirectURL[strings.LastIndex(s.RedirectURL, "/")+1:],
				gateway.Submission{Method: c.methods[0]})
			require.Equal(t, gateway.ActionDisplay, next.Kind)
			for _, protocol := range []store.Protocol{store.Checkout, store.S2SAPM} {
				charge := kerneltest.ChargeOf("ORD-"+string(protocol), gatewaytest.Settles)
				charge.Card, charge.Protocol, charge.Method = nil, protocol, c.methods[0]
				charge.ReturnURL = "https://shop.example/back"
				charge.Order.Amount, charge.Order.Currency = "", c.currency
				result, err := kit.Shop().Charge(t.Context(), charge)
				require.NoError(t, err)
				require.True(t, result.Transaction.AmountOpen)
			}
		})
	}
}

// The name that a mapping requires is of who pays: the page of a payout asks for none, and takes none as missing.
func TestPayoutSessionNeedsNoCardholder(t *testing.T) {
	t.Parallel()
	kit := gatewaytest.New(t)
	require.NoError(t, kit.SaveMapping(t.Context(),
		store.Mapping{MerchantID: gatewaytest.MerchantID, Protocol: store.Checkout, RequireName: true}))
	r := gatewaytest.Request("ORD-1", "10.00")
	r.Operation, r.Extra.Payee, r.Customer.Name = "credit", &store.Payer{Name: "Jane Roe"}, ""
	token, card := kit.SessionOf(t, r), gatewaytest.Settles
	card.Holder = ""
	require.False(t, kerneltest.NextActionOf(t, kit, token).NeedName)
	require.Equal(t, gateway.ReturnPaid, kerneltest.Submit(kit, t, token, gateway.Submission{Card: card}).Status)
}

// A payout session may name saved cards: the payer types the expiry of one of them and never a code, and can have no
// other card paid to (decision aw).
func TestPayoutSessionToASavedCard(t *testing.T) {
	t.Parallel()
	var heard []methods.Operation
	kit := eared(t, func(*store.MID) {}, &heard)
	saved, err := kit.Shop().Charge(t.Context(),
		kerneltest.ChargeOf("ORD-1", gatewaytest.Settles, func(r *gateway.ChargeRequest) { r.ReqToken = true }))
	require.NoError(t, err)
	r := gatewaytest.Request("ORD-2", "10.00")
	r.Operation, r.Extra.Payee = "credit", &store.Payer{Name: "Jane Roe"}
	r.Extra.CardTokens = []string{saved.Payment.CardToken}
	token := kit.SessionOf(t, r)
	next := kerneltest.NextActionOf(t, kit, token)
	require.Equal(t, gateway.CodeNone, next.Code)
	require.Len(t, next.Cards, 1)
	for _, c := range []struct {
		name, path string
		in         gateway.Submission
	}{
		{"no expiry", "expiry", gateway.Submission{Saved: 1}},
		{"an expired one", "expiry", gateway.Submission{Saved: 1, Card: methods.Card{Expiry: store.Expiry{Month: 1, Year: 2020}}}},
		{"another card", "card_token", gateway.Submission{Card: gatewaytest.Settles}},
	} {
		_, err := kit.PaySession(t.Context(), token, c.in)
		require.ErrorIs(t, err, gateway.ErrInvalid, c.name)
		require.Equal(t, c.path, gateway.AsError(err).Faults()[0].Path, c.name)
	}
	require.Len(t, heard, 1)
	expiry := store.Expiry{Month: 5, Year: 2031}
	code, err := store.ParseSecurityCode("123")
	require.NoError(t, err)
	next = kerneltest.Submit(kit, t, token, gateway.Submission{Saved: 1, Card: methods.Card{Expiry: expiry, Code: code}})
	require.Equal(t, gateway.ReturnPaid, next.Status)
	require.Equal(t, store.OpCredit, heard[1].Kind)
	require.Equal(t, expiry, heard[1].Card.Expiry)
	require.Equal(t, gatewaytest.Settles.PAN.Digits(), heard[1].Card.PAN.Digits())
	require.Empty(t, heard[1].Card.Code.Digits())
}
