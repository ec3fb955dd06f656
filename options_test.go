package gateway_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/callback"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
	"github.com/tollgatepay/gateway/methods/vcard"
	"github.com/tollgatepay/gateway/store"
)

// option is one option of a merchant's records and its effect in every request it applies to: without it, and with
// it.
type option struct {
	name  string
	doors []string
	wish  wish
	base  func(*owned) // set in both cases; may be nil
	set   func(*owned)
	seen  func(t testing.TB, f *front, d payDoor, w wish) any
	want  [2]any // without and with
	of    string // distinguishes the row from others of the option
}

// Groups of similar requests.
var (
	allDoors   = []string{byGo, byPage, byHPF, byCard, byAPM, byRecur, byCardRecur, byDue}
	firstDoors = []string{byGo, byPage, byHPF, byCard, byAPM} // later payments go where the chain began
	cardDoors  = []string{byGo, byPage, byHPF, byCard, byRecur, byCardRecur, byDue}
	askedDoors = []string{byGo, byPage, byHPF, byCard, byAPM, byRecur, byCardRecur} // a request can ask for it
)

func except(doors []string, none ...string) []string {
	return slices.DeleteFunc(slices.Clone(doors), func(door string) bool { return slices.Contains(none, door) })
}

const refused = "refused"

// route is where a payment goes and which operation is made there.
func route(t testing.TB, f *front, d payDoor, w wish) any {
	if err := d.pay(t, f, w); err != nil {
		return refused
	}
	p := f.paidBy(t, d, w.key())
	return p.MIDID + " " + string(kerneltest.TransactionOf(t, f.Kit, p.ChargeID()).Operation)
}

// fact is a property of the payment that was made.
func fact(of func(t testing.TB, f *front, p store.Payment) any) func(testing.TB, *front, payDoor, wish) any {
	return func(t testing.TB, f *front, d payDoor, w wish) any {
		require.NoError(t, d.pay(t, f, w))
		return of(t, f, f.paidBy(t, d, w.key()))
	}
}

// lastCallbackField is a field of the newest callback.
func lastCallbackField(t testing.TB, f *front, name string) string {
	t.Helper()
	f.Work(t)
	forms := f.Inbox.Fields(t)
	require.NotEmpty(t, forms)
	return forms[len(forms)-1].Get(name)
}

// voidedAt is the result of a VOID at a time on the tenth of March, of a payment made at noon UTC.
func voidedAt(clock string) func(testing.TB, *front, payDoor, wish) any {
	return fact(func(t testing.TB, f *front, p store.Payment) any {
		at, err := time.Parse("2006-01-02 15:04", "2027-03-10 "+clock)
		require.NoError(t, err)
		f.Clock.Set(at)
		if _, err := f.Shop().Void(t.Context(), kerneltest.FollowUpOf(p, "")); err != nil {
			return refused
		}
		return "voided"
	})
}

const (
	sold   = "live SALE"
	second = "second SALE"
)

var merchantOptions = []option{
	{"Merchant.NotificationURL", allDoors, wish{}, nil,
		func(o *owned) {
			o.merchant.NotificationURL = kerneltest.LiveURL
		}, lastCallbackURL, [2]any{gatewaytest.CallbackURL, kerneltest.LiveURL}, ""},
	{"Merchant.TestNotificationURL", firstDoors, wish{test: true}, nil,
		func(o *owned) {
			o.merchant.TestNotificationURL = kerneltest.TestURL
		}, lastCallbackURL, [2]any{gatewaytest.CallbackURL, kerneltest.TestURL}, ""},
	{"Merchant.Name", cardDoors, wish{}, nil,
		func(o *owned) { o.merchant.Name = "The Shop" }, fact(func(t testing.TB, f *front, _ store.Payment) any {
			all := f.Charges(t)
			return all[len(all)-1].Merchant
		}), [2]any{"Test Shop", "The Shop"}, ""},
	{"Merchant.Disabled", allDoors, wish{}, nil,
		func(o *owned) { o.merchant.Disabled = true }, paidAtAll, [2]any{"paid", refused}, ""},
	{"Merchant.HTTPSOnly", askedDoors, wish{insecure: "http://shop.example/insecure"}, nil,
		func(o *owned) { o.merchant.HTTPSOnly = true }, route, [2]any{sold, refused}, ""},
}

var mappingOptions = []option{
	{"Mapping.Disabled", allDoors, wish{}, nil,
		func(o *owned) { o.mapping.Disabled = true }, paidAtAll, [2]any{"paid", refused}, ""},
	{"Mapping.SHA256", allDoors, wish{}, nil,
		func(o *owned) { o.mapping.SHA256 = true }, hashedBy, [2]any{"MD5", "SHA-256"}, ""},
	{"Mapping.ShortAmounts", askedDoors, wish{amount: "10"}, nil,
		func(o *owned) { o.mapping.ShortAmounts = true }, route, [2]any{refused, sold}, ""},
	{"Mapping.AnyName", []string{byGo, byPage, byHPF, byRecur}, wish{name: "Zoë Łódzka"}, nil,
		func(o *owned) { o.mapping.AnyName = true }, route, [2]any{refused, sold}, ""},
	{"Mapping.PartialRefundSettled", allDoors, wish{}, nil,
		func(o *owned) { o.mapping.PartialRefundSettled = true }, partlyRefunded, [2]any{store.Refunded, store.Settled}, ""},
	{"Mapping.OrderAmountOnly", []string{byGo, byPage, byHPF, byRecur, byDue}, wish{}, nil,
		func(o *owned) { o.mapping.OrderAmountOnly = true }, func(t testing.TB, f *front, d payDoor, w wish) any {
			partlyRefunded(t, f, d, w)
			return lastCallbackField(t, f, "amount")
		}, [2]any{"4.00", ""}, ""},
	{"Mapping.PendingRefunds", []string{byGo, byPage, byHPF, byRecur, byDue}, wish{}, nil,
		func(o *owned) { o.mapping.PendingRefunds = true }, fact(func(t testing.TB, f *front, p store.Payment) any {
			f.Vcard.Next(vcard.Pending())
			_, err := f.Shop().CreditVoid(t.Context(), kerneltest.FollowUpOf(p, "4.00"))
			require.NoError(t, err)
			return checkoutStatus(t, f.Kit, p.ID).Text("pending_refund_amount")
		}), [2]any{"", "4.00"}, ""},
	{"Mapping.Cascade", firstDoors, wish{}, withSecond,
		func(o *owned) { o.mapping.Cascade = true }, func(t testing.TB, f *front, d payDoor, w wish) any {
			f.Vcard.Next(vcard.SoftDecline("Try elsewhere"))
			return route(t, f, d, w)
		}, [2]any{sold, second}, ""},
	{"Mapping.Language", []string{byGo, byPage, byHPF, byCard}, wish{card: gatewaytest.ThreeDSPasses}, nil,
		func(o *owned) { o.mapping.Language = "de" },
		backOn(func(next *gateway.NextAction) any { return next.Default }), [2]any{"", "de"}, ""},
	{"Mapping.MemoryRedirect", []string{byPage}, wish{card: gatewaytest.ThreeDSPasses}, nil,
		func(o *owned) { o.mapping.MemoryRedirect = true }, fact(func(t testing.TB, f *front, p store.Payment) any {
			return len(kerneltest.TransactionOf(t, f.Kit, p.ChargeID()).SealedRedirect) > 0
		}), [2]any{true, false}, ""},
	{"MappingLimits.Day", allDoors, wish{}, nil,
		func(o *owned) { o.mapping.Limits.Day = "9.99" }, paidAtAll, [2]any{"paid", refused}, ""},
	{"MappingLimits.Week", allDoors, wish{}, nil,
		func(o *owned) { o.mapping.Limits.Week = "9.99" }, paidAtAll, [2]any{"paid", refused}, ""},
	{"Mapping.MaxDeclines", []string{byPage, byHPF}, wish{card: gatewaytest.Declines}, nil,
		func(o *owned) { o.mapping.MaxDeclines = 1 }, fact(func(t testing.TB, f *front, p store.Payment) any {
			return kerneltest.OnlySession(t, f.Kit).State
		}), [2]any{store.SessionOpen, store.SessionClosed}, ""},
	{"Mapping.ReturnExtras", []string{byPage, byHPF}, wish{}, nil,
		func(o *owned) { o.mapping.ReturnExtras = []string{"brand"} }, broughtBack("brand"), [2]any{"", "visa"}, ""},
	{"Mapping.PreRouting", []string{byPage, byHPF}, wish{}, nil,
		func(o *owned) {
			o.mapping.PreRouting = []store.PreRoute{{Methods: []string{"paypal"}}}
		}, paidAtAll, [2]any{"paid", refused}, ""},
}

var midOptions = []option{
	{"MID.Disabled", allDoors, wish{}, nil,
		func(o *owned) { o.mid.Disabled = true }, paidAtAll, [2]any{"paid", refused}, ""},
	{"MID.Test", allDoors, wish{}, nil, func(o *owned) { o.mid.Test = true }, paidAtAll, [2]any{"paid", refused}, ""},
	{"MID.Test", firstDoors, wish{channel: "shop-1"},
		func(o *owned) { o.mid.ChannelID, o.second = "shop-1", true }, func(o *owned) { o.mid.Test = true }, toldToUseTestKey,
		[2]any{false, true}, "where a live MID has another channel"},
	{"MID.Mode", firstDoors, wish{}, withSecond,
		func(o *owned) { o.mid.Mode = store.DMS }, route, [2]any{sold, second}, ""},
	{"MID.Mode", []string{byRecur, byCardRecur, byDue}, wish{}, nil,
		func(o *owned) { o.mid.Mode = store.DMS }, route, [2]any{sold, "live AUTH"}, ""},
	{"MID.Mode", []string{byGo, byPage, byHPF, byCard}, wish{hold: true}, withSecond,
		func(o *owned) { o.mid.Mode = store.SMS }, route, [2]any{"live AUTH", "second AUTH"}, ""},
	{"MID.Mode", []string{byGo, byPage, byHPF, byCard}, wish{debit: true}, nil,
		func(o *owned) { o.mid.Mode = store.DMS }, route, [2]any{"live DEBIT", "live AUTH"}, ""},
	{"MID.ChannelID", firstDoors, wish{channel: "shop-1"}, behindSecond,
		func(o *owned) { o.mid.ChannelID = "shop-1" }, route, [2]any{refused, sold}, ""},
	{"MID.Priority", firstDoors, wish{}, withSecond,
		func(o *owned) { o.mid.Priority = 2 }, route, [2]any{sold, second}, ""},
	{"MID.Methods", allDoors, wish{}, nil,
		func(o *owned) { o.mid.Methods = []string{"paypal"} }, route, [2]any{sold, refused}, ""},
	{"MID.Brands", cardDoors, wish{}, nil,
		func(o *owned) { o.mid.Brands = []store.Brand{store.Mastercard} }, route, [2]any{sold, refused}, ""},
	{"MID.Currencies", allDoors, wish{}, nil,
		func(o *owned) { o.mid.Currencies = []string{"EUR"} }, route, [2]any{sold, refused}, ""},
	{"MID.Operations", allDoors, wish{}, nil,
		func(o *owned) { o.mid.Operations = []store.Operation{store.OpDebit} }, route, [2]any{sold, refused}, ""},
	{"MID.MOTO", []string{byGo, byPage, byHPF, byCard}, wish{moto: "phone_moto"}, nil,
		func(o *owned) { o.mid.MOTO = true }, route, [2]any{refused, sold}, ""},
	{"MID.ZeroAmount", []string{byGo, byPage, byHPF, byCard}, wish{amount: "0.00", hold: true}, nil,
		func(o *owned) { o.mid.ZeroAmount = true }, route, [2]any{refused, "live AUTH"}, ""},
	{"MID.COF", []string{byGo, byPage, byHPF, byCard}, wish{token: true}, nil,
		func(o *owned) { o.mid.COF = true }, fact(func(t testing.TB, f *front, _ store.Payment) any {
			return f.Charges(t)[0].Registers
		}), [2]any{false, true}, ""},
	{"Limits.Day", allDoors, wish{}, nil,
		func(o *owned) { o.mid.Limits.Day = "9.99" }, paidAtAll, [2]any{"paid", refused}, ""},
	{"Limits.Month", allDoors, wish{}, nil,
		func(o *owned) { o.mid.Limits.Month = "9.99" }, paidAtAll, [2]any{"paid", refused}, ""},
	{"MID.Descriptor", allDoors, wish{}, nil,
		func(o *owned) { o.mid.Descriptor = "GIFTS" },
		fact(func(_ testing.TB, _ *front, p store.Payment) any { return p.Descriptor }), [2]any{"", "GIFTS"}, ""},
	{"MID.Name", allDoors, wish{},
		func(o *owned) { o.mapping.Add.Extended = true }, func(o *owned) { o.mid.Name = "Main" },
		fact(func(t testing.TB, f *front, _ store.Payment) any {
			return lastCallbackField(t, f, "mid_name")
		}), [2]any{"", "Main"}, ""},
	{"MID.TimeZone", except(allDoors, byDue, byAPM), wish{}, nil,
		func(o *owned) { o.mid.TimeZone = "Asia/Tokyo" }, voidedAt("15:00"), [2]any{"voided", refused}, ""},
	{"MID.DayEnd", except(allDoors, byDue, byAPM), wish{}, nil,
		func(o *owned) { o.mid.DayEnd = "14:00" }, voidedAt("15:00"), [2]any{"voided", refused}, ""},
	{"MID.LinkTarget", []string{byGo, byPage, byHPF, byCard}, wish{card: gatewaytest.ThreeDSPasses}, nil,
		func(o *owned) { o.mid.LinkTarget = "_blank" },
		backOn(func(next *gateway.NextAction) any { return next.Target == "_blank" }), [2]any{false, true}, ""},
}

// requiredFields: each payer field that a mapping may require, in every S2S action that does not need it by itself.
func requiredFields() (rows []option) {
	for _, field := range []string{"payer_address", "payer_country", "payer_city", "payer_zip"} {
		for action, w := range map[string]wish{"SALE": {}, "DEBIT": {debit: true}, "CARD2CARD": {transfer: true}} {
			doors := []string{byCard, byAPM}
			if w.transfer {
				doors = doors[:1]
			}
			w.without = field
			rows = append(rows, option{name: "Mapping.Required", of: action + " " + field, doors: doors, wish: w,
				seen: paidAtAll,
				set:  func(o *owned) { o.mapping.Required = []string{field} }, want: [2]any{"paid", refused}})
		}
	}
	return rows
}

// preRoutes: a rule that leaves no card fits a session, until one condition makes it not fit.
func preRoutes() (rows []option) {
	for name, condition := range map[string]func(*store.PreRoute){
		"Currencies": func(r *store.PreRoute) { r.Currencies = []string{"EUR"} },
		"Countries":  func(r *store.PreRoute) { r.Countries = []string{"FR"} },
		"Min":        func(r *store.PreRoute) { r.Min = "10.01" },
		"Max":        func(r *store.PreRoute) { r.Max = "9.99" },
		"Methods":    func(r *store.PreRoute) { r.Methods = []string{"card"} },
	} {
		rows = append(rows, option{name: "PreRoute." + name, doors: []string{byPage, byHPF}, seen: paidAtAll,
			want: [2]any{refused, "paid"},
			base: func(o *owned) { o.mapping.PreRouting = []store.PreRoute{{Methods: []string{"paypal"}}} },
			set:  func(o *owned) { condition(&o.mapping.PreRouting[0]) }})
	}
	return rows
}

func optionRows() []option {
	return slices.Concat(merchantOptions, mappingOptions, midOptions, laterOptions, requiredFields(), preRoutes())
}

func withSecond(o *owned) { o.second = true }

// behindSecond puts a second MID first that takes everything.
func behindSecond(o *owned) { o.second, o.mid.Priority = true, 2 }

// paidAtAll is whether the payment succeeds.
func paidAtAll(t testing.TB, f *front, d payDoor, w wish) any {
	if route(t, f, d, w) == refused {
		return refused
	}
	return "paid"
}

// toldToUseTestKey is whether the payment is refused with 220002, as by a live key on a test MID (decision r).
func toldToUseTestKey(t testing.TB, f *front, d payDoor, w wish) any {
	err := d.pay(t, f, w)
	return errors.Is(err, gateway.ErrUseTestKey) || err != nil && strings.Contains(err.Error(), "220002")
}

// lastCallbackURL is the URL of the newest callback.
func lastCallbackURL(t testing.TB, f *front, d payDoor, w wish) any {
	require.NoError(t, d.pay(t, f, w))
	f.Work(t)
	all := f.Inbox.All()
	return all[len(all)-1].URL
}

// hashedBy is how the newest callback is signed. That of Checkout is hashed once more.
func hashedBy(t testing.TB, f *front, d payDoor, w wish) any {
	require.NoError(t, d.pay(t, f, w))
	hash, p := lastCallbackField(t, f, "hash"), f.paid(t, d)
	md5 := callback.CheckoutHash(&p, &store.Mapping{}, f.owned.merchant.Password)
	sha256 := callback.CheckoutHash(&p, &store.Mapping{SHA256: true}, f.owned.merchant.Password)
	return map[string]string{md5: "MD5", sha256: "SHA-256"}[hash] + map[int]string{32: "MD5", 64: "SHA-256"}[len(hash)]
}

func partlyRefunded(t testing.TB, f *front, d payDoor, w wish) any {
	require.NoError(t, d.pay(t, f, w))
	r, err := f.Shop().CreditVoid(t.Context(), kerneltest.FollowUpOf(f.paid(t, d), "4.00"))
	require.NoError(t, err)
	return r.Payment.Status
}

func TestOptions(t *testing.T) {
	t.Parallel()
	for _, o := range optionRows() {
		for _, d := range payDoors() {
			if !slices.Contains(o.doors, d.name) {
				continue
			}
			for i, set := range []func(*owned){func(*owned) {}, o.set} {
				t.Run(strings.TrimSpace(o.name+" "+o.of)+" "+d.name+" "+[]string{"off", "on"}[i], func(t *testing.T) {
					t.Parallel()
					base := o.base
					if base == nil {
						base = func(*owned) {}
					}
					w := o.wish
					w.normal()
					require.Equal(t, o.want[i], o.seen(t, openFront(t, d, base, set), d, w))
				})
			}
		}
	}
}
