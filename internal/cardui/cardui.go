// Package cardui holds what all card fields share, on the payment page and in the frames of Hosted Payment Fields:
// the rules that a browser applies to what is typed, and the pictures of the brands.
package cardui

import (
	"embed"
	"io/fs"
)

//go:embed files
var files embed.FS

// Files returns rules.js and a picture of each brand, like brand-visa.svg; brand-card.svg is for an unknown brand.
func Files() fs.FS {
	sub, _ := fs.Sub(files, "files") // the folder is part of the program
	return sub
}

// Rules describes rules.js, as inventories of scripts require.
const Rules = "Rules of the fields of a card: groups digits as they are typed, knows brands, " +
	"checks number, expiry and security code"
