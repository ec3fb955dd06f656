package reference

import (
	"slices"
	"strings"

	"github.com/tollgatepay/gateway/callback"
	"github.com/tollgatepay/gateway/callback/receive"
	"github.com/tollgatepay/gateway/callback/signature"
	"github.com/tollgatepay/gateway/internal/release"
	"github.com/tollgatepay/gateway/store"
)

// Callbacks is the page of what a merchant's endpoint is sent.
func Callbacks() string {
	w := &page{}
	w.line("<!-- Written by go generate ./internal/reference. Do not edit. -->\n")
	w.line("# Callbacks\n")
	w.line("%s", wrapped(callbacksSay))
	for _, protocol := range store.Protocols() {
		w.line("\n## %s\n", protocolNames[protocol])
		formulas := callback.Formulas(protocol)
		for _, f := range formulas {
			w.line("- `%s`: `%s`\n  It covers %s", f, f.Notation(), covered(f))
		}
		w.line("\n%s", wrapped(unsignedSay[protocol]))
		w.line("\n| Parameter | Sent | In the hash | Since |\n|---|---|---|---|")
		var seen []string
		for _, p := range callback.Parameters(protocol) {
			name, when := p.Name, p.When
			switch {
			case p.Tree:
				name += "[...]"
			case slices.Contains(seen, name):
				when += " (here, in place of above)"
			}
			switch {
			case p.Always:
				when = "always"
			case when == "":
				when = "where it has a value"
			}
			seen = append(seen, p.Name)
			w.line("| `%s` | %s | %s | %s |", name, when, inHash(p.Name, formulas), release.Since(p.Since))
		}
	}
	return w.text.String()
}

// covered says what of a callback the hash of a formula covers.
func covered(f signature.Formula) string {
	fields, all := receive.Signed(f)
	if all {
		return "the values of all parameters but `hash`."
	}
	return "`" + strings.Join(fields, "`, `") + "`, and no other parameter."
}

// inHash says which of a protocol's formulas cover a parameter.
func inHash(name string, formulas []signature.Formula) string {
	var by []string
	for _, f := range formulas {
		if fields, all := receive.Signed(f); all && name != "hash" || slices.Contains(fields, name) {
			by = append(by, "`"+f.String()+"`")
		}
	}
	switch {
	case name == "hash":
		return ""
	case len(by) == 0:
		return "**no**"
	case len(by) == len(formulas):
		return "yes"
	}
	return "by " + strings.Join(by, ", ")
}
