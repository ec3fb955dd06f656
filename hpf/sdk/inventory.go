package sdk

import (
	"cmp"
	"slices"
	"strings"

	"github.com/tollgatepay/gateway/internal/cardui"
)

// Script is a script that we serve, as the inventory of scripts of a payment page has to list it (PCI DSS 4.0.1,
// requirements 6.4.3 and 11.6.1).
type Script struct {
	Path      string // below the mount point, like "sdk/hosted-fields.0123456789ab.js"
	Integrity string // of the integrity attribute: "sha384-" and the hash in base64
	Version   string // changes with the content
	Purpose   string // why it is needed
}

// purposes say why each script is needed; a test finds one without.
func purposes() map[string]string {
	return map[string]string{
		libraryName: "Library on the merchant's page: puts the fields of a card into frames of the gateway and reports their state to the page, never their values",
		"rules.js":  cardui.Rules,
		"style.js":  "Styles that the merchant's page gives to a field: only those on a list",
		"frame.js":  "One field of a card in its frame: talks to the page around it, and sends the card to the gateway",
	}
}

// Library returns the script for merchants' pages that pin its content:
//
//	<script src="https://pay.example/{Path}" integrity="{Integrity}" crossorigin="anonymous"></script>
//
// The path changes with every version of the library. Released versions are served after an upgrade too, so a page
// that pins one keeps working; see the package comment.
func Library() Script {
	list := Inventory()
	return list[slices.IndexFunc(list, func(s Script) bool { return strings.HasPrefix(s.Path, "sdk/hosted-fields.") })]
}

// Inventory returns every script that we serve, by path: the library, and those of the frames, which load no
// others.
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
