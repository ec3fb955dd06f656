package kerneltest_test

import (
	"cmp"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/gatewaytest"
	"github.com/tollgatepay/gateway/internal/kerneltest"
)

// entry is a way into the library: a route or an action of a protocol, a method of Gateway, a kind of due work.
type entry struct {
	name string // of the entry; what follows a comma tells two requests of one entry apart
	make making
	asked
	again string // why the merchant is read again; empty where it is not
}

// asked is what an entry asks of the store.
type asked = kerneltest.StoreCalls

// making makes a request ready, with all that it is about; what it returns sends the request.
type making func(testing.TB, *countedShop) func()

// entries are all of them, with their store calls in an instance that has cached the merchant. No figure may get
// worse; if one gets better, the new one is written here.
var entries = slices.Concat(checkoutEntries, hpfEntries, cardEntries, apmEntries, pageEntries, verbEntries,
	payerEntries, dueEntries)

// TestStoreCalls holds that a request reads its merchant once: at most one key, one revision, and the configuration
// only if the revision has changed. A row that reads it again says why.
func TestStoreCalls(t *testing.T) {
	t.Parallel()
	again := 0
	for _, c := range entries {
		t.Run(c.name, func(t *testing.T) {
			s := &countedShop{}
			sends := c.make(t, s)
			s.store.Calls()
			sends()
			got := s.store.Calls()
			if got.Key > 1 || got.Revision > 1 {
				again++
			}
			t.Logf("storecalls: request=%q views=%d updates=%d key=%d revision=%d configuration=%d",
				c.name, got.Views, got.Updates, got.Key, got.Revision, got.Profile)
			require.Equal(t, c.again != "", got.Key > 1 || got.Revision > 1, "a row says why its merchant is read again")
			require.Equal(t, c.asked, got, "nothing may get worse; what got better is written into the row")
		})
	}
	t.Logf("storecalls: requests=%d that_read_their_merchant_again=%d", len(entries), again)
}

// readNothing are the methods of Gateway that belong to no merchant's request.
var readNothing = []string{
	"Close", "HostedFields", "Logged", "Merchant", "Now", "Operator", "PublicURL", "Run", // the gateway itself; Run does what Tick does
	"SaveMapping", "SaveMID", "SaveMerchant", "SaveWallets", // the configuration, which they write
}

// TestEveryEntryHasARow: no route, action or method is without a row, and no row is of one that is not there.
func TestEveryEntryHasARow(t *testing.T) {
	t.Parallel()
	all := slices.Concat(routes(t), actions(t), verbs(), duties())
	require.Greater(t, len(all), 100, "the entries were not found")
	var rows []string
	for _, c := range entries {
		name, _, _ := strings.Cut(c.name, ",")
		rows = append(rows, name)
	}
	slices.Sort(all)
	slices.Sort(rows)
	require.Equal(t, slices.Compact(all), slices.Compact(rows))
}

// routes are those of the protocols and of the page, as their sources have them.
func routes(t testing.TB) (list []string) {
	t.Helper()
	for _, at := range []struct{ file, method, pattern string }{
		{"checkout/checkout.go", "POST", `\{()"(/api/v1/[^"]+)", Max`},
		{"hpf/hpf.go", "", `\{"([A-Z]+)", "(/api/v1/[^"]+)", Max`},
		{"hpf/sdk/sdk.go", "", `route\{"([A-Z]+) (/[^"]+)"`},
		{"checkout/page/page.go", "", `\{"([A-Z]+) (/[^"]+)", p\.`},
	} {
		for _, found := range matches(t, at.file, at.pattern) {
			list = append(list, cmp.Or(found[1], at.method)+" "+found[2])
		}
	}
	return list
}

// actions are those of S2S CARD and S2S APM.
func actions(t testing.TB) (list []string) {
	t.Helper()
	for _, file := range []string{"cardtable.go", "apmtable.go", "followuptable.go", "scheduletable.go"} {
		for _, found := range matches(t, "s2s/"+file, `\{name: "(\w+)",[^{}]*?\bprotocols: (on\w+)`) {
			switch found[2] {
			case "onBoth":
				list = append(list, "CARD "+found[1], "APM "+found[1])
			case "onCard":
				list = append(list, "CARD "+found[1])
			default:
				list = append(list, "APM "+found[1])
			}
		}
	}
	return list
}

func matches(t testing.TB, file, pattern string) [][]string {
	t.Helper()
	text, err := os.ReadFile("../../" + file)
	require.NoError(t, err)
	found := regexp.MustCompile(pattern).FindAllStringSubmatch(string(text), -1)
	require.NotEmpty(t, found, file)
	return found
}

// verbs are the methods of Gateway and HostedFields. Those of Client are what they call once the key is looked up.
func verbs() (list []string) {
	for _, of := range []reflect.Type{
		reflect.TypeFor[*gateway.Gateway](), reflect.TypeFor[gateway.Merchant](), reflect.TypeFor[gateway.HostedFields](),
		reflect.TypeFor[gateway.Operator](),
	} {
		for i := range of.NumMethod() {
			if name := of.Method(i).Name; !slices.Contains(readNothing, name) {
				list = append(list, of.String()[strings.Index(of.String(), ".")+1:]+"."+name)
			}
		}
	}
	return list
}

func duties() (list []string) {
	for _, d := range kerneltest.DueWorks {
		list = append(list, "due "+string(d.Work))
	}
	return list
}

// dueEntries are one piece of due work each.
var dueEntries = []entry{
	{name: "due callback", asked: asked{Views: 3, Updates: 2},
		make: duty(gateway.WorkCallback)},
	{name: "due recovery", asked: asked{Views: 5, Updates: 2, Revision: 1},
		make: duty(gateway.WorkRecovery)},
	{name: "due schedule", asked: asked{Views: 6, Updates: 3, Revision: 1},
		make: duty(gateway.WorkSchedule)},
	{name: "due expiry", asked: asked{Views: 3, Updates: 1},
		make: duty(gateway.WorkExpiry)},
	{name: "due purge", asked: asked{Views: 6, Updates: 3},
		make: duty(gateway.WorkPurge)},
}

// duty does one piece of work, once everything else that is due has been done.
func duty(work gateway.Work) making {
	return func(t testing.TB, s *countedShop) func() {
		s.open(t)
		i := slices.IndexFunc(kerneltest.DueWorks, func(d kerneltest.DueWork) bool { return d.Work == work })
		d := kerneltest.DueWorks[i]
		d.Leave(t.(*testing.T), s.Kit, gatewaytest.MerchantKey, "ORD-1")
		if d.Due > 0 {
			s.Work(t)
			s.Clock.Set(s.Clock.Now().Add(d.Due))
		}
		return func() {
			done, _, err := s.Tick(t.Context(), 1)
			require.NoError(t, err)
			require.Equal(t, 1, done)
		}
	}
}
