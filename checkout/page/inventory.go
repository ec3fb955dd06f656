package page

import (
	"cmp"
	"slices"
	"strings"

	"github.com/tollgatepay/gateway/checkout/page/internal/static"
	"github.com/tollgatepay/gateway/internal/cardui"
)

// Script is a script that one of our pages loads, as the inventory of scripts has to list it (PCI DSS 4.0.1,
// requirements 6.4.3 and 11.6.1).
type Script struct {
	Path      string // below the mount point, like "page/assets/page.0123456789ab.js"
	Integrity string // of the integrity attribute: "sha384-" and the hash in base64
	Version   string // changes with the content
	Purpose   string // why the page needs it
}

// purposes say why each script is needed; a test finds one without.
var purposes = map[string]string{
	"page.js": "Form of the payment page: checks fields before they are sent, sends the form once, tells the time left " +
		"and the facts about the browser that 3-D Secure asks for",
	"card.js":  "Card fields of the payment page: applies their rules while the payer types, shows the brand",
	"rules.js": cardui.Rules,
	"wallet.js": "Wallet buttons of the payment page: shows those that the browser can open, opens the wallet " +
		"and sends its token",
	"way.js": "Pages on the way: goes on to the bank and back to the merchant, looks for news of the payment, " +
		"copies payment details",
}

// Inventory returns every script that any page loads, by path. There are no others: hosts cannot add scripts, and
// the Content-Security-Policy of every page stops browsers from running any other.
func Inventory() []Script {
	set, _ := static.Load(nil) // without files of a host there is no error
	var list []Script
	for name, file := range set.Named {
		if strings.HasSuffix(name, ".js") {
			list = append(list, Script{"page/assets/" + file.URL, file.Integrity, file.Version(), purposes[name]})
		}
	}
	slices.SortFunc(list, func(a, b Script) int { return cmp.Compare(a.Path, b.Path) })
	return list
}
