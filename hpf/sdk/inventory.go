package sdk

import (
	"cmp"
	"slices"
	"strings"

	"github.com/tollgatepay/gateway/internal/cardui"
)

// Script is a script that we serve, as the inventory of scripts of a payment page has to tell (PCI DSS
// 4.0.1, requirements 6.4.3 and 11.6.1).
type Script struct {
	Path      string // below the mount point, like "sdk/hosted-fields.0123456789ab.js"
	Integrity string // of the integrity attribute: "sha384-" and the hash in base64
	Version   string // changes with the content
	Purpose   string // why it is there
}

// purposes say why there is each script; a test finds one without.
func purposes() map[string]string {
	return map[string]string{
		libraryName: "Library on the merchant's page: puts the fields of a card into frames of the gateway and tells the page how they do, never what they hold",
		"rules.js":  cardui.Rules,
		"style.js":  "Looks that the merchant's page gives to a field: lets through what is on a list",
		"frame.js":  "One field of a card in its frame: talks to the page around it, and sends the card to the gateway",
	}
}

// Library is the script for merchants' pages that must know what they load:
//
//	<script src="https://pay.example/{Path}" integrity="{Integrity}" crossorigin="anonymous"></script>
//
// The path changes with every version of the library. Those of released versions go on being served after an
// upgrade, so a page that has one pinned keeps working; see the package comment.
func Library() Script {
	list := Inventory()
	return list[slices.IndexFunc(list, func(s Script) bool { return strings.HasPrefix(s.Path, "sdk/hosted-fields.") })]
}

// Inventory lists every script we serve, by path: the library, and those of the frames, which load no others.
func Inventory() []Script {
	var list []Script
	why := purposes()
	for name, a := range ourAssets().Named {
		if !strings.HasSuffix(name, ".js") {
			continue
		}
		folder := "sdk/frame/"
		if name == libraryName {
			folder = "sdk/"
		}
		list = append(list, Script{folder + a.URL, a.Integrity, a.Version(), why[name]})
	}
	slices.SortFunc(list, func(a, b Script) int { return cmp.Compare(a.Path, b.Path) })
	return list
}
