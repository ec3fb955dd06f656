package gateway_test

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway"
	"github.com/tollgatepay/gateway/checkout/page"
	"github.com/tollgatepay/gateway/gatewayhttp"
	"github.com/tollgatepay/gateway/hpf"
	"github.com/tollgatepay/gateway/hpf/sdk"
	"github.com/tollgatepay/gateway/store"
)

// structures are the structs that hold options, records among them, by the name that rows use.
func structures() map[string]any {
	return map[string]any{
		"Merchant": store.Merchant{}, "Mapping": store.Mapping{}, "MappingLimits": store.MappingLimits{},
		"PreRoute":  store.PreRoute{},
		"Additions": store.Additions{}, "MID": store.MID{}, "Limits": store.Limits{}, "Wallets": store.Wallets{},
		"AppleWallet": store.AppleWallet{}, "GoogleWallet": store.GoogleWallet{}, "Schedule": store.Schedule{},
		"FirstPayment": store.FirstPayment{}, "Config": gateway.Config{}, "Retention": gateway.Retention{},
		"WalletRoots":  gateway.WalletRoots{},
		"page.Options": page.Options{}, "page.Apple": page.Apple{}, "hpf.Options": hpf.Options{},
		"sdk.Options": sdk.Options{}, "gatewayhttp.Options": gatewayhttp.Options{},
	}
}

// noOptions are fields that choose nothing, each with what it is.
var noOptions = map[string]string{
	"Merchant.ID":         "names the record",
	"Merchant.Key":        "names the merchant in a request: every test has it",
	"Merchant.TestKey":    "the same of test traffic: TestNotificationURL has a row by it",
	"Merchant.Password":   "signs every request of every door",
	"Mapping.MerchantID":  "names the owner",
	"Mapping.Protocol":    "names the record: each row is of the door's own",
	"MID.ID":              "names the record",
	"MID.MerchantID":      "names the owner",
	"MID.Connector":       "names the connector: Config.Connectors has a row",
	"Wallets.MerchantID":  "names the owner",
	"Schedule.ID":         "names the record",
	"Schedule.MerchantID": "names the owner",
	"Schedule.Test":       "says which key made it",
	"Schedule.Name":       "is shown to the merchant only",
	"Schedule.CreatedAt":  "is a fact",
	"Schedule.UpdatedAt":  "is a fact",
	"Config.Store":        "is a port, with a conformance suite of its own",
	"Config.Keys":         "is a port, with a conformance suite of its own",
}

// rowedElsewhere are options with their own test, by its folder and name.
var rowedElsewhere = map[string]string{
	"Config.Sinks":            "internal/delivery TestTargetsOfAMerchant",
	"Config.Workers":          "internal/work TestWorkersAreConfigured",
	"Merchant.NextPassword":   "internal/door TestPasswordsRotate",
	"Merchant.RotatesAt":      "internal/door TestPasswordsRotate",
	"Merchant.NextKey":        "internal/door TestKeysRotate",
	"Merchant.NextTestKey":    "internal/door TestKeysRotate",
	"Mapping.RequireName":     "TestSwitches",
	"Mapping.RequireExpected": "TestSwitches",
	"MID.AVS":                 "TestSwitches",
	"MID.ThreeDS":             "TestSwitches",
	"MID.Settings":            "internal/fields TestMIDSettingsWin",
	"MID.Secrets":             "internal/fields TestSecretsReachTheConnector",

	"Additions.Card": "TestSwitches", "Additions.Brand": "TestSwitches", "Additions.ARN": "TestSwitches",
	"Additions.COF": "TestSwitches", "Additions.Payer": "TestSwitches", "Additions.Method": "TestSwitches",
	"Additions.ThreeDS": "TestSwitches", "Additions.Browser": "TestSwitches", "Additions.Extended": "TestSwitches",

	"Wallets.Apple":              "internal/merchant TestWalletsAreOfferedAsSetUp",
	"Wallets.Google":             "internal/merchant TestWalletsAreOfferedAsSetUp",
	"AppleWallet.Environment":    "internal/merchant TestAppleIdentity",
	"AppleWallet.Identifier":     "internal/merchant TestAppleIdentity",
	"AppleWallet.Country":        "internal/merchant TestWalletRequests",
	"AppleWallet.ShopName":       "internal/merchant TestWalletRequests",
	"AppleWallet.Certificate":    "internal/merchant TestAppleIdentity",
	"AppleWallet.PrivateKey":     "internal/merchant TestAppleIdentity",
	"AppleWallet.Capabilities":   "internal/merchant TestWalletRequests",
	"AppleWallet.Networks":       "internal/merchant TestWalletRequests",
	"AppleWallet.ProcessingKeys": "internal/merchant TestWalletsAreOfferedAsSetUp",
	"GoogleWallet.Environment":   "internal/merchant TestWalletSettingsChange",
	"GoogleWallet.MerchantID":    "internal/merchant TestWalletRequests",
	"GoogleWallet.Gateway":       "internal/merchant TestWalletRequests",
	"GoogleWallet.AuthMethods":   "internal/merchant TestWalletRequests",
	"GoogleWallet.Networks":      "internal/merchant TestWalletRequests",
	"GoogleWallet.Keys":          "internal/merchant TestWalletSettingsChange",

	"WalletRoots.Apple":  "internal/merchant TestWalletKeysNeedRoots",
	"WalletRoots.Google": "internal/merchant TestWalletKeysNeedRoots",

	"page.Options.TrustedProxies":  "TestPageOptions",
	"page.Options.Templates":       "checkout/page TestOwnTemplates",
	"page.Options.Forms":           "checkout/page TestFormIDChoosesTemplates",
	"page.Options.Assets":          "checkout/page TestOwnAssets",
	"page.Options.StrictTransport": "checkout/page TestStrictTransport",
	"page.Options.Log":             "checkout/page TestFailingTemplate",
	"page.Apple.Domain":            "checkout/page TestMerchantSession",
	"page.Apple.DomainFile":        "checkout/page TestDomainFile",
	"page.Apple.Hosts":             "checkout/page TestMerchantSession",
	"page.Apple.Roots":             "checkout/page TestMerchantSession",
	"hpf.Options.TrustedProxies":   "hpf TestCustomerIP",
	"hpf.Options.StrictTransport":  "hpf TestStrictTransport",
	"sdk.Options.Log":              "hpf/sdk TestLog",
	"sdk.Options.StrictTransport":  "hpf TestStrictTransport",

	"gatewayhttp.Options.Prefix":          "gatewayhttp TestPrefix",
	"gatewayhttp.Options.Protocols":       "gatewayhttp TestProtocols",
	"gatewayhttp.Options.TrustedProxies":  "gatewayhttp TestTrustedProxies",
	"gatewayhttp.Options.StrictTransport": "gatewayhttp TestSharedOptions",
	"gatewayhttp.Options.MaxRequests":     "gatewayhttp TestMiddlewareAndLimit",
	"gatewayhttp.Options.Middleware":      "gatewayhttp TestMiddlewareAndLimit",
}

// rowed are the options that have rows here.
func rowed() map[string]bool {
	rows := map[string]bool{}
	for _, o := range optionRows() {
		rows[o.name] = true
	}
	for _, o := range scheduleOptions() {
		rows[o.name] = true
	}
	for _, o := range hostOptions() {
		rows["Config."+o.name] = true
	}
	for name := range ageOptions() {
		rows["Retention."+name] = true
	}
	return rows
}

// Each field of a configuration has a row, its own test, or a reason to have neither; and each of those is about a
// field.
func TestEveryOptionHasARow(t *testing.T) {
	t.Parallel()
	all := structures()
	parts := map[reflect.Type]bool{}
	for _, one := range all {
		parts[reflect.TypeOf(one)] = true
	}
	rows, fields := rowed(), map[string]bool{}
	for name, one := range all {
		of := reflect.TypeOf(one)
		for i := range of.NumField() {
			f := of.Field(i)
			if !f.IsExported() || parts[f.Type] { // its own fields have rows
				continue
			}
			field := name + "." + f.Name
			fields[field] = true
			known := rows[field] || rowedElsewhere[field] != "" || noOptions[field] != ""
			require.True(t, known,
				"%s has no row: say what is seen of it at every door (optionRows), or why there is nothing to see", field)
		}
	}
	for name := range rows {
		require.True(t, fields[name], name)
	}
	for name, test := range rowedElsewhere {
		require.True(t, fields[name], name)
		require.True(t, isTest(t, test), "%s: there is no %s", name, test)
	}
	for name := range noOptions {
		require.True(t, fields[name], name)
		require.False(t, rows[name], name)
	}
}

// isTest reports whether a folder, by default this one, has a test.
func isTest(t *testing.T, name string) bool {
	t.Helper()
	folder, test, elsewhere := strings.Cut(name, " ")
	if !elsewhere {
		folder, test = ".", name
	}
	files, err := filepath.Glob(filepath.Join(folder, "*_test.go"))
	require.NoError(t, err)
	for _, file := range files {
		source, err := os.ReadFile(file)
		require.NoError(t, err)
		if strings.Contains(string(source), "\nfunc "+test+"(") {
			return true
		}
	}
	return false
}
