package merchant_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/methods"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/methods/wallet"
	"github.com/tollgatepay/gateway/store"
)

// wayIn is a request to the gateway, and the configuration it needs: mappings of protocols, the wallets.
type wayIn struct {
	name, needs string
	// ready prepares the request and returns a function that makes it.
	ready func(t *testing.T, k *kerneltest.WalletKit) func(on *gatewaytest.Kit) error
}

// byProtocol is a charge that a protocol accepts: by card, or on S2S APM by a brand of the simulated acquirer.
func byProtocol(p store.Protocol) func(*gateway.ChargeRequest) {
	return func(r *gateway.ChargeRequest) {
		switch r.Protocol = p; p {
		case store.S2SCard:
			r.Action = "SALE"
		case store.S2SAPM:
			r.Action, r.Method, r.Card, r.Identifier = "SALE", "vcard", nil, "success@gmail.com"
		}
	}
}

// waysOf are the requests of a protocol by Go: all that begin a payment of it or act on one.
func waysOf(p store.Protocol) (list []wayIn) {
	by := byProtocol(p)
	add := func(name string, ready func(t *testing.T, k *kerneltest.WalletKit) func(on *gatewaytest.Kit) error) {
		list = append(list, wayIn{string(p) + " " + name, string(p), ready})
	}
	onPaid := func(name string, try func(on *gatewaytest.Kit, t *testing.T, paid store.Payment) error,
		change ...func(*gateway.ChargeRequest)) {
		add(name, func(t *testing.T, k *kerneltest.WalletKit) func(on *gatewaytest.Kit) error {
			paid := kerneltest.Charged(t, k.Kit, string(p)+name, gatewaytest.Settles, append(change, by)...).Payment
			return func(on *gatewaytest.Kit) error { return try(on, t, paid) }
		})
	}
	add("charge", func(t *testing.T, _ *kerneltest.WalletKit) func(*gatewaytest.Kit) error {
		return func(on *gatewaytest.Kit) error {
			_, err := on.Shop().Charge(t.Context(), kerneltest.ChargeOf(string(p)+"charge", gatewaytest.Settles, by))
			return err
		}
	})
	add("charge with a fault", func(t *testing.T, k *kerneltest.WalletKit) func(*gatewaytest.Kit) error {
		return func(on *gatewaytest.Kit) error { // the mapping allows it
			_, err := on.Shop().Charge(t.Context(),
				kerneltest.ChargeOf(string(p)+"faulty", gatewaytest.Settles, by,
					func(r *gateway.ChargeRequest) { r.Order.Amount = "10.1" }))
			return err
		}
	})
	onPaid("refund", func(on *gatewaytest.Kit, t *testing.T, paid store.Payment) error {
		_, err := on.Shop().CreditVoid(t.Context(), kerneltest.FollowUpOf(paid, "1.00"))
		return err
	})
	onPaid("void", func(on *gatewaytest.Kit, t *testing.T, paid store.Payment) error {
		_, err := on.Shop().Void(t.Context(), kerneltest.FollowUpOf(paid, ""))
		return err
	})
	onPaid("capture", func(on *gatewaytest.Kit, t *testing.T, paid store.Payment) error {
		_, err := on.Shop().Capture(t.Context(), kerneltest.FollowUpOf(paid, ""))
		return err
	}, kerneltest.Held)
	onPaid("chargeback", func(on *gatewaytest.Kit, t *testing.T, paid store.Payment) error {
		_, err := on.Chargeback(t.Context(), gateway.Dispute{PaymentID: paid.ID})
		return err
	})
	onPaid("recurring", func(on *gatewaytest.Kit, t *testing.T, paid store.Payment) error {
		_, err := on.Shop().Recur(t.Context(),
			kerneltest.LaterOf(paid, string(p)+"later", func(r *gateway.RecurRequest) { r.Protocol = p }))
		return err
	}, kerneltest.BeginsChain)
	onPaid("status", func(on *gatewaytest.Kit, t *testing.T, paid store.Payment) error {
		_, err := on.Shop().Status(t.Context(), gateway.Lookup{PaymentID: paid.ID})
		return err
	})
	onPaid("status of a client", func(on *gatewaytest.Kit, t *testing.T, paid store.Payment) error {
		client, err := on.Client(t.Context(), gatewaytest.MerchantKey)
		require.NoError(t, err)
		_, err = client.Payment(t.Context(), paid.ID)
		return err
	})
	onPaid("client", func(on *gatewaytest.Kit, t *testing.T, _ store.Payment) error {
		client, err := on.Client(t.Context(), gatewaytest.MerchantKey)
		require.NoError(t, err)
		return client.Speaks(p)
	})
	add("decision", func(t *testing.T, k *kerneltest.WalletKit) func(on *gatewaytest.Kit) error {
		k.Vcard.On(string(p)+"decision", vcard.UnknownAfter())
		doubt := kerneltest.Charged(t, k.Kit, string(p)+"decision", gatewaytest.Settles, by)
		return func(on *gatewaytest.Kit) error {
			_, err := on.Operator().ResolveDoubt(t.Context(), kerneltest.ReviewOf(t, on, doubt.Transaction.ID, "seen"), true)
			return err
		}
	})
	return list
}

// checkoutWays are the requests that only Checkout has.
func checkoutWays() []wayIn {
	session := func(name string, try func(on *gatewaytest.Kit, t *testing.T, token string) error) wayIn {
		return wayIn{"page " + name, string(store.Checkout),
			func(t *testing.T, k *kerneltest.WalletKit) func(*gatewaytest.Kit) error {
				token := k.SessionOf(t, gatewaytest.Request("page"+name, "10.00"))
				return func(on *gatewaytest.Kit) error { return try(on, t, token) }
			}}
	}
	hosted := func(name string, try func(on *gatewaytest.Kit, t *testing.T, token string) error) wayIn {
		return wayIn{"HPF " + name, string(store.Checkout),
			func(t *testing.T, k *kerneltest.WalletKit) func(*gatewaytest.Kit) error {
				token := kerneltest.HostedToken(t, k.Kit, "hosted"+name, gatewaytest.Settles)
				return func(on *gatewaytest.Kit) error { return try(on, t, token) }
			}}
	}
	return []wayIn{
		{"session", string(store.Checkout), func(t *testing.T, _ *kerneltest.WalletKit) func(*gatewaytest.Kit) error {
			return func(on *gatewaytest.Kit) error {
				_, err := on.Shop().CreateSession(t.Context(), gatewaytest.Request("session", "10.00"))
				return err
			}
		}},
		{"session with a fault", string(store.Checkout),
			func(t *testing.T, _ *kerneltest.WalletKit) func(*gatewaytest.Kit) error {
				return func(on *gatewaytest.Kit) error { // the mapping allows it
					_, err := on.Shop().CreateSession(t.Context(), gatewaytest.Request("faulty", "10.1"))
					return err
				}
			}},
		session("shown", func(on *gatewaytest.Kit, t *testing.T, token string) error {
			_, err := on.NextAction(t.Context(), token)
			return err
		}),
		session("paid", func(on *gatewaytest.Kit, t *testing.T, token string) error {
			card := gatewaytest.Settles
			_, err := on.PaySession(t.Context(), token, gateway.Submission{Card: card})
			return err
		}),
		hosted("token", func(on *gatewaytest.Kit, t *testing.T, _ string) error {
			_, err := on.Shop().CreateHosted(t.Context(), kerneltest.HostedRequest("another"))
			return err
		}),
		hosted("payment", func(on *gatewaytest.Kit, t *testing.T, token string) error {
			_, err := on.HostedFields().Pay(t.Context(), token, gateway.HostedPayment{Kind: store.Purchase, Name: "John Doe"})
			return err
		}),
		hosted("update", func(on *gatewaytest.Kit, t *testing.T, token string) error {
			return on.HostedFields().Update(t.Context(), token, gateway.HostedUpdate{CustomData: []byte(`{"a":"b"}`)})
		}),
	}
}

// walletWays are the requests by wallet that need the merchant's settings.
func walletWays() (list []wayIn) {
	for _, method := range []string{wallet.ApplePay, wallet.GooglePay} {
		for _, p := range kerneltest.Protocols[1:] {
			list = append(list, wayIn{string(p) + " " + method, "wallets and " + string(p),
				func(t *testing.T, k *kerneltest.WalletKit) func(*gatewaytest.Kit) error {
					token := k.TokenFor(t, method, 1, 2038)
					return func(on *gatewaytest.Kit) error {
						other := *k
						other.Kit = on
						_, err := other.PayWith(t, p, string(p)+method, method, token)
						return err
					}
				}})
		}
		list = append(list, wayIn{"session of " + method, "wallets and checkout",
			func(t *testing.T, _ *kerneltest.WalletKit) func(*gatewaytest.Kit) error {
				return func(on *gatewaytest.Kit) error {
					_, err := on.Shop().CreateSession(t.Context(), kerneltest.Offering("only"+method, "10.00", "USD", method))
					return err
				}
			}}, wayIn{"page paid by " + method, "wallets and checkout",
			func(t *testing.T, k *kerneltest.WalletKit) func(*gatewaytest.Kit) error {
				session, token := k.SessionOf(t, kerneltest.Offering("page"+method, "10.00", "USD", "card", method)), k.TokenFor(t,
					method, 1, 2038)
				return func(on *gatewaytest.Kit) error {
					_, err := on.PaySession(t.Context(), session, gateway.Submission{Method: method, WalletToken: token})
					return err
				}
			}})
	}
	return append(list, wayIn{"identity", "wallets and checkout",
		func(t *testing.T, k *kerneltest.WalletKit) func(*gatewaytest.Kit) error {
			session := k.SessionOf(t, kerneltest.Offering("identity", "10.00", "USD", "card", wallet.ApplePay))
			return func(on *gatewaytest.Kit) error {
				_, err := on.AppleIdentity(t.Context(), session)
				return err
			}
		}})
}

// configured are the records that may be unreadable: the key of each, its name in reports, and what needs it.
var configured = []struct {
	needs string
	key   []byte
	told  gateway.Aside
}{
	{string(store.Checkout), store.Key("mp", gatewaytest.MerchantID, "checkout"), gateway.Aside{Work: gateway.WorkMapping, ID: gatewaytest.MerchantID + "/checkout"}},
	{string(store.S2SCard), store.Key("mp", gatewaytest.MerchantID, "s2s_card"), gateway.Aside{Work: gateway.WorkMapping, ID: gatewaytest.MerchantID + "/s2s_card"}},
	{string(store.S2SAPM), store.Key("mp", gatewaytest.MerchantID, "s2s_apm"), gateway.Aside{Work: gateway.WorkMapping, ID: gatewaytest.MerchantID + "/s2s_apm"}},
	{"wallets", store.Key("wl", gatewaytest.MerchantID), gateway.Aside{Work: gateway.WorkWallets, ID: gatewaytest.MerchantID}},
}

// An unreadable mapping refuses every request of its protocol, and unreadable wallets refuse their two methods. All
// other requests work, and no default replaces an unreadable record.
func TestUnreadableMappingOrWallets(t *testing.T) {
	t.Parallel()
	for _, c := range configured {
		for _, d := range kerneltest.Damages[:2] {
			t.Run(c.needs+", "+d.Name, func(t *testing.T) {
				t.Parallel()
				var l kerneltest.AsideListener
				k := kerneltest.NewWalletKit(t, kerneltest.TakesWallets(methods.WalletDecrypted, true), l.Option)
				for _, p := range store.Protocols() {
					require.NoError(t, k.SaveMapping(t.Context(),
						store.Mapping{MerchantID: gatewaytest.MerchantID, Protocol: p, ShortAmounts: true}))
				}
				ways := append(checkoutWays(), walletWays()...)
				for _, p := range store.Protocols() {
					ways = append(ways, waysOf(p)...)
				}
				tries := make([]func(*gatewaytest.Kit) error, len(ways))
				for i, way := range ways {
					tries[i] = way.ready(t, k)
				}
				kerneltest.DamageRecord(t, k.Kit, c.key, d.Damage)
				cold := k.Twin(t)
				for i, way := range ways {
					before := len(k.Charges(t))
					err := tries[i](cold)
					if !strings.Contains(way.needs, c.needs) {
						require.NoError(t, err, way.name)
						continue
					}
					require.Error(t, err, way.name)
					require.Equal(t, 500, gateway.AsError(err).Status(), "%s: %v", way.name, err)
					require.Len(t, k.Charges(t), before, way.name)
				}
				require.Len(t, l.Heard, 1, "it is told once")
				require.Equal(t, c.told.Work, l.Heard[0].Work)
				require.Equal(t, c.told.ID, l.Heard[0].ID)
				require.Contains(t, l.Logged.String(), "set aside")
			})
		}
	}
}

// Due work of an unreadable protocol is set aside, and that of the others is done.
func TestDueWorkOfAnUnreadableMapping(t *testing.T) {
	t.Parallel()
	for _, p := range store.Protocols() {
		t.Run(string(p), func(t *testing.T) {
			t.Parallel()
			var l kerneltest.AsideListener
			kit := gatewaytest.New(t, l.Option)
			for _, of := range store.Protocols() {
				require.NoError(t, kit.SaveMapping(t.Context(), store.Mapping{MerchantID: gatewaytest.MerchantID, Protocol: of}))
				by := byProtocol(of)
				set, err := kit.Shop().CreateSchedule(t.Context(), kerneltest.EveryDays(7, 1))
				require.NoError(t, err)
				kerneltest.Charged(t, kit, "PLAN "+string(of), gatewaytest.Settles, by, kerneltest.OnSchedule(set))
				kit.Vcard.On("DOUBT "+string(of), vcard.UnknownAfter())
				kerneltest.Charged(t, kit, "DOUBT "+string(of), gatewaytest.Settles, by)
			}
			kerneltest.DamageRecord(t, kit, store.Key("mp", gatewaytest.MerchantID, string(p)), kerneltest.Damages[0].Damage)
			cold := kit.Twin(t)
			for range 9 {
				cold.Advance(t, 24*time.Hour)
			}
			require.Len(t, kerneltest.AsideOf(t, kit, gateway.WorkRecovery), 1)
			require.Len(t, kerneltest.AsideOf(t, kit, gateway.WorkSchedule), 1)
			settled := map[string]int{}
			for _, one := range kerneltest.ReadBooks(t, kit).Payments {
				if one.Status == store.Settled {
					settled[one.Order.Number]++
				}
			}
			for _, of := range store.Protocols() {
				plans, doubts := 2, 1
				if of == p {
					plans, doubts = 1, 0
				}
				require.Equal(t, plans, settled["PLAN "+string(of)], of)
				require.Equal(t, doubts, settled["DOUBT "+string(of)], of)
			}
		})
	}
}

// The page leaves out only the wallets.
func TestPageWithoutUnreadableWallets(t *testing.T) {
	t.Parallel()
	k := kerneltest.NewWalletKit(t, kerneltest.TakesWallets(methods.WalletDecrypted, true))
	token := k.SessionOf(t, kerneltest.Offering("ORD-1", "10.00", "USD", "card", wallet.ApplePay, wallet.GooglePay))
	kerneltest.DamageRecord(t, k.Kit, store.Key("wl", gatewaytest.MerchantID), kerneltest.Unseal)
	cold := k.Twin(t)
	next, err := cold.NextAction(t.Context(), token)
	require.NoError(t, err)
	require.Len(t, next.Methods, 1)
	require.Equal(t, "card", next.Methods[0].Code)
	require.Equal(t, gateway.ActionReturn, cold.Pay(t, token, gatewaytest.Settles).Kind)
}
