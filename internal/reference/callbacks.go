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
		for _, p := range merged(callback.Parameters(protocol)) {
			name, when := p.Name, p.When
			if p.Tree {
				name += "[...]"
			}
			switch {
			case p.Always:
				when = "always"
			case when == "":
				when = "where it has a value"
			}
			w.line("| `%s` | %s | %s | %s |", name, when, inHash(p.Name, formulas), release.Since(p.Since))
		}
	}
	return w.text.String()
}

// merged are the parameters, each once: one that stands at two places of the body says there when it is at either.
func merged(all []callback.Parameter) (list []callback.Parameter) {
	for _, p := range all {
		i := slices.IndexFunc(list, func(before callback.Parameter) bool { return before.Name == p.Name })
		if i < 0 {
			list = append(list, p)
			continue
		}
		list[i].When += "; " + p.When
	}
	return list
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
