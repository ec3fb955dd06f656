package methods_test

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tollgatepay/gateway/methods"
)

var rewrite = flag.Bool("rewrite", false, "write docs/methods.md again")

const pageFile = "../docs/methods.md"

// TestPage checks that docs/methods.md says what the tables say. `go generate ./methods` writes it again.
func TestPage(t *testing.T) {
	t.Parallel()
	page := pageOf(catalogue(t))
	if *rewrite {
		require.NoError(t, os.MkdirAll("../docs", 0o755))
		require.NoError(t, os.WriteFile(pageFile, []byte(page), 0o644))
	}
	written, err := os.ReadFile(pageFile)
	require.NoError(t, err)
	require.Equal(t, page, string(written), "docs/methods.md differs from the tables: run go generate ./methods")
}

func pageOf(c *methods.Catalogue) string {
	var b strings.Builder
	b.WriteString(pageHead)
	methodTable(&b, c)
	b.WriteString("\n## Parameter sets\n")
	for _, name := range c.Sets() {
		checker, _ := c.Set(name)
		setSection(&b, c, checker.Set())
	}
	return b.String()
}

const pageHead = `<!-- Written by go generate ./methods. Do not edit. -->

# Payment methods and their parameters

Parameters of a method are sent beside the other fields of a request: as ` + "`parameters.<code>.<name>`" + ` in a
Checkout session, as ` + "`parameters[<name>]`" + ` in the form-encoded S2S requests. Parameters that are not listed
here are kept and passed on. An empty value counts as absent.

What the platform publishes of methods, and where, is in [the protocols](protocol/methods.md). A merchant needs none of
it: this page is complete.

In the S2S spelling a key that reads as a number is the index of a list. Indexes may begin anywhere, come in any
order and have gaps: they give the order of the entries. Empty brackets append. This
does not apply to ` + "`custom_data`" + `, which is the merchant's own: there every key is the key of an object, so that
` + "`custom_data[1234]`" + ` is accepted and comes back in callbacks as it was sent.

Text is printable text of any script, digits are 0-9, and lengths count characters. "Required where the MID lists
it" means: optional, until the settings of the MID name the parameter under ` + "`needed_parameters`" + `.
"Only where" another parameter has a value means: beside other values of it the parameter is refused, and neither
required nor filled in; while the other is absent it is accepted as sent.

Required parameters are required for every operation that a method serves, except in sets that are marked with
their operations.
In a session a parameter that the page asks for may be left out; on S2S, and in a charge without a page, it may not.

## Methods

A method serves the operations of its row and no others: any other is refused with 204005. SALE stands
for authorizations (AUTH) and for later payments of a chain too; CREDIT is every payout. Where the documents are
silent about a code, it sells and does nothing else: a code pays out only where there are parameters of a payout
for it, and debits (DEBIT: sessions of operation debit, DEBIT2VIRTUAL) are for cards and for the test brand.
A host whose acquirer does more registers a record of its own under the code, in ` +
	"`Config.Methods`" + `; such a record has to
name its operations.

`

func methodTable(b *strings.Builder, c *methods.Catalogue) {
	b.WriteString("| Code | Name | Kind | Served by | Operations | Currencies | Sets | The page asks for | Window |\n" +
		"|---|---|---|---|---|---|---|---|---|\n")
	for _, code := range c.Codes() {
		m, _ := c.Lookup(code)
		window := ""
		if m.Window > 0 {
			window = fmt.Sprintf("%d s", m.Window)
		}
		fmt.Fprintf(b, "| `%s` | %s | %s | %s | %s | %s | %s | %s | %s |\n", m.Code, m.Name, m.Kind,
			joined(m.Protocols), joined(m.Operations), strings.Join(m.Currencies, ", "), uses(m), asks(m), window)
	}
}

func joined[T ~string](values []T) string {
	var texts []string
	for _, value := range values {
		texts = append(texts, string(value))
	}
	return strings.Join(texts, ", ")
}

func asks(m methods.Method) string {
	var names []string
	for _, ask := range m.Prompts {
		names = append(names, "`"+ask.Name+"`")
	}
	return strings.Join(names, ", ")
}

func uses(m methods.Method) string {
	var texts []string
	for _, use := range m.Sets {
		texts = append(texts, fmt.Sprintf("[%s](#%s)%s", use.Set, use.Set, remark(use)))
	}
	return strings.Join(texts, "<br>")
}

// remark says when a set is used.
func remark(use methods.Use) string {
	var notes []string
	if len(use.Operations) > 0 {
		notes = append(notes, joined(use.Operations))
	}
	if use.Spelling != "" {
		notes = append(notes, map[methods.Spelling]string{methods.JSON: "Checkout", methods.Form: "S2S"}[use.Spelling])
	}
	if use.IfSent {
		notes = append(notes, "when one of its parameters is sent")
	}
	if use.Group != "" {
		notes = append(notes, "one of those marked "+use.Group)
	}
	if notes == nil {
		return ""
	}
	return " (" + strings.Join(notes, "; ") + ")"
}

func setSection(b *strings.Builder, c *methods.Catalogue, set methods.Set) {
	fmt.Fprintf(b, "\n### %s\n\n%s. %s Used by: %s.\n\n", set.Name, set.Title, set.Doc, users(c, set.Name))
	b.WriteString("| Parameter | Requirement | Value | Default | Example | Meaning |\n|---|---|---|---|---|---|\n")
	for _, row := range set.Rows {
		name := code(row.Path)
		if row.Request {
			name += " of the request, " + code(checkoutName[row.Path]) + " on Checkout"
		}
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s | %s |\n", name, row.Words(), row.Rule.Words(), defaultOf(row),
			code(row.Sample()), row.Doc)
	}
	if len(set.Operators) == 0 {
		return
	}
	b.WriteString("\n| Operator | Country | Currency | From | To | Number |\n|---|---|---|---|---|---|\n")
	for _, o := range set.Operators {
		fmt.Fprintf(b, "| `%s` | %s | %s | %s | %s | `%s` |\n", o.Slug, o.Country, o.Currency, o.Min, o.Max,
			strings.ReplaceAll(o.Number, "|", `\|`))
	}
}

func users(c *methods.Catalogue, set string) string {
	var codes []string
	for _, code := range c.Codes() {
		m, _ := c.Lookup(code)
		if slices.ContainsFunc(m.Sets, func(u methods.Use) bool { return u.Set == set }) {
			codes = append(codes, "`"+code+"`")
		}
	}
	return strings.Join(codes, ", ")
}

func defaultOf(row methods.Row) string {
	if row.Option != "" {
		return strings.TrimSuffix("MID's "+code(row.Option)+", "+code(row.Default), ", ")
	}
	return code(row.Default)
}

func code(text string) string {
	if text == "" {
		return ""
	}
	return "`" + text + "`"
}
