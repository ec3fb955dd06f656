package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/tollgatepay/gateway/examples/server/shop"
)

// announce prints the addresses. The first line is the address, for programs.
func (h *host) announce(out io.Writer) {
	var b strings.Builder
	say := func(name, format string, values ...any) {
		fmt.Fprintf(&b, "%-13s %s\n", name, fmt.Sprintf(format, values...))
	}
	fmt.Fprintf(&b, "listening on %s\n\n", h.site.local)
	say("shop", "%s/", h.site.public)
	say("shop itself", "%s/", h.own.public)
	say("API", "%s/api/v1/session", h.site.public)
	say("S2S", "%[1]s/post, %[1]s/post-va, %[1]s/v2/post", h.site.public)
	say("callbacks", "%s/demo/callbacks", h.site.public)
	say("operators", "%[1]s/metrics, %[1]s/healthz", h.ops.local)
	say("kept in", "%s", h.opts.kept())
	for _, m := range h.records.merchants {
		fmt.Fprintln(&b)
		say("merchant", "%s", m.Name)
		say("merchant_key", "%s", m.Key)
		if m.TestKey != "" {
			say("test key", "%s", m.TestKey)
		}
		if h.opts.config == "" {
			say("password", "%s", demoPassword)
		} else {
			say("password", "as in %s", h.opts.config)
		}
	}
	fmt.Fprintf(&b, "\nTest cards: %s, any security code; the expiry decides\n", shop.TestNumber)
	for _, card := range shop.Cards() {
		fmt.Fprintf(&b, "  %s  %s\n", card.Expiry, card.Outcome)
	}
	_, _ = io.WriteString(out, b.String()) // the output may be closed; the server runs nevertheless
}

func (o options) kept() string {
	switch {
	case o.url != "":
		return fmt.Sprintf("PostgreSQL, its keys in %s", o.keys)
	case o.db != "":
		return fmt.Sprintf("%[1]s, its keys in %[2]s, the test acquirer's books in %[1]s.acquirer", o.db, o.keys)
	default:
		return "memory, and gone when the server stops"
	}
}
