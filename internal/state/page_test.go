package state

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/store"
)

var rewrite = flag.Bool("rewrite", false, "write docs/states.md again")

const pageFile = "../../docs/states.md"

// TestPage keeps docs/states.md equal to the table. `go generate ./internal/state` writes it again.
func TestPage(t *testing.T) {
	t.Parallel()
	page := pageOf()
	if *rewrite {
		require.NoError(t, os.WriteFile(pageFile, []byte(page), 0o644))
	}
	written, err := os.ReadFile(pageFile)
	require.NoError(t, err)
	require.Equal(t, page, string(written), "docs/states.md is not as the table says: run go generate ./internal/state")
}

// Every row of the table is a row of the page, and every move an edge.
func TestPageIsWhole(t *testing.T) {
	t.Parallel()
	page := pageOf()
	moves := map[string]bool{}
	for key, row := range transitions {
		require.Contains(t, page, rowLine(key, row))
		if key.From != row.To {
			moves[string(key.Kind)+id(key.From)+id(row.To)] = true
		}
	}
	require.Equal(t, len(moves), strings.Count(page, " --> "))
}

const pageHead = `<!-- Written by go generate ./internal/state. Do not edit. -->

# States of payments

A payment is of one of four kinds. Each kind has a diagram, in which an edge says on which events of which
operations a payment moves, and a table of every row, those that leave the payment where it is too. What has no
row cannot happen.

An operation begins with the event start, which is the commit of the intent. The other events are what a connector
answers:

| Event | What happened |
|---|---|
| ` + "`approved`, `declined`" + ` | the acquirer did it, or will not |
| ` + "`3ds`, `redirect`" + ` | the payer has to go to the issuer, or to a third party |
| ` + "`waiting`" + ` | accepted, the outcome comes later |
| ` + "`init`" + ` | in crypto: an address is ready, the chain confirms later |
| ` + "`unknown`" + ` | the effect is not known; the gateway keeps asking |

Statuses are spelled as in S2S. "Checkout" is type and status of the callback, "S2S" the result in it; a row without
them sends none. A later payment of a chain says ` + "`recurring`" + ` for ` + "`sale` or `debit`" + `. An S2S
CREDITVOID that is accepted gets the answer ACCEPTED; its result comes by callback.

## What may be asked where

The operation that a request comes to, by the status of the payment. Amounts, the financial day and what else is
running are checked besides; a PENDING payment in crypto holds nothing, and nothing may be asked of it. A CHARGEBACK
is told by the acquirer, COMPLETE is DEBIT2VIRTUAL_COMPLETE, and RETRY is for later payments of a chain that were
declined softly.

`

func pageOf() string {
	var b strings.Builder
	b.WriteString(pageHead)
	followTable(&b)
	for _, kind := range store.Kinds() {
		rows := rowsOf(kind)
		fmt.Fprintf(&b, "\n## %s%s\n\n", strings.ToUpper(string(kind[:1])), kind[1:])
		diagram(&b, rows)
		b.WriteString("\n| From | Operation | Event | Guard | To | Checkout type / status | S2S result |\n" +
			"|---|---|---|---|---|---|---|\n")
		for _, r := range rows {
			b.WriteString(rowLine(r.Key, r.Row))
		}
	}
	return b.String()
}

func followTable(b *strings.Builder) {
	b.WriteString("| Kind | Status |")
	for _, ask := range Requests() {
		fmt.Fprintf(b, " %s |", ask)
	}
	b.WriteString("\n|---|---|" + strings.Repeat("---|", len(Requests())) + "\n")
	for _, kind := range store.Kinds() {
		for _, status := range store.Statuses() {
			followLine(b, kind, status)
		}
	}
}

func followLine(b *strings.Builder, kind store.Kind, status store.Status) {
	line, some := fmt.Sprintf("| %s | %s |", kind, status), false
	for _, ask := range Requests() {
		op, ok := Follow(kind, status, ask)
		if some = some || ok; ok {
			line += " `" + string(op) + "`"
		}
		line += " |"
	}
	if some {
		b.WriteString(line + "\n")
	}
}

// rowsOf returns the rows of a kind.
func rowsOf(kind store.Kind) []Rule {
	return slices.DeleteFunc(Rows(), func(r Rule) bool { return r.Kind != kind })
}

func rowLine(key Key, row Row) string {
	checkout := ""
	if row.Type != "" {
		checkout = "`" + row.Type + "` / `" + row.Status + "`"
	}
	return fmt.Sprintf("| %s | `%s` | `%s` | %s | %s | %s | %s |\n",
		statusName(key.From), key.Op, key.Event, key.Guard, row.To, checkout, result(key.Op, row))
}

func statusName(status store.Status) string {
	if status == store.New {
		return "(new)"
	}
	return string(status)
}

// result is the result in an S2S callback of a row (s2s_card.md, "Results and statuses"). Another test compares it
// with the rendered callbacks.
func result(op store.Operation, row Row) string {
	switch {
	case row.Type == "":
		return ""
	case row.Status == success && (row.Type == "3ds" || row.Type == "redirect"):
		return "REDIRECT"
	case row.Status == success && row.Type == "init":
		return "INIT"
	case row.Status == success:
		return "SUCCESS"
	case row.Status == fail:
		return "DECLINED"
	case row.Status == waiting && (op == store.OpRefund || op == store.OpReversal):
		return "WAITING"
	}
	return "UNDEFINED"
}

// diagram draws the rows that change a status, one edge for each pair of statuses.
func diagram(b *strings.Builder, rows []Rule) {
	b.WriteString("```mermaid\nstateDiagram-v2\n    state \"3DS\" as ThreeDS\n")
	var pairs [][2]store.Status
	for _, r := range rows {
		if pair := [2]store.Status{r.From, r.To}; pair[0] != pair[1] && !slices.Contains(pairs, pair) {
			pairs = append(pairs, pair)
		}
	}
	for _, pair := range pairs {
		fmt.Fprintf(b, "    %s --> %s : %s\n", id(pair[0]), id(pair[1]), label(rows, pair))
	}
	b.WriteString("```\n")
}

// id returns a status as a Mermaid identifier, which must not begin with a digit.
func id(status store.Status) string {
	switch status {
	case store.New:
		return "[*]"
	case store.ThreeDS:
		return "ThreeDS"
	}
	return string(status)
}

// label joins the events of an edge, operations with the same events together: "sale, auth declined".
func label(rows []Rule, pair [2]store.Status) string {
	var groups []string // events
	ops := map[string][]string{}
	for _, op := range store.Operations() {
		var events []string
		for _, r := range rows {
			if r.Op == op && r.From == pair[0] && r.To == pair[1] {
				events = append(events, string(r.Event))
			}
		}
		if events == nil {
			continue
		}
		told := strings.Join(slices.Compact(events), ", ")
		if ops[told] == nil {
			groups = append(groups, told)
		}
		ops[told] = append(ops[told], string(op))
	}
	for i, told := range groups {
		groups[i] = strings.Join(ops[told], ", ") + " " + told
	}
	return strings.Join(groups, " / ")
}
